"""Refusals name functions as questions do, and one bin for everything is divided at once."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.question import widths

TABLE = pa.table({"x": [0, 3, 4, 4], "s": [True, False, True, True]})
SCHEMA = nl.Schema(x=nl.Integer(0, 4), s=nl.Boolean())


def test_a_function_that_needs_bits_is_named():
    with nl.Curator.open(TABLE, SCHEMA, budget=9, table="t") as curator:
        with pytest.raises(nl.BudgetError, match="QUANTILE needs bits="):
            curator.ask("SELECT MAX(x) FROM t")
        median = curator.ask("SELECT MEDIAN(x) FROM t", bits=1)
        with pytest.raises(nl.BudgetError, match="not this QUANTILE"):
            curator.refine(median, error=0)


def test_one_bin_for_everything_is_divided_at_once():
    """Its width has more than five significant bits. Trying all numbers up to it would take hours."""
    width = 3 * (10**12 + 39) * 4
    divisors = widths._binary(width)
    assert all(width % each == 0 for each in divisors)
    assert {1, 3, 12, width // 2, width // 3} <= set(divisors)
    assert width not in divisors
    assert widths._binary(29 << 20) == sorted({p << k for p in (1, 29) for k in range(21)} - {29 << 20})
