"""The values for all codes of a column, found with few tries where a function only rises or falls."""

from __future__ import annotations

from fractions import Fraction

import pytest

import noiseless as nl
from noiseless.curator.plan.functions import place
from noiseless.curator.plan.functions.leaves import columns_in
from noiseless.curator.plan.functions.place import place_of, possible_values
from noiseless.curator.plan.functions.rounding import Rounded
from noiseless.curator.sql.functions import RowReader
from noiseless.curator.sql.read import whole

SCHEMA = nl.Schema(
    x=nl.Real(-7, 7, step="0.1", missing="apart"),
    i=nl.Integer(3, 40),
    d=nl.Date("2024-01-30", "2024-03-02"),
    kwh=nl.Real(0, 1400, step="0.1"),
)
TEXTS = [
    "FLOOR(x / 2) * 2",
    "5 - ROUND(x)",
    "TRUNC(-3 * x + 1)",
    "CEIL(x - 10)",
    "ROUND(i * 2.5, 0) - 7",
    "i",
    "i - i % 5",
    "ABS(x)",
    "LEAST(1, ABS(i - 6))",
    "d - DATE '2024-02-01'",
    "x * x",
    "FLOOR(x) + CEIL(x)",
]


def wrong(text: str) -> bool:
    """Whether some code has another value or place than the function itself says."""
    function = RowReader(SCHEMA, "t").function(whole(f"SELECT {text}").expressions[0])
    [column] = columns_in(function)
    rows = [{column.name: code} for code in [*range(column.top + 1), *([None] if column.apart else [])]]
    values = [function.value(row) for row in rows]
    found = possible_values(function)
    if set(found) != set(values):
        return True
    numbered = place_of(function, {value: at for at, value in enumerate(found)})
    return [numbered.value(row) for row in rows] != [found.index(value) for value in values]


@pytest.mark.parametrize("text", TEXTS)
def test_every_code_has_its_value(text):
    assert not wrong(text)


def test_a_function_that_turns_is_caught(monkeypatch):
    """Wrong: everything is said to rise or fall."""
    monkeypatch.setattr(place, "_is_monotone", lambda function: True)
    assert wrong("LEAST(1, ABS(i - 6))")


def test_wide_buckets_of_many_codes_need_few_tries(monkeypatch):
    tried, rounded = [], Rounded.of

    def counted(self: Rounded, number: Fraction) -> Fraction:
        tried.append(number)
        return rounded(self, number)

    monkeypatch.setattr(Rounded, "of", counted)
    function = RowReader(SCHEMA, "t").function(whole("SELECT FLOOR(kwh / 200) * 200").expressions[0])
    assert len(possible_values(function)) == 8
    assert len(tried) < 300
