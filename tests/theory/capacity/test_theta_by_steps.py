"""Theta by steps: around the closed form whenever it ends, and never lost to a solver that ran out of time."""

from __future__ import annotations

from itertools import combinations
from math import cos, inf, pi

import pytest

from noiseless.errors import TimeLimitError
from noiseless.theory.capacity import theta_by_steps as steps
from noiseless.theory.capacity import zero_error_capacity as home
from noiseless.theory.capacity.channel import Channel
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.capacity.theta_by_steps import theta_by_steps


def cycle(size: int) -> Channel:
    return Channel({k: {k, (k + 1) % size} for k in range(size)})


def theta_of_cycle(size: int) -> float:
    return size * cos(pi / size) / (1 + cos(pi / size))


def petersen() -> Channel:
    """The pairs out of five, confused if they are disjoint."""
    pairs = list(combinations(range(5), 2))
    edges = [(a, b) for a, b in combinations(pairs, 2) if not set(a) & set(b)]
    return Channel({pair: {pair, *(edge for edge in edges if pair in edge)} for pair in pairs})


KNOWN = [(cycle(size), theta_of_cycle(size)) for size in (5, 7, 9, 21)] + [(petersen(), 4.0)]


@pytest.mark.parametrize(("channel", "theta"), KNOWN)
def test_closed_forms(channel, theta):
    found = theta_by_steps(channel, Deadline(inf))
    assert found.lower <= theta * (1 + 1e-14)
    assert found.upper >= theta * (1 - 1e-14)
    assert found.width < 1e-6


@pytest.mark.parametrize("most", [1, 2, 21, 41, 101])
def test_it_encloses_theta_whenever_it_ends(monkeypatch, most):
    monkeypatch.setattr(steps, "MOST_STEPS", most)
    for channel, theta in KNOWN:
        found = theta_by_steps(channel, Deadline(inf))
        assert found.lower <= theta * (1 + 1e-14)
        assert found.upper >= theta * (1 - 1e-14)


def test_no_time_at_all_is_still_a_bound():
    found = theta_by_steps(cycle(7), Deadline(-inf))
    assert found.lower <= theta_of_cycle(7) <= found.upper <= 8


def test_what_is_found_is_kept_when_the_solver_runs_out_of_time(monkeypatch):
    """The wrong variant returns None, and the capacity has the cover of 7/2 as its upper end."""

    def late(*_):
        raise TimeLimitError("too late")

    monkeypatch.setattr(home, "MANY_INPUTS", 0)
    monkeypatch.setattr(home, "lovasz_theta", late)
    monkeypatch.setattr(home, "TOLERANCE", 0)
    kept = home.theta_within(cycle(7), Deadline(inf))
    assert kept is not None
    assert kept.width < 1e-6
