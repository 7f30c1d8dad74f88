"""The lab on the papers' data sets, where they are: what the pages say of them."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

import noiseless as nl
from noiseless.lab.datasets.appliances import house
from noiseless.lab.datasets.panel import meters
from noiseless.lab.datasets.people import survey
from noiseless.lab.datasets.trips import taxi

DATA = Path(os.environ.get("NOISELESS_DATA", "nowhere"))
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="NOISELESS_DATA names no folder with the real data")


def test_what_is_read():
    year = meters()
    assert (year.homes, year.days) == (50, 269)
    assert (year.readings >= 0).all()
    swiss = meters(DATA / "meters" / "swiss_halfhour_days.parquet", share=0.9)
    assert swiss.homes > 400
    assert len(survey().height) == 980
    assert taxi().rows == 291_150
    assert house().samples == 348_730


def test_households():
    nothing, all_of_it = nl.attack("household", bits=[0, None], games=1000).points
    assert nothing.lower == 0
    assert all_of_it.lower > 0.6


def test_appliances():
    none, few, exact = nl.attack("disaggregation", bits=[0, 4, None]).points
    assert none.value < few.value <= exact.upper
    assert exact.parts["fridge"] > 0.6 > few.parts["fridge"]


def test_trips():
    shares = [point.value for point in nl.attack("trips", bits=[0, 8, 16]).points]
    assert shares == [0, 919 / 291_150, pytest.approx(0.592, abs=1e-3)]


def test_people():
    shift, collapse = (
        nl.attack("tester", bits=[10], policy=policy).points[0].value for policy in ("shift", "collapse")
    )
    twice = nl.attack("tester", bits=[20], policy="collapse").points[0].value
    assert shift == twice < collapse
    assert [point.value > 0 for point in nl.attack("homogeneity", bits=[5, 10]).points] == [True, False]


def test_two_chosen_values():
    """docs/lab/distinguisher.md: the extremes need one bit, and only Collapse withstands two chosen values."""
    for data, threshold in ((taxi(), "40.75"), (survey(), 175)):
        play = partial(nl.attack, "distinguisher", data, games=1000)
        nothing, one = play([0, 1], pair="extremes").points
        assert nothing.value < 0.1
        assert one.value == 1
        collapse, shift = (
            play([1], definition="policy", policy=policy, threshold=threshold).points[0]
            for policy in ("collapse", "shift")
        )
        assert collapse.upper < 0.5 < 0.99 < shift.value
