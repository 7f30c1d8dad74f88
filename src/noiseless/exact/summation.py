"""Sums of floats without rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

MANTISSA = 53


def exact_sum(values: NDArray[Any]) -> Fraction:
    """The exact sum of an array of integers or finite floats, independent of the order.

    A float is an integer of 53 bits times a power of two; integers of equal power are added as integers.

    >>> exact_sum(np.array([1e100, 1.0, -1e100]))
    Fraction(1, 1)
    """
    if values.dtype.kind != "f":
        return (
            sum(map(Fraction, values.tolist()), Fraction(0))
            if values.dtype == object
            else Fraction(sum(values.tolist()))
        )
    mantissas, exponents = np.frexp(values.astype(np.float64, copy=False))
    integers = np.ldexp(mantissas, MANTISSA).astype(np.int64)
    total = Fraction(0)
    for exponent in np.unique(exponents).tolist():
        chosen = integers[exponents == exponent]
        # halves of 32 bits cannot overflow while there are fewer than 2**31 of them
        high, low = int((chosen >> 32).sum()), int((chosen & 0xFFFFFFFF).sum())
        total += Fraction((high << 32) + low) * Fraction(2) ** (exponent - MANTISSA)
    return total
