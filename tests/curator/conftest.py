"""A curator of four people, for whoever asks."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl
from tests.curator.small import AGE, PEOPLE


@pytest.fixture
def curator():
    with nl.Curator.open(pa.table(PEOPLE), AGE, budget=6, table="people") as made:
        yield made
