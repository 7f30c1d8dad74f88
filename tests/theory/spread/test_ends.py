"""The ends of a range: between a certain bound and a value that is attained."""

from math import e, sqrt

import numpy as np
import pytest

import noiseless as nl
from noiseless.theory.spread.box_function import BoxFunction
from noiseless.theory.spread.ends import ends_of

CASES = [
    (lambda x, y: x**3 - x + y**2, {"x": (0, 1), "y": (-1, 1)}, -2 / sqrt(27), 1),
    (lambda x, y: x * y, {"x": (-1, 2), "y": (-3, 1)}, -6, 3),
    (lambda x: np.exp(x) - 2 * x, {"x": (0, 1)}, 2 - 2 * np.log(2), 1),
    (lambda x, y: np.sqrt(x) / (1 + y**2), {"x": (1, 2), "y": (-1, 3)}, 0.1, sqrt(2)),
    (lambda x: (x - 0.3) ** 2, {"x": (0, 1)}, 0, 0.49),
    (lambda x: np.maximum(x, e), {"x": (2, 3)}, e, 3),
]


@pytest.mark.parametrize(("function", "sides", "least", "most"), CASES)
def test_both_ends_are_enclosed_narrowly(function, sides, least, most):
    low, high = ends_of(BoxFunction(function, nl.Box(**sides)))
    for found, attained, true in ((low, low.upper, least), (high, high.lower, most)):
        assert float(found.lower) - 1e-12 <= true <= float(found.upper) + 1e-12
        assert found.width < 1e-3
        assert float(attained) == pytest.approx(true, abs=1e-9)


def test_a_third_is_attained_although_it_is_not_a_float():
    """A box without any float inside keeps what is known."""
    third = nl.Box(x=("1/3", "1/3"), y=(0, 1))
    low, high = ends_of(BoxFunction(lambda x, y: x + y, third))
    assert (low.lower, high.upper) == (nl.exact_number("1/3"), nl.exact_number("4/3"))
