"""The truth lies in every interval that is reported: random tables, schemas and questions, judged independently."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

import noiseless as nl
from tests.curator.independent import EPOCH, statistic, value_of
from tests.curator.worlds import worlds
from tests.laws.played import anew

MISSING = st.sampled_from(["low", "low", "apart", "value"])
FLOATS = st.floats() | st.floats(-30, 30) | st.integers(-30, 30).map(float) | st.none()
CATEGORIES = [
    nl.Category("no", "yes", missing="no", other="no"),
    nl.Category("no", "yes", missing="?", other="?"),
    nl.Category("no", "yes", missing="yes", other="yes"),
    nl.Category("no", "yes", missing="?", other="others"),
    nl.Category("no", "yes", missing="no", other="others"),
]
DATES = st.dates(date(2019, 12, 1), date(2020, 3, 1)) | st.dates() | st.none()


@st.composite
def scales(draw):
    step = draw(st.sampled_from([Fraction(1), Fraction(1, 10), Fraction(1, 4), Fraction(3), Fraction(7, 100)]))
    low = draw(st.integers(-20, 20)) * draw(st.sampled_from([Fraction(1), Fraction(1, 3), step]))
    high = low + step * draw(st.integers(1, 60))
    missing = draw(MISSING)
    return nl.Real(low, high, step, {"value": low + step, "low": low}.get(missing, missing))


@st.composite
def dates(draw):
    low = date(2020, 1, 1)
    step = draw(st.sampled_from([1, 1, 7]))
    missing = draw(MISSING)
    high = low + timedelta(days=step * draw(st.integers(1, 8)))
    return nl.Date(low, high, step, {"value": str(low), "low": str(low)}.get(missing, missing))


TABLES = 4
"""This many tables of a schema are tried together, because to open one takes longer than to ask it."""


@st.composite
def schemas_with_tables(draw):
    """A schema and some tables with raw columns."""
    schema = nl.Schema(
        x=draw(scales()),
        y=draw(scales()),
        d=draw(dates()),
        s=draw(st.sampled_from(CATEGORIES)),
        b=draw(st.sampled_from([nl.Boolean(False), nl.Boolean(True), nl.Boolean("apart")])),
        g=nl.Public("n", "s", other="e"),
    )
    small = draw(st.booleans())
    return schema, [draw(raw_columns(small)) for _ in range(TABLES)]


@st.composite
def raw_columns(draw, small):
    """A table of anything that its types allow."""
    n = draw(st.integers(1, 12))
    floats = FLOATS.map(lambda raw: None if raw is None else _float32(raw)) if small else FLOATS
    columns = {
        "x": pa.array(draw(st.lists(floats, min_size=n, max_size=n)), pa.float32() if small else pa.float64()),
        "y": pa.array(draw(st.lists(st.integers(-40, 40) | st.none(), min_size=n, max_size=n)), pa.int16()),
        "d": pa.array(draw(st.lists(DATES, min_size=n, max_size=n)), pa.date32()),
        "s": pa.array(draw(st.lists(st.sampled_from(["no", "yes", "ß", None]), min_size=n, max_size=n)), pa.string()),
        "b": pa.array(draw(st.lists(st.sampled_from([True, False, None]), min_size=n, max_size=n)), pa.bool_()),
        "g": pa.array(draw(st.lists(st.sampled_from(["n", "s", "x", None]), min_size=n, max_size=n)), pa.string()),
    }
    return pa.table(columns)


def _float32(raw: float) -> float:
    return pa.array([raw], pa.float64()).cast(pa.float32(), safe=False)[0].as_py()


def three(test, value):
    return None if value is None else test(value)


@st.composite
def conditions(draw, schema, depth=2):
    """A text, and what it means for a row of coded values: true, false or unknown."""
    if depth and draw(st.booleans()):
        kind = draw(st.sampled_from(["AND", "OR", "NOT"]))
        left, mean_left = draw(conditions(schema, depth=depth - 1))
        if kind == "NOT":
            return f"NOT ({left})", lambda row: three(lambda v: not v, mean_left(row))
        right, mean_right = draw(conditions(schema, depth=depth - 1))
        decisive = kind == "OR"

        def joined(row):
            truths = [mean_left(row), mean_right(row)]
            return decisive if decisive in truths else None if None in truths else not decisive

        return f"({left}) {kind} ({right})", joined
    return draw(atoms(schema))


@st.composite
def atoms(draw, schema):
    name = draw(st.sampled_from("xydsbg"))
    if name in "xy":
        bound = draw(st.integers(-30, 30)) * draw(st.sampled_from([Fraction(1), Fraction(1, 20)]))
        sign = draw(st.sampled_from(["<", "<=", ">", ">=", "=", "<>"]))
        text = f"{name} {sign} {float(bound)!r}" if draw(st.booleans()) else f"{float(bound)!r} {MIRROR[sign]} {name}"
        return text, lambda row: three(lambda v: SIGNS[sign](v, bound), row[name])
    if name == "d":
        day = draw(st.dates(date(2019, 12, 25), date(2020, 3, 1)))
        return f"d <= DATE '{day}'", lambda row: three(lambda v: v <= (day - EPOCH).days, row["d"])
    if name == "s":
        key = draw(st.sampled_from([k for k in schema.columns["s"].keys if k != "?"]))
        return f"s IN ('{key}')", lambda row: row["s"] == key
    if name == "b":
        return "b", lambda row: row["b"]
    return "g <> 's'", lambda row: row["g"] != "s"


MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "<>": "<>"}
SIGNS = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
}
SHARES = {"MIN": Fraction(0), "MAX": Fraction(1), "MEDIAN": Fraction(1, 2), "QUANTILE": Fraction(3, 10)}


@st.composite
def questions(draw):
    """A question about each of some tables of a schema."""
    schema, tables = draw(schemas_with_tables())
    return schema, tables, [draw(question_about(schema)) for _ in tables]


@st.composite
def question_about(draw, schema):
    function = draw(st.sampled_from(["COUNT", "SUM", "AVG", "VAR_POP", "STDDEV_POP", *SHARES]))
    column = draw(st.sampled_from(["x", "y", *(["d"] if function in SHARES else [])]))
    text, holds = draw(conditions(schema)) if draw(st.booleans()) else ("", lambda row: True)
    bits = draw(st.sampled_from([2, 3, 5, 10]))
    return function, column, text, holds, draw(st.booleans()), bits


def opened_together(schema, tables):
    """A curator for each table."""
    return [anew(dataset, 1 << 1000) for dataset in worlds(tables, schema)]


def written(function, column, text, grouped) -> str:
    call = f"{function}({column}{', 0.3' if function == 'QUANTILE' else ''}) AS n"
    where, group = f" WHERE {text}" if text else "", " GROUP BY g" if grouped else ""
    return f"SELECT {'g, ' if grouped else ''}{call} FROM t{where}{group}"


def answer_to(curator, sql, **given):
    """The answer, or None if it was refused for a reason that is to be expected."""
    try:
        return curator.ask(sql, **given)
    except (nl.QuestionError, nl.BudgetError) as wrong:
        expected = ("variance", "at least", "promised", "rounding")
        if not any(word in str(wrong) for word in expected):
            raise
        event(type(wrong).__name__)
        return None


def contains(reported, truth, function):
    if truth is None or reported is None:
        return truth is None and reported is None
    low, high = reported.lower, reported.upper
    if isinstance(low, date):
        low, high = Fraction((low - EPOCH).days), Fraction((high - EPOCH).days)
    assert low <= high
    return low**2 <= truth <= high**2 if function == "STDDEV_POP" else low <= truth <= high


@settings(max_examples=300 // TABLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(questions())
def test_the_truth_is_inside(asked):
    schema, tables, questions = asked
    for table, curator, question in zip(tables, opened_together(schema, tables), questions, strict=True):
        check_truth(schema, table, curator, *question)


def check_truth(schema, table, curator, function, column, text, holds, grouped, bits):
    raw = table.to_pylist()
    rows: list[dict[str, Any]] = [{name: value_of(schema.columns[name], row[name]) for name in "xydsb"} for row in raw]
    for row, source in zip(rows, raw, strict=True):
        row["g"] = source["g"] if source["g"] in ("n", "s") else "e"
    coded = [{name: row["g"] if name == "g" else row[name].coded for name in "xydsbg"} for row in rows]
    sql = written(function, column, text, grouped)
    answer = answer_to(curator, sql, bits=bits)
    if answer is None:
        return
    preview = curator.preview(sql, bits=bits)
    for place, line in enumerate(answer.rows):
        kept = [
            r for r, c in zip(rows, coded, strict=True) if holds(c) is True and (not grouped or r["g"] == line["g"])
        ]
        true = [row[column].true for row in kept if row[column].true is not None]
        truth = statistic(function, true, SHARES.get(function))
        assert contains(line["n"], truth, function), (sql, line["n"], truth)
        error = preview.rows[place]["errors"].get("n")
        if error is not None and line["n"] is not None and not isinstance(line["n"].lower, date):
            assert line["n"].upper - line["n"].lower <= 2 * error
    assert answer.guarantee.count <= 2**bits
    assert answer.factor <= answer.guarantee.count


@settings(max_examples=60 // TABLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(questions(), st.lists(st.sampled_from([1, 2, 10, 100]), min_size=TABLES, max_size=TABLES))
def test_the_error_asked_for_is_kept(asked, errors):
    schema, tables, questions = asked
    for curator, question, error in zip(opened_together(schema, tables), questions, errors, strict=True):
        function, column, text, _, grouped, _ = question
        check_error(curator, function, column, text, grouped, error)


def check_error(curator, function, column, text, grouped, error):
    answer = answer_to(curator, written(function, column, text, grouped), error=error)
    if answer is None:
        return
    for line in answer.rows:
        if line["n"] is not None:
            width = line["n"].upper - line["n"].lower
            width = width.days if isinstance(width, timedelta) else width
            assert width <= 2 * error + 2 * (column == "d")  # days are shown whole, outward


def test_an_interval_without_the_rounding_is_caught(monkeypatch):
    """Wrong: half a step of rounding left out; then 1.4 rounded to 1 is outside."""
    schema, table = nl.Schema(x=nl.Real(0, 3, step=1)), pa.table({"x": [1.4]})
    sql = "SELECT AVG(x) FROM t"
    right = nl.Curator.open(table, schema, budget=9, table="t").ask(sql, bits=2).rows[0]
    assert right.lower <= Fraction(1.4) <= right.upper
    monkeypatch.setattr(type(schema.columns["x"]), "rounding", Fraction(0))
    wrong = nl.Curator.open(table, schema, budget=9, table="t").ask(sql, bits=2).rows[0]
    assert not wrong.lower <= Fraction(1.4) <= wrong.upper
