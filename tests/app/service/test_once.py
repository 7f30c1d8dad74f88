"""Idempotency keys: done once, answered always, never for another request."""

from __future__ import annotations

import pytest
from tests.app.service.small import COUNT, MEAN, running, token, write

from noiseless.app.service.state import states_of
from noiseless.app.service.written import ARROW

KEY = {"Idempotency-Key": "question-1"}


@pytest.fixture
def served(tmp_path):
    with running(write(tmp_path)) as found:
        yield found


def test_a_replay_has_the_same_bytes_and_is_charged_once(served):
    first = served.ask(MEAN, error=1, headers=KEY)
    left = served.get("/datasets/people").json()["remaining"]
    again = served.ask(MEAN, error=1, headers=KEY)
    assert first.content == again.content
    assert ("idempotency-replayed" in first.headers, "idempotency-replayed" in again.headers) == (False, True)
    assert served.get("/datasets/people").json()["remaining"] == left
    without = served.ask(MEAN, error=1).json()
    assert without["rows"] == first.json()["rows"]
    assert without["cost"] == 0 < first.json()["cost"]


def test_a_key_belongs_to_one_request_of_one_caller(served):
    served.ask(MEAN, error=1, headers=KEY)
    for conflicting in (
        served.ask(MEAN, error=2, headers=KEY),
        served.ask(COUNT, headers=KEY),
        served.ask(MEAN, error=1, headers=KEY | {"Accept": ARROW}),
        served.post("/datasets/people/batch", {"questions": [MEAN], "error": 1}, headers=KEY),
    ):
        assert (conflicting.status_code, conflicting.json()["type"]) == (422, "/problems/idempotency-conflict")
    other = token(served.file, "bob")
    mine = served.client.post("/datasets/people/ask", json={"sql": COUNT}, headers=other | KEY)
    assert mine.json()["question"] == COUNT


def test_a_key_outlasts_the_server(served, tmp_path):
    first = served.ask(MEAN, error=1, headers=KEY)
    with running(served.file) as again:
        found = again.client.post(
            "/datasets/people/ask", json={"sql": MEAN, "error": 1}, headers=served.tokens["analyst"] | KEY
        )
        assert found.content == first.content


def test_a_refusal_is_not_kept_because_nothing_was_charged(served):
    refused = served.ask(MEAN, bits=3, max_bits="0.01", headers=KEY)
    assert refused.status_code == 402
    assert served.ask(MEAN, bits=3, max_bits="0.01", headers=KEY).status_code == 402
    assert served.get("/datasets/people/ledger").json()["total"] == 0


def test_what_a_dying_process_left_is_done_again_for_nothing(served):
    """The charge is in the ledger, and the response was never stored."""
    first = served.ask(MEAN, error=1, headers=KEY)
    [(state, _)] = states_of([served.file])
    state.rows("UPDATE noiseless_once SET status = NULL, type = NULL, body = NULL")
    state.close()
    again = served.ask(MEAN, error=1, headers=KEY)
    assert again.json()["rows"] == first.json()["rows"]
    assert served.get("/datasets/people/ledger").json()["total"] == 1


def test_a_key_is_forgotten_after_a_month(served):
    first = served.ask(MEAN, error=1, headers=KEY)
    [(state, _)] = states_of([served.file])
    state.rows("UPDATE noiseless_once SET made = '2001-01-01T00:00:00+00:00'")
    state.close()
    with running(served.file) as again:
        header = served.tokens["analyst"] | KEY
        found = again.client.post("/datasets/people/ask", json={"sql": MEAN, "error": 1}, headers=header)
    assert "idempotency-replayed" not in found.headers
    assert (found.json()["rows"], found.json()["cost"]) == (first.json()["rows"], 0)


def test_a_server_whose_state_is_gone_is_not_ready(served):
    assert served.client.get("/ready").status_code == 200
    [(state, _)] = states_of([served.file])
    served.client.app.state.service.datasets.get("people").state.close()
    lost = served.client.get("/ready")
    assert (lost.status_code, lost.json()["type"]) == (503, "/problems/ledger")
    state.close()


@pytest.mark.parametrize("key", ["", "a" * 201, "two words", "tab\t"])
def test_a_malformed_key_is_refused(served, key):
    assert served.ask(MEAN, error=1, headers={"Idempotency-Key": key}).status_code == 422
    assert served.get("/datasets/people/ledger").json()["total"] == 0
