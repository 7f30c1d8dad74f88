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
    schema = nl.Schema(
        general_supply_kwh=nl.Real(0, 10, step="0.001"),
        reading_datetime=nl.Public(),
        unit="customer_id",
        rows=1440,
        order_by="reading_datetime",
    )
    readings = pd.read_parquet(path, columns=["customer_id", "reading_datetime", "general_supply_kwh"])
    kept = readings.sort_values("reading_datetime").groupby("customer_id").head(1440)["general_supply_kwh"]
    with nl.Curator.open(path, schema, budget=20, table="meters") as curator:
        answer = curator.ask("SELECT AVG(general_supply_kwh) AS kwh FROM meters", bits=4)
        [cell] = curator.public()
        assert cell["rows"] == len(kept)
        assert (
            answer.rows[0].lower <= Fraction(float(kept.astype("float64").clip(0, 10).mean())) <= answer.rows[0].upper
        )
        assert (answer.guarantee.count, answer.per_row.count) == (16, 2)
