"""What an account remembers: which entry paid, what follows from what was released, what is free."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.charge import Charge
from noiseless.curator.ledger.compact import of_releases, paid_fields
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.journal import MemoryJournal
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.plan.condition import Missing, Within
from noiseless.curator.plan.part import Part
from noiseless.curator.question.price import Prices
from noiseless.curator.releases.copied_rows import CopiedRows
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.total import Total
from noiseless.errors import BudgetExceededError, LedgerError, SnapshotError
from tests.curator.small import AGE

COLUMN = AGE.private["age"]
TOTAL = Total(Part((0, 1), 4), "age", COLUMN, Fraction(0))
"""The sum of the ages of four people, of 0 to 400 codes."""
PARTS = [Part((0, 1), 4, Within("age", (codes,)), ("age",), 1) for codes in ((0, 29), (60, 100))]
YOUNG, OLD = (HeadCount(part, COLUMN) for part in PARTS)
MEAN = FilteredMean(PARTS[0], "age", COLUMN, Fraction(0))
"""Of the young."""


def opened(curator, budget=1 << 30, quotas=None):
    made = Account(MemoryJournal(), Prices(curator._dataset), quotas)
    made.open(budget, {"id": "", "name": "people"})
    return made


@pytest.fixture
def account(curator):
    return opened(curator)


def bought(batch):
    return Purchase(tuple(("?", each) for each in batch), tuple({"text": "?", "widths": []} for _ in batch))


def quoted(account, batch):
    return account.quote(bought(batch))


def copy_of(what, release=YOUNG):
    return Purchase.of_copy(CopiedRows(Part((0, 1), 4), ("age",), (release.question(1),), 2, f'{{"of": "{what}"}}'))


def reserved(account, *widths, analyst="ada", max_bits=None):
    return account.reserve(bought(widths), analyst, max_bits)


def test_what_was_paid_is_quoted_as_free(account):
    assert quoted(account, [{YOUNG: 1}]).factor == 2
    reserved(account, {YOUNG: 1})
    price = quoted(account, [{YOUNG: 1}])
    assert (price.factor, price.paid_by, price.after) == (1, "nobody", account.sequence)
    assert account.paid({YOUNG: 1})
    assert not account.paid({OLD: 1})


def test_questions_that_were_paid_by_several_entries_name_the_last(account):
    first, second = reserved(account, {OLD: 1}), reserved(account, {YOUNG: 1})
    assert (first.number, first.factor, second.number, second.factor) == (1, 2, 2, 2)
    for again in ({YOUNG: 1, OLD: 1}, {OLD: 1, YOUNG: 1}):
        charge = reserved(account, again)
        assert (charge.number, charge.hash, charge.factor) == (2, second.hash, 1)
    assert reserved(account, {OLD: 1}).number == 1


def test_what_was_released_is_noted_once_and_stays(account):
    charge = reserved(account, {YOUNG: 1})
    for _ in range(2):
        account.commit(charge, "ada", [((YOUNG, 1), (3,))])
    account.commit(charge, "ada", [((YOUNG, 1), (4,))])
    assert [entry.kind for entry in account.entries()] == ["open", "ask", "answer"]
    assert account.released({YOUNG: 1}) == {(YOUNG, 1): (3,)}


def test_bins_follow_only_from_those_that_divide_them(account):
    account.commit(reserved(account, {TOTAL: 4}), "ada", [((TOTAL, 4), (40,))])  # 160 to 163
    assert account.released({TOTAL: 4}) == {(TOTAL, 4): (40,)}
    assert account.released({TOTAL: 8}) == {(TOTAL, 8): (20,)}
    assert account.released({TOTAL: 6}) == account.released({TOTAL: 2}) == {}
    assert account.missing({TOTAL: 6, YOUNG: 1}) == {TOTAL: 6, YOUNG: 1}
    assert account.missing({TOTAL: 12}) == {}


def test_what_was_said_stays_even_if_narrower_bins_say_other(account):
    """Codes of a database can change in between; an answer does not."""
    account.commit(reserved(account, {TOTAL: 15}), "ada", [((TOTAL, 15), (10,))])
    account.commit(reserved(account, {TOTAL: 3}), "ada", [((TOTAL, 3), (99,))])
    assert account.released({TOTAL: 15}) == {(TOTAL, 15): (10,)}


def test_nothing_follows_from_bins_that_were_paid_and_never_computed(account):
    reserved(account, {TOTAL: 4})
    assert account.paid({TOTAL: 8})
    assert account.released({TOTAL: 8}) == {}


def test_a_question_that_needs_nothing_private_is_of_the_first_entry(account):
    charge = reserved(account, {})
    assert (charge.number, charge.hash, charge.factor) == (0, account.entries()[0].hash, 1)


def test_a_journal_that_takes_no_entry_and_has_no_other_is_damaged(curator):
    class Stuck(MemoryJournal):
        def append(self, entry, checkpoint=None):
            return False

    account = Account(Stuck(), Prices(curator._dataset))
    with pytest.raises(LedgerError, match="entry 0"):
        account.open(2, {})


def test_the_same_copy_again_is_free(account):
    for number, factor in ((1, 2), (1, 1)):
        assert account.quote(copy_of("ages")).factor == factor
        charge = account.reserve(copy_of("ages"), "ada", None)
        assert (charge.number, charge.factor) == (number, factor)
    other = account.reserve(copy_of("others", OLD), "ada", None)
    assert (other.number, other.factor) == (2, 2)
    asked = [entry for entry in account.entries() if entry.kind == "release"]
    assert [entry.body["paid"][0]["parts"] for entry in asked] == [[["", "1"]]] * 2


def test_whoever_comes_second_pays_on_top_of_the_first(curator):
    """Another process appends after the state was read: the entry is refused, and decided again."""

    class Raced(MemoryJournal):
        rival = None

        def append(self, entry, checkpoint=None):
            if self.rival is not None:
                first, self.rival = self.rival, None
                first()
            return super().append(entry, checkpoint)

    journal = Raced()
    account, other = (Account(journal, Prices(curator._dataset)) for _ in range(2))
    account.open(1 << 30, {"id": "", "name": "people"})
    journal.rival = lambda: reserved(other, {OLD: 1})
    assert (reserved(account, {YOUNG: 1}).number, account.sequence.spent()) == (2, 4)
    journal.rival = lambda: reserved(other, {TOTAL: 4})
    assert reserved(account, {TOTAL: 4}).factor == 1
    assert len(account.entries()) == 4
    assert Account(journal, Prices(curator._dataset)).sequence == account.sequence  # whoever comes late reads them all


def test_a_ledger_begins_once(account):
    before = account.entries()
    assert account.open(4, {"id": "other", "name": "other"})["budget"] == str(1 << 30)
    account.change(lambda facts: None)
    assert account.entries() == before


def test_a_ledger_is_continued_under_other_facts(curator, account):
    cells = {"before": [], "cells": Prices(curator._dataset).names(), "from": [], "altered": []}
    account.change(lambda facts: {"budget": "8", "schema": Prices(curator._dataset).declared, **cells})
    assert (account.entries()[-1].kind, account.known()["budget"], account.sequence.budget) == ("change", "8", 8)


def test_whoever_opened_it_before_opens_it_again(curator):
    """Under another schema, prices are others."""
    prices = Prices(curator._dataset)
    account, other, third = (Account(journal, prices) for journal in [MemoryJournal()] * 3)
    account.open(1 << 30, {"id": "", "name": "people"})
    account.change(lambda facts: None)
    cells = {"before": [], "cells": prices.names(), "from": [], "altered": []}
    wider = prices.declared.replace("high = 100", "high = 200")
    other.change(lambda facts: {"budget": "8", "schema": prices.declared, **cells})
    assert account.sequence.budget == 8
    other.change(lambda facts: {"budget": "8", "schema": wider, **cells})
    with pytest.raises(SnapshotError, match="open it again"):
        quoted(account, [{YOUNG: 1}])
    assert third.known()["schema"] == wider  # which is not open yet


def test_a_mean_tells_how_many_there_are(account):
    """The number of rows under its condition is part of it, and free; that of other rows is not."""
    alone = quoted(account, [{MEAN: 8}]).factor
    assert quoted(account, [{MEAN: 8, YOUNG: 1}]).factor == quoted(account, [{MEAN: 8}, {YOUNG: 1}]).factor == alone
    assert quoted(account, [{MEAN: 8, OLD: 1}]).factor == 1 + 1 + 5  # by rule H: the young are in five bins of 8 codes
    reserved(account, {MEAN: 8})
    north = HeadCount(replace(PARTS[0], cells=(0,), size=3), COLUMN)
    assert (account.paid({YOUNG: 1}), account.paid({OLD: 1}), account.paid({north: 1})) == (True, False, False)


def test_narrower_bins_are_paid_for_what_is_new_in_them(account):
    """Of the bins that are known, those count that are the nearest."""
    assert reserved(account, {TOTAL: 32}).factor == 5
    assert reserved(account, {TOTAL: 16}).factor == 2
    assert reserved(account, {TOTAL: 4}).factor == 4
    assert quoted(account, [{TOTAL: 6}]).factor == 2  # the four codes that are left meet two bins of 6
    assert (account.paid({TOTAL: 8}), account.paid({TOTAL: 2})) == (True, False)


def test_bins_that_confine_nobody_are_not_refined(curator, monkeypatch):
    """With one account for everybody, a total of some says nothing of the others: narrower bins are paid in full."""
    north = replace(TOTAL, part=Part((0,), 3, whole=False))
    assert [reserved(opened(curator), {north: width}).factor for width in (16, 4)] == [8, 26]
    monkeypatch.setattr("noiseless.curator.question.price.MOST_CELLS", 1)
    account = opened(curator)
    assert [reserved(account, {north: width}).factor for width in (16, 4)] == [8, 26]


def test_bins_that_confine_only_some_are_not_refined(curator):
    """As if a charge had hidden from the ledger what the total says of the south."""
    journal = MemoryJournal()
    account = Account(journal, Prices(curator._dataset))
    account.open(1 << 30, {"id": "", "name": "people"})
    paid, charged = paid_fields(of_releases([(TOTAL, 16)])), [["0", "8", {"age": "16"}], ["1", "8", {}]]
    body = {"questions": [], "factor": "8", "paid": paid, "charged": charged}
    journal.append(Entry.after(account.entries()[-1], "ask", "ada", body))
    assert account.paid({TOTAL: 16})
    assert reserved(account, {TOTAL: 4}).factor == 26


def test_a_budget_is_spent_to_the_last_answer(curator):
    for budget, allowed in ((4, True), (3, False)):
        account = opened(curator, budget)
        reserved(account, {YOUNG: 1})
        assert quoted(account, [{OLD: 1}]).affordable is allowed
        if allowed:
            assert reserved(account, {OLD: 1}).factor == 2
            assert (account.bits_left, quoted(account, [{YOUNG: 1}, {OLD: 1}]).factor) == (0, 1)
        else:
            with pytest.raises(BudgetExceededError, match="are left"):
                reserved(account, {OLD: 1})
            with pytest.raises(BudgetExceededError, match="are left"):
                account.reserve(copy_of("ages", OLD), "ada", None)
            assert account.sequence.spent() == 2


def test_no_more_bits_than_the_caller_allows(account):
    with pytest.raises(BudgetExceededError, match="max_bits"):
        reserved(account, {YOUNG: 1}, max_bits="0.9")
    assert reserved(account, {YOUNG: 1}, max_bits=1).factor == 2
    assert reserved(account, {YOUNG: 1}, max_bits=0).factor == 1
    old, before = bought([{OLD: 1}]), [Charge(1, "", 3, 1)]
    with pytest.raises(BudgetExceededError, match="max_bits"):
        account.reserve(old, "ada", "2.5", steps=before)  # what was charged before counts: 6 answers
    assert account.reserve(old, "ada", "2.6", steps=before).factor == 2


def test_quotas_of_one_and_of_all_others(curator):
    account = opened(curator, quotas={"ada": 4, "*": 2})
    conditions = [HeadCount(replace(PARTS[0], condition=Within("age", ((5, k),)), changes=2), COLUMN) for k in range(9)]
    assert [reserved(account, {conditions[k]: 1}).factor for k in (5, 6)] == [2, 2]
    for name in ("ada", "eve"):
        if name == "eve":
            assert reserved(account, {conditions[7]: 1}, analyst="joe").factor == 2
        with pytest.raises(BudgetExceededError, match=f"quota of '{name}'"):
            reserved(account, {conditions[8]: 1}, analyst=name)
    assert account.sequence.spent() == 8


def test_whoever_has_no_quota_may_ask_what_tells_nothing(curator):
    account = opened(curator, quotas={"ada": 4})
    assert reserved(account, {TOTAL: TOTAL.widest}, analyst="eve").factor == 1
    with pytest.raises(BudgetExceededError, match="quota of 'eve'"):
        reserved(account, {YOUNG: 1}, analyst="eve")


def test_a_first_question_may_take_the_whole_quota_and_no_more(curator):
    account = opened(curator, quotas={"ada": 2})
    with pytest.raises(BudgetExceededError, match="quota of 'ada'"):
        reserved(account, {TOTAL: 32})
    assert reserved(account, {YOUNG: 1}).factor == 2


def test_only_totals_follow_from_narrower_bins(account):
    account.commit(reserved(account, {MEAN: 4}), "ada", [((MEAN, 4), (2, 10))])
    assert not account.paid({MEAN: 8})
    assert account.released({MEAN: 8}) == {}


def test_only_groups_whose_budget_shrank_have_paid(account):
    north = HeadCount(replace(PARTS[0], cells=(0,), size=3), COLUMN)
    charge = reserved(account, {north: 1})
    assert (charge.paid_by, charge.taken) == ("north", 1)
    assert reserved(account, {OLD: 1}).paid_by == "everybody"


def test_how_many_rows_count_in_a_mean(account):
    assert account.past().exactly(MEAN.row_count) is None
    reserved(account, {YOUNG: 1})
    assert account.past().exactly(MEAN.row_count) is None
    account.commit(reserved(account, {YOUNG: 1}), "ada", [((YOUNG, 1), (3,))])
    assert account.past().exactly(MEAN.row_count) == 3


def test_how_many_are_missing_follows_from_how_many_are_there():
    schema = nl.Schema(x=nl.Integer(0, 3, missing="apart"))
    there, missing = (
        HeadCount(Part((0,), 5, condition, ("x",), 1), None) for condition in (Within("x", ((0, 3),)), Missing("x"))
    )
    with nl.Curator.open(pa.table({"x": [1, None, 2, 3, 0]}), schema, budget=6, table="t") as curator:
        for told, number in ((there, 4), (missing, 1)):
            account = opened(curator)
            for batch in ([{there: 1, missing: 1}], [{there: 1}, {missing: 1}]):
                assert quoted(account, batch).factor == 2
            account.commit(reserved(account, {told: 1}), "ada", [((told, 1), (number,))])
            assert account.released({there: 1, missing: 1}) == {(there, 1): (4,), (missing, 1): (1,)}


def test_a_mean_says_how_many_and_a_total_does_not(account):
    total = FilteredTotal(PARTS[1], "age", COLUMN, Fraction(0))
    account.commit(reserved(account, {MEAN: 8}), "ada", [((MEAN, 8), (3, 9))])
    account.commit(reserved(account, {total: 8}), "ada", [((total, 8), (2,))])
    assert account.released({YOUNG: 1, OLD: 1}) == {(YOUNG, 1): (3,)}


def test_a_rounded_count_does_not_tell_its_rest():
    schema = nl.Schema(x=nl.Integer(0, 3, missing="apart"))
    there, missing = (
        HeadCount(Part((0,), 5, condition, ("x",), 1), None) for condition in (Within("x", ((0, 3),)), Missing("x"))
    )
    with nl.Curator.open(pa.table({"x": [1, None, 2, 3, 0]}), schema, budget=6, table="t") as curator:
        for width in (2, 3):
            account = opened(curator)
            account.commit(reserved(account, {there: width}), "ada", [((there, width), (4 // width,))])
            assert (account.paid({there: width}), account.paid({missing: width})) == (True, False)
            assert account.released({missing: width}) == {}
