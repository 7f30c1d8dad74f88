"""Real tables, as their publishers wrote them: the survey of the papers, and half-hourly meters of homes."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

import noiseless as nl

DATA = Path(os.environ.get("NOISELESS_DATA", "nowhere"))
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="NOISELESS_DATA names no folder with the real data")
MONTH = nl.Schema(
    general_supply_kwh=nl.Real(0, 10, step="0.001"),
    reading_datetime=nl.Public(),
    unit="customer_id",
    rows=1440,
    order_by="reading_datetime",
)
"""Of half hours: a home owns up to so many readings."""


def test_the_young_people_survey():
    """Heights with missing values and one of 62 cm, which is clamped to the lowest that was declared."""
    path = DATA / "young_people_survey" / "responses.csv"
    schema = nl.Schema(
        {
            "Height": nl.Integer(100, 250, missing="apart"),
            "Age": nl.Integer(15, 30, missing="apart"),
            "Gender": nl.Public("female", "male", other="other"),
        }
    )
    people = pd.read_csv(path)
    clamped = people["Height"].clip(100, 250)
    with nl.Curator.open(path, schema, budget=40) as curator:
        found = {(each.column, each.what): each.values for each in curator.check().findings}
        assert (found["Height", "missing"], found["Height", "below"]) == (people["Height"].isna().sum(), 1)
        answer = curator.ask("SELECT Gender, AVG(Height) AS m FROM responses GROUP BY Gender", bits=4)
        for row in answer.rows[:2]:
            truth = clamped[people["Gender"] == row["Gender"]].mean()
            assert row["m"].lower <= Fraction(truth) <= row["m"].upper
        tall = curator.ask("SELECT COUNT(*) FROM responses WHERE Height >= 180 AND Age < 20").rows[0].value
        assert tall == ((people["Height"] >= 180) & (people["Age"] < 20)).sum()


def test_meters_of_homes():
    """A home owns up to 1,440 readings, a month of half hours; the promise is made to the home."""
    path = DATA / "meters" / "sgsc_homes_halfhour.parquet"
    readings = pd.read_parquet(path, columns=["customer_id", "reading_datetime", "general_supply_kwh"])
    kept = readings.sort_values("reading_datetime").groupby("customer_id").head(1440)["general_supply_kwh"]
    with nl.Curator.open(path, MONTH, budget=20, table="meters") as curator:
        answer = curator.ask("SELECT AVG(general_supply_kwh) AS kwh FROM meters", bits=4)
        [cell] = curator.public()
        assert cell["rows"] == len(kept)
        assert (
            answer.rows[0].lower <= Fraction(float(kept.astype("float64").clip(0, 10).mean())) <= answer.rows[0].upper
        )
        assert (answer.guarantee.count, answer.per_row.count) == (16, 2)


def test_a_released_survey(tmp_path):
    """The survey as microdata: every height within the error, and Mondrian's classes beside it."""
    people = pd.read_csv(DATA / "young_people_survey" / "responses.csv")[["Height", "Weight", "Gender"]].dropna()
    schema = nl.Schema(Height=nl.Integer(100, 250), Weight=nl.Integer(30, 200), Gender=nl.Category("female", "male"))
    with nl.Curator.open(people, schema, budget=12) as curator:
        made = curator.release(tmp_path / "out.parquet", bits=9, together=[("Height", "Weight")])
        figures = curator.utility(made)
    assert made.guarantee.count <= 2**9
    assert all(each.measured <= each.promised for each in figures.columns)
    assert figures.unique[1] < figures.unique[0]
    anonymous = nl.k_anonymous(people.reset_index(drop=True), ["Height", "Gender"], k=5)
    found = nl.audit(anonymous, ["Height", "Gender"], "Weight", original=people)
    assert found.k >= 5
    assert found.against.leakage.ratio == float("inf")


def test_released_taxi_trips(tmp_path):
    """NP §V: pick-up and drop-off as boxes of a map; with fewer bits fewer trips are alone in their pair of boxes."""
    path = DATA / "taxi" / "nyc_trips.parquet"
    names = ("pickup_latitude", "pickup_longitude", "dropoff_latitude", "dropoff_longitude")
    north = nl.Real("40.5", "40.95", step="0.0001", missing="40.5")
    east = nl.Real("-74.25", "-73.65", step="0.0001", missing="-74.25")
    schema = nl.Schema(dict(zip(names, (north, east, north, east), strict=True)))
    alone = []
    with nl.Curator.open(path, schema, budget=200) as curator:
        for bits in (8, 16, 24):
            made = curator.release(
                tmp_path / f"{bits}.parquet", bits=bits, grids=[names[:2], names[2:]], together=[names]
            )
            assert made.guarantee.count == 2**bits
            alone.append(curator.utility(made).unique[1])
    assert alone == sorted(alone)
    assert alone[0] < 0.01 < alone[-1]


def test_released_meters(tmp_path):
    """A month of half hours of each home, one bit a reading: 1,440 bits a home."""
    path = DATA / "meters" / "sgsc_homes_halfhour.parquet"
    with nl.Curator.open(path, MONTH, budget=2000) as curator:
        made = curator.release(tmp_path / "out.parquet", bits=1440)
        assert (made.plan.answers, made.guarantee.count) == (2, 2**1440)
    out = pd.read_parquet(tmp_path / "out.parquet")
    assert list(out.columns) == ["general_supply_kwh", "reading_datetime"]
    assert out["general_supply_kwh"].nunique() == 2
    assert len(out) == made.rows
