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


@pytest.mark.parametrize(("period", "groups"), [("year", 131), ("quarter", 524), ("month", 1572)])
@pytest.mark.parametrize("missing", [None, "apart"])
def test_periods_of_birthdays_are_their_own_groups(period, groups, missing):
    """They lie on no grid, and a range of more than 20,000 days had a group for every day."""
    schema = nl.Schema(born=nl.Date(date(1900, 1, 1), date(2030, 12, 31), missing=missing))
    born = [date(1900, 1, 1), date(1964, 7, 31), date(1964, 8, 1), date(2030, 12, 31), *([None] if missing else [])]
    with nl.Curator.open(pa.table({"born": born}), schema, budget=60, table="t", store=":memory:") as curator:
        sql = f"SELECT DATE_TRUNC('{period}', born) AS start, COUNT(*) AS n FROM t GROUP BY 1"
        answer = curator.ask(sql)
        assert answer.guarantee.count == groups + (missing == "apart") == len(answer.rows)
        found = {row["start"]: row["n"].value for row in answer.rows if row["n"].value}
        months = {"year": 1, "quarter": 7, "month": 7}[period]
        assert found[date(1900, 1, 1)] == found[date(2030, {"year": 1, "quarter": 10, "month": 12}[period], 1)] == 1
        assert found[date(1964, months, 1)] == (1 if period == "month" else 2)
        assert sum(found.values()) == len(born)
        assert nl.verify(answer.certificate).count == answer.guarantee.count
