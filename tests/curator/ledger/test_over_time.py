"""The budget over time, read at checkpoints, is what a fold of all entries says."""

from __future__ import annotations

import pytest

import noiseless as nl
from noiseless.curator.ledger.over_time import over_time, over_time_of
from noiseless.curator.opening import ledger_of, spent_over_time
from noiseless.errors import LedgerError
from tests.curator.ledger.histories import SQL, history

EVERY_ENTRY = 10**6


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("seed", range(6))
def test_checkpoints_say_what_all_entries_say(people, seed, monkeypatch):
    """After random questions, batches, refusals, freezes, grants, and changes of schema and budget."""
    history(people, seed, monkeypatch, decisions=seed % 2 == 1)
    with nl.Curator.open(people) as curator:
        journal = curator._account._journal
        folded = {each.entry: each for each in over_time(journal.since(0), EVERY_ENTRY)}
        read = over_time_of(journal, EVERY_ENTRY, long=0)
        changed = next(reversed(folded.values())).spent.keys()
        assert len(read) > 5
        assert [each.entry for each in read] == sorted(each.entry for each in read)
        assert read[-1] == folded[max(folded)]
        for each in read:
            assert each.budget == folded[each.entry].budget, each.entry
            if each.spent.keys() == changed:  # before, a fold knows the same groups by their later names
                assert each.spent == folded[each.entry].spent, each.entry
        few = over_time_of(journal, 3, long=0)
        assert len(few) <= 3 + 1 + 3
        assert few[-1] == read[-1]
    assert spent_over_time(people) == over_time(ledger_of(people).entries)


@pytest.mark.usefixtures("often")
def test_a_lost_or_another_checkpoint(people):
    with nl.Curator.open(people) as curator:
        for age in range(20, 30):
            curator.ask(SQL.format(age))
        journal = curator._account._journal
        whole, every = over_time(journal.since(0)), journal.checkpoints()

        class Lost:
            """A journal without its first checkpoint, or with another text of the last one."""

            def __init__(self, kept):
                self.kept = kept

            def checkpoints(self):
                return self.kept

            def __getattr__(self, name):
                return getattr(journal, name)

        assert over_time_of(Lost(every[1:]), long=0) == whole
        text = every[-1].text.replace('"spent":[["', '"spent":[["x')
        with pytest.raises(LedgerError, match="restore the ledger from a backup"):
            over_time_of(Lost([*every[:-1], every[-1]._replace(text=text)]), long=0)


def test_a_ledger_that_was_not_begun(people):
    assert spent_over_time(people) == []
