"""The truth about random functions of a row lies in every interval, judged by plain Python over the true values."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from itertools import combinations
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import noiseless as nl
from tests.curator.independent import statistic
from tests.curator.random_functions import EPOCH, SCHEMA, Meant, Row, conditions, numbers, on_codes, rows

SHARES = {"MIN": Fraction(0), "MAX": Fraction(1), "MEDIAN": Fraction(1, 2), "QUANTILE": Fraction(3, 10)}
FUNCTIONS = ["COUNT", "SUM", "SUM", "AVG", "AVG", "VAR_POP", "STDDEV_POP", *SHARES]
TERMS: list[dict[str, Any]] = [{"bits": 4}, {"bits": 10}, {"error": 10**7}, {"error": 10**7, "stable": True}]


def raw(name: str, value: Any) -> Any:
    """A value as it is stored."""
    if isinstance(SCHEMA.columns[name], nl.Date) and value is not None:
        return EPOCH + timedelta(days=int(value))
    if isinstance(value, Fraction):
        return float(value) if isinstance(SCHEMA.columns[name], nl.Real) else int(value)
    return value


KINDS = {"r": pa.float64(), "p": pa.float64(), "q": pa.float64(), "b": pa.bool_(), "f": pa.bool_(), "s": pa.string()}


def table(drawn: list[Row]) -> pa.Table:
    arrays = {}
    for name in SCHEMA.columns:
        kind = pa.date32() if name in "de" else pa.string() if name == "g" else KINDS.get(name, pa.int64())
        arrays[name] = pa.array([raw(name, row.true[name]) for row in drawn], kind)
    return pa.table(arrays)


ALL = Meant("TRUE", lambda row: True)


@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=60)
@given(
    numbers(2),
    st.sampled_from(FUNCTIONS),
    st.just(ALL) | conditions(1),
    st.just(ALL) | conditions(1),
    st.booleans(),
    st.sampled_from(TERMS),
    st.lists(rows(), min_size=1, max_size=6),
)
def test_the_truth_lies_within(meant, function, where, kept, grouped, terms, drawn):
    people = [row for row, _ in drawn]
    share = SHARES.get(function)
    call = f"{function}({meant.sql}{', 0.3' if function == 'QUANTILE' else ''}) FILTER (WHERE {kept.sql}) AS found"
    sql = f"SELECT {'k, ' if grouped else ''}{call} FROM t WHERE {where.sql}{' GROUP BY k' if grouped else ''}"
    with nl.Curator.open(table(people), SCHEMA, 9000, table="t", store=":memory:") as curator:
        try:
            answer = curator.ask(sql, **terms)
        except (nl.QuestionError, nl.BudgetError):
            assert curator.sequence.spent() == 1
            return
        for line in answer.rows:
            counted = [row for row in people if not grouped or row.true["k"] == line["k"]]
            counted = [row for row in counted if where.of(on_codes(row)) is kept.of(on_codes(row)) is True]
            values = [value for row in counted if (value := meant.of(row)) is not None]
            true = statistic(function, values, share)
            if line["found"] is None or true is None:
                assert true is None or function != "COUNT"
                assert (true is None) == (line["found"] is None) or "stable" in terms
                continue
            number = line["found"]
            low, high = (Fraction(end) for end in (number.lower, number.upper))
            if function == "STDDEV_POP":
                low, high = max(low, Fraction(0)) ** 2, high**2
            assert low <= true <= high, (sql, terms, float(low), float(true), float(high))


PARTS = ("a > b", "b < 2", "k = 'p'", "a IS NULL", "NOT (b = 1)")
STATISTICS = ("SUM(a + b)", "COUNT(a * b)", "COUNT(DISTINCT a * b)", "MAX(b * b - a)", "SUM(a)", "COUNT(DISTINCT b)")


def test_filters_of_several_parts_select_the_rows_that_duckdb_selects():
    """Each statistic under each pair of conditions, in both of its places, on the same nine rows."""
    values = [(1, 3, "q"), (2, 1, "p"), (0, 3, "p"), (None, 0, "p"), (None, 3, "q"), (2, 0, "q"), (1, 1, "p")]
    people = pa.table(dict(zip("abk", map(list, zip(*values, strict=True)), strict=True)))
    schema = nl.Schema(a=nl.Integer(0, 2, missing="apart"), b=nl.Integer(0, 3), k=nl.Public("p", "q"))
    conditions = [f"{one} {word} {two}" for one, two in combinations(PARTS, 2) for word in ("AND", "OR")]
    raw = duckdb.connect()
    raw.register("t", people)
    with nl.Curator.open(people, schema, 9000, table="t", store=":memory:") as curator:
        for place in ("FILTER (WHERE {})", "FILTER (WHERE NOT ({}))"):
            for condition in conditions:
                several = ", ".join(f"{each} {place.format(condition)}" for each in STATISTICS)
                answer = curator.ask(f"SELECT {several} FROM t", bits=200).rows[0]
                true = raw.execute(f"SELECT {several} FROM t").fetchone()
                found = [None if number is None else number.value for number in answer.values()]
                assert found == [
                    (each or 0) if "SUM" in call else each for each, call in zip(true, STATISTICS, strict=True)
                ], several


NEVER_0 = {
    "SELECT AVG(a / b) FROM t WHERE b > 0": Fraction(1),
    "SELECT AVG(a / b) FILTER (WHERE b <> 0) FROM t": Fraction(1),
    "SELECT SUM(a // b) FROM t WHERE k = 'p' AND NOT (b = 0)": Fraction(2),
    "SELECT SUM(a / (b - 1)) FROM (SELECT a, b FROM t WHERE b > 1) AS x": Fraction(3, 2),
    "SELECT SUM(LN(a)) FROM t WHERE a > 0 AND b > 0": 1.791759469228055,
}


@pytest.mark.parametrize(("sql", "true"), NEVER_0.items())
def test_a_divisor_may_be_0_in_rows_that_do_not_count(sql, true):
    values = [(1, 0, "p"), (2, 1, "p"), (0, 2, "q"), (3, 3, "q"), (3, 0, "p")]
    people = pa.table(dict(zip("abk", map(list, zip(*values, strict=True)), strict=True)))
    schema = nl.Schema(a=nl.Integer(0, 3), b=nl.Integer(0, 3), k=nl.Public("p", "q"))
    with nl.Curator.open(people, schema, 9000, table="t", store=":memory:") as curator:
        answer = curator.ask(sql, bits=30)
        assert answer.rows[0].lower <= true <= answer.rows[0].upper
        nl.verify(answer.certificate)
        for wrong in ("b >= 0", "b > 0 OR a > 0", "k = 'p'"):
            with pytest.raises(nl.QuestionError, match="may be 0"):
                curator.ask(f"SELECT AVG(a / b) FROM t WHERE {wrong}", bits=30)
