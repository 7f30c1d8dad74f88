import noiseless as nl
from noiseless import LogRatio


def test_dice(dice):
    assert nl.leakage(dice["number"], dice["even"]) == LogRatio(2)
    assert nl.leakage(dice["even"], dice["number"]) == LogRatio(2)


def test_worst_case(lopsided):
    assert nl.leakage(lopsided["X"], lopsided["Y"]) == LogRatio(4)
    assert nl.leakage(lopsided["Y"], lopsided["X"]) == LogRatio(3)


def test_of_several_variables(dice):
    pair = (dice["number"], dice["even"])
    assert nl.leakage(pair, dice["even"]) == LogRatio(2)
    assert nl.leakage(dice["even"], pair) == LogRatio(2)
