"""Logs and metrics say what happened, and neither what was asked nor what is in the table."""

from __future__ import annotations

import asyncio
import json
import logging
from threading import Event
from time import monotonic

import pytest
from tests.app.service.small import COUNT, MEAN, running, write

from noiseless.app.service.lane import waiting
from noiseless.app.service.log import Lines
from noiseless.app.service.metrics import Metrics
from noiseless.app.service.served import FOREVER


@pytest.fixture
def lines(capsys):
    def written() -> list[dict]:
        return [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]

    return written


def test_a_line_for_each_request_without_question_or_duration_of_answers(tmp_path, lines):
    with running(write(tmp_path)) as served:
        served.ask(COUNT)
        served.get("/datasets/people/public", "auditor")
        served.ask("SELECT AVG(wage) FROM people", bits=1)
        served.client.get("/datasets/people?secret=1")
    asked, public, refused, stranger = [each for each in lines() if each["message"] == "request"]
    assert (asked["route"], asked["status"], asked["caller"]) == ("/datasets/{dataset}/ask", 200, "the analyst")
    assert (public["role"], refused["status"], stranger["status"]) == ("auditor", 422, 401)
    assert ("seconds" in asked, "seconds" in public) == (False, True)
    for each in (asked, public, refused, stranger):  # any number may be in a time
        each |= {"time": "", "seconds": ""}
    said = json.dumps([asked, public, refused, stranger])
    assert not any(word in said for word in ("SELECT", "smoker", "wage", "29", "secret", "Bearer", 'caller": null'))


def test_questions_are_logged_only_if_that_is_switched_on(tmp_path, lines):
    with running(write(tmp_path), log_questions=True) as served:
        served.ask(COUNT)
    assert [each["questions"] for each in lines() if each["message"] == "request"] == [{"sql": COUNT}]


def test_what_nobody_expected_is_logged_without_its_message(tmp_path, lines, monkeypatch):
    """An exception may quote data, and so may its traceback."""
    from noiseless.app.service.routes import asking

    def fails(*_, **__):
        raise ValueError("row 17 has the value 4711")

    monkeypatch.setattr(asking, "written", fails)
    with running(write(tmp_path)) as served:
        failed = served.ask(MEAN, error=5)
        assert (failed.status_code, failed.json()["type"]) == (500, "/problems/unexpected")
        assert "4711" not in failed.text
    logged = lines()
    assert [each["failed"] for each in logged if each.get("failed")] == ["ValueError"]
    assert "4711" not in json.dumps(logged)


def test_a_traceback_is_not_written():
    try:
        raise ValueError("4711")
    except ValueError:
        record = logging.LogRecord("noiseless", logging.ERROR, "", 1, "failed", (), None)
        record.exc_info = (ValueError, ValueError("4711"), None)
    assert "4711" not in Lines().format(record)


def test_metrics_are_counts_in_the_text_format(tmp_path):
    with running(write(tmp_path)) as served:
        served.ask(COUNT)
        served.get("/datasets/people/public")
        text = served.get("/metrics", "auditor").text
    samples = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert samples['noiseless_requests_total{method="POST",route="/datasets/{dataset}/ask",status="200"}'] == "1"
    assert float(samples['noiseless_bits_left{dataset="people"}']) < 12
    timed = [name for name in samples if name.startswith("noiseless_request_seconds_count")]
    assert [name for name in timed if "/ask" in name] == []
    assert any("/public" in name for name in timed)


def test_a_duration_is_without_the_time_for_which_others_were_answered(tmp_path, lines):
    """A preview waits for the question before it, whose time may depend on the data."""

    async def both(served) -> None:
        service = served.client.app.state.service
        of, going, reads = service.dataset("people"), Event(), Event()

        def reading(_):
            going.set()
            assert reads.wait(60)

        first = asyncio.create_task(of.run(reading, FOREVER))
        await asyncio.to_thread(going.wait)
        waited = waiting()
        began = monotonic()
        second = asyncio.create_task(of.run(lambda curator: curator.name))
        while of._lane._turns._taken < 2:
            await asyncio.sleep(0)
        passed = monotonic()
        reads.set()
        assert await second == "people"
        await first
        assert passed - began <= waited.seconds <= monotonic() - began

    with running(write(tmp_path)) as served:
        served.client.portal.call(both, served)


def test_published_answers_are_not_timed(tmp_path):
    """They are recalled, which computes what a process that died had charged."""
    with running(write(tmp_path)) as served:
        served.ask(COUNT)
        for role in ("analyst", "custodian"):
            agreed = served.post("/datasets/people/published", {"entry": 1}, role).json()
        for path in ("", "/certificate"):
            assert served.client.get(f"/published/{agreed['id']}{path}").status_code == 200
        text = served.get("/metrics", "auditor").text
    assert [line for line in text.splitlines() if "seconds" in line and "published" in line] == []


def test_counts_of_several_processes_are_added():
    one, other = Metrics(), Metrics()
    one.count("GET", "/ready", 200, 0.03)
    other.count("GET", "/ready", 200, 0.3)
    one.add(json.loads(json.dumps(other.fields())))
    text = "\n".join(one.lines())
    assert 'status="200"} 2' in text
    assert 'le="0.05"} 1' in text
    assert 'le="+Inf"} 2' in text
    assert 'sum{method="GET",route="/ready"} 0.330000' in text
