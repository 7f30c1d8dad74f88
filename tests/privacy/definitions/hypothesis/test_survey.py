"""The papers' own survey: weights and heights of young people, reported so that nobody's obesity is revealed."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import noiseless as nl

DATA = os.environ.get("NOISELESS_DATA")
PEOPLE = nl.Box(weight=(0, 200), height=(0, 250))
OBESE = nl.Boundary("weight", lambda height: 0.003 * height**2)


@pytest.mark.skipif(DATA is None, reason="NOISELESS_DATA names no folder with the young people survey")
@pytest.mark.parametrize("policy", [nl.Collapse, nl.Stretch, nl.Shift])
def test_the_young_people_survey(policy):
    read = pl.read_csv(Path(DATA) / "young_people_survey" / "responses.csv", infer_schema_length=None)
    survey = read.select(weight=pl.col("Weight").cast(float), height=pl.col("Height").cast(float)).drop_nulls()
    assert len(survey) == 980
    made = policy(OBESE, error=5)
    reports = made.apply(survey, within=PEOPLE)
    moved = np.abs(reports["weight"].to_numpy() - survey["weight"].to_numpy())
    assert moved.max() <= 5
    assert reports["height"].equals(survey["height"])
    g = 0.003 * survey["height"].to_numpy() ** 2
    far = np.abs(survey["weight"].to_numpy() - g) > float(made.reach)
    assert not moved[far].any()
    assert (~far).sum() > 10
    if policy is nl.Collapse:  # whoever is near is reported as the boundary, from both sides
        assert np.allclose(reports["weight"].to_numpy()[~far], g[~far])
