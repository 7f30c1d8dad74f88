import builtins
from math import cos, pi, sqrt

import numpy as np
import pytest

import noiseless as nl
from noiseless.theory.capacity import lovasz_theta as module
from tests.theory.capacity.graphs import channel_of, complement, cycle, petersen


def odd_cycle(length: int) -> float:
    return length * cos(pi / length) / (1 + cos(pi / length))


@pytest.mark.parametrize(
    ("channel", "theta"),
    [
        (cycle(5), sqrt(5)),
        (cycle(6), 3.0),
        (cycle(7), odd_cycle(7)),
        (cycle(9), odd_cycle(9)),
        (petersen(), 4.0),
        (complement(10, [(v, (v + 1) % 10) for v in range(10)]), 2.0),
        (channel_of(4, []), 4.0),
    ],
)
def test_known(channel, theta):
    enclosure = nl.lovasz_theta(channel)
    assert float(enclosure.lower) - 1e-12 <= theta <= float(enclosure.upper) + 1e-12
    assert enclosure.width < 1e-6


def test_seven_cycle_to_the_printed_digits():
    assert float(nl.lovasz_theta(cycle(7))) == pytest.approx(3.31766720739, abs=1e-7)


def test_multiplicative():
    """ϑ(G⊠H) = ϑ(G)ϑ(H), Lovász's own theorem."""
    assert float(nl.lovasz_theta(cycle(5) * cycle(5))) == pytest.approx(5.0, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_enclosure_survives_a_wrong_solver(seed, monkeypatch):
    """Whatever the solver returns, the ends stay on their sides of the truth."""
    generator = np.random.default_rng(seed)

    def nonsense(confusable, time_limit):
        free, dual = generator.normal(size=(2, *confusable.shape))
        return free + free.T, dual @ dual.T

    monkeypatch.setattr(module, "_solve", nonsense)
    enclosure = nl.lovasz_theta(cycle(5))
    assert float(enclosure.lower) <= sqrt(5) <= float(enclosure.upper)


def test_too_large():
    with pytest.raises(nl.InputError, match="at most 120"):
        nl.lovasz_theta(cycle(121))


def test_out_of_time():
    with pytest.raises(nl.TimeLimitError, match="time_limit"):
        nl.lovasz_theta(complement(60, [(v, v + 1) for v in range(59)]), time_limit=0)


def test_without_the_extra(monkeypatch):
    original = builtins.__import__

    def no_clarabel(name, *args, **kwargs):
        if name == "clarabel":
            raise ImportError(name)
        return original(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_clarabel)
    with pytest.raises(nl.MissingExtraError, match="pip install 'noiseless\\[capacity\\]'"):
        nl.lovasz_theta(cycle(5))
    capacity = nl.zero_error_capacity(cycle(5))
    assert (capacity.exact, capacity.upper_by) == (False, "a fractional clique cover")
    assert capacity.lower.count == 5
    assert str(capacity.upper.count) == "5/2"


@pytest.mark.parametrize("entry", [0.0, 1.0, -1.0, 1e200, float("nan"), float("inf")])
def test_enclosure_survives_constant_nonsense(entry, monkeypatch):
    """Without the lift to a positive semidefinite matrix, a dual of ones would claim 3 > √5."""
    monkeypatch.setattr(module, "_solve", lambda confusable, time_limit: [np.full(confusable.shape, entry)] * 2)
    enclosure = nl.lovasz_theta(cycle(5))
    assert float(enclosure.lower) <= sqrt(5) <= float(enclosure.upper)


def test_the_printed_ends_hold_the_truth():
    low, high = map(float, repr(nl.lovasz_theta(cycle(5))).strip("[]").split(", "))
    assert low <= sqrt(5) <= high
