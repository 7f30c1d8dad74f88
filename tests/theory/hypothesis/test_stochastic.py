"""The best test with probabilities, against all tests; and the two bounds, with Theorem 3 as printed beside them."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl

HALF = Fraction(1, 2)


@st.composite
def distributions(draw):
    weights = draw(st.lists(st.integers(0, 4), min_size=4, max_size=4).filter(any))
    return {y: Fraction(w, sum(weights)) for y, w in enumerate(weights) if w}


@given(distributions(), distributions(), st.sampled_from([HALF, Fraction(1, 3), Fraction(9, 10)]))
def test_no_test_is_right_more_often(without, holding, prior):
    trial = nl.StochasticTrial(without, holding, prior)
    best = max(
        sum((1 - prior) * without.get(y, 0) if not said[y] else prior * holding.get(y, 0) for y in range(4))
        for said in product([False, True], repeat=4)
    )
    assert trial.success == best
    assert trial.success_at_least <= best <= trial.success_at_most
    if prior == HALF:
        assert HALF <= trial.success_at_least_by_size <= trial.success_at_least
        printed = trial.density / 2 * len(without.keys() ^ holding.keys())  # NHT Thm 3
        assert printed <= best


def test_a_grid():
    """Uniform densities on [0, 2] and [1, 3], in cells of 1/4."""
    cells = [Fraction(k, 4) for k in range(12)]
    without = {c: Fraction(1, 8) for c in cells if c < 2}
    holding = {c: Fraction(1, 8) for c in cells if c >= 1}
    trial = nl.StochasticTrial(without, holding, cell=Fraction(1, 4))
    assert (trial.density, trial.success, trial.success_at_most) == (HALF, Fraction(3, 4), Fraction(3, 4))
    assert trial.success_at_least_by_size == HALF + HALF / 4 * 2


@pytest.mark.parametrize("wrong", [{}, {0: "1/2"}, {0: 2, 1: -1}, {0: "0.3", 1: "0.6"}])
def test_what_is_no_distribution(wrong):
    with pytest.raises(nl.NumberError, match="sum to 1"):
        nl.StochasticTrial(wrong, {0: 1})
    with pytest.raises(nl.NumberError, match="prior=2"):
        nl.StochasticTrial({0: 1}, {0: 1}, prior=2)
    with pytest.raises(nl.NumberError, match="is not 1/2"):
        nl.StochasticTrial({0: 1}, {0: 1}, prior="1/3").success_at_least_by_size  # noqa: B018
