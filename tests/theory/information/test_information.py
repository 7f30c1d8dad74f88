from fractions import Fraction

import noiseless as nl
from noiseless import LogRatio


def test_best_case_is_not_privacy(lopsided):
    """I0 says log 4/3 although Y = c reveals X completely."""
    assert nl.information(lopsided["X"], lopsided["Y"]) == LogRatio(Fraction(4, 3))
    assert nl.leakage(lopsided["X"], lopsided["Y"]) == LogRatio(4)
