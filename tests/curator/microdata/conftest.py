"""Fifty people, for whoever releases them."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl

PEOPLE = {
    "age": list(range(20, 70)),
    "region": ["n", "s"] * 25,
    "ill": ["a", "b", "c", "d", "e"] * 10,
    "id": list(range(50)),
}
AGES = nl.Schema(
    age=nl.Integer(0, 99), ill=nl.Category("a", "b", "c", "d", "e"), region=nl.Public("n", "s"), id=nl.Public()
)


@pytest.fixture
def people():
    with nl.Curator.open(pa.table(PEOPLE), AGES, budget=20, table="people") as curator:
        yield curator
