"""The state of the service: the same in a SQLite file and in Postgres, from any number of processes."""

from __future__ import annotations

import hmac
import os
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from tests.app.service.small import write

import noiseless as nl
from noiseless.app.service.jobs import Job, cancel, job_of, jobs
from noiseless.app.service.quotas import Quotas
from noiseless.app.service.state import FILE, open_state, place_of, states_of
from noiseless.app.service.tokens import MARK, Tokens

ONCE = (
    "INSERT INTO noiseless_once (owner, dataset, key, digest, made) VALUES (?, ?, ?, ?, '') "
    "ON CONFLICT DO NOTHING RETURNING digest"
)


@pytest.fixture(params=["file", "postgres"])
def place(request, tmp_path):
    return str(tmp_path / FILE) if request.param == "file" else request.getfixturevalue("postgres")


@pytest.fixture
def state(place):
    found = open_state(place)
    yield found
    for table in ("tokens", "quotas", "members", "once", "jobs", "counts"):
        found.rows(f"DELETE FROM noiseless_{table}")
    found.close()


def test_tokens_quotas_and_jobs_are_the_same_for_every_process(state, place):
    text, token = Tokens(state).add("ada ä", "analyst", ["people", "visits"])
    Quotas(state, "people").set_all("ada ä", "1.5", "team", 3)
    Quotas(state, "people").set_all("bob", None, "team")
    state.rows(
        "INSERT INTO noiseless_jobs (id, dataset, owner, kind, wanted, made, state, share, seen) "
        "VALUES ('a', 'people', 'ada', 'copy', '{}', '2026-01-01T00:00:00+00:00', 'running', 0.25, ?)",
        "2999-01-01T00:00:00+00:00",
    )
    other = open_state(place)
    assert Tokens(other).holder(text) == token
    grants = {grant.name: (grant.bits, grant.members) for grant in Quotas(other, "people").grants()}
    assert grants == {"ada ä": (Fraction(3, 2), {"ada ä"}), "project team": (3, {"ada ä", "bob"})}
    assert Quotas(other, "visits").grants() == []
    found = job_of(other, "people", "a")
    assert isinstance(found, Job)
    assert (found.share, found.under_way, job_of(other, "visits", "a")) == (0.25, True, None)
    cancel(other, found)
    assert [each.state for each in jobs(state, "people")] == ["cancelling"]
    assert [each.id for each in Tokens(other).revoke("ada ä")] == [token.id]
    assert Tokens(state).holder(text) is None
    other.close()


def test_only_one_of_many_gets_a_key(state, place):
    """Each inserts in one statement, so exactly one of them is the first."""
    others = [open_state(place) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda k: others[k % 4].rows(ONCE, "ada", "people", "key", str(k)), range(40)))
    assert len([each for each in found if each]) == 1
    for each in others:
        each.close()


def test_a_lost_connection_to_postgres_is_made_again(postgres):
    state = open_state(postgres)
    state.rows("DELETE FROM noiseless_tokens")
    with pytest.raises(nl.LedgerError, match="check that the ledger's Postgres runs"):
        state.rows("SELECT pg_terminate_backend(pg_backend_pid())")  # the second attempt ends, too
    assert state.rows("SELECT COUNT(*) FROM noiseless_tokens") == [(0,)]
    state.close()


def test_how_a_token_is_compared_does_not_depend_on_what_is_wrong(tmp_path, monkeypatch):
    tokens = Tokens(open_state(str(tmp_path / FILE)))
    text, token = tokens.add("ada", "analyst", ["people"])
    secret = text.split("_", 2)[2]
    lengths: list[tuple[int, int]] = []
    compare = hmac.compare_digest

    def noted(one: str, other: str) -> bool:
        lengths.append((len(one), len(other)))
        return compare(one, other)

    monkeypatch.setattr(hmac, "compare_digest", noted)
    wrong = [
        f"{MARK}{token.id}_{secret[:-1]}",
        f"{MARK}{token.id}_",
        f"{MARK}000000000000_{secret}",
        secret,
        "",
        "_" * 99,
    ]
    assert [tokens.holder(each) for each in wrong] == [None] * len(wrong)
    assert tokens.holder(text) == token
    assert lengths == [(64, 64)] * (len(wrong) + 1)


def test_the_state_is_beside_the_schema_and_its_owners_alone(tmp_path):
    file = write(tmp_path)
    [(state, names)] = states_of([file, file])
    assert (place_of(file), names) == (str(tmp_path / FILE), ["people", "people"])
    assert os.stat(tmp_path / FILE).st_mode & 0o777 == 0o600
    state.close()
    (tmp_path / FILE).write_bytes(b"not a database" * 100)
    with pytest.raises(nl.LedgerError, match="cannot be read or written"):
        states_of([file])
    with pytest.raises(nl.LedgerError, match="cannot be read or written"):
        open_state(str(tmp_path / "none" / FILE))
