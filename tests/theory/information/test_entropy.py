import noiseless as nl
from noiseless import LogRatio


def test_dice(dice):
    assert nl.entropy(dice["number"]) == LogRatio(6)
    assert nl.entropy(dice["number"]).bits == 2.584962500721156


def test_at_one_y(dice):
    assert nl.entropy(dice["number"], even=True) == LogRatio(3)


def test_of_several_variables(dice):
    assert nl.entropy((dice["number"], dice["even"])) == LogRatio(6)
    assert nl.entropy((dice["even"],)) == LogRatio(2)


def test_repeated_samples_do_not_count():
    assert nl.entropy(nl.Space({"X": [1, 1, 1]})["X"]) == LogRatio(1)
