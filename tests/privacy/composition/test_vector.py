"""Vectors of queries: how they are declared, read their data, and are refused."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import noiseless as nl

BODY = nl.Vector({"height": nl.Mean(3, 100, 250), "weight": nl.Mean(3, 0, 200)}, {"height": "cm", "weight": "kg"})
NOT_THESE: Any = [3, 5, [1]]
COLUMNS = {"cm": [150.0, 180.0, 190.0], "kg": [50.0, 70.0, 90.0], "id": [1, 2, 3]}


@pytest.mark.parametrize("container", [dict, pd.DataFrame, pl.DataFrame])
def test_columns_of_a_table(container):
    made = nl.calibrate(BODY, bits={"height": 2, "weight": 3})
    assert made.counts == {"height": 4, "weight": 8}
    assert made.guarantee.count == 32
    assert made.guarantee.exact
    assert made.apply(container(COLUMNS)) == {
        "height": Fraction(175),
        "weight": Fraction(500, 7),
    }


def test_one_number_of_bits_is_for_all_coordinates():
    """Unrelated columns multiply; means of one column only add their jumps."""
    made = nl.calibrate(BODY, bits=math.log2(12))
    assert sorted(made.counts.values()) == [3, 3]
    assert nl.calibrate(BODY, count=12).counts == {"height": 4, "weight": 3}
    one = nl.Vector({"mean": nl.Mean(3, 0, 1), "largest": nl.Max(3, 0, 1)})
    made = nl.calibrate(one, bits=4)
    assert made.counts == {"mean": 9, "largest": 8}
    assert made.guarantee.count == 16


def test_errors_of_each_coordinate():
    made = nl.calibrate(BODY, error={"height": 5, "weight": "0.5"})
    assert made.error == {"height": 5, "weight": Fraction(1, 2)}
    assert nl.calibrate(BODY, error=2).error == {"height": 2, "weight": 2}


def test_functions_of_records():
    people = [("f", 30), ("m", 71), ("f", 65)]
    records = [(sex, age) for sex in "fm" for age in range(100)]
    vector = nl.Vector(
        {"women": nl.Count(3), "old": nl.Count(3), "age": nl.Sum(3, domain=nl.Codes(99))},
        {"women": lambda r: r[0] == "f", "old": lambda r: r[1] >= 65, "age": lambda r: r[1]},
        records,
    )
    made = nl.calibrate(vector, error={"women": "0.4", "old": "0.4", "age": 10})
    assert made.then(dict.keys).guarantee == made.guarantee
    answer = made.apply(people)
    assert (answer["women"], answer["old"], abs(answer["age"] - 166) <= 10) == (2, 2, True)
    with pytest.raises(nl.DomainError, match="not declared") as caught:
        made.apply([("f", 30), ("m", 71), ("x", 65)])
    assert "x" not in str(caught.value).split()


def test_declared_records_of_the_value_itself_are_checked():
    vector = nl.Vector({"mean": nl.Mean(2, 0, 100)}, records=[0, 50, 100])
    made = nl.calibrate(vector, error=5)
    assert made.guarantee.count == 3
    assert made.apply(np.array([50.0, 100.0])) == {"mean": 75}
    with pytest.raises(nl.DomainError, match="not declared"):
        made.apply([50, 51])


def test_a_histogram_is_a_coordinate():
    vector = nl.Vector({"each": nl.Histogram(4, "abc"), "again": nl.Histogram(4, "abc")})
    made = nl.calibrate(vector, error="0.4")
    assert made.guarantee.count == 3
    assert made.apply(list("abba"))["each"] == {"a": 2, "b": 2, "c": 0}


def test_values_already_computed():
    """A vector of which only bounds and sensitivities are known."""
    query = nl.Bounded(0, 1, sensitivity="0.1", n=10)
    vector = nl.Vector({"a": query, "b": query}, {"a": "a", "b": "b"})
    made = nl.calibrate(vector, bits=2)
    assert made.counts == {"a": 2, "b": 2}
    assert made.apply({"a": 0.42, "b": 0.99}) == {"a": Fraction(9, 20), "b": Fraction(19, 20)}
    assert not made.guarantee.exact
    assert made.guarantee.domain_size is None


def test_large_domains_are_not_listed():
    vector = nl.Vector({"sum": nl.Sum(9, domain=nl.Codes(10**12)), "max": nl.Max(9, domain=nl.Codes(10**12))})
    assert nl.calibrate(vector, bits=3).counts == {"sum": 5, "max": 4}
    many = nl.Vector({"sum": nl.Sum(9, domain=nl.Codes(5000))}, {"sum": lambda x: x // 2}, range(5001))
    assert nl.calibrate(many, count=4).guarantee.count == 4


def test_my_own_grid():
    grid = nl.Grid({"height": nl.Quantizer(100, 250, levels=3), "weight": nl.Quantizer(0, 200, levels=4)})
    made = nl.mechanism(grid, BODY)
    assert made.guarantee == nl.certify(grid, BODY)
    assert made.guarantee.count == 2 * 3
    assert made.grid.cells == 12
    assert "height ±25" in repr(made)


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: nl.Vector({}), nl.DomainError, "named queries"),
        (lambda: nl.Vector([nl.Count(3)]), nl.DomainError, "named queries"),
        (lambda: nl.Vector({"a": NOT_THESE[0]}), nl.DomainError, "not a query"),
        (lambda: nl.Vector({"a": nl.Count(3), "b": nl.Count(4)}), nl.DomainError, "one n"),
        (lambda: nl.Vector({"a": nl.Count(3)}, {"b": "x"}), nl.DomainError, "'b', not a coordinate"),
        (lambda: nl.Vector({"a": nl.Count(3), "b": nl.Count(3)}, {"b": "x"}), nl.DomainError, "for each"),
        (lambda: nl.Vector({"a": nl.Count(3)}, {"a": NOT_THESE[1]}), nl.DomainError, "names of columns"),
        (lambda: nl.Vector({"a": nl.Count(3)}, {"a": "x"}, records=[1]), nl.DomainError, "functions in reads"),
        (lambda: nl.Vector({"a": nl.Count(3)}, records=[]), nl.DomainError, "at least one record"),
        (lambda: nl.Vector({"a": nl.Count(3)}, records=NOT_THESE[2:]), nl.DomainError, "at least one record"),
        (lambda: nl.Vector({"a": nl.Count(3)}, records=[0, 5]), nl.DomainError, "gives 'a' a value outside"),
        (lambda: nl.calibrate(BODY), nl.BudgetError, "exactly one"),
        (lambda: nl.calibrate(BODY, bits={"height": 1}), nl.BudgetError, "bits does not match"),
        (lambda: nl.calibrate(BODY, count=0), nl.BudgetError, "count=0"),
        (lambda: nl.certify(nl.Grid({"x": nl.Quantizer(0, 1, 2)}), BODY), nl.DomainError, "does not fit"),
        (lambda: nl.certify(nl.Quantizer(0, 1, 2), BODY), nl.InputError, "certify needs"),
        (lambda: nl.calibrate(BODY, bits=1).apply({"cm": [1, 2, 3]}), nl.DomainError, "no column 'kg'"),
        (lambda: nl.calibrate(BODY, bits=1).apply({"cm": [150], "kg": [50]}), nl.DomainError, "n=3"),
    ],
)
def test_bad_vectors(make, error, why):
    with pytest.raises(error, match=why):
        make()


def test_declared_records_of_a_function_are_not_its_whole_domain():
    """Of the records 0, 1 and 3, the last is alone in its bin, though the domain has three values there."""
    some = nl.Vector({"f": nl.Function(lambda x: x, [nl.Codes(5)])}, records=[0, 1, 3])
    found = some.certify(nl.Grid({"f": nl.Quantizer(0, 6, levels=2)}))
    assert found.count == 2
    assert found.smallest_cell == 1
    assert found.domain_size == 3
    one = nl.Vector({"f": nl.Function(lambda x: x, [nl.Codes(5)])}, records=[0])
    assert one.certify(nl.Grid({"f": nl.Quantizer(0, 6, levels=6)})).count == 1
