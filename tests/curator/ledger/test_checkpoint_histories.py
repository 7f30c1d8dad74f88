"""After every random history, the checkpoints say what a fold of all entries says."""

from __future__ import annotations

from contextlib import suppress

import pytest

import noiseless as nl
from noiseless.curator.ledger.verify import verify_ledger
from noiseless.curator.opening import ledger_of
from tests.curator.ledger.histories import SQL, history

RUNS = 12


@pytest.mark.parametrize("seed", range(4))
def test_a_checkpoint_has_what_the_custodian_decided(people, often, monkeypatch, seed):
    history(people, seed, monkeypatch, decisions=True)
    entries, checkpoints, _ = ledger_of(people)
    assert verify_ledger(entries, checkpoints) == len(entries)
    assert any('"decisions"' in checkpoint.text for checkpoint in checkpoints)


@pytest.mark.parametrize("seed", range(RUNS))
def test_a_checkpoint_says_what_a_fold_from_the_beginning_says(people, often, monkeypatch, seed):
    history(people, seed, monkeypatch)
    entries, checkpoints, _ = ledger_of(people)
    assert verify_ledger(entries, checkpoints) == len(entries)
    assert len(checkpoints) > 3


def test_histories_have_everything(people, often, monkeypatch):
    """The random histories above would prove little if none had reserves, steps, levels and changes."""
    history(people, 0, monkeypatch)
    with nl.Curator.open(people) as curator:
        state = curator._account._state
        assert state.settled
        assert state.first
        assert state.levels
        assert state.widths
        assert len(state.settled_spent) == 3
        assert len(state.schemas) > 3
        for number in range(1, len(state.questions) + 1):
            with suppress(nl.QuestionError):
                assert curator.recall(number).certificate


def test_a_settled_question_has_the_same_certificate_after_a_checkpoint(people, often):
    with nl.Curator.open(people) as curator:
        first = curator.ask("SELECT SUM(age) FROM people", error=400)
        certified = curator.recall(1).certificate.content
        units = curator._account.settled(curator._account.charge_of(curator.entries()[1]), again=True).units
        for top in range(20, 26):
            curator.ask(SQL.format(top))
    with nl.Curator.open(people) as curator:
        assert curator._account._state.settled[1].units is None
        again = curator.recall(1)
        assert (again.rows, again.factor) == (first.rows, first.factor)
        assert again.certificate.content == certified
        assert curator._account.settled(curator._account.charge_of(curator.entries()[1]), again=True).units == units
