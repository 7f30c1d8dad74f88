import noiseless as nl
from noiseless import LogRatio


def test_klir(lopsided):
    assert nl.transmission(lopsided["X"], lopsided["Y"]) == LogRatio(2)


def test_unrelated_transmits_nothing():
    space = nl.Space({"X": [0, 0, 1, 1], "Y": [0, 1, 0, 1]})
    assert nl.transmission(space["X"], space["Y"]) == LogRatio(1)
