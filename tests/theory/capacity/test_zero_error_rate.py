"""Channels that change over time: known values, brute force, and the bound that Haemers' example breaks."""

from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import pytest

import noiseless as nl
from noiseless.exact.touched import touched
from tests.theory.capacity.graphs import complement, cycle, lines_on_a_cubic
from tests.theory.capacity.test_block_code import random_channel

LINES = lines_on_a_cubic()
GRAPH = LINES.confusability.tocoo()
APART = complement(27, zip(GRAPH.row.tolist(), GRAPH.col.tolist(), strict=True))
NOISELESS = nl.Channel({0: {0}, 1: {1}, 2: {2}})


def test_one_channel_is_its_capacity():
    found, alone = nl.zero_error_rate(nl.ChannelSequence(cycle(5))), nl.zero_error_capacity(cycle(5))
    assert (found.lower, found.exact, tuple(found.code)) == (alone.lower, True, alone.code)


def test_the_capacities_add_up_where_theta_says_so():
    """5 words in two steps of the pentagon, 3 in each step without error, 2 in each step of the square."""
    found = nl.zero_error_rate(nl.ChannelSequence(cycle(5), NOISELESS, cycle(4)))
    assert (found.lower, found.exact, found.code.size) == (nl.Rate(5 * 9 * 4, 6), True, 180)
    assert found.tolerance > 0
    exact = nl.zero_error_rate(nl.ChannelSequence(cycle(4), NOISELESS))
    assert (exact.lower, exact.upper, exact.tolerance) == (nl.Rate(6, 2), nl.Rate(6, 2), 0)


def test_different_bounds_for_different_channels_would_be_wrong():
    """Haemers 1979: 27 words in two steps, where the best bound of each channel would allow 7 · 3."""
    found = nl.zero_error_rate(nl.ChannelSequence(LINES, APART), time_limit=3)
    assert (found.code.size, found.code.steps, found.exact) == (27, 2, True)
    best_of_each = nl.haemers_bound(LINES) * nl.lovasz_theta(APART).upper
    assert best_of_each < Fraction(211, 10) < 27 <= found.upper.count


def test_haemers_bound_where_it_is_better():
    """Rank 7 where theta is 9; the clique cover of a square may stand in for its rank."""
    twice = nl.zero_error_rate(nl.ChannelSequence(LINES, cycle(4)), time_limit=3)
    assert (twice.upper, twice.upper_by[:14]) == (nl.Rate(14, 2), "Haemers' bound")
    assert twice.lower == nl.Rate(12, 2)


def most_words(sequence, steps):
    """The independence number of the first steps, by branching over words."""
    words = list(product(*(channel.inputs for channel in sequence.first(steps))))
    outputs = {word: frozenset(sequence.outputs_of(word)) for word in words}

    def best(left):
        if not left:
            return 0
        first, *others = left
        taken = 1 + best([word for word in others if not outputs[word] & outputs[first]])
        touching = any(outputs[word] & outputs[first] for word in others)
        return max(taken, best(others)) if touching else taken

    return best(words)


def test_both_ends_hold_for_random_sequences():
    random = Random(3)
    for _ in range(25):
        sequence = nl.ChannelSequence(random_channel(random), random_channel(random))
        found = nl.zero_error_rate(sequence, time_limit=5)
        words = Fraction(most_words(sequence, 2))
        assert nl.Rate(words, 2) <= found.upper
        assert found.code.rate == found.lower <= found.upper
        assert found.lower >= nl.Rate(words, 2)


def test_noiseless_privacy_bounds_what_a_stream_of_answers_carries():
    """NP Thm 2 with others' data that change: a sum of codes 0..6 in bins of 3 has at most touched(6, 3) answers."""
    steps = [nl.Channel({x: {(x + others) // 3} for x in range(7)}) for others in (0, 1, 2, 5, 9)]
    found = nl.zero_error_rate(nl.ChannelSequence(*steps))
    answers = [len(step.outputs) for step in steps]
    assert (found.exact, found.tolerance, found.lower) == (True, 0, nl.Rate(Fraction(prod(answers)), 5))
    assert found.upper <= nl.Rate(Fraction(touched(6, 3)), 1)
    assert max(answers) == touched(6, 3)


def test_without_time_both_ends_still_hold():
    found = nl.zero_error_rate(nl.ChannelSequence(cycle(5), cycle(7)), time_limit=0)
    assert nl.Rate(1, 1) <= found.lower <= nl.Rate(5**3 * 33**2, 12) <= found.upper


def test_what_is_refused():
    with pytest.raises(nl.ChannelError, match="ChannelSequence"):
        nl.zero_error_rate(cycle(5))
