"""What a stranger or a curious analyst tries: nothing is learned, nothing is charged, and nobody else is held up."""

from __future__ import annotations

import asyncio
import json
import logging

import pytest
from tests.app.service.small import COUNT, MEAN, listening, running, token, write
from tests.app.service.test_limits import answer_to, kind
from tests.app.service.test_roles import MAY

import noiseless as nl
from noiseless.app.remote.connect import Remote, is_here
from noiseless.app.service.log import write_lines
from noiseless.app.service.quotas import Quotas
from noiseless.app.service.state import states_of

PARTS = ("about", "rule", "next_step")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with running(write(tmp_path_factory.mktemp("served"), budget=40), rate=1_000_000) as found:
        yield found


def test_every_refusal_has_three_parts(served):
    """Also those of the framework, before a route has the request."""
    header = served.tokens["analyst"]
    form = header | {"Content-Type": "application/x-www-form-urlencoded"}
    ask, body = "/datasets/people/ask", json.dumps({"sql": MEAN, "error": 5})
    found = [
        served.client.get("/nowhere"),
        served.client.put(ask, headers=header),
        served.client.post(ask, content=body, headers=form),
        served.client.post(ask, content="{", headers=header | {"Content-Type": "application/json"}),
        served.client.get("/datasets"),
        served.get("/datasets/people/check"),
        served.get("/datasets/other"),
        served.get("/datasets/people/ledger?most=0"),
        served.ask(MEAN, error=5, headers={"Accept": "image/png"}),
        served.ask("SELECT AVG(wage) FROM people", bits=1),
        served.ask(MEAN, bits=3, max_bits="0.1"),
        served.get("/datasets/people/questions/77"),
        served.post("/datasets/people/holds/77/collect", {}),
    ]
    assert [each.status_code for each in found] == [404, 405, 415, 422, 401, 403, 404, 422, 406, 422, 402, 404, 422]
    for each in found:
        kind(each)
        assert all(each.json()[part] for part in PARTS), each.text
    assert found[1].json()["rule"] == "the path takes POST only"
    assert found[1].headers["allow"] == "POST"
    assert "Content-Type: application/json" in found[2].json()["next_step"]
    assert "is not JSON" in found[3].json()["rule"]
    assert (found[7].json()["about"], found[12].json()["about"]) == ("query.most", "hold 77")


def test_what_is_no_http_is_refused_in_the_same_words(tmp_path):
    with listening(write(tmp_path)) as address:
        head, _, body = answer_to(address, b"\x16\x03\x01 what is this\r\n\r\n").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert b"application/problem+json" in head
    assert all(json.loads(body)[part] for part in PARTS)


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 400_000,
        b'{"sql": "SELECT AVG(age) FROM people", "bits": ' + b'{"a": ' * 100_000,
        b'{"sql": "SELECT AVG(age) FROM people", "bits": ' + b"9" * 5000 + b"}",
        b'{"sql": "SELECT AVG(age) FROM people", "bits": "1e999999999"}',
        b'{"sql": "SELECT AVG(age) FROM people", "bits": "1/0"}',
        b'{"sql": "SELECT AVG(age) FROM people", "bits": {"\\ud800": 1}}',
        b'{"sql": "SELECT ' + b"(" * 90_000 + b'1", "bits": 1}',
        b"\x1f\x8b\x08\x00" + b"\x00" * 100,
    ],
    ids=["nested", "nested terms", "digits", "exponent", "zero", "half a character", "parentheses", "compressed"],
)
def test_hostile_bodies_are_refused_at_once(served, body):
    header = served.tokens["analyst"] | {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    assert served.client.post("/datasets/people/ask", content=body, headers=header).status_code in (400, 422)
    assert served.get("/datasets/people/ledger").json()["total"] == 0


def test_methods_that_a_stranger_invents_are_counted_as_one(served):
    for k in range(5):
        served.client.request(f"GET{k}", "/health")
    text = served.get("/metrics", "auditor").text
    assert 'method="other"' in text
    assert 'method="GET1"' not in text


def test_a_token_does_not_tell_which_datasets_others_have(tmp_path):
    """This holds even if their tokens are kept elsewhere."""
    (tmp_path / "elsewhere").mkdir()
    first, second = write(tmp_path), write(tmp_path / "elsewhere", "trips")
    with running(first, second) as served:
        trips = token(second, "ada")
        for method, path in (route.split(" ") for route in MAY if "{dataset}" in route):
            asked = [path.replace("{dataset}", name) for name in ("people", "unknown")]
            known, unknown = (served.client.request(method, each, headers=trips, json={}) for each in asked)
            assert known.status_code == unknown.status_code in (403, 404)
            assert known.text.replace("people", "unknown") == unknown.text


def test_holds_and_requests_of_others_cannot_be_read_or_ended(tmp_path):
    """Guessing their numbers says at most that they exist, as the status does."""
    with running(write(tmp_path, more="[policy]\nhold_above = 0\n"), rate=1_000_000) as served:
        held = served.ask(COUNT).json()["hold"]
        wished = {"bits": 1, "reason": "a thesis", "about": "budget"}
        wish = served.post("/datasets/people/requests", wished).json()["number"]
        other = token(served.file, "bob")
        for path in (f"holds/{held}/collect", f"decisions/{held}/withdraw", f"decisions/{wish}/withdraw"):
            refused = served.client.post(f"/datasets/people/{path}", headers=other, json={})
            assert refused.status_code == 422
            assert not any(word in refused.text for word in ("smoker", "thesis", "analyst"))
        for path in ("holds", "requests", "jobs"):
            assert served.client.get(f"/datasets/people/{path}", headers=other).json() == []
        assert served.client.get("/datasets/people/export", headers=other).status_code == 403
        assert served.get("/datasets/people/status").json()["held"] == 1
        assert len(served.get("/datasets/people/requests").json()) == 1


def test_nobody_is_called_everybody_else(served):
    """An analyst of that name would spend the quota of all others without being counted."""
    named = {"name": "*", "role": "analyst"}
    assert kind(served.post("/datasets/people/tokens", named, "custodian"))[0] == 422
    with pytest.raises(nl.QuestionError, match="stands for all others"), nl.Curator.open(served.file, analyst="*"):
        pass


def test_a_preview_says_what_the_quota_of_the_caller_allows(tmp_path):
    with running(write(tmp_path)) as served:
        [(state, [name])] = states_of([served.file])
        Quotas(state, name).set_own("the analyst", 1)
        state.close()
        dear = {"sql": MEAN, "bits": 3}
        price = served.post("/datasets/people/preview", dear).json()
        assert (price["affordable"], price["remaining"]) == (False, 12)
        assert served.ask(MEAN, bits=3).status_code == 402
        assert served.post("/datasets/people/preview", dear, "custodian").json()["affordable"]
        assert served.post("/datasets/people/preview", {"sql": MEAN, "bits": 1}).json()["affordable"]
        together = {"questions": [MEAN, COUNT], "bits": 2}
        found = [served.post("/datasets/people/preview_batch", together, role) for role in ("analyst", "custodian")]
        assert [{way["affordable"] for way in each.json()["ways"]} for each in found] == [{False}, {True}]


def test_pages_and_lists_leave_at_the_same_intervals(tmp_path):
    """Whatever may wait for an answer to somebody else."""
    with running(write(tmp_path), answer_every="300ms") as served:
        for path in ("/datasets", "/datasets/people/ledger", "/metrics", "/console/people", "/verify"):
            assert served.get(path, "auditor").elapsed.total_seconds() >= 0.3, path
        assert served.client.get("/health").elapsed.total_seconds() < 0.3


def test_a_loop_that_fails_writes_no_traceback(capsys, monkeypatch):
    for name in ("noiseless", "uvicorn", "asyncio", "concurrent"):
        logger = logging.getLogger(name)
        for kept in ("handlers", "propagate", "level"):
            monkeypatch.setattr(logger, kept, getattr(logger, kept))
    write_lines()

    async def fails() -> None:
        raise ValueError("4711")

    async def forgotten() -> None:
        asyncio.get_running_loop().call_exception_handler({"message": "never retrieved", "exception": ValueError(4711)})
        with pytest.raises(ValueError, match="4711"):
            await fails()

    asyncio.run(forgotten())
    said = capsys.readouterr().err
    assert json.loads(said)["message"].startswith("never retrieved")
    assert "4711" not in said


def test_the_token_does_not_travel_through_a_proxy_of_the_environment(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:3128")
    assert all(map(is_here, ("http://127.0.0.1:1", "http://[::1]", "http://localhost")))
    assert not any(map(is_here, ("https://127.0.0.1", "http://a.example")))
    here, there = Remote("http://127.0.0.1:8000", "t", None), Remote("https://a.example", "t", None)
    assert (here._http.trust_env, there._http.trust_env) == (False, True)
