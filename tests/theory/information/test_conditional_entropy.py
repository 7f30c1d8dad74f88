import noiseless as nl
from noiseless import LogRatio


def test_worst_remaining(lopsided):
    assert nl.conditional_entropy(lopsided["X"], lopsided["Y"]) == LogRatio(3)
    assert nl.conditional_entropy(lopsided["Y"], lopsided["X"]) == LogRatio(2)


def test_given_several(lopsided):
    assert nl.conditional_entropy(lopsided["X"], (lopsided["X"], lopsided["Y"])) == LogRatio(1)
