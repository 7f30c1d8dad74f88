"""GROUP BY expressions that are a column itself; too many groups, and dates that cannot be shown."""

from __future__ import annotations

from datetime import date

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.errors import QuestionError, TooLargeError

SCHEMA = nl.Schema(
    day=nl.Date(date(2020, 1, 1), date(2020, 1, 3)), h=nl.Integer(-1, 1), z=nl.Integer(0, 10**6), p=nl.Public(0, 1)
)
ROWS = {"day": [date(2020, 1, 1), date(2020, 1, 3), date(2020, 1, 3)], "h": [1, 1, 0], "z": [1, 2, 3], "p": [0, 0, 1]}


@pytest.fixture
def curator():
    with nl.Curator.open(pa.table(ROWS), SCHEMA, budget=60, table="t", store=":memory:") as opened:
        yield opened


@pytest.mark.parametrize(
    ("expression", "column"), [("DATE_TRUNC('day', day)", "day"), ("h + 0", "h"), ("p + 0", "p"), ("day + 0", "day")]
)
def test_an_expression_that_is_a_column(curator, expression, column):
    plain = curator.ask(f"SELECT {column} AS g, COUNT(*) FROM t GROUP BY {column}").rows
    for end in ("GROUP BY g", f"GROUP BY {expression}", "GROUP BY 1", f"GROUP BY {column}"):
        answer = curator.ask(f"SELECT {expression} AS g, COUNT(*) FROM t {end}")
        assert answer.rows == plain
        assert answer.cost == 0


@pytest.mark.parametrize(
    ("groups", "why"), [("z", "z has 1000001 values"), ("z, h", "z has 1000001"), ("FLOOR(z / 2), h", "makes 1500003")]
)
def test_too_many_groups(curator, groups, why):
    with pytest.raises(TooLargeError, match=rf"{why}.* wider buckets, such as .* This would be accepted: SELECT"):
        curator.ask(f"SELECT COUNT(*) FROM t GROUP BY {groups}")
    assert curator.sequence.spent() == 1


@pytest.mark.parametrize(
    "number",
    ["MAX(day + 4000000)", "MIN(day - 4000000 * (h + 1))", "MODE(DATE '9999-12-31' + h)", "MIN(YEAR(day - 800000))"],
)
def test_dates_that_cannot_be_shown(curator, number):
    """They were shown as the last day of the calendar, as if that were exact."""
    with pytest.raises(QuestionError, match="may be outside the calendar; use dates from year 1 to 9999"):
        curator.ask(f"SELECT {number} FROM t", bits=8)
    assert curator.sequence.spent() == 1
