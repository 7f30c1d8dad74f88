"""What is plan_copy for a copy, from bits, errors, levels, cuts and policies: to the last cell, without any release."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pytest

import noiseless as nl
from noiseless.curator.microdata.columns import Cells
from noiseless.curator.microdata.plan import Wanted, check_constant, plan_copy

ABOVE = {"a": ["x", "all"], "b": ["x", "all"], "c": ["z", "all"]}
SCHEMA = nl.Schema(
    n=nl.Integer(0, 15),
    r=nl.Real(0, 2, step="0.1"),
    d=nl.Date("2024-01-01", "2024-01-10"),
    m=nl.Integer(0, 6, missing="apart"),
    s=nl.Category("a", "b", "c"),
    w=nl.Boolean("apart"),
    g=nl.Public("u", "v"),
)


def opened(schema, table):
    with nl.Curator.open(pd.DataFrame(table), schema, budget=90, table="t") as curator:
        return curator._dataset


@pytest.fixture(scope="module")
def dataset():
    day = pd.Timestamp("2024-01-02")
    return opened(SCHEMA, {"n": [1], "r": [0.5], "d": [day], "m": [3], "s": ["a"], "w": [True], "g": ["u"]})


def plan(dataset, *columns, **wanted):
    return plan_copy(dataset, Wanted(columns=columns or None, **wanted))


def answers(dataset, *columns, **wanted):
    return [column.answers for column in plan(dataset, *columns, **wanted).private]


def widths(dataset, *columns, **wanted):
    return [column.width for column in plan(dataset, *columns, **wanted).private]


def refused(dataset, words, *columns, **wanted):
    with pytest.raises(nl.InputError, match=words):
        plan(dataset, *columns, **wanted)


def test_a_plan_and_its_parts(dataset):
    made = plan(dataset, "w", "n", bits={"n": 2}, together=[("n", "w")], intervals=True, sort=False)
    assert (made.released, made.answers, made.constant) == (["n", "w"], 12, [])
    assert [column.name for column in made.columns] == ["n", "w", "g"]
    assert (made.grids, made.together, made.intervals, made.sort) == ((), (("n", "w"),), True, False)
    assert plan(dataset, "n", bits={"n": 2}).sort
    assert plan(dataset, bits=40).released == ["n", "r", "d", "m", "s", "w"]


@pytest.mark.parametrize(
    ("bits", "n", "m"), [(1, 8, 7), ("1.5", 8, 7), ("1.6", 6, 4), (2, 4, 3), (3, 2, 1), (4, 1, 1), (9, 1, 1)]
)
def test_bits_of_a_number(dataset, bits, n, m):
    """As many cells as bits allow; of missing values apart one less."""
    assert widths(dataset, "n", "m", bits={"n": bits, "m": bits}) == [n, m]


def test_no_bits_of_a_number(dataset):
    assert widths(dataset, "n", bits={"n": 0}) == [16]
    refused(dataset, "at least 1 bit", "m", bits={"m": 0})


@pytest.mark.parametrize(("error", "width"), [(0, 1), ("1/2", 2), ("0.9", 2), (1, 3), ("7.5", 16), (99, 16)])
def test_errors_of_whole_numbers(dataset, error, width):
    assert widths(dataset, "n", error={"n": error}) == [width]


@pytest.mark.parametrize(("error", "width"), [(0, 1), ("1/2", 1), (1, 3), ("1.5", 3), (2, 5), (99, 10)])
def test_errors_of_dates(dataset, error, width):
    """Between two days the earlier is reported: it may be a whole day off."""
    assert widths(dataset, "d", error={"d": error}) == [width]


def test_errors_of_rounded_numbers(dataset):
    least = dataset.rounding("r")
    assert widths(dataset, "r", error={"r": least}) == [1]
    words = "error=0.04 of 'r' is below 0.0500001, the error of rounding to its step"
    refused(dataset, words, "r", error={"r": "0.04"})
    refused(dataset, "rounding to its step", "r", error={"r": least - Fraction(1, 10**9)})
    for error, width in ((least + Fraction(1, 20), 2), (least + Fraction(99, 1000), 2), (least + Fraction(1, 10), 3)):
        assert widths(dataset, "r", error={"r": error}) == [width]
    for name in ("s", "w"):
        refused(dataset, "cannot have an error", name, error={name: 1})


def test_the_widest_cells_for_an_error():
    """By brute force, of dates that are rounded to their step, too."""
    column = nl.Date("2024-01-01", "2024-02-15", step=3)
    data = opened(nl.Schema(x=column), {"x": [pd.Timestamp("2024-01-02")]})
    cells = [Cells("x", column, width, data.rounding("x")) for width in range(1, column.top + 2)]
    for error in range(2, 30):
        assert widths(data, error={"x": error}) == [max(each.width for each in cells if each.error <= error)]


def test_levels_and_bits_of_categories(dataset):
    named = {"hierarchies": {"s": ABOVE}}
    for level, count in enumerate((3, 2, 1)):
        assert answers(dataset, "s", levels={"s": level}, **named) == [count]
    for bits, count in ((2, 3), ("1.6", 3), ("1.5", 2), (1, 2), (0, 1)):
        assert answers(dataset, "s", bits={"s": bits}, **named) == [count]
    assert answers(dataset, "s", **named) == [1]  # as far as it goes, where nothing is said
    assert answers(dataset, "s") == answers(dataset, "w") == answers(dataset, "s", levels={"s": 0}) == [3]
    assert answers(dataset, "s", bits={"s": "1.6"}) == [3]
    refused(dataset, "groups or fewer", "s", bits={"s": "1.5"})
    refused(dataset, "no hierarchy", "s", levels={"s": 1})
    for level in (-1, True, "1", 0.0):  # type: ignore[assignment]
        refused(dataset, "a level is 0, 1, 2", "s", levels={"s": level}, **named)
    refused(dataset, "a level is 0, 1, 2", "n", levels={"n": 0})


def test_cuts(dataset):
    made = plan(dataset, "n", "s", cuts={"n": [3, 8]})
    assert [column.answers for column in made.private] == [3, 3]
    assert made.private[0].starts == (0, 3, 8)
    with_error = plan(dataset, "r", cuts={"r": [1]}).private[0]
    assert with_error.rounding == dataset.rounding("r")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("'n' has both bits and an error", {"bits": {"n": 1}, "error": {"n": 1}}),
        ("'n' has cut points as well as bits", {"bits": {"n": 1}, "cuts": {"n": [3]}}),
        ("'n' has cut points as well as bits", {"error": {"n": 1}, "cuts": {"n": [3]}}),
        ("'s' has cut points as well as bits", {"levels": {"s": 1}, "cuts": {"s": [3]}}),
        ("'s' has a level as well as bits", {"bits": {"s": 1}, "levels": {"s": 1}}),
        ("'s' has a level as well as bits", {"error": {"s": 1}, "levels": {"s": 1}}),
        ("'n' is a column of numbers, which cannot have a hierarchy", {"bits": 9, "hierarchies": {"n": ABOVE}}),
        ("'r' is not a private column of the copy; its private columns are n, s", {"bits": {"r": 1}}),
        ("'r' is not a private column", {"error": {"r": 1}}),
        ("'r' is not a private column", {"cuts": {"r": [1]}}),
        ("'r' is not a private column", {"levels": {"r": 1}}),
        ("'w' is not a private column", {"hierarchies": {"w": {}}}),
        ("'n' needs bits or an error", {}),
        ("'n' needs bits or an error", {"bits": {"s": 2}}),
    ],
)
def test_what_is_said_twice_or_of_other_columns(dataset, words, wanted):
    refused(dataset, words, "n", "s", **wanted)


def test_wanted_is_for_each_column():
    for name in ("error", "hierarchies", "levels", "cuts"):
        with pytest.raises(nl.BudgetError, match=f"{name}= is given by column"):
            Wanted(**{name: [("n", 1)]})


def test_pairs(dataset):
    for key in (("n", "r"), "n+r"):
        made = plan(dataset, "n", "r", bits={key: 4})
        assert ([column.answers for column in made.private], made.grids) == ([4, 4], (("n", "r"),))
    both = plan(dataset, "n", "r", "d", bits={"n+r": 4, "d": 1}, grids=[("r", "d")])
    assert both.grids == (("r", "d"), ("n", "r"))
    for key in (("n", "r", "d"), ("n",), "n+g", ("n", "n"), "n+"):  # type: ignore[assignment]
        refused(dataset, "pair of private columns", "n", "r", "d", bits={key: 4})
    refused(dataset, "'d' is not a private column of the copy", "n", bits={"n": 1}, grids=[("n", "d")])
    refused(dataset, "'d' is not a private column of the copy", "n", bits={"n": 1}, together=[("n", "d")])
    refused(dataset, "a grid is a pair", "n", "r", bits={"n": 1, "r": 1}, grids=[("n",)])


def test_names(dataset):
    refused(dataset, "'z' is not a private column; the private columns are n, r, d, m, s, w", "z")
    refused(dataset, "each once", "n", "n")
    with pytest.raises(nl.SchemaError, match="at least one"):
        plan_copy(dataset, Wanted(columns=[], bits=1))


def test_a_total_of_bits(dataset):
    """Categories first, and what is left for numbers in equal shares."""
    assert answers(dataset, "n", "s", bits=4) == [4, 3]
    assert answers(dataset, "n", bits=3) == [8]
    assert answers(dataset, "n", "r", bits=4) == [4, 4]
    assert answers(dataset, "s", "w", bits="3.2") == [3, 3]
    refused(dataset, "bits=3 allow 8 different rows, and s, w already make 9", "s", "w", bits=3)
    assert answers(dataset, "n", "d", bits=4, error={"n": "1/2"}) == [8, 2]
    refused(dataset, "bits=1 allow 2 different rows, and n already make 8", "n", "d", bits=1, error={"n": "1/2"})
    assert answers(dataset, "m", bits=1) == [2]
    refused(dataset, "bits=0 allow 1 different rows, and missing values already make 1", "m", bits=0)
    refused(dataset, "bits=2 allow 4 different rows, and s already make 3", "s", "m", bits=2)


def test_a_total_of_bits_that_leaves_nothing(dataset):
    def checked(*columns, **given):
        wanted = Wanted(columns=columns, **given)
        check_constant(plan_copy(dataset, wanted), wanted)

    checked("n", bits=1)
    for given in ({"bits": 0, "constant": True}, {"bits": {"n": 0}}, {"error": {"n": 99}}):
        checked("n", **given)
    with pytest.raises(nl.BudgetError, match="bits=0 in all are too few for 'n'"):
        checked("n", bits=0)


@pytest.mark.parametrize(("rows", "count"), [(1, 64), (2, 8), (3, 4), (4, 2), (6, 2), (7, 1)])
def test_a_total_of_bits_is_divided_by_the_rows_of_a_person(rows, count):
    schema = nl.Schema(x=nl.Integer(0, 63), turn=nl.Public(), unit="who", rows=rows, order_by="turn")
    data = opened(schema, {"x": [0], "who": ["a"], "turn": [0]})
    assert answers(data, bits=6) == [count]


POLICY = nl.Shift(nl.Boundary("n", lambda r: 4 * r), error=2)


def test_policies(dataset):
    made = plan(dataset, "n", "r", "s", policies=[POLICY])
    assert (made.released, made.answers) == (["s", "n", "r"], 3 * 16 * 21)
    assert [column.name for column in made.columns] == ["s", "g"]
    refused(dataset, "a policy promises no count", "n", "s", policies=[POLICY], bits=9)
    assert plan(dataset, "d", "n", policies=[POLICY], bits={"d": 1}).answers == 2 * 16 * 21
    words = "'n' is not a private column of the copy; its private columns are none"
    refused(dataset, words, "n", policies=[POLICY], bits={"n": 1})
    assert plan(dataset, "s", policies=[POLICY], together=[("s", "r")]).together == (("s", "r"),)


def test_ends_that_are_called_as_another_column():
    schema = nl.Schema(x=nl.Integer(0, 9), X_upper=nl.Public("a", "b"), s=nl.Category("a", "b"))
    data = opened(schema, {"x": [1], "X_upper": ["a"], "s": ["a"]})
    assert [type(column) is Cells for column in plan(data, bits={"x": 1}).columns] == [True, False, False]
    refused(data, "end of an interval", bits={"x": 1}, intervals=True)
    assert plan(data, "s", intervals=True).intervals
    schema = nl.Schema(x=nl.Integer(0, 9), x_upper=nl.Integer(0, 9), r=nl.Integer(0, 9))
    data = opened(schema, {"x": [1], "x_upper": [1], "r": [1]})
    changed = nl.Shift(nl.Boundary("x_upper", lambda r: r), error=2)
    assert plan(data, bits={"x": 1}, policies=[changed]).released == ["x", "x_upper", "r"]
    refused(data, "end of an interval", bits={"x": 1}, policies=[changed], intervals=True)
