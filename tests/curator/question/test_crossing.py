"""The question of a cross table, as it is written."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.question.crossing import crossing
from noiseless.curator.sql.read import read

SCHEMA = nl.Schema(
    **{"the age": nl.Integer(0, 120), "height": nl.Real(0, 3, step="0.5"), "x": nl.Integer(0, 9, missing="apart")},
    b=nl.Boolean(missing="apart"),
    x_group=nl.Integer(0, 9),
    g=nl.Public("n", "s"),
)


@pytest.fixture(scope="module")
def dataset():
    row = {"the age": [1], "height": [1.0], "x": [None], "b": [None], "x_group": [3], "g": ["n"]}
    with nl.Curator.open(pa.table(row), SCHEMA, 9, table="p") as opened:
        yield opened._dataset


def crossed(dataset, *texts, means=False):
    return crossing([read(text, SCHEMA, "p") for text in texts], dataset, means)


@pytest.mark.parametrize(
    ("where", "keys", "cells"),
    [
        ("b", "SELECT b, COUNT(*) FROM p GROUP BY b", 3),
        ("height < 1 OR height >= 2.5",
         "SELECT CASE WHEN height < 1 THEN 'under 1' WHEN height < 2.5 THEN '1 to under 2.5' ELSE '2.5 and over' END "
         "AS height_group, COUNT(*) FROM p GROUP BY height_group", 3),
        ('"the age" = 0 AND g = \'n\'',
         "SELECT g, CASE WHEN \"the age\" < 1 THEN 'under 1' ELSE '1 and over' END AS \"the age_group\", COUNT(*) "
         'FROM p GROUP BY g, "the age_group"', 2),
        ("x IS NULL AND b",  # another column has the usual label
         "SELECT CASE WHEN x IS NULL THEN 'missing' ELSE 'known' END AS x_group_, b, COUNT(*) FROM p "
         "GROUP BY x_group_, b",
         6),
        ("x <= 9", "SELECT CASE WHEN x IS NULL THEN 'missing' ELSE 'known' END AS x_group_, COUNT(*) FROM p "
         "GROUP BY x_group_", 2),
    ],
)  # fmt: skip
def test_columns_are_cut_where_conditions_change(dataset, where, keys, cells):
    found = crossed(dataset, f"SELECT COUNT(*) FROM p WHERE {where}")
    assert (found.text, found.cells) == (keys, cells)
    assert read(found.text, SCHEMA, "p").groups or read(found.text, SCHEMA, "p").category


def test_numbers_of_cells(dataset):
    batch = ["SELECT AVG(height) AS a, SUM(height) FROM p WHERE b", "SELECT COUNT(*) FROM p WHERE b"]
    assert crossed(dataset, *batch).text == "SELECT b, COUNT(*), SUM(height) FROM p GROUP BY b"
    assert crossed(dataset, *batch, means=True).text == "SELECT b, COUNT(*), AVG(height), SUM(height) FROM p GROUP BY b"


def test_filters_are_conditions_and_groups_are_whole(dataset):
    found = crossed(
        dataset, "SELECT x_group, COUNT(*) FILTER (WHERE height < 1) FROM p WHERE x_group < 3 GROUP BY x_group"
    )
    assert found.text.startswith("SELECT CASE WHEN height < 1 THEN")
    assert found.text.endswith("AS height_group, x_group, COUNT(*) FROM p GROUP BY height_group, x_group")
    assert (found.cells, found.division) == (20, "height (2) × x_group (10)")
