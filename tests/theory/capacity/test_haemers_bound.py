"""Ranks of matrices that fit a graph bound its zero-error capacity, sometimes better than theta does."""

from itertools import product

import numpy as np
import pytest

import noiseless as nl
from noiseless.theory.capacity import code
from noiseless.theory.capacity.haemers_bound import rank_modulo
from tests.theory.capacity.graphs import channel_of, cycle, lines_on_a_cubic, petersen


def test_lines_on_a_cubic_are_where_theta_is_worse(monkeypatch):
    """Haemers' own example: six lines never meet, theta is 9, the rank 7. Codes of two uses take long, and add none."""
    monkeypatch.setattr(code, "MOST_PAIRS", 0)
    channel = lines_on_a_cubic()
    assert nl.haemers_bound(channel) == 7
    assert 8.99 < nl.lovasz_theta(channel).lower < 9.01
    capacity = nl.zero_error_capacity(channel, time_limit=30)
    assert (capacity.lower.count, capacity.upper.count, capacity.upper_by) == (6, 7, "Haemers' bound")
    assert not capacity.exact


@pytest.mark.parametrize("channel", [cycle(4), cycle(5), cycle(7), petersen(), channel_of(5, [(0, 1), (2, 3)])])
def test_no_code_is_larger(channel):
    bound = nl.haemers_bound(channel)
    assert nl.independence_number(channel) <= bound
    if len(channel.inputs) < 8:
        assert nl.independence_number(nl.strong_power(channel, 2)) <= bound**2


def test_components_add_up():
    two = nl.Channel({(k, x): {(k, x), (k, (x + 1) % 4)} for k in range(2) for x in range(4)})
    assert nl.haemers_bound(two) == 2 * nl.haemers_bound(cycle(4)) == 6


@pytest.mark.parametrize("prime", [2, 3, 5])
def test_ranks_are_those_of_the_span(prime):
    """A matrix of rank r modulo p has p^r combinations of its rows."""
    numbers = np.random.default_rng(prime)
    for _ in range(30):
        matrix = numbers.integers(-3, 4, (3, 4))
        combined = {tuple((np.array(c) @ matrix % prime).tolist()) for c in product(range(prime), repeat=3)}
        assert prime ** rank_modulo(matrix, prime) == len(combined)


def test_large_primes_do_not_overflow():
    prime = 2147483647
    matrix = np.array([[prime - 1, prime - 2], [prime - 3, prime - 5]])
    assert rank_modulo(matrix, prime) == 2
    assert rank_modulo(np.array([[1, prime - 1], [prime - 1, 1]]), prime) == 1


def test_too_large():
    with pytest.raises(nl.TooLargeError, match="at most 300"):
        nl.haemers_bound(cycle(301))
