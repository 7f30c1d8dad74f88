from time import monotonic
from types import SimpleNamespace

import numpy as np
import pytest

import noiseless as nl
from noiseless.theory.capacity import independence_number as module
from tests.theory.capacity.graphs import channel_of, cycle, petersen


@pytest.mark.parametrize(("channel", "alpha"), [(cycle(5), 2), (cycle(6), 3), (cycle(7), 3), (petersen(), 4)])
def test_known(channel, alpha):
    assert nl.independence_number(channel) == alpha


@pytest.mark.parametrize(("length", "alpha"), [(5, 5), (7, 10), (9, 18)])
def test_squares_of_odd_cycles(length, alpha):
    assert nl.independence_number(cycle(length) * cycle(length)) == alpha


def test_out_of_time_is_said():
    with pytest.raises(nl.TimeLimitError, match="time_limit=0"):
        nl.independence_number(cycle(21) * cycle(21), time_limit=0)


@pytest.mark.parametrize("seed", range(6))
def test_search_and_integer_program_agree(seed, monkeypatch):
    generator = np.random.default_rng(seed)
    channel = nl.Channel((generator.random((30, 30)) < 0.06) | np.eye(30, dtype=bool))
    found = nl.independence_number(channel)
    monkeypatch.setattr(module, "_search", lambda neighbours, deadline: ([0], False))
    assert nl.independence_number(channel) == found


def test_a_wrong_solver_is_not_believed(monkeypatch):
    """An integer program that chooses everything is caught by the check in integers."""
    import scipy.optimize

    monkeypatch.setattr(module, "_search", lambda neighbours, deadline: ([0], False))
    everything = SimpleNamespace(x=np.ones(5), status=0)
    monkeypatch.setattr(scipy.optimize, "milp", lambda *given, **options: everything)
    with pytest.raises(nl.TimeLimitError, match="a set of 1 "):
        nl.independence_number(cycle(5))


def test_disjoint_parts_add():
    cycles = {(k, x): {(k, x), (k, (x + 1) % 7)} for k in range(200) for x in range(7)}
    assert nl.independence_number(nl.Channel(cycles)) == 600


def test_time_is_kept_on_a_hard_square():
    generator = np.random.default_rng(2)
    confusable = np.triu(generator.random((49, 49)) < 0.28, 1)
    channel = channel_of(49, map(tuple, np.argwhere(confusable).tolist()))
    start = monotonic()
    capacity = nl.zero_error_capacity(channel, time_limit=2)
    assert capacity.lower.count > 1
    assert monotonic() - start < 30  # a bound on hanging, not a measurement
