"""Derived columns: what an expression becomes, by hand and against plain Python."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import noiseless as nl
from noiseless.curator.schema.derived import DerivedCategory, DerivedDate, DerivedNumber, DerivedTruth

BASE = {
    "w": nl.Real(30, 200, step="0.1", on_grid=True),
    "h": nl.Real(140, 210, step="0.1"),
    "a": nl.Integer(0, 120, missing="apart"),
    "d": nl.Date("2024-01-15", "2024-03-15"),
    "s": nl.Category("north", "south", missing="unknown"),
    "t": nl.Boolean(),
    "p": nl.Public(1, 2, 3),
}


def derived(expression: str, **more) -> Any:
    return nl.Schema(BASE, e=nl.Derived(expression, **more)).columns["e"]


def grid(column) -> tuple:
    return column.low, column.high, column.step, column.apart


@pytest.mark.parametrize(
    ("expression", "more", "wanted"),
    [
        ("2 * w", {}, (60, 400, Fraction(1, 5), False)),
        ("w - 100", {"step": 1}, (-70, 100, 1, False)),
        ("a + 1", {}, (1, 121, 1, True)),
        ("COALESCE(a, 0)", {}, (0, 120, 1, False)),
        ("w * p", {}, (30, 600, Fraction(1, 10), False)),
        ("FLOOR(w / 10) * 10", {}, (30, 200, 10, False)),
        ("a / 7.0", {"step": "0.5"}, (0, Fraction(35, 2), Fraction(1, 2), True)),
        ("a", {"low": 10, "high": 20}, (10, 20, 1, True)),
        ("a", {"low": 10, "high": "19.5", "step": 5}, (10, 20, 5, True)),
        ("EXTRACT(MONTH FROM d)", {}, (1, 12, 1, False)),
    ],
)
def test_numbers_get_bounds_and_a_step(expression, more, wanted):
    column = derived(expression, **more)
    assert isinstance(column, DerivedNumber)
    assert grid(column) == wanted


def test_a_date_stays_a_date():
    column = derived("DATE_TRUNC('month', d)")
    assert isinstance(column, DerivedDate)
    assert (column.show(column.low), column.show(column.high)) == ("2024-01-01", "2024-03-01")


def test_truth_values_and_texts_have_codes():
    assert isinstance(derived("w > 100"), DerivedTruth)
    assert not derived("w > 100").apart
    assert derived("a > 18").apart  # unknown where a is missing
    column = derived("CASE WHEN a < 18 THEN 'child' WHEN s = 'north' THEN 'n' ELSE 'other' END")
    assert isinstance(column, DerivedCategory)
    assert column.keys == ("child", "n", "other")
    assert derived("SUBSTR(s, 1, 1)").keys == ("n", "s", "u")
    assert derived("CASE WHEN a < 18 THEN 'child' WHEN a < 65 THEN 'old' END", missing="?").keys == (
        "child",
        "old",
        "?",
    )


def test_slack_says_how_far_the_truth_can_be():
    assert derived("2 * w").rounding == 0  # on its grid
    assert derived("2 * h").rounding >= 2 * nl.Schema(BASE).columns["h"].rounding
    assert derived("w - 100", step=1).rounding == Fraction(1, 2)
    wide, clamped = derived("w / h"), derived("w / h", low="0.2", high="0.8", step="0.01")
    assert clamped.rounding > wide.rounding  # a coarser step
    bmi = "10000 * w / (h * h)"
    assert derived(bmi, step="0.1", high=30).rounding < derived(bmi, step="0.1").rounding


@pytest.mark.parametrize(
    ("expression", "more", "words"),
    [
        ("", {}, "not one expression"),
        ("w, h", {}, "not one expression"),
        ("w FROM t", {}, "not one expression"),
        ("w; DROP TABLE t", {}, "not one expression"),
        ("DISTINCT w", {}, "not one expression"),
        ("(SELECT 1)", {}, "subquery"),
        ("AVG(w)", {}, "not supported"),
        ("z + 1", {}, "'z' does not exist"),
        ("w / (h - 150)", {}, "may be 0"),
        ("LN(a)", {}, "needs a number above 0"),
        ("p + 1", {}, "reads no private column"),
        ("3", {}, "reads no private column"),
        ("CASE WHEN a < 18 THEN 'child' WHEN a < 65 THEN 'old' END", {}, "add ELSE, or missing"),
        ("LOWER('x')", {}, "reads no private column"),
        ("w > 3", {"step": 1}, "no step, low or high"),
        ("w", {"missing": "x"}, "missing= is for texts"),
        ("w", {"step": 0}, "not above 0"),
        ("w", {"step": "abc"}, "abc"),
    ],
)
def test_what_cannot_be_computed_is_refused_with_its_name(expression, more, words):
    with pytest.raises(nl.SchemaError, match=words) as refused:
        derived(expression, **more)
    assert "derived column 'e'" in str(refused.value)


def test_a_derived_column_names_no_other_derived_column():
    with pytest.raises(nl.SchemaError, match=r"'e', which is derived too|'e' does not exist"):
        nl.Schema(BASE, e=nl.Derived("2 * w"), f=nl.Derived("e + 1"))


def test_a_deep_expression_is_refused_and_nothing_else_is_raised():
    with pytest.raises(nl.SchemaError):
        derived("(" * 2000 + "w" + ")" * 2000)
    with pytest.raises(nl.SchemaError):
        derived(" + ".join(["w"] * 5000))
