"""Derived columns in schemas and schema files."""

from __future__ import annotations

import pytest

import noiseless as nl

FILE = """
source = "people.csv"
budget = 12

[columns]
weight = {kind = "real", low = 30, high = 200, step = 0.1, on_grid = true}
height = {kind = "real", low = 140, high = 210, step = 0.1, on_grid = true}
born = {kind = "date", low = "1990-01-01", high = "1999-12-31", missing = "apart"}
region = {kind = "public", keys = ["n", "s"]}
bmi = {expression = "weight / ((height/100) * (height/100))", step = "0.1"}
tall = {expression = "height > 180"}
size = {expression = "CASE WHEN height > 180 THEN 'tall' WHEN height > 160 THEN 'medium' ELSE 'short' END"}
month = {expression = "DATE_TRUNC('month', born)"}
half = {kind = "derived", expression = "weight", low = 50, high = 100, step = 5}
"""


def test_a_file_declares_expressions_without_a_kind():
    schema = nl.Declaration.parse(FILE).schema
    assert list(schema.columns) == ["weight", "height", "born", "region", "bmi", "tall", "size", "month", "half"]
    assert list(schema.private) == ["weight", "height", "born", "bmi", "tall", "size", "month", "half"]
    assert (schema.columns["bmi"].low, schema.columns["bmi"].high) == (nl.exact_number("6.8"), nl.exact_number("102.1"))
    assert schema.columns["month"].apart


def test_what_is_written_is_read_again():
    declared = nl.Declaration.parse(FILE)
    again = nl.Declaration.parse(declared.write())
    assert again.schema == declared.schema
    assert again.write() == declared.write()
    for name, column in declared.schema.columns.items():
        assert again.schema.columns[name] == column
        assert getattr(again.schema.columns[name], "rounding", 0) == getattr(column, "rounding", 0)


def test_a_schema_of_python_and_of_a_file_are_the_same():
    schema = nl.Declaration.parse(FILE).schema
    base = {name: schema.columns[name] for name in ("weight", "height", "born", "region")}
    made = nl.Schema(
        base,
        bmi=nl.Derived("weight / ((height/100) * (height/100))", step="0.1"),
        tall=nl.Derived("height > 180"),
        size=nl.Derived("CASE WHEN height > 180 THEN 'tall' WHEN height > 160 THEN 'medium' ELSE 'short' END"),
        month=nl.Derived("DATE_TRUNC('month', born)"),
        half=nl.Derived("weight", low=50, high=100, step=5),
    )
    assert made == schema
    assert hash(made) == hash(schema)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x = {expression = 3}", "must be a text"),
        ('x = {expression = "weight", steps = 1}', "unknown field 'steps'"),
        ('x = {kind = "derived"}', "needs expression|expression"),
        ('x = {expression = "wieght + 1"}', "did you mean 'weight'"),
        ('x = {expression = "weight / (height - 150)"}', "may be 0"),
        ('weight2 = {expression = "weight", kind = "real"}', "unknown field 'expression'"),
    ],
)
def test_what_is_wrong_is_said(line, words):
    with pytest.raises(nl.SchemaError, match=words):
        nl.Declaration.parse(FILE + line + "\n")


def test_a_derived_column_is_shown_as_its_expression():
    schema = nl.Declaration.parse(FILE).schema
    assert repr(schema.columns["tall"]) == "Derived('height > 180')"
    assert "size=Derived(" in repr(schema)


def test_a_schema_needs_columns_of_the_table():
    with pytest.raises(nl.SchemaError, match="no private column"):
        nl.Schema(x=nl.Derived("1 + 1"))
