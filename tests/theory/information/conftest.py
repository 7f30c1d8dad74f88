"""Small spaces with known measures."""

import pytest

import noiseless as nl


@pytest.fixture
def dice() -> nl.Space:
    """NHT Example 1."""
    return nl.Space({"number": range(1, 7)}).derive(even=lambda number: number % 2 == 0)


@pytest.fixture
def lopsided() -> nl.Space:
    """Y tells X exactly when it is 'c' and little otherwise."""
    return nl.Space({"X": [1, 2, 3, 2, 3, 4], "Y": ["a", "a", "a", "b", "b", "c"]})
