"""Every factor at its very edge, against brute force; budgets that are no powers of two."""

from __future__ import annotations

from itertools import product
from math import inf, prod

import pytest

from noiseless.errors import BudgetExceededError, CompositionError, UnknownVariableError
from noiseless.privacy.composition import questions as q
from noiseless.privacy.composition.sequence import Cell, Sequence
from noiseless.privacy.composition.several_rows import (
    grouped_sum_answers,
    histogram_answers,
    predicate_answers,
    sum_answers,
    variance_answers,
    worst_division,
)

SMALL = list(product(range(1, 6), range(1, 8)))
"""The largest code, and the width of bins."""


def runs(top: int, left: int) -> list[range]:
    """All runs of so many consecutive codes."""
    return [range(first, first + left) for first in range(top + 2 - left)]


def most_bins(top: int, width: int, rows: int, left: int) -> int:
    """The most bins of a sum that a run of codes meets, whatever the others have."""
    others = range((rows - 1) * top + 1)
    return max(len({(code + other) // width for code in run}) for run in runs(top, left) for other in others)


@pytest.mark.parametrize(("top", "width"), SMALL)
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_a_plain_sum(top, width, rows):
    asked = q.PlainSum("a", width, rows, top)
    for left in range(1, top + 2):
        assert asked.factor({"a": left}) == most_bins(top, width, rows, left)
        assert asked.jumps({"a": left}) == most_bins(top, width, rows, left) - 1
        assert asked.after({"a": left}) == {"a": min(left, width)}


@pytest.mark.parametrize(("top", "width"), SMALL)
def test_an_order_statistic(top, width):
    asked = q.KthSmallest("a", width, top // width + 1)
    for left in range(1, top + 2):
        assert asked.factor({"a": left}) == most_bins(top, width, 1, left)
        assert asked.jumps({"a": left}) == most_bins(top, width, 1, left) - 1
        assert asked.after({"a": left}) == {}
    assert q.KthSmallest("a", width, 2).factor({"a": 100 * width}) == 2


def test_a_refinement():
    for finer, parts in product(range(1, 5), range(1, 5)):
        width = finer * parts
        asked = q.Refinement("a", width, finer)
        for left in range(1, width + 1):
            whole = [range(first, first + left) for first in range(width - left + 1)]  # inside the old bin
            most = max(len({code // finer for code in run}) for run in whole)
            assert asked.factor({"a": left}) == most
            assert asked.jumps({"a": left}) == most - 1
            assert asked.after({"a": left}) == {"a": min(left, finer)}
        with pytest.raises(CompositionError, match="ask it first"):
            asked.factor({"a": width + 1})
    with pytest.raises(CompositionError, match="divisor"):
        q.Refinement("a", 6, 4)


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("top", [1, 2, 4])
def test_a_variance(rows, top):
    for left in range(1, top + 2):
        moved = 0
        for others, run in product(product([0, top], repeat=rows - 1), runs(top, left)):
            values = [rows * (sum(c * c for c in others) + x * x) - (sum(others) + x) ** 2 for x in run]
            moved = max(moved, max(values) - min(values))
        for width in (1, 2, 3, 7):
            asked = q.VarianceSum("a", width, rows, top, count=5)
            assert asked.factor({"a": left}) == min(left, 5, -(-moved // width) + 1)
            assert (asked.after({"a": left}), asked.jumps({"a": left})) == ({}, 8)


def test_exact_ones():
    for values, left in product(range(1, 6), range(1, 7)):
        histogram = q.ExactHistogram("a", values)
        assert histogram.factor({"a": left}) == min(left, values)
        assert histogram.jumps({"a": left}) == min(left, values) - 1
        assert histogram.after({"a": left}) == {"a": 1}
        for threshold in range(1, values):
            asked = q.ExactThreshold("a", threshold, values)
            side = max(len(range(threshold)), len(range(threshold, values)))
            assert asked.factor({"a": left}) == min(left, 2)
            assert asked.jumps({"a": left}) == min(left, 2) - 1
            assert asked.after({"a": left}) == {"a": min(left, side)}
        with pytest.raises(CompositionError, match="no codes on one side"):
            q.ExactThreshold("a", values, values)
    assert q.ExactThreshold("a", 1, 2).threshold == 1


def test_any_other_question():
    asked = q.OtherQuestion(("a", "b"), 7, 3)
    for a, b in product(range(1, 5), repeat=2):
        assert asked.factor({"a": a, "b": b}) == min(7, a * b)
    assert (asked.jumps({}), asked.after({})) == (18, {})
    assert q.OtherQuestion(("a",), 1).jumps({}) == 0
    for columns in ((), "ab"):
        with pytest.raises(CompositionError, match="tuple"):
            q.OtherQuestion(columns, 2)
    repeat = q.Repeat()
    assert (repeat.columns, repeat.factor({}), repeat.after({}), repeat.jumps({})) == ((), 1, {}, 0)


NUMBERS = {
    q.PlainSum: {"width": 2, "rows": 3, "top": 4},
    q.KthSmallest: {"width": 2, "bins": 3},
    q.Refinement: {"width": 2, "finer": 1},
    q.VarianceSum: {"width": 2, "rows": 3, "top": 4, "count": 5},
    q.ExactHistogram: {"values": 3},
    q.ExactThreshold: {"threshold": 1, "values": 3},
    q.OtherQuestion: {"count": 3, "pieces": 2},
}


@pytest.mark.parametrize(("kind", "numbers"), NUMBERS.items())
def test_a_number_below_one_would_be_free(kind, numbers):
    column = ("a",) if kind is q.OtherQuestion else "a"
    kind(column, **numbers)
    for name, wrong in product(numbers, [0, -1, True, 1.0, "1", None, inf]):
        with pytest.raises(CompositionError):
            kind(column, **{**numbers, name: wrong})
    one = {q.Refinement: {"width": 1, "finer": 1}, q.ExactThreshold: {"threshold": 1, "values": 2}}
    assert kind(column, **one.get(kind, dict.fromkeys(numbers, 1)))


def test_together():
    left = {"a": 9, "b": 4, "c": 2}
    sums = q.PlainSum("a", 4, 5, 8), q.KthSmallest("a", 3, 3), q.PlainSum("b", 2, 5, 3)
    a, b = [asked.jumps(left) for asked in sums[:2]], sums[2].jumps(left)
    assert (a, b) == ([2, 2], 2)
    assert q.Together(sums).factor(left) == (1 + 4) * (1 + 2)
    assert q.Together(sums).factor({**left, "a": 3}) == min(3, 1 + 1 + 1) * 3
    assert q.Together((q.PlainSum("a", 1, 9, 8), q.PlainSum("a", 1, 9, 8))).factor(left) == 9
    other = q.OtherQuestion(("a", "c"), 4)
    assert q.Together((*sums, other)).factor(left) == 5 * 3 * 4
    assert q.Together((*sums, q.OtherQuestion(("a", "c"), 5))).factor(left) == 9 * 4 * 2
    assert q.Together((*sums, other)).factor({"a": 4, "b": 2, "c": 1}) == 4 * 2 * 1
    assert q.Together((*sums, q.Repeat())).factor(left) == q.Together(sums).factor(left)
    assert q.Together((sums[0], q.PlainSum("a", 2, 5, 8), sums[2])).after(left) == {"a": 2, "b": 2}
    assert q.Together((q.PlainSum("a", 2, 5, 8), sums[0])).after(left) == {"a": 2}
    often = q.OtherQuestion(("a",), 2, 3)  # two answers, in three pieces: never more than their products
    assert [q.Together((often,) * times).factor(left) for times in (1, 2, 3)] == [2, 4, 8]
    for wrong in ((), (q.Together(sums),), ("x",), (*sums, "x"), (q.Together(sums), *sums)):
        with pytest.raises(CompositionError, match="batch"):
            q.Together(wrong)


def test_what_questions_say_of_columns():
    assert q.values_of_column(q.PlainSum("a", 1, 1, 8)) == q.values_of_column(q.VarianceSum("a", 1, 1, 8, 2)) == 9
    assert q.values_of_column(q.ExactHistogram("a", 3)) == q.values_of_column(q.ExactThreshold("a", 1, 3)) == 3
    assert q.values_of_column(q.KthSmallest("a", 1, 3)) is None
    assert q.columns_of(q.OtherQuestion(("a", "b"), 2)) == ("a", "b")
    assert (q.columns_of(q.Repeat()), q.columns_of(q.ExactHistogram("a", 3))) == ((), ("a",))


BUDGETS = [1, 2, 3, 5, 6, 7, 12, 13, 100, 2**40 + 1]


@pytest.mark.parametrize("budget", BUDGETS)
def test_a_budget_of_so_many_transcripts_and_not_one_more(budget):
    start = Sequence.start({"a": 10**30, "b": 10**30}, budget=budget)
    assert start.ask(q.OtherQuestion(("a",), budget)).after.spent() == budget
    with pytest.raises(BudgetExceededError):
        start.ask(q.OtherQuestion(("a",), budget + 1))
    if budget > 1:
        half = start.ask(q.OtherQuestion(("b",), 2)).after
        assert half.ask(q.OtherQuestion(("a",), budget // 2)).after.spent() == budget // 2 * 2
        with pytest.raises(BudgetExceededError):
            half.ask(q.OtherQuestion(("a",), budget // 2 + 1))


def test_the_state_of_a_budget():
    start = Sequence.start({"a": 5, "b": 3}, budget=12, cells=["n", "s"])
    assert start.cells == dict.fromkeys("ns", Cell(1, {"a": 5, "b": 3}))
    step = start.ask(q.ExactHistogram("b", 3), cells=["n"])
    assert (step.factor, step.factors, step.after.spent(), step.after.spent("s")) == (3, {"n": 3}, 3, 1)
    assert step.after.cells["n"].remaining == {"a": 5, "b": 1}
    assert step.after.bits_left == 2
    mixed = step.after.ask({"n": q.PlainSum("a", 4, 2, 4), "s": q.PlainSum("a", 2, 2, 4)})
    assert (mixed.factors, mixed.factor, mixed.after.spent()) == ({"n": 2, "s": 3}, 3, 6)
    assert Sequence.from_json(mixed.after.to_json()) == mixed.after
    three = Sequence.start({"a": 5}, bits=3, rows=3)
    assert (three.budget, three.cells[""].remaining) == (8, {"a": 13})
    both = q.Together((q.PlainSum("a", 12, 9, 4), q.OtherQuestion(("a",), 3)))
    assert three.ask(both).factor == 2 * 3
    for single in (q.KthSmallest("a", 1, 2), q.ExactHistogram("a", 5)):
        with pytest.raises(CompositionError, match="3 rows"):
            three.ask(single)
    assert three.ask(q.OtherQuestion(("a",), 8)).factor == 8


def test_what_no_budget_can_be():
    for wrong in (0, -1, True, 1.5, "2"):
        with pytest.raises(CompositionError):
            Sequence(wrong, {"a": 2}, {"": Cell(1, {"a": 2})})
        with pytest.raises(CompositionError):
            Sequence(2, {"a": wrong}, {"": Cell(1, {"a": 2})})  # type: ignore[dict-item]
        with pytest.raises(CompositionError):
            Sequence(2, {"a": 2}, {"": Cell(wrong, {"a": 2})})
        with pytest.raises(CompositionError):
            Sequence(2, {"a": 2}, {"": Cell(1, {"a": wrong})})  # type: ignore[dict-item]
        with pytest.raises(CompositionError):
            Sequence(2, {"a": 2}, {"": Cell(1, {"a": 2})}, wrong)
    for cells in ({}, {5: Cell(1, {"a": 2})}, {"n": Cell(1, {"a": 2}), 5: Cell(1, {"a": 2})}):
        with pytest.raises(CompositionError):
            Sequence(2, {"a": 2}, cells)
    with pytest.raises(CompositionError):
        Sequence(2, {}, {"": Cell(1, {})})
    assert Sequence(1 << 10_000, {"a": 2}, {"": Cell(1, {"a": 2})}).spent() == 1
    with pytest.raises(CompositionError, match="gives no protection"):
        Sequence(1 << 10_001, {"a": 2}, {"": Cell(1, {"a": 2})})


def test_what_cannot_be_asked():
    start = Sequence.start({"a": 5}, budget=9, cells=["n"])
    for given in ({"bits": 1, "budget": 2}, {}, {"budget": 2, "cells": "n"}, {"budget": 2, "cells": ["n"], "rows": 2}):
        with pytest.raises(CompositionError):
            Sequence.start({"a": 2}, **given)
    assert Sequence.start({"a": 2}, budget=2, cells=["n"], rows=1).rows == 1
    with pytest.raises(CompositionError):
        Sequence.start({"a": "x"}, budget=2)  # type: ignore[dict-item]
    for asked, cells in ((q.Repeat(), "n"), ({"n": q.Repeat()}, ["n"]), ({}, None), (q.Repeat(), []), ("x", None)):
        with pytest.raises(CompositionError):
            start.ask(asked, cells)
    for asked, cells in ((q.Repeat(), ["x"]), (q.ExactHistogram("b", 2), None)):  # type: ignore[assignment]
        with pytest.raises(UnknownVariableError):
            start.ask(asked, cells)
    for asked in (q.ExactHistogram("a", 4), q.Together((q.Repeat(), q.PlainSum("a", 1, 1, 5)))):  # type: ignore[assignment]
        with pytest.raises(CompositionError, match="declared with 5"):
            start.ask(asked)
    with pytest.raises(CompositionError, match="backup"):
        Sequence.from_json("{}")


def divided(answers, rows: int, groups: int) -> int:
    """The largest product over all divisions."""
    parts = (each for each in product(range(rows + 1), repeat=groups) if sum(each) == rows)
    return max(prod(answers(part) if part else 1 for part in each) for each in parts)


def test_several_rows_by_brute_force():
    for top, width, rows in product(range(1, 4), range(1, 5), range(1, 5)):
        totals = range(rows * top + 1)
        most = max(len({(total + other) // width for total in totals}) for other in range(width))
        assert sum_answers(top, width, rows) == most
        for groups in range(1, 5):
            expected = divided(lambda part, t=top, w=width: sum_answers(t, w, part), rows, groups)
            assert grouped_sum_answers(top, width, rows, groups) == expected
    for rows, values in product(range(1, 5), range(1, 5)):
        spread = {tuple(sorted(each)) for each in product(range(values), repeat=rows)}
        assert histogram_answers(rows, values) == len(spread)
        assert predicate_answers(rows) == rows + 1
    odd = {1: 2, 2: 2, 3: 9, 4: 9, 5: 10}
    for rows, groups in product(range(1, 6), range(1, 7)):
        assert worst_division(odd.__getitem__, rows, groups) == divided(odd.__getitem__, rows, groups)


def test_variances_of_several_rows():
    for everyone, top in [*product(range(1, 6), (1, 3)), (8, 1)]:
        for rows in range(1, everyone + 1):
            moved = 0
            for others in product([0, top], repeat=everyone - rows):
                own = [[*others, *mine] for mine in product([0, top], repeat=rows)]
                spread = [everyone * sum(c * c for c in codes) - sum(codes) ** 2 for codes in own]
                moved = max(moved, max(spread) - min(spread))
            for width in (1, 2, 5):
                assert variance_answers(top, width, rows, everyone) == -(-moved // width) + 1


def test_many_rows_are_bounded_closely():
    """Up to 64 rows exactly, beyond by a bound: never below the truth, and not far above it."""

    def answers(part: int) -> int:
        return sum_answers(3, 2, part)

    exact = [1, *map(answers, range(1, 81))]
    best = exact
    for groups in range(2, 5):
        best = [max(best[part] * exact[rows - part] for part in range(rows + 1)) for rows in range(81)]
        assert worst_division(answers, 64, groups) == best[64]
        for rows in (65, 66, 80):
            assert best[rows] <= worst_division(answers, rows, groups) <= best[rows] * 2**groups
    assert worst_division(answers, 1000, 1) == answers(1000) == 1501
    for groups in (100, 1000):
        assert 2**100 < worst_division(lambda part: part + 1, 100, groups) <= (2 + 1 / 16) ** 100
    assert worst_division(lambda part: 1, 100, 7) == 1
    assert worst_division(lambda part: 2, 65, 65) == 2**65
    assert worst_division(lambda part: 1 if part < 66 else 67, 66, 66) >= 67
    steep = worst_division(lambda part: 1 if part < 65 else 66, 65, 65)
    assert steep >= 66
