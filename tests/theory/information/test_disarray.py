import noiseless as nl
from noiseless import LogRatio


def test_least_remaining(lopsided, dice):
    assert nl.disarray(lopsided["X"], lopsided["Y"]) == LogRatio(1)
    assert nl.disarray(dice["number"], dice["even"]) == LogRatio(3)
