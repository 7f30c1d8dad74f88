"""Declarations: what is accepted, and what is refused with the way out."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

import noiseless as nl


def test_bounds_are_exact():
    column = nl.Real("0.1", 0.7, step=Decimal("0.2"))
    assert (column.low, column.high, column.top, column.values) == (Fraction(1, 10), Fraction(7, 10), 3, 4)
    assert nl.Real(0, 1, step="0.5", missing="apart").values == 4
    assert nl.Real(0, 1, step="0.5", missing=1).missing_code == 2
    assert nl.Integer(0, 120).top == 120
    assert nl.Date("2024-01-01", date(2024, 1, 29), step=7).top == 4
    assert nl.Boolean(missing="apart").values == 3
    assert nl.Category("a", "b", missing="b").own_missing is False
    assert nl.Category("a", "b", missing="c").own_missing is True


@pytest.mark.parametrize(
    ("declare", "words"),
    [
        (lambda: nl.Real(0, 1, step=0.3), "step=0.3 does not divide high-low=1; use a step such as 0.25 or 0.5"),
        (lambda: nl.Real(0, 150, step="0.35"), "use a step such as 0.25 or 0.5"),
        (lambda: nl.Real(0, "1/7", step="0.1"), "use a step such as 1/7"),
        (lambda: nl.Real(1, 1, step=1), "low=1 is not below high=1"),
        (lambda: nl.Real(0, 1, step=0), "step=0 is not above 0"),
        (lambda: nl.Real(0, 1, step="1e-30"), "too fine for a range from 0 to 1"),
        (lambda: nl.Integer(10**17, 10**17 + 28), "too fine for a range from 100000000000000000"),
        (lambda: nl.Real("-1.7e308", "1.7e308", step="1e307"), "too fine"),
        (lambda: nl.Real(0, "1e-399", step="1e-400"), "too fine"),
        (lambda: nl.Real(0, "1e400", step="1e399"), "too fine"),
        (
            lambda: nl.Real(0, 1, step=1, missing=7),
            "missing=7 is not a value of the column; use low=0 plus a number of steps",
        ),
        (lambda: nl.Real(0, float("inf"), step=1), "not a finite number"),
        (lambda: nl.Real(0, 1, step="a"), "not a number"),
        (lambda: nl.Integer(0, "0.5"), "must be whole"),
        (lambda: nl.Date("2024-02-30", "2024-03-01"), "not a date"),
        (lambda: nl.Date("2024-01-01", "2024-03-01", step=7), "does not divide"),
        (lambda: nl.Date(5, 7), "not a date"),
        (lambda: nl.Category("a"), "at least two values"),
        (lambda: nl.Category("a", 1), "all texts or all whole numbers"),
        (lambda: nl.Category("a", "a"), "listed twice"),
        (lambda: nl.Real(0, 10, step=1, missing="2.5"), "missing=2.5 is not a value of the column; use low=0 plus"),
        (lambda: nl.Boolean(missing="maybe"), "true, false, 'apart' or 'never'"),
        (lambda: nl.Boolean(missing=1), "true, false, 'apart' or 'never'"),
        (lambda: nl.Category(2**70, 1), "below 2\\^63"),
        (
            lambda: nl.Schema(h=nl.Integer(0, 1), d=nl.Public(), unit="u", rows=2, order_by=["d"]),
            "must be names of columns",
        ),
        (lambda: nl.Public(other="x"), "needs keys"),
        (lambda: nl.Public(1.5), "all texts or all whole numbers"),
        (lambda: nl.Schema(g=nl.Public("a")), "has no private column"),
        (lambda: nl.Schema(h="real"), "unknown type; use Real"),
        (lambda: nl.Schema({"h": nl.Integer(0, 1), "H": nl.Integer(0, 1)}), "upper and lower case"),
        (lambda: nl.Schema(h=nl.Integer(0, 1), rows=3), "unit=, rows= and order_by= belong together"),
        (lambda: nl.Schema(h=nl.Integer(0, 1), unit="u", rows=3), "unit=, rows= and order_by= belong together"),
        (lambda: nl.Schema(h=nl.Integer(0, 1), unit="u", rows=0, order_by="h"), "rows=0 is not valid"),
        (lambda: nl.Schema(h=nl.Integer(0, 1), unit="u", rows=2, order_by="h"), "is not a public column; declare it"),
        (lambda: nl.Schema(h=nl.Integer(0, 1), d=nl.Public(), unit="h", rows=2, order_by="d"), "identifies people"),
    ],
)
def test_refused_with_the_way_out(declare, words):
    with pytest.raises(nl.InputError, match=words):
        declare()


def test_a_column_is_found_in_any_case():
    schema = nl.Schema(Height=nl.Integer(0, 1))
    assert schema.find("HEIGHT")[0] == "Height"
    with pytest.raises(nl.UnknownVariableError, match="did you mean 'Height'"):
        schema.find("Hight")
    with pytest.raises(nl.UnknownVariableError, match="the columns are Height"):
        schema.find("q")


def test_columns_called_like_options():
    assert list(nl.Schema({"unit": nl.Integer(0, 1), "rows": nl.Integer(0, 1)}).private) == ["unit", "rows"]


def test_rounding_follows_from_the_declaration():
    assert nl.Real(0, 10, step="0.5").rounding > Fraction(1, 4)
    assert nl.Integer(0, 10, step=5).rounding > Fraction(5, 2)
    assert nl.Date("2024-01-01", "2024-01-15", step=7).rounding > Fraction(7, 2)
    on_grid = (
        nl.Real(0, 10, step="0.5", on_grid=True),
        nl.Integer(0, 10),
        nl.Integer(0, 10, step=5, on_grid=True),
        nl.Date("2024-01-01", "2024-01-31"),
        nl.Date("2024-01-01", "2024-01-15", step=7, on_grid=True),
    )
    assert {column.rounding for column in on_grid} == {0}
    for wrong in (lambda: nl.Real(0, 1, 1, on_grid="yes"), lambda: nl.Integer(0, 1, on_grid=False)):
        with pytest.raises(nl.SchemaError, match="on_grid"):
            wrong()


def test_a_declared_grid_is_written_only_where_it_says_something():
    schema = nl.Schema(x=nl.Real(0, 1, "0.5", on_grid=True), n=nl.Integer(0, 9), m=nl.Integer(0, 9, 3, on_grid=True))
    text = nl.Declaration(schema).write()
    assert text.count("on_grid = true") == 2
    assert nl.Declaration.parse(text).schema == schema
