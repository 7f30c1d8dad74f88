import noiseless as nl
from noiseless import LogRatio


def test_dice(dice):
    assert nl.maximin_information(dice["number"], dice["even"]) == LogRatio(2)


def test_chains_join(lopsided):
    assert nl.maximin_information(lopsided["X"], lopsided["Y"]) == LogRatio(2)
