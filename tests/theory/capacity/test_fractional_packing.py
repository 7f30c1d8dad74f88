from fractions import Fraction

import numpy as np
import pytest

import noiseless as nl
from tests.theory.capacity.graphs import cycle, petersen


@pytest.mark.parametrize("length", [5, 7, 9, 31])
def test_odd_cycles_are_half_their_length_exactly(length):
    assert nl.fractional_packing(nl.Channel({x: {x, (x + 1) % length} for x in range(length)})) == nl.Enclosure(
        Fraction(length, 2), Fraction(length, 2)
    )


def test_it_belongs_to_the_channel_not_to_the_graph():
    """Three inputs confusable in pairs, with one common output or with one for each pair."""
    assert nl.fractional_packing(nl.Channel({x: {0} for x in range(3)})).upper == 1
    assert nl.fractional_packing(nl.Channel({0: {0, 1}, 1: {1, 2}, 2: {2, 0}})).upper == Fraction(3, 2)


def test_petersen():
    assert nl.fractional_packing(petersen()).upper == 5


@pytest.mark.parametrize("seed", range(5))
def test_random_enclosures_are_tight_and_ordered(seed):
    generator = np.random.default_rng(seed)
    matrix = (generator.random((60, 40)) < 0.1) | (np.arange(40) == generator.integers(0, 40, (60, 1)))
    packing = nl.fractional_packing(nl.Channel(matrix))
    assert packing.lower <= packing.upper
    assert packing.width < Fraction(1, 10**6)


def test_two_cycles_add():
    both = nl.Channel({(k, x): {(k, x), (k, (x + 1) % 5)} for k in range(2) for x in range(5)})
    assert nl.fractional_packing(both).upper == 5
    assert nl.fractional_packing(cycle(5) * cycle(5)).upper == Fraction(25, 4)


def test_weights_smaller_than_simple_fractions():
    packing = nl.fractional_packing(nl.Channel(~np.eye(1102, dtype=bool)))
    assert packing.upper < Fraction(1102, 1101) + Fraction(1, 10**5)
