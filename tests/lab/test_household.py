"""Is a household in an aggregate? Games decided by hand, both ends of the curve, seeds, and a leak that would show."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import noiseless as nl
from noiseless.lab.attacks import household as module
from noiseless.lab.attacks.curve import advantage, wilson
from noiseless.lab.attacks.household import Bins, household
from noiseless.lab.attacks.household_adversaries import ADVERSARIES
from noiseless.lab.datasets.panel import Panel
from noiseless.lab.datasets.twins import twin_meters

METERS = twin_meters(homes=30, days=40)


@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_two_households_whose_game_is_decided(adversary):
    """n = 1: the report is one of the two, quantized finely; every adversary is always right."""
    panel = Panel(np.array([[1.0, 5.0, 1.0, 2.0] * 12, [5.0, 1.0, 2.0, 1.0] * 12]), "by hand")
    found = household(panel, 1, [10, None], high=8, adversary=adversary, games=64)
    assert [point.value for point in found.points] == [1.0, 1.0]


@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_two_households_that_are_alike(adversary):
    """Nobody can tell one from the other: chance, whatever is reported."""
    panel = Panel(np.array([[1.0, 5.0, 1.0, 2.0] * 12] * 3), "alike")
    for point in household(panel, 2, [0, 3, None], high=8, adversary=adversary, games=2000).points:
        assert point.lower == 0.0


@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_the_ends_of_the_curve(adversary):
    """Nothing at 0 bits; with many bits as much as without privacy."""
    found = household(METERS, 4, [0, 12, None], high=10, adversary=adversary, games=2000)
    nothing, many, all_of_it = found.points
    assert nothing.lower == 0.0
    assert many.lower <= all_of_it.value <= many.upper
    assert all_of_it.lower > 0.1
    assert found == household(METERS, 4, [0, 12, None], high=10, adversary=adversary, games=2000)
    assert found != household(METERS, 4, [0, 12, None], high=10, adversary=adversary, games=2000, seed=1)


def test_a_report_that_leaks_would_show(monkeypatch):
    """The same test with reports that were never quantized: 0 bits are then as good as all."""
    monkeypatch.setattr(Bins, "of", lambda *_: None)
    assert household(METERS, 4, [0], high=10, games=2000).points[0].lower > 0.1


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("bits", [0, 1, 2])
def test_reports_are_in_the_bins_of_the_calibration(n, bits):
    """No report is outside of the bins, also where everybody is at the highest value."""
    made = nl.calibrate(nl.Mean(n=n, low=0, high=8), bits=bits).quantizer
    bins = Bins.of(n, bits, Fraction(8), "corrected")
    readings = np.array([[8000.0, 0.0, 4000.0, 7990.0]] * 7, dtype=np.float32)
    chosen = np.array([[0, 1]] * 20)
    draw = np.random.default_rng(1)
    reports = module._reports(chosen, np.zeros(20, dtype=np.int64), readings, n, bins, draw)
    expected = np.asarray(made.apply(readings[0].astype(float) / 1000))
    assert reports == pytest.approx(np.tile(expected, (20, 1)))


@pytest.mark.parametrize(
    ("n", "bits", "high"), [(3, 1, 10), (6, 2, 10), (7, 1, 10), (5, 3, 10), (49, 1, 10), (4, 2, "2.4")]
)
@pytest.mark.parametrize("rule", ["corrected", "printed"])
def test_bins_are_exact(n, bits, high, rule):
    """Every sum of whole Wh in every bin, also those on edges, against the library's quantizer on fractions."""
    mean = nl.Mean(n=n, low=0, high=high)
    made = (nl.calibrate(mean, bits=bits) if rule == "corrected" else nl.theorem_8_as_printed(mean, bits)).quantizer
    bins = Bins.of(n, bits, Fraction(high), rule)
    edges = [int(n * 1000 * made.edge(k)) for k in range(made.levels + 1)]
    near = np.array([edge + by for edge in edges for by in (-1, 0, 1)])
    sums = np.unique(near.clip(0, int(n * 1000 * Fraction(high))))
    expected = [made.apply(Fraction(int(each), 1000 * n), output="index") for each in sums]
    found = (bins.middles(sums.astype(np.float64)) / bins.width - 0.5).round().astype(int)
    assert found.tolist() == [int(each) for each in expected]


def test_one_household_causes_no_more_reports_than_promised():
    """n = 49, 1 bit, whole kWh: with floats of 32 bits there were three."""
    bins = Bins.of(49, 1, Fraction(10), "corrected")
    others = np.random.default_rng(2).integers(0, 11, (500, 48)).sum(axis=1) * 1000
    seen = bins.middles((others[:, None] + 1000 * np.arange(11)[None, :]).astype(np.float64))
    assert max(len(set(row)) for row in seen.tolist()) == 2


@pytest.mark.parametrize(("bits", "high"), [(2, "0.004"), (10, "1.024"), (2, "0.003"), (1, "0.001")])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_value_of_one_household(n, bits, high):
    """Whatever the others use, the reports of one are at most 2^bits."""
    bins = Bins.of(n, bits, Fraction(high), "corrected")
    top = int(Fraction(high) * 1000)
    for others in range((n - 1) * top + 1) if n * top < 50 else (0, 1, top // 2, (n - 1) * top):
        sums = (others + np.arange(top + 1)).astype(np.float64)
        seen = sums if bins is None else bins.middles(sums)
        assert len(set(seen.tolist())) <= 2**bits


def test_finer_than_a_watt_hour_is_exact():
    exact, *fine = household(METERS, 4, [None, 126, 1100], high=10, games=300).points
    assert [point.value for point in fine] == [exact.value] * 2
    with pytest.raises(nl.TooLargeError, match="too many for floats"):
        household(METERS, 4, [23], high=10**6, games=10)


def test_the_one_who_is_in_is_in_and_the_other_is_not():
    """With n = 2 of three homes that read 1, 10, 100: the mean tells exactly who was in."""
    readings = np.array([[1000.0], [10_000.0], [100_000.0]], dtype=np.float32)
    chosen = np.array([[0, 1]] * 50 + [[2, 0]] * 50)
    inside = np.array([0, 1] * 50)
    reports = module._reports(chosen, inside, readings, 2, None, np.random.default_rng(5))
    own = readings[np.take_along_axis(chosen, inside[:, None], axis=1)[:, 0], 0]
    third = readings[3 - chosen.sum(axis=1), 0]
    assert (reports[:, 0] == (own + third) / 2000).all()


def test_the_printed_theorem_has_more_answers_than_it_says():
    """At "0 bits" Theorem 8 has n levels, so that a report tells something."""
    corrected = household(METERS, 4, [0], high=10, games=2000).points[0]
    printed = household(METERS, 4, [0], high="2.5", rule="printed", games=2000)
    assert "printed" in printed.adversary
    assert (corrected.lower, printed.points[0].lower > 0) == (0.0, True)


def test_daily_totals():
    found = household(METERS.daily(), 4, [3, None], high=60, games=500)
    assert found.points[1].value > 0.1
    assert "daily totals" in found.origin


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (5, 10), (10, 10), (733, 1000)])
def test_intervals(wins, games):
    low, high = wilson(wins, games)
    assert 0 <= low <= wins / games <= high <= 1
    value, lower, upper = advantage(wins, games)
    assert lower <= value <= upper


def test_intervals_cover():
    """Of 1,000 experiments with a known share about 95 % of the intervals have it."""
    draw = np.random.default_rng(4)
    ends = np.array([wilson(int(wins), 400) for wins in draw.binomial(400, 0.3, 1000)])
    assert 0.93 <= ((ends[:, 0] <= 0.3) & (ends[:, 1] >= 0.3)).mean() <= 0.97


def test_bad_input():
    with pytest.raises(nl.InputError, match="adversary 'psychic' does not exist"):
        household(METERS, 4, [1], high=10, adversary="psychic")
    for n in (0, 30):
        with pytest.raises(nl.InputError, match="use 1 to 29, because one of the 30 homes"):
            household(METERS, n, [1], high=10)
    with pytest.raises(nl.InputError, match="above 0"):
        household(METERS, 3, [None], high=-5)
    with pytest.raises(nl.InputError, match="whole Wh"):
        household(METERS, 3, [1], high="0.0106")
    with pytest.raises(nl.InputError, match="seed=-1"):
        household(METERS, 3, [1], high=10, seed=-1)
    with pytest.raises(nl.InputError, match="at least one game"):
        household(METERS, 3, [1], high=10, games=0)
    with pytest.raises(nl.InputError, match="'corrected' or 'printed'"):
        household(METERS, 3, [1], high=10, rule="right")
