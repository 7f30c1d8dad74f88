from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl


@pytest.mark.parametrize(
    "written",
    ["0.1", " 0.1 ", "1/10", "1e-1", "0.2/2", 0.1, Decimal("0.1"), Fraction(1, 10), np.float64(0.1), np.float32(0.1)],
)
def test_one_tenth(written):
    assert nl.exact_number(written) == Fraction(1, 10)


@pytest.mark.parametrize("three", [3, "3", 3.0, np.int8(3), np.uint64(3), Decimal(3), Fraction(3)])
def test_three(three):
    assert nl.exact_number(three) == 3
    assert isinstance(nl.exact_number(three), Fraction)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_decimal_it_prints_as(value):
    assert nl.exact_number(value) == Fraction(repr(value))


@given(st.fractions())
def test_fractions_come_back(value):
    assert nl.exact_number(str(value)) == value == nl.exact_number(value)


@pytest.mark.parametrize(
    "bad",
    ["nan", "inf", "-Infinity", "", "abc", "1/0", "1//2", "1/nan", "0x1", float("nan"), float("inf"), np.float32("inf"),
     Decimal("nan"), Decimal("sNaN"), Decimal("inf"), True, None, 1j, [], b"1", "1e999999999", "1/1e999999999"],
)  # fmt: skip
def test_refused_with_the_name(bad):
    with pytest.raises(nl.NumberError, match="step="):
        nl.exact_number(bad, name="step")
