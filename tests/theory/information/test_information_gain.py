import pytest

import noiseless as nl
from noiseless import LogRatio


def test_at_one_value(lopsided):
    assert nl.information_gain(lopsided["X"], Y="b") == LogRatio(2)
    assert nl.information_gain(lopsided["X"], Y={"a", "b", "c"}) == LogRatio(1)


def test_at_a_value_that_never_happens(lopsided):
    with pytest.raises(nl.UnknownVariableError, match="never takes"):
        nl.information_gain(lopsided["X"], Y="z")


def test_without_an_observation(lopsided):
    with pytest.raises(nl.InputError, match="no observation was given"):
        nl.information_gain(lopsided["X"])
