"""How many points have each value, against listing them."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless.theory.spread.atoms import Atoms, sums_of, sums_of_equal
from noiseless.theory.spread.order import OrderSpread


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("top", [1, 2, 3, 5])
def test_sums_of_equal_people(n, top):
    listed = Counter(map(sum, product(range(top + 1), repeat=n)))
    assert sums_of_equal(n, top) == [listed[total] for total in range(n * top + 1)]


def test_sums_of_many_people():
    assert sum(sums_of_equal(300, 150)) == 151**300
    assert sums_of_equal(1000, 1)[500] == sums_of_equal(1000, 1)[-501]
    with pytest.raises(nl.TooLargeError, match="coarser step"):
        sums_of_equal(10**6, 10)


@given(st.lists(st.lists(st.integers(-4, 6), min_size=1, max_size=4, unique=True), min_size=1, max_size=4))
def test_sums_of_different_people(people):
    assert sums_of(people) == dict(sorted(Counter(map(sum, product(*people))).items()))


def test_too_many_sums():
    with pytest.raises(nl.TooLargeError, match="fewer or rounder"):
        sums_of([(0, 3**k, 5**k) for k in range(16)])


def test_bad_atoms():
    with pytest.raises(nl.RangeError, match="at least one"):
        Atoms.of({})
    for wrong in (0, -1, 1.5, "2"):
        with pytest.raises(nl.RangeError, match="at least 1"):
            Atoms.of({3: wrong})  # type: ignore[dict-item]
    with pytest.raises(nl.NumberError):
        Atoms.of({float("nan"): 1})


@pytest.mark.parametrize(("n", "k"), [(1, 1), (2, 1), (3, 2), (4, 4)])
def test_order_statistics_by_a_grid(n, k):
    """On a grid of g cells per coordinate the share of those surely below is the spread at the grid's values."""
    spread = OrderSpread(n, k, nl.exact_number(0), nl.exact_number(1))
    for edge in range(6):
        below = sum(sorted(cell)[k - 1] < edge for cell in product(range(5), repeat=n))
        assert spread.share_below(nl.exact_number(f"{edge}/5")) == nl.exact_number(f"{below}/{5**n}")
    assert spread.share_below(-1) == 0
    assert spread.share_below(2) == 1
