"""Idempotency keys: done once, answered always, never for another request."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

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


def test_a_key_that_is_sent_many_times_at_once_has_one_response(served):
    """With its price, too: nobody gets the answer as if it had been a repeat."""
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: served.ask(MEAN, error=1, headers=KEY), range(6)))
    assert {each.content for each in found} == {found[0].content}
    assert found[0].json()["cost"] > 0
    assert sorted("idempotency-replayed" in each.headers for each in found) == [False, *[True] * 5]


def test_of_two_processes_the_response_that_was_stored_first_counts(served, monkeypatch):
    """Another one answers the same key while this one is at work."""
    from noiseless.app.service import once as at_once

    stored = at_once._stored

    def later(of, place, made):
        assert stored(of, place, replace(made, body=b'{"of": "the other"}')) is None
        return stored(of, place, made)

    monkeypatch.setattr(at_once, "_stored", later)
    found = [served.ask(MEAN, error=1, headers=KEY) for _ in range(2)]
    assert [each.json() for each in found] == [{"of": "the other"}] * 2


def test_what_began_before_a_process_died_is_not_begun_again(served):
    """A job and a request, whose numbers were never said."""
    wishes = {"bits": 1, "reason": "smoking", "about": "budget"}
    paths = ("/datasets/people/designs", {"questions": [MEAN], "seconds": 1}), ("/datasets/people/requests", wishes)
    for path, body in paths:
        first = served.post(path, body, headers=KEY | {"Idempotency-Key": path[-8:]}).json()
        [(state, _)] = states_of([served.file])
        state.rows("UPDATE noiseless_once SET status = NULL, type = NULL, body = NULL")
        state.close()
        again = served.post(path, body, headers=KEY | {"Idempotency-Key": path[-8:]}).json()
        assert [first.get(name) for name in ("id", "number")] == [again.get(name) for name in ("id", "number")]
    assert len(served.get("/datasets/people/jobs").json()) == len(served.get("/datasets/people/requests").json()) == 1


@pytest.mark.parametrize("key", ["", "a" * 201, "two words", "tab\t"])
def test_a_malformed_key_is_refused(served, key):
    assert served.ask(MEAN, error=1, headers={"Idempotency-Key": key}).status_code == 422
    assert served.get("/datasets/people/ledger").json()["total"] == 0
