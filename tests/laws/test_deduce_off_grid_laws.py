"""Deductions about values off the grid of their column, against all tables with the same answers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pandas as pd
import pytest

import noiseless as nl

VALUES = [0.0, 0.49, 0.5, 1.49, 1.5, 2.0]
"""The ends of what each of the codes 0, 1 and 2 can stand for."""
SCHEMA = nl.Schema(x=nl.Real(0, 2, step=1), y=nl.Integer(1, 2), g=nl.Public("a", "b"))
KNOWN = {
    "x": "SELECT SUM(x) FROM t",
    "x * 2": "SELECT SUM(x * 2) FROM t",
    "both": "SELECT SUM(x), COUNT(*) FILTER (WHERE x >= 1) FROM t",
    "x / y": "SELECT SUM(ROUND(x / y, 1)) FROM t",
}
ASKED = {
    "SELECT SUM(x) FROM t WHERE g = 'a'": lambda a, b: a,
    "SELECT AVG(x) FROM t WHERE g = 'b'": lambda a, b: b,
    "SELECT AVG(x) FROM t": lambda a, b: (a + b) / 2,
    "SELECT SUM(x) FROM t": lambda a, b: a + b,
    "SELECT SUM(x) FROM t WHERE x < 1": lambda a, b: sum(each for each in (a, b) if each < 0.5),
    "SELECT SUM(x * 2) FROM t WHERE g = 'b'": lambda a, b: 2 * b,
    "SELECT SUM(x / y) FROM t WHERE g = 'b'": lambda a, b: b,
}


def answer_and_deduction(values, known, terms):
    """What a table answers, and what follows from that."""
    table = pd.DataFrame({"x": values, "y": [1, 1], "g": ["a", "b"]})
    with nl.Curator.open(table, SCHEMA, budget=30, table="t") as curator:
        answer = str(curator.ask(known, **terms))
        return answer, {asked: next(iter(curator.deduce(asked).rows[0].values())) for asked in ASKED}


@pytest.mark.parametrize("terms", [{"error": "2.1"}, {"bits": 2}, {"bits": 3}], ids=str)
@pytest.mark.parametrize("known", KNOWN)
def test_the_truth_is_inside_where_values_are_between_codes(known, terms):
    follows = {}
    for values in product(VALUES, repeat=2):
        answer, found = answer_and_deduction(values, KNOWN[known], terms)
        shown = {asked: (each.lower, each.upper) for asked, each in found.items()}
        assert follows.setdefault(answer, shown) == shown
        for asked, truth in ASKED.items():
            lower, upper = shown[asked]
            assert lower <= Fraction(truth(*map(Fraction, map(str, values)))) <= upper, (values, asked)


@pytest.mark.parametrize("known", ["SUM(x + z)", "AVG(x + z)", "SUM(x * z)"])
def test_the_truth_is_inside_where_functions_are_bounded(known):
    """There are too many codes to try the function on all of them."""
    column = nl.Real(0, 200, step=1)
    schema = nl.Schema(x=column, z=column, g=nl.Public("a", "b"))
    for x, z in product([0.0, 0.5, 1.0, 199.49, 200.0], repeat=2):
        table = pd.DataFrame({"x": [x, 0.0], "z": [z, 0.0], "g": ["a", "b"]})
        with nl.Curator.open(table, schema, budget=30, table="t") as curator:
            curator.ask(f"SELECT {known} FROM t", bits=8)
            function = x * z if "*" in known else x + z
            found = curator.deduce(f"SELECT SUM({known[4:-1]}) AS s FROM t").rows[0]["s"]
            assert found.lower <= Fraction(str(function)) <= found.upper, (x, z)
