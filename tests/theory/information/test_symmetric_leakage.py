import noiseless as nl
from noiseless import LogRatio


def test_smaller_direction(lopsided):
    x, y = lopsided["X"], lopsided["Y"]
    assert nl.symmetric_leakage(x, y) == nl.symmetric_leakage(y, x) == LogRatio(3)
