"""Copies are jobs: released, watched, downloaded in three formats, and cancelled without a refund."""

from __future__ import annotations

import asyncio
import io
import json
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from tests.app.service.small import COUNT, MEAN, running, token, write

import noiseless as nl
from noiseless.app.service.jobs import LOST, MOST, job_of
from noiseless.app.service.state import states_of
from noiseless.app.service.tokens import now
from noiseless.app.service.written import ARROW

COPIES = "/datasets/people/copies"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with running(write(tmp_path_factory.mktemp("served"))) as found:
        yield found


def events(served, job: str) -> list[dict]:
    path = f"/datasets/people/jobs/{job}/events"
    with served.client.stream("GET", path, headers=served.tokens["custodian"]) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        return [json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: ")]


@pytest.fixture(scope="module")
def copy(served):
    wanted = {"bits": 5, "max_bits": 6}
    made = served.post(COPIES, wanted, "custodian", headers={"Idempotency-Key": "copy"})
    again = served.post(COPIES, wanted, "custodian", headers={"Idempotency-Key": "copy"})
    assert (made.status_code, again.status_code) == (202, 202)
    assert made.json()["id"] == again.json()["id"]
    progress = events(served, made.json()["id"])
    assert progress[-1]["state"] == "done", progress[-1]["problem"]
    assert {each["state"] for each in progress} <= {"waiting", "running", "done"}
    return progress[-1]


def test_a_copy_is_downloaded_by_everybody_in_three_formats(served, copy, tmp_path):
    path = f"{COPIES}/{copy['id']}"
    [listed] = served.get(COPIES).json()
    assert (listed["id"], listed["rows"], listed["count"]) == (copy["id"], 200, copy["result"]["count"])
    parquet = served.get(path, "auditor").content
    table = pq.read_table(io.BytesIO(parquet))
    stream = served.get(path, headers={"Accept": ARROW}).content
    assert pa.ipc.open_stream(stream).read_all() == table
    text = served.get(path, headers={"Accept": "text/csv"}).content
    assert pyarrow.csv.read_csv(io.BytesIO(text)).to_pylist() == table.to_pylist()
    (tmp_path / "copy.parquet").write_bytes(parquet)
    certificate = nl.Certificate.from_json(served.get(f"{path}/certificate").text)
    assert str(nl.verify(certificate, file=tmp_path / "copy.parquet").count) == listed["count"]


def test_a_preview_of_a_copy_is_free(served):
    before = served.get("/datasets/people").json()["remaining"]
    assert served.post(f"{COPIES}/preview", {"bits": 3, "constant": True}, "custodian").json()["affordable"]
    assert served.get("/datasets/people").json()["remaining"] == before


def test_what_cannot_be_is_refused_before_a_job_begins(served):
    assert served.post(COPIES, {"columns": ["wage"]}, "custodian").status_code == 422
    assert served.post(COPIES, {"to": "/etc/passwd", "bits": 3}, "custodian").status_code == 422
    for which in ("unknown", "..%2fpeople", "%2e%2e"):
        assert served.get(f"{COPIES}/{which}").status_code == 404


def test_a_refusal_of_the_ledger_is_the_problem_of_the_job(served, copy):
    began = served.post(COPIES, {"bits": 4, "constant": True, "max_bits": "0.5"}, "custodian").json()
    last = events(served, began["id"])[-1]
    assert (last["state"], last["problem"]["type"]) == ("failed", "/problems/budget-exceeded")


def test_cancelling_refunds_nothing(served, copy):
    left = served.get("/datasets/people").json()["remaining"]
    began = served.post(COPIES, {"bits": 5}, "custodian").json()  # charged before
    ended = served.client.delete(f"/datasets/people/jobs/{began['id']}", headers=served.tokens["custodian"])
    assert ended.json()["state"] == "cancelling"
    assert events(served, began["id"])[-1]["state"] == "cancelled"
    assert served.get("/datasets/people").json()["remaining"] == left
    assert began["id"] not in [each["id"] for each in served.get(COPIES).json()]


def test_a_design_is_a_free_job_of_an_analyst(served, copy):
    left = served.get("/datasets/people").json()["remaining"]
    wanted = {"questions": {MEAN: 2, COUNT: {"weight": 1, "error": 5}}, "bits": 3, "seconds": 5}
    began = served.post("/datasets/people/designs", wanted)
    assert (began.status_code, began.json()["kind"]) == (202, "design")
    last = events(served, began.json()["id"])[-1]
    assert last["state"] == "done", last["problem"]
    assert MEAN in json.dumps(last["result"])
    assert served.get("/datasets/people").json()["remaining"] == left
    assert served.get(COPIES).json()[0]["id"] == copy["id"]  # a design is not a copy
    assert served.post("/datasets/people/designs", {"questions": []}).status_code == 422


def test_jobs_are_their_owners(served, copy):
    other = token(served.file, "bob")
    assert served.client.get("/datasets/people/jobs", headers=other).json() == []
    for method in ("GET", "DELETE"):
        found = served.client.request(method, f"/datasets/people/jobs/{copy['id']}", headers=other)
        assert found.status_code == 404


def test_nobody_fills_the_queue(tmp_path):
    """Some jobs of an analyst may wait; the custodian's work is not behind them."""
    with running(write(tmp_path)) as served:
        wanted = {"questions": [MEAN], "bits": 1, "seconds": 60}
        begun = [served.post("/datasets/people/designs", wanted) for _ in range(MOST + 1)]
        assert [each.status_code for each in begun] == [202] * MOST + [429]
        assert begun[-1].json()["type"] == "/problems/too-many-jobs"
        copied = served.post(COPIES, {"bits": 3}, "custodian").json()["id"]
        assert events(served, copied)[-1]["state"] == "done"
        ends = [f"/datasets/people/jobs/{each.json()['id']}" for each in begun[:-1]]
        for path in ends:
            served.client.delete(path, headers=served.tokens["analyst"])


def test_a_caller_watches_so_many_jobs_at_once(served, copy):
    watching = served.client.app.state.service.jobs.watching
    path = f"/datasets/people/jobs/{copy['id']}/events"
    assert "event: done" in served.get(path, "custodian").text
    assert watching["the custodian"] == 0
    watching["the custodian"] = 20
    refused = served.get(path, "custodian")
    watching["the custodian"] = 0
    assert (refused.status_code, refused.json()["type"]) == (429, "/problems/too-many-streams")


def test_a_stream_without_news_stays_alive(served, copy, monkeypatch):
    """A comment, which nobody has to read, before a proxy closes the connection."""
    from noiseless.app.service.routes import jobs as watched

    [(state, _)] = states_of([served.file])
    state.rows(
        "INSERT INTO noiseless_jobs (id, dataset, owner, kind, wanted, made, state, share, seen) "
        "VALUES ('quiet', 'people', 'ada', 'copy', '{}', ?, 'running', 0.5, ?)",
        *(now(), now()),
    )
    monkeypatch.setattr(watched, "ALIVE", 0.0)

    async def two() -> list[bytes]:
        of = served.client.app.state.service.datasets.get("people")
        stream = watched._events(of, job_of(state, "people", "quiet"))
        return [await anext(stream), await anext(stream)]

    said, comment = asyncio.run(two())
    state.close()
    assert (said.startswith(b"event: running"), comment) == (True, b":\n\n")


def test_a_job_whose_process_is_gone_has_failed(served, copy):
    [(state, _)] = states_of([served.file])
    seen = (datetime.now(UTC) - 2 * LOST).isoformat(timespec="seconds")
    state.rows(
        "INSERT INTO noiseless_jobs (id, dataset, owner, kind, wanted, made, state, share, seen) "
        "VALUES ('gone', 'people', 'ada', 'copy', '{}', ?, 'running', 0.5, ?)",
        *(seen, seen),
    )
    gone = job_of(state, "people", "gone")
    state.close()
    assert (gone.state, gone.result["type"]) == ("failed", "/problems/stopped")
    assert timedelta(seconds=10) < LOST
