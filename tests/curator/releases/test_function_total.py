"""Sums of functions of a row: counted as sums, but they say nothing of the columns that they read."""

from __future__ import annotations

from fractions import Fraction

from noiseless.curator.plan.functions.arithmetic import multiplied
from noiseless.curator.plan.functions.derived import Derived, grid_of
from noiseless.curator.plan.functions.leaves import ColumnOf
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.function_total import FunctionTotal
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.total import Total
from noiseless.curator.schema.scale import Integer
from noiseless.privacy.composition.guarded import GuardedOther
from noiseless.privacy.composition.questions import OtherQuestion
from noiseless.privacy.quantizers.guarded import Bins

PRODUCT = multiplied(ColumnOf("a", Integer(0, 9)), ColumnOf("b", Integer(-2, 3)))
SQUARE = multiplied(ColumnOf("a", Integer(0, 9)), ColumnOf("a", Integer(0, 9)))


def total(function, reads, states) -> FunctionTotal:
    grid, slack = grid_of(function.span(), 10**9)
    column = Derived(function, grid, slack, reads, states)
    return FunctionTotal(Part((0,), 20), column.name, column, slack)


def test_it_counts_like_a_sum_of_its_codes():
    made = total(PRODUCT, ("a", "b"), 60)
    assert (made.column.low, made.column.high, made.column.top) == (-18, 27, 45)
    like = Total(Part((0,), 20), "x", Integer(0, 45), Fraction(0))
    assert [made.answers(width) for width in range(1, 60)] == [like.answers(width) for width in range(1, 60)]
    assert made.reads == ("a", "b")
    assert not made.attained  # its bounds may be wider than its values


def test_it_confines_no_column():
    made = total(PRODUCT, ("a", "b"), 60)
    assert made.question(10) == OtherQuestion(("a", "b"), 6)
    assert made.question(10).after({"a": 10, "b": 6}) == {}
    assert isinstance(made.question(Bins(100, 45)), GuardedOther)
    assert not made.refinable


def test_of_one_column_it_may_turn_at_every_code():
    made = total(SQUARE, ("a",), 10)
    assert made.question(27) == OtherQuestion(("a",), 4, pieces=3)  # 3·(4 − 1) changes, at least one for every code


def test_with_several_rows_everybody_pays_the_count_of_all():
    made = total(PRODUCT, ("a", "b"), 60)
    assert made.question_of_everybody(10, 3) == OtherQuestion(("a", "b"), made.answers(10, 3))
    assert made.answers(10, 3) == 15


def test_ledgers_know_its_function_and_its_grid():
    family = total(PRODUCT, ("a", "b"), 60).family()
    assert family["kind"] == "function total"
    assert (family["column"], family["low"], family["step"], family["top"]) == ("(a * b)", "-18", "1", "45")
    assert Release.of_kind("function total") is FunctionTotal
