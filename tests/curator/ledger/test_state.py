"""What entries say together: formats, kinds and charges that this version does not know are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noiseless.curator.ledger.accounts import charged_fields
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.state import State
from noiseless.curator.question.price import Prices
from noiseless.errors import LedgerError, SnapshotError
from noiseless.privacy.composition.questions import ExactThreshold, OtherQuestion
from noiseless.privacy.composition.sequence import EVERYBODY, Sequence

NORTH, SOUTH = '["north"]', '["south"]'
CELLS = {"cells": [NORTH, SOUTH]}


@pytest.fixture
def prices(curator):
    return Prices(curator._dataset)


def folded(prices, *entries):
    state = State(prices)
    for kind, body in entries:
        state.fold(Entry.after(state.last, kind, "ada", body))
    return state


def first(**given):
    return "open", {"format": "2", "budget": "64", **CELLS, **given}


def charge(*charged, factor="2", **given):
    return "ask", {"questions": [], "factor": factor, "paid": [], "charged": list(charged), **given}


def products(state):
    return {name: cell.product for name, cell in state.sequence.cells.items()}


def test_formats(prices):
    assert folded(prices, first()).sequence.budget == 64
    assert folded(prices, ("open", {"budget": "8"})).names == [NORTH, SOUTH]  # format 1 says nothing of either
    assert folded(prices, ("open", {"format": "1", "budget": "8"})).sequence.budget == 8
    change = {
        "budget": "8",
        "schema": prices.declared,
        "before": [],
        "cells": [NORTH, SOUTH],
        "from": [],
        "altered": [],
    }
    assert folded(prices, first(), ("change", {"format": "2", **change})).sequence.budget == 8
    for entries in ([first(format="6")], [first(), ("change", {"format": "6", **change})]):
        with pytest.raises(SnapshotError, match="newer noiseless"):
            folded(prices, *entries)


def test_columns_are_those_of_the_schema_that_was_written(prices):
    """Until an entry widens it."""
    narrower = prices.declared.replace("high = 100", "high = 10")
    assert folded(prices, first(schema=narrower)).sequence.values == {"age": 11}
    assert folded(prices, first(schema=prices.declared)).sequence.values == {"age": 101}
    wider = {"format": "2", "budget": "8", "schema": prices.declared, **CELLS, "before": [], "from": [], "altered": []}
    assert folded(prices, first(schema=narrower), ("change", wider)).sequence.values == {"age": 101}


def test_charges_multiply_where_they_are_and_confine(prices):
    state = folded(prices, first(), charge(["0", "2", {"age": "40"}]), charge(["0-1", "3", {}], factor="3"))
    assert products(state) == {NORTH: 6, SOUTH: 3}
    assert [cell.remaining for cell in state.sequence.cells.values()] == [{"age": 40}, {"age": 101}]
    assert state.spent == {"ada": 6}
    again = folded(prices, first(), charge(["0", "2", {"age": "40"}]), charge(["0", "2", {"age": "20"}]))
    assert (products(again)[NORTH], again.sequence.cells[NORTH].remaining) == (4, {"age": 20})
    everybody = folded(prices, first(cells=[EVERYBODY]), charge(["", "2", {"age": "40"}]))
    assert products(everybody) == {EVERYBODY: 2}


def test_charges_of_format_1_say_all_that_is_left(prices):
    cells = {NORTH: {"product": "4", "remaining": {"age": "7"}}}
    state = folded(prices, ("open", {"budget": "64"}), charge(cells=cells, factor="4"))
    assert products(state) == {NORTH: 4, SOUTH: 1}
    assert state.sequence.cells[NORTH].remaining == {"age": 7}


def test_only_what_shrank_is_written():
    before = Sequence.start({"age": 101, "x": 9}, budget=64, cells=[NORTH, SOUTH])
    questions = {NORTH: ExactThreshold("age", 40, 101), SOUTH: ExactThreshold("age", 40, 101)}
    step = before.ask(questions)
    [alike] = charged_fields(before, step.after, step.factors, [NORTH, SOUTH])
    assert alike == ["0-1", "2", {"age": str(step.after.cells[NORTH].remaining["age"])}]
    other = before.ask({NORTH: OtherQuestion(("x",), 3), SOUTH: OtherQuestion(("x",), 2)})
    assert charged_fields(before, other.after, other.factors, [SOUTH, NORTH]) == [["1", "3", {}], ["0", "2", {}]]
    everybody = Sequence.start({"age": 101}, budget=64)
    step = everybody.ask({EVERYBODY: ExactThreshold("age", 40, 101)})
    left = {"age": str(step.after.cells[EVERYBODY].remaining["age"])}
    assert charged_fields(everybody, step.after, step.factors, [EVERYBODY]) == [["", "2", left]]


@pytest.mark.parametrize(
    "wrong",
    [
        ("fly", {"released": []}),
        charge(["9", "2", {}]),
        charge(["0", "two", {}]),
        ("answer", {}),
        ("change", {"format": "2"}),
    ],
)
def test_entries_that_make_no_sense_are_damage(prices, wrong):
    with pytest.raises(LedgerError, match="entry 1"):
        folded(prices, first(), wrong)


def test_entries_that_do_not_follow_are_damage(prices):
    state = folded(prices, first())
    following = Entry.after(state.last, *("ask", "ada", charge()[1]))
    for wrong in (
        replace(following, number=2),
        replace(following, analyst="eve"),
        Entry.after(None, *("open", "", {})),
    ):
        with pytest.raises(LedgerError):
            state.fold(wrong)
    state.fold(following)
    assert state.last == following


def test_questions_are_counted_as_people_do(prices):
    """Entries that are no questions, and those that are not there, are none."""
    state = folded(prices, first(), charge(), ("answer", {"ask": "1", "released": []}), charge())
    assert [state.question(number) for number in range(5)] == [0, 1, 0, 2, 0]
