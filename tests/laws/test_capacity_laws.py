"""The chain of theory §2 on every channel with up to three inputs and outputs, and beyond by Hypothesis."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.capacity.reductions import by_cliques, useful_inputs

LATER = Deadline.after(3600)


def all_channels(most: int = 3):
    outputs = [set(c) for size in range(1, most + 1) for c in combinations(range(most), size)]
    for inputs in range(1, most + 1):
        for chosen in product(outputs, repeat=inputs):
            yield dict(enumerate(chosen))


CHANNELS = st.dictionaries(st.integers(0, 6), st.frozensets(st.integers(0, 6), min_size=1, max_size=3), min_size=1)


def greatest_symmetric_leakage(outputs_of) -> Fraction:
    """sup over sets A of inputs of L0^s, as a ratio, from the definition."""
    best = Fraction(1)
    for size in range(1, len(outputs_of) + 1):
        for inputs in combinations(outputs_of, size):
            pairs = [(x, y) for x in inputs for y in outputs_of[x]]
            outputs = {y for _, y in pairs}
            to_x = Fraction(len(inputs), min(sum(y == seen for _, y in pairs) for seen in outputs))
            to_y = Fraction(len(outputs), min(len(outputs_of[x]) for x in inputs))
            best = max(best, min(to_x, to_y))
    return best


def independence(outputs_of) -> int:
    """α(G) by trying every set of inputs."""
    return max(
        size
        for size in range(1, len(outputs_of) + 1)
        for inputs in combinations(outputs_of, size)
        if all(not set(outputs_of[u]) & set(outputs_of[v]) for u, v in combinations(inputs, 2))
    )


REAL = {name: getattr(nl, name) for name in ("independence_number", "lovasz_theta", "fractional_packing")}


def chain_holds(outputs_of, measures=REAL) -> None:
    channel = nl.Channel(outputs_of)
    alpha, theta, packing = (measures[name](channel) for name in REAL)
    assert alpha == independence(outputs_of)
    assert alpha <= theta.upper
    assert theta.lower <= packing.upper
    assert packing.exact
    assert packing.upper <= greatest_symmetric_leakage(outputs_of)
    capacity = nl.zero_error_capacity(channel)
    assert nl.Rate(Fraction(alpha), 1) <= capacity.lower <= capacity.upper <= nl.Rate(packing.upper, 1)
    assert capacity.upper <= nl.Rate(theta.upper + Fraction(1, 10**6), 1)


PENTAGON = {x: {x, (x + 1) % 5} for x in range(5)}
MUTANTS = {
    "independence_number": lambda channel: len(channel.outputs),
    "lovasz_theta": lambda channel: nl.Enclosure(Fraction(1), Fraction(3, 2)),
    "fractional_packing": lambda channel: nl.Enclosure(*[Fraction(nl.independence_number(channel))] * 2),
}


def test_the_pentagon_keeps_the_chain():
    chain_holds(PENTAGON)


@pytest.mark.parametrize("name", REAL)
def test_a_wrong_bound_breaks_the_chain(name):
    with pytest.raises(AssertionError):
        chain_holds(PENTAGON, {**REAL, name: MUTANTS[name]})


@pytest.mark.parametrize("inputs", [1, 2, 3])
def test_every_channel_up_to_three_by_three(inputs):
    for outputs_of in all_channels():
        if len(outputs_of) == inputs:
            chain_holds(outputs_of)


@given(CHANNELS)
@settings(max_examples=150)
def test_larger_channels(outputs_of):
    chain_holds(outputs_of)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_deterministic_channels_carry_the_number_of_outputs(image):
    channel = nl.Channel({x: {y} for x, y in enumerate(image)})
    capacity = nl.zero_error_capacity(channel)
    assert channel.is_deterministic
    assert capacity.exact
    assert capacity.tolerance == 0
    assert capacity.lower == capacity.upper == nl.Rate(Fraction(len(set(image))), 1)
    assert nl.independence_number(channel) == len(set(image))


@given(CHANNELS)
@settings(max_examples=60)
def test_reductions_keep_the_independence_numbers(outputs_of):
    """Dropping replaceable inputs and renaming outputs to cliques changes neither α(G) nor α(G²)."""
    channel = nl.Channel(outputs_of)
    reduced = by_cliques(useful_inputs(channel, LATER), LATER)
    assert nl.independence_number(reduced) == nl.independence_number(channel)
    if len(channel.inputs) <= 5:
        assert nl.independence_number(reduced * reduced) == nl.independence_number(channel * channel)


@given(CHANNELS)
def test_cliques_keep_the_graph(outputs_of):
    channel = nl.Channel(outputs_of)
    assert np.array_equal(by_cliques(channel, LATER).confusability.toarray(), channel.confusability.toarray())


def test_dropping_the_wrong_input_would_lower_the_capacity():
    """Of u replaceable by v, the one with more confusions must go: on a path the middle, not the ends."""
    path = nl.Channel({"a": {1}, "b": {1, 2}, "c": {2}})
    assert set(useful_inputs(path, LATER).inputs) == {"a", "c"}
    assert nl.independence_number(path.restricted_to([1])) < nl.independence_number(path)


@given(CHANNELS, CHANNELS)
@settings(max_examples=30)
def test_strong_product(first, second):
    """Pairs are confusable iff both coordinates are equal or confusable."""
    a, b = nl.Channel(first), nl.Channel(second)
    closed = [c.confusability.toarray() | np.eye(len(c.inputs), dtype=bool) for c in (a, b)]
    expected = np.kron(*closed) & ~np.eye(len(a.inputs) * len(b.inputs), dtype=bool)
    assert np.array_equal((a * b).confusability.toarray(), expected)
