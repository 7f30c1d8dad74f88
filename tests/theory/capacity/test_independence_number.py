import pytest

import noiseless as nl
from tests.theory.capacity.graphs import cycle, petersen


@pytest.mark.parametrize(("channel", "alpha"), [(cycle(5), 2), (cycle(6), 3), (cycle(7), 3), (petersen(), 4)])
def test_known(channel, alpha):
    assert nl.independence_number(channel) == alpha


@pytest.mark.parametrize(("length", "alpha"), [(5, 5), (7, 10), (9, 18)])
def test_squares_of_odd_cycles(length, alpha):
    assert nl.independence_number(cycle(length) * cycle(length)) == alpha


def test_out_of_time_is_said():
    with pytest.raises(nl.TimeLimitError, match="time_limit=0"):
        nl.independence_number(cycle(21) * cycle(21), time_limit=0)
