"""Refusals name functions as questions do, and one bin for everything is divided at once."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.question import widths

TABLE = pa.table({"x": [0, 3, 4, 4], "s": [True, False, True, True]})
SCHEMA = nl.Schema(x=nl.Integer(0, 4), s=nl.Boolean())


@pytest.mark.parametrize(
    ("sql", "bits", "words"),
    [
        ("SELECT MEDIAN(x) FROM t", "0.5", "one bit that QUANTILE costs"),
        ("SELECT s, COUNT(*) FROM t GROUP BY s", "0.5", "one bit that COUNT costs"),
        ("SELECT AVG(x) FROM t WHERE s", "0.5", "one bit that AVG costs"),
        ("SELECT MAX(x) FROM t", None, "^QUANTILE needs bits="),
    ],
)
def test_a_function_that_costs_too_much_is_named(sql, bits, words):
    with nl.Curator.open(TABLE, SCHEMA, budget=9, table="t") as curator, pytest.raises(nl.BudgetError, match=words):
        curator.ask(sql, bits=bits)


def test_one_bin_for_everything_is_divided_at_once():
    """Its width has more than five significant bits. Trying all numbers up to it would take hours."""
    width = 3 * (10**12 + 39) * 4
    divisors = widths._binary(width)
    assert all(width % each == 0 for each in divisors)
    assert {1, 3, 12, width // 2, width // 3} <= set(divisors)
    assert width not in divisors
    assert widths._binary(29 << 20) == sorted({p << k for p in (1, 29) for k in range(21)} - {29 << 20})
