import pytest

import noiseless as nl
from noiseless import LogRatio

PRIOR = {1: "0.5", 2: "0.1", 3: "0.1", 4: "0.1", 5: "0.1", 6: "0.1"}


def test_dice(dice):
    assert nl.pointwise_leakage(dice["number"], dice["even"]) == LogRatio(2)
    assert nl.pointwise_leakage(dice["number"], dice["even"], PRIOR) == LogRatio.of(10, 3)


def test_values_that_the_prior_excludes(dice):
    only_even = {1: 0, 2: "0.5", 3: 0, 4: "0.25", 5: 0, 6: "0.25"}
    assert nl.pointwise_leakage(dice["number"], dice["even"], only_even) == LogRatio(1)


def test_no_bound_over_all_priors(dice):
    rare = {**dict.fromkeys([2, 4, 6], "0.333"), 1: "0.0005", 3: "0.0003", 5: "0.0002"}
    assert nl.pointwise_leakage(dice["number"], dice["even"], rare) == LogRatio(1000)


def test_noise_has_no_probabilities(lopsided):
    with pytest.raises(nl.NotCertifiableError, match="not a function"):
        nl.pointwise_leakage(lopsided["X"], lopsided["Y"])


NEGATIVE = {**PRIOR, 1: "0.6", 2: "-0.1", 3: "0.2"}


@pytest.mark.parametrize("prior", [{1: 1}, {**PRIOR, 1: "0.4"}, NEGATIVE, {**PRIOR, 7: 0}])
def test_priors_that_are_none(dice, prior):
    with pytest.raises(nl.InputError, match="prior="):
        nl.pointwise_leakage(dice["number"], dice["even"], prior)
