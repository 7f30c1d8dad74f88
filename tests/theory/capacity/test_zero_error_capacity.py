from fractions import Fraction
from itertools import combinations
from math import log2, sqrt

import numpy as np
import pytest

import noiseless as nl
from tests.theory.capacity.graphs import channel_of, complement, cycle, grid, petersen


def test_pentagon_is_exact_through_its_square():
    capacity = nl.zero_error_capacity(cycle(5))
    assert capacity.exact
    assert capacity.lower == nl.Rate(Fraction(5), 2)
    assert float(capacity) == pytest.approx(log2(sqrt(5)))
    assert (capacity.lower_by, capacity.upper_by) == (
        "5 pairs of inputs never confused in two uses",
        "Lovász theta",
    )
    assert 0 < capacity.tolerance < 1e-6


def test_petersen_is_two_bits():
    capacity = nl.zero_error_capacity(petersen())
    assert capacity.exact
    assert capacity.lower == nl.Rate(Fraction(4), 1)


def test_seven_cycle_stays_open():
    capacity = nl.zero_error_capacity(cycle(7))
    assert not capacity.exact
    assert capacity.lower == nl.Rate(Fraction(33), 3)
    assert float(capacity.upper.count) == pytest.approx(3.31766720739, abs=1e-6)
    assert "bracket" in repr(capacity)


PERFECT = {
    "even cycle": (cycle(26), 13),
    "grid": (grid(5, 6), 15),
    "complete": (channel_of(6, combinations(range(6), 2)), 1),
    "empty": (channel_of(6, []), 6),
    "path": (channel_of(9, [(v, v + 1) for v in range(8)]), 5),
    "complement of an even cycle": (complement(8, [(v, (v + 1) % 8) for v in range(8)]), 2),
    "complement of a path": (complement(7, [(v, v + 1) for v in range(6)]), 2),
    "bipartite cube": (channel_of(8, [(u, v) for u, v in combinations(range(8), 2) if (u ^ v).bit_count() == 1]), 4),
    "rook": (channel_of(16, [(u, v) for u, v in combinations(range(16), 2) if u // 4 == v // 4 or u % 4 == v % 4]), 4),
}


@pytest.mark.parametrize("name", PERFECT)
def test_perfect_graphs_are_exact_in_integers(name):
    channel, alpha = PERFECT[name]
    capacity = nl.zero_error_capacity(channel)
    assert capacity.exact
    assert capacity.tolerance == 0
    assert capacity.lower == capacity.upper == nl.Rate(Fraction(alpha), 1)


def test_deterministic_at_any_size():
    space = nl.Space({"x": np.arange(300_000)}).derive(y=lambda x: x % 7)
    capacity = nl.zero_error_capacity(nl.Channel(space["x"], space["y"]))
    assert (capacity.exact, capacity.lower.count) == (True, 7)


def test_intervals_are_solved_by_dropping_inputs_alone():
    """A rounding that reports either neighbour: 2,000 inputs, an interval graph."""
    capacity = nl.zero_error_capacity(nl.Channel({x: {x, x + 1} for x in range(2000)}))
    assert (capacity.exact, capacity.lower.count) == (True, 1000)


def test_no_time_still_gives_a_true_bracket():
    capacity = nl.zero_error_capacity(cycle(9), time_limit=0)
    assert capacity.lower <= nl.Rate(Fraction(18), 2)
    assert capacity.upper >= nl.Rate(Fraction(18), 2)


def test_too_many_cliques_fall_back_on_the_outputs(monkeypatch):
    monkeypatch.setattr("noiseless.theory.capacity.reductions.MOST_CLIQUES", 1)
    capacity = nl.zero_error_capacity(cycle(5))
    assert capacity.lower == nl.Rate(Fraction(5), 2)


def test_lists_of_inputs_beyond_the_semidefinite_program():
    """150 disjoint pentagons: too many inputs for theta, still a bracket."""
    channel = nl.Channel({(k, x): {(k, x), (k, (x + 1) % 5)} for k in range(150) for x in range(5)})
    capacity = nl.zero_error_capacity(channel)
    assert capacity.lower.count == 300
    assert capacity.upper.count == 375
