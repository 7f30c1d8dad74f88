"""Adversaries who aim at guards and at levels: for all values of a person together, no more is learned than charged."""

from __future__ import annotations

from fractions import Fraction
from math import log2

import numpy as np
import pytest

import noiseless as nl
from noiseless.lab.attacks.guards import Aimer, aimed, codes_of
from noiseless.lab.datasets.people import Measured
from noiseless.privacy.composition.weights import Weights

AIMED = ["guards", "levels"]
SMALL = [3, 0, 2, 2, 1, 3, 1, 0, 1, 2, 3, 1, 1, 0, 2, 3]
"""The values of a few people; the first is attacked, and may have any."""


@pytest.mark.parametrize("name", AIMED)
def test_no_more_is_learned_than_charged(name):
    nothing, little, much = aimed(name, SMALL, 3, [0, 2, 12], "a table").points
    assert (nothing.value, nothing.setting["charged"], nothing.setting["transcripts"]) == (0, 0, 1)
    for point in (little, much):
        assert 0 < point.value <= point.setting["charged"] <= point.setting["budget"]
        assert point.setting["transcripts"] <= 2 ** point.setting["budget"]
    assert little.value < much.value == log2(4)  # in the end, everything


@pytest.mark.parametrize("name", AIMED)
def test_among_ten_thousand_people(name):
    values = np.random.default_rng(0).integers(0, 3, 10_000)
    [point] = aimed(name, values, 2, [12], "a table").points
    assert log2(3) == pytest.approx(point.value)
    assert point.value <= point.setting["charged"] <= 12


def test_a_case_by_hand():
    """Five others have 1. In bins of 5 with guards of 1, a count of 5 is a guard (6) and one of 6 is wide (6/5)."""
    [point] = aimed("guards", [0, 1, 1, 1, 1, 1, 0, 0], 1, [8], "a table").points
    assert point.value == 1
    assert point.setting["questions"] == 1
    assert point.setting["charged"] == pytest.approx((log2(6) + log2(Fraction(6, 5))) / 2)


def test_a_ledger_that_charges_too_little_is_caught(monkeypatch):
    """If a loud answer cost what a quiet one costs, more would be learned than charged."""
    monkeypatch.setattr(Weights, "price", lambda self, loud: self.loud / (self.loud - self.count + 1))
    for name in AIMED:
        [point] = aimed(name, SMALL, 3, [12], "a table").points
        assert point.value > point.setting["charged"]


def test_the_value_decides():
    """Of every question it asks, one side is loud and the other is not."""
    for name in AIMED:
        aimer = Aimer(name, SMALL[1:], 3)
        aims = list(aimer._aims())
        assert {aim.threshold for aim in aims} == {1, 2, 3}
        for aim in aims:
            without = sum(value >= aim.threshold for value in SMALL[1:])
            assert aimer.is_loud(without + 1, aim.width) == aim.loud_above != aimer.is_loud(without, aim.width)


def test_guess():
    assert Aimer("guards", SMALL, 3).guess((1, 3), np.random.default_rng(0)) == 2


def test_a_table_of_ones_own(tmp_path):
    file = tmp_path / "incomes.csv"
    file.write_text("income\n" + "\n".join(str(900 + 41 * k % 600) for k in range(60)))
    found = nl.attack("guards", file, bits=[4], column="income", low=900, high=1500, codes=3)
    assert found == nl.attack("guards", file, bits=[4], column="income", low=900, high=1500, codes=3)
    assert "incomes.csv" in found.origin
    assert "60 people, 3 values of the first" in found.origin
    with pytest.raises(nl.InputError, match="low= and high="):
        nl.attack("levels", file, bits=[4], column="income")


def test_codes():
    assert codes_of(np.array([-5.0, 0.0, 4.9, 5.1, 10.0, 99.0]), 0, 10, 3).tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (lambda: aimed("guards", SMALL, 3, [], ""), "bits is empty"),
        (lambda: aimed("guards", [0, 1, 2], 3, [1], ""), "at least four people"),
        (lambda: aimed("guards", [0, 1, 2, 9], 3, [1], ""), "within the bounds"),
        (lambda: codes_of(np.ones(3), 0, 10, 1), "codes=1"),
        (lambda: codes_of(np.ones(3), 10, 10, 4), "low < high"),
        (lambda: nl.attack("levels", Measured({"x": np.ones(9)}, ""), bits=[None], low=0, high=2), "exact"),
    ],
)
def test_bad_input(given, rule):
    with pytest.raises(nl.InputError, match=rule):
        given()
