"""Random functions of one row: their bounds, their distance from the truth, and their SQL, against plain Python."""

from __future__ import annotations

from fractions import Fraction
from math import floor

import duckdb
import pytest
import sqlglot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.curator.engines.dialects import InDuckDB
from noiseless.curator.plan.condition import Condition, given_public, holds_for, statement
from noiseless.curator.plan.functions.derived import Derived, grid_of
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.functions.term import BIG, Writer
from noiseless.curator.sql.conditions import condition
from noiseless.curator.sql.functions import RowReader
from tests.curator.random_functions import SCHEMA, Meant, Row, conditions, numbers, on_codes, rows

Drawn = list[tuple[Row, dict[str, int | None]]]
SOME = st.lists(rows(), min_size=1, max_size=5)
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))


def read(sql: str) -> Function:
    return RowReader(SCHEMA, "t").number(sqlglot.parse_one(f"SELECT {sql}", dialect="duckdb").expressions[0])


def asked(sql: str) -> Condition:
    return condition(sqlglot.parse_one(f"SELECT 1 WHERE {sql}", dialect="duckdb").args["where"].this, SCHEMA, "t")


def computed(sql: str, codes: list[dict[str, int | None]]) -> list:
    """What DuckDB finds for rows of codes."""
    names = list(SCHEMA.columns)
    listed = ", ".join(
        f"({', '.join('NULL::SMALLINT' if row[name] is None else f'{row[name]}::SMALLINT' for name in names)})"
        for row in codes
    )
    table = f"(VALUES {listed}) AS t({', '.join(map(quoted, names))})"
    return [found for (found,) in duckdb.sql(f"SELECT {sql} FROM {table}").fetchall()]


def quoted(name: str) -> str:
    return f'"{name}"'


@SLOW
@given(numbers(), SOME)
def test_functions(meant: Meant, drawn: Drawn):
    try:
        function = read(meant.sql)
        span = function.span()
        column = Derived(function, *grid_of(span, 10**15))
        sql = column.code(InDuckDB(), quoted)
    except nl.QuestionError:
        return
    for (row, codes), code in zip(drawn, computed(sql, [codes for _, codes in drawn]), strict=True):
        value, true = function.value(codes), meant.of(row)
        assert meant.rough or value == meant.of(on_codes(row))
        assert (value is None) == (true is None) == (code is None) == (holds_for(function.absent(), codes) is True)
        if value is None:
            assert span.nullable
            continue
        assert isinstance(value, Fraction)
        assert span.low <= value <= span.high
        assert span.pitch is None or value == span.low or ((value - span.low) / span.pitch).denominator == 1
        assert abs(true - value) <= span.slack
        assert span.true[0] <= true <= span.true[1]
        assert span.least is None or span.least <= abs(value)
        assert span.true_least is None or span.true_least <= abs(true)
        assert span.relative is None or abs(true - value) <= span.relative * abs(value)
        assert int(code) == floor((value - column.low) / column.step + Fraction(1, 2)) in range(column.top + 1)
        assert abs(true - column.number(int(code))) <= column.rounding


@SLOW
@given(conditions(3), SOME)
def test_conditions(meant: Meant, drawn: Drawn):
    try:
        found = asked(meant.sql)
        sql = statement_of(found)
    except nl.QuestionError:
        return
    for (row, codes), holds in zip(drawn, computed(sql, [codes for _, codes in drawn]), strict=True):
        true = meant.of(on_codes(row))
        assert true == holds_for(found, codes) == holds
        left = given_public(found, {name: codes[name] or 0 for name in SCHEMA.public})
        assert (holds_for(left, codes) is True) == (true is True)


def statement_of(found: Condition) -> str:
    for wide in (False, True):
        writer = Writer(InDuckDB(), quoted, wide)
        sql = statement(found, writer)
        if writer.most < BIG:
            break
    return sql


NOWHERE = dict.fromkeys(SCHEMA.columns, 0) | {"m": None, "q": None, "d": None, "b": None}
MISSING = [
    "m * 0",
    "0 * m + n",
    "n + CASE WHEN d < d THEN 0 END",
    "GREATEST(n + n, n + CASE WHEN d < d THEN 0 END)",
    "SQRT(m * m + 1000000)",
    "LN(1 + EXP(m))",
    "n / NULLIF(m * 0 + m, 0)",
    "1 + NULLIF(m, m)",
    "CASE WHEN m * 0 = 0 THEN 1 END",
]
"""Functions that have no value, or would have one if what is missing were left out, where m, q, d and b are missing."""


@pytest.mark.parametrize("sql", MISSING)
def test_what_is_missing_is_not_lost_in_the_sql(sql):
    function = read(sql)
    column = Derived(function, *grid_of(function.span(), 10**15))
    value = function.value(NOWHERE)
    wanted = None if value is None else floor((value - column.low) / column.step + Fraction(1, 2))
    assert computed(column.code(InDuckDB(), quoted), [NOWHERE]) == [wanted]


OFF_GRID = [
    ("1 / NULLIF(q, 0)", {"q": Fraction(3, 2)}, {"q": 1}, Fraction(2, 3)),
    ("CASE WHEN r >= 0.5 THEN 1 / r ELSE 0 END", {"r": Fraction(1, 4)}, {"r": 3}, Fraction(4)),
    ("CASE WHEN r >= 0.5 THEN r * r ELSE 4 END", {"r": Fraction(1, 4)}, {"r": 3}, Fraction(1, 16)),
    ("ABS(r - 0.25)", {"r": Fraction(1, 4)}, {"r": 3}, Fraction(0)),
    ("(r - 0.25) * (r - 0.25)", {"r": Fraction(1, 4)}, {"r": 3}, Fraction(0)),
    ("SQRT(2) * n", {"n": Fraction(5)}, {"n": 8}, Fraction("7.0710678118654752440")),
    ("EXP(k) * n", {"n": Fraction(5), "k": Fraction(7)}, {"n": 8, "k": 2}, Fraction("5483.1657921422924")),
]
"""Functions, a true value of a column, its code, and the function of the true value: off by more than one may think."""


@pytest.mark.parametrize(("sql", "true", "codes", "value"), OFF_GRID, ids=[sql for sql, *_ in OFF_GRID])
def test_the_distance_from_the_truth(sql, true, codes, value):
    function = read(sql)
    found = function.value({name: codes.get(name, 0) for name in SCHEMA.columns})
    assert abs(found - value) <= function.span().slack
    known = function.given({name: code for name, code in codes.items() if name in SCHEMA.public})
    assert abs(found - value) <= known.span().slack


@pytest.mark.parametrize(
    "sql", ["1 / NULLIF(r - p, 0)", "LN(NULLIF(ABS(r - p), 0))", "POWER(NULLIF(ABS(r - p), 0), -0.5)"]
)
def test_no_bounds_are_promised_where_the_true_divisor_may_be_0(sql):
    """0.25 may be the value of r where p is 0.5, and its code stands for 0.5."""
    with pytest.raises(nl.QuestionError, match="before its columns are rounded"):
        read(sql).span()


def test_a_case_that_never_holds_is_not_computed():
    function = read("CASE WHEN j <> 0 THEN n / j ELSE 7 END")
    assert function.given({"j": 0}).value({"n": 4}) == 7
    assert function.given({"j": 1}).value({"n": 4}) == 1


def test_a_comparison_with_what_turns_out_to_be_nothing():
    """It is unknown, whatever it is combined with."""
    for sql in (
        "n < NULLIF(j, 0)",
        "NOT n < NULLIF(j, 0)",
        "n < NULLIF(j, 0) AND n > 1",
        "NOT (n < NULLIF(j, 0) AND n > 1)",
    ):
        left = given_public(asked(sql), {"j": 0})
        assert [holds_for(left, {"n": code, "j": 0}) is True for code in (0, 8)] == [
            holds_for(asked(sql), {"n": code, "j": 0}) is True for code in (0, 8)
        ]


@pytest.mark.parametrize(
    "sql",
    [
        "n / m > 1",
        "n / m IS NULL",
        "n / m IS DISTINCT FROM 1",
        "SIGN(n / m) = 1",
        "NULLIF(1, n / m) = 1",
        "1 IN (n / m)",
    ],
)
def test_conditions_do_not_divide_by_0(sql):
    with pytest.raises(nl.QuestionError, match=r"divide by NULLIF\(m, 0\)"):
        asked(sql)
