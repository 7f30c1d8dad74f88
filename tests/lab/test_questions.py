"""Adversaries who ask a curator: what they learn over every value the person could have, against what was charged."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import log2

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.lab.attacks.questions import ASKERS, played, questions
from tests.curator.small import fresh

CODES = 64
OTHERS = [5, 60, 31]


def opened(value: int, codes: int = CODES, budget: float = 4):
    schema = nl.Schema(h=nl.Integer(0, codes - 1), g=nl.Public("alone", "others"))
    others = [other % codes for other in OTHERS]
    table = pa.table({"h": [value, *others], "g": ["alone", *["others"] * len(others)]})
    return nl.Curator.open(table, schema, budget=budget, table="t")


@cache
def prepared(value: int, codes: int) -> nl.Curator:
    """Opened once for all who ask with budgets of their own."""
    return opened(value, codes)


@pytest.mark.parametrize("name", ASKERS)
@pytest.mark.parametrize(("codes", "budget"), [(64, 3), (11, 2), (11, 3), (7, 8)])
def test_no_more_is_learned_than_was_charged(name, codes, budget):
    """Every value of the person: true, at most 2^charged outcomes, and no more on average than was charged."""
    outcomes: Counter[tuple] = Counter()
    most, learned = 0.0, 0.0
    for value in range(codes):
        curator = fresh(prepared(value, codes), budget)
        asker = ASKERS[name](curator, "h", "g = 'alone'")
        most = max(most, played(asker, curator))
        assert asker.asked
        low, high = asker.left
        assert low <= value <= high
        outcomes[asker.left] += 1
        learned += log2(codes) - log2(high - low + 1)
    assert most <= budget
    assert len(outcomes) <= 2**most + 1e-9
    assert learned / codes <= most + 1e-9


def test_bisection_learns_all_that_it_pays_for():
    found = questions("bisection", lambda budget: opened(17, budget=budget), [1, 2, 4], column="h", where="g = 'alone'")
    assert [(point.value, point.setting["charged"]) for point in found.points] == [(1, 1), (2, 2), (4, 4)]
    assert found.beside == "charged"


def test_averaging_learns_nothing_more():
    """Twenty questions, and the price and the news of one."""
    [point] = questions("averaging", lambda _: opened(17), [4], column="h", where="g = 'alone'").points
    assert (point.setting["questions"], point.setting["charged"]) == (20, 1)
    with opened(17) as curator:
        once = curator.ask("SELECT AVG(h) FROM t WHERE g = 'alone'", bits=1).rows[0]
    assert point.value == pytest.approx(6 - log2(once.upper - once.lower + 1), abs=0.06)


def test_differencing_pays_for_both_sums():
    """The others are in both, the person in one: with 1 bit each nothing is learned of them."""
    few, many = questions(
        "differencing", lambda bits: opened(17, budget=bits), [2, 12], column="h", where="g = 'alone'"
    ).points
    assert (few.setting["charged"], few.value) == (2, 0)
    assert 0 < many.value <= many.setting["charged"] <= 12


@pytest.mark.parametrize(
    ("column", "where", "rule"),
    [
        ("g", "g = 'alone'", "private column of numbers"),
        ("h", "g = 'others'", "selects 3 rows"),
        ("h", "h >= 3", "by public columns only"),
    ],
)
def test_whom_an_adversary_can_be_after(column, where, rule):
    with opened(3) as curator, pytest.raises(nl.InputError, match=rule):
        ASKERS["bisection"](curator, column, where)


@pytest.mark.parametrize("name", ASKERS)
def test_a_condition_with_or_and_a_column_with_a_blank(name):
    """What is learned is true, and paid for."""
    schema = nl.Schema({"net income": nl.Integer(0, 63), "g": nl.Public("a", "b", "c")})
    table = pa.table({"net income": [5, 60, 31], "g": ["a", "c", "c"]})
    with nl.Curator.open(table, schema, budget=3, table="t") as curator:
        asker = ASKERS[name](curator, "net income", "g = 'a' OR g = 'b'")
        charged = played(asker, curator)
    assert asker.left[0] <= 5 <= asker.left[1]
    assert 0 < charged <= 3


def test_no_budgets():
    with pytest.raises(nl.InputError, match="bits is empty"):
        questions("bisection", lambda _: opened(17), [], column="h", where="g = 'alone'")
