"""The bounds of what a view says about a person: exactly what 1 to R rows can give."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.functions.leaves import ColumnOf
from noiseless.curator.plan.person import Measure
from noiseless.curator.schema.scale import Real

WAYS = {
    "COUNT": len,
    "SUM": sum,
    "MIN": min,
    "MAX": max,
    "AVG": lambda values: sum(values) / len(values),
    "RANGE": lambda values: max(values) - min(values),
}


@pytest.mark.parametrize("low", ["-1", "-0.5", "0", "1"])
@pytest.mark.parametrize("way", WAYS)
def test_bounds_are_attained_and_hold(way, low):
    real = Real(low, "1.5", step="0.5", on_grid=True)
    column = Derived(ColumnOf("x", real), (real.low, real.high, real.step), Fraction(0))
    for most in (1, 2, 3):
        values = [
            WAYS[way]([real.number(code) for code in codes])
            for rows in range(1, most + 1)
            for codes in combinations_with_replacement(range(real.top + 1), rows)
        ]
        measure = Measure("m", way, column, way)
        values += [0] if way == "COUNT" else []  # a person may have rows and no value
        assert measure.ends(most) == (min(values), max(values))
        steps = {(value - measure.ends(most)[0]) / measure.step for value in values}
        assert way == "AVG" or all(Fraction(step).denominator == 1 for step in steps)


def test_rows_are_counted_from_one():
    measure = Measure("n", "COUNT", None, "COUNT(*)")
    assert (measure.ends(3), measure.step) == ((1, 3), 1)
