"""The truth of statistics of two columns, of samples, quantiles and distinct values: judged by plain fractions."""

from __future__ import annotations

from fractions import Fraction
from math import floor, inf

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

import noiseless as nl
from tests.curator.worlds import worlds
from tests.laws.played import anew

PAIRS = ["COVAR_POP", "COVAR_SAMP", "CORR", "REGR_SLOPE", "REGR_INTERCEPT", "REGR_R2"]
UNITS = {"y": lambda v: v, "x": lambda v: v, "3 - x / 2": lambda v: 3 - v / 2, "x * x": lambda v: v * v}
COLUMNS = {
    "y": [nl.Integer(-3, 4), nl.Integer(-3, 4, missing="apart"), nl.Real(0, 3, step="0.5")],
    "x": [nl.Integer(0, 5, missing="apart"), nl.Integer(0, 5), nl.Real(-1, 3, step="0.25", missing="apart")],
}


TABLES = 5
"""This many tables of a schema are tried together, because to open one takes longer than to ask it."""


@st.composite
def schemas_with_rows(draw):
    """A schema, and the rows of some tables."""
    schema = {name: draw(st.sampled_from(columns)) for name, columns in COLUMNS.items()}
    declared = nl.Schema(**schema, s=nl.Boolean(False), g=nl.Public("n"))
    return declared, [draw(rows_of(schema)) for _ in range(TABLES)]


@st.composite
def rows_of(draw, schema):
    """Rows within the declared ranges: off the grid where that is allowed."""
    rows = []
    for _ in range(draw(st.integers(1, 9))):
        row = {}
        for name, column in schema.items():
            parts = 4 if isinstance(column, nl.Real) else 1
            number = Fraction(draw(st.integers(int(column.low) * parts, int(column.high) * parts)), parts)
            row[name] = None if column.apart and draw(st.booleans()) and draw(st.booleans()) else number
        row["s"] = draw(st.booleans())
        rows.append(row)
    return rows


def covariance(one, two):
    n = len(one)
    return sum(a * b for a, b in zip(one, two, strict=True)) / n - sum(one) * sum(two) / n**2


def truth(function, pairs):
    """The statistic of pairs (y, x), or its square with the sign for CORR. None if there is none."""
    if len(pairs) < (2 if function == "COVAR_SAMP" else 1):
        return None
    ys, xs = zip(*pairs, strict=True)
    both, y, x, n = covariance(ys, xs), covariance(ys, ys), covariance(xs, xs), len(pairs)
    match function:
        case "COVAR_POP":
            return both
        case "COVAR_SAMP":
            return both * Fraction(n, n - 1)
        case "CORR":
            return None if not x * y else both * abs(both) / (x * y)
        case "REGR_R2":
            return None if not x else Fraction(1) if not y else both**2 / (x * y)
        case "REGR_SLOPE":
            return None if not x else both / x
    return None if not x else sum(ys) / n - both / x * sum(xs) / n


def inside(told, true, function):
    if true is None or told is None:
        return true is None
    ends = [told.lower, told.upper]
    if function == "CORR":
        assert -1 <= ends[0] <= told.value <= ends[1] <= 1
        ends = [end * abs(end) for end in ends]
    if function == "REGR_R2":
        assert 0 <= ends[0] <= ends[1] <= 1
    return ends[0] <= true <= ends[1]


def opened(world):
    """The schema, and for each table its rows and a curator."""
    schema, tables = world
    datasets = worlds([table_of(rows) for rows in tables], schema)
    return [(schema, rows, anew(dataset, 1 << 9000)) for rows, dataset in zip(tables, datasets, strict=True)]


def table_of(rows):
    kinds = {name: pa.float64() for name in "yx"} | {"s": pa.bool_(), "g": pa.string()}
    columns = {name: [row.get(name, "n") for row in rows] for name in kinds}
    floats = {name: [None if v is None else float(v) for v in columns[name]] for name in "yx"}
    return pa.table({name: pa.array((columns | floats)[name], kind) for name, kind in kinds.items()})


def each(*parts):
    """A question about each table."""
    return st.lists(st.tuples(*parts), min_size=TABLES, max_size=TABLES)


GIVEN = st.sampled_from([{"bits": 400}, {"bits": 12}, {"bits": 9}, {"error": 1}, {"error": 5}, {"bits": "0.9"}])


@settings(max_examples=250 // TABLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    schemas_with_rows(),
    each(st.sampled_from(PAIRS), st.sampled_from([*UNITS]), st.sampled_from([*UNITS]), st.booleans(), GIVEN),
)
def test_statistics_of_two_columns(world, questions):
    for table, question in zip(opened(world), questions, strict=True):
        check_two_columns(*table, *question)


def check_two_columns(schema, rows, curator, function, first, second, filtered, asked):
    kept = [row for row in rows if row["s"] or not filtered]
    pairs = [(row["y" if first == "y" else "x"], row["y" if second == "y" else "x"]) for row in kept]
    pairs = [(UNITS[first](a), UNITS[second](b)) for a, b in pairs if a is not None and b is not None]
    sql = f"SELECT {function}({first}, {second}) AS n FROM t" + (" WHERE s" if filtered else "")
    try:
        answer = curator.ask(sql, **asked)
    except nl.BudgetError as wrong:
        event(str(wrong)[:20])
        return
    assert inside(answer.rows[0]["n"], truth(function, pairs), function), (sql, answer.rows, truth(function, pairs))
    assert nl.verify(answer.certificate).count == answer.guarantee.count
    if "error" in asked and answer.rows[0]["n"] is not None and not answer.coarser:
        assert answer.rows[0]["n"].upper - answer.rows[0]["n"].lower <= 2 * asked["error"]


def interpolated(values, share):
    if not values:
        return None
    place = share * (len(values) - 1)
    ranked = sorted(values)
    above = ranked[min(floor(place) + 1, len(values) - 1)]
    return ranked[floor(place)] + (place - floor(place)) * (above - ranked[floor(place)])


AMOUNTS = st.sampled_from([{"bits": 60}, {"bits": 14}, {"error": 20}])


@settings(max_examples=200 // TABLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(schemas_with_rows(), each(st.sampled_from([*UNITS]), st.booleans(), AMOUNTS))
def test_statistics_of_one_column(world, questions):
    for table, question in zip(opened(world), questions, strict=True):
        check_one_column(*table, *question)


def check_one_column(schema, rows, curator, about, filtered, asked):
    kept = [row["y" if about == "y" else "x"] for row in rows if row["s"] or not filtered]
    values = [UNITS[about](value) for value in kept if value is not None]
    calls = [f"VAR_SAMP({about})", f"STDDEV({about})", f"VAR_POP({about})", f"QUANTILE_CONT({about}, 0.3)"]
    sql = f"SELECT {', '.join(f'{call} AS n{k}' for k, call in enumerate(calls))} FROM t" + (
        " WHERE s" if filtered else ""
    )
    try:
        answer = curator.ask(sql, **asked)
    except nl.BudgetError as wrong:
        event(str(wrong)[:20])
        return
    assert nl.verify(answer.certificate).count == answer.guarantee.count
    told = list(answer.rows[0].values())
    population = covariance(values, values) if values else None
    sample = population * Fraction(len(values), len(values) - 1) if len(values) > 1 else None
    for reported, true in zip(told, [sample, sample, population, interpolated(values, Fraction(3, 10))], strict=True):
        squared = reported is told[1]
        if true is None:
            assert reported is None or len(values) < 2
        else:
            assert reported.lower ** (1 + squared) <= true <= reported.upper ** (1 + squared), (sql, told, true)


@settings(max_examples=60 // TABLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(schemas_with_rows(), st.lists(st.booleans(), min_size=TABLES, max_size=TABLES))
def test_distinct_values(world, filters):
    for (schema, rows, curator), filtered in zip(opened(world), filters, strict=True):
        check_distinct_values(schema, rows, curator, filtered)


def check_distinct_values(schema, rows, curator, filtered):
    kept = [row for row in rows if row["s"] or not filtered]
    calls = [f"COUNT(DISTINCT {about}) AS n{place}" for place, about in enumerate(["y", "x * x", "s", "g"])]
    sql = f"SELECT {', '.join(calls)} FROM t"
    codes = {name: [_number(schema.columns[name], row[name]) for row in kept if row[name] is not None] for name in "yx"}
    answer = curator.ask(sql + (" WHERE s" if filtered else ""))
    assert nl.verify(answer.certificate).count == answer.guarantee.count
    truths = [set(codes["y"]), {x * x for x in codes["x"]}, {row["s"] for row in kept}, {"n"} if kept else set()]
    assert [each.value for each in answer.rows[0].values()] == list(map(len, truths))


def _number(column, value):
    """The number of the code."""
    return column.low + column.step * floor((value - column.low) / column.step + Fraction(1, 2))


def test_known_by_hand():
    """y = 2x + 1 exactly, and a value that is missing."""
    schema = nl.Schema(y=nl.Integer(0, 20), x=nl.Integer(0, 9), z=nl.Integer(0, 9, missing="apart"))
    table = pa.table({"y": [1, 3, 5, 7], "x": [0, 1, 2, 3], "z": [3, None, 1, 4]})
    with nl.Curator.open(table, schema, budget=900, table="t") as curator:
        sql = "SELECT REGR_SLOPE(y, x) AS b, REGR_INTERCEPT(y, x) AS a, CORR(y, x) AS r, COVAR_SAMP(y, x) AS c FROM t"
        [row] = curator.ask(sql, bits=100).rows
        assert (row["b"], row["a"], row["c"]) == (2, 1, Fraction(10, 3))
        assert 1 - Fraction(1, 2**40) < row["r"].lower <= row["r"].upper == 1
        # (3, 0), (1, 2), (4, 3): means 8/3 and 5/3, covariance 14/3 − 40/9 = 2/9
        assert curator.ask("SELECT COVAR_POP(z, x) AS c FROM t", bits=100).rows[0]["c"] == Fraction(2, 9)
        [row] = curator.ask(
            "SELECT QUANTILE_CONT(y, 0.25) AS q, QUANTILE_CONT(y, 0.5) AS c, MEDIAN(y) AS m FROM t", bits=60
        ).rows
        assert (row["q"], row["c"], row["m"]) == (Fraction(5, 2), 4, 3)
        few = curator.ask("SELECT REGR_SLOPE(y, x) AS b, CORR(y, x) AS r FROM t", bits="0.9").rows[0]
        assert (few["b"].lower, few["b"].upper) == (-inf, inf) or few["b"].lower <= 2 <= few["b"].upper
        assert few["r"].lower >= -1


def test_an_interval_that_ignores_what_is_uncertain_of_the_other_sums_is_caught(monkeypatch):
    """Wrong: the covariance from the products alone."""
    from noiseless.curator.releases import pair

    schema = nl.Schema(y=nl.Integer(0, 20), x=nl.Integer(0, 9))
    table = pa.table({"y": [1, 3, 5, 7, 20], "x": [0, 1, 2, 3, 0]})
    with nl.Curator.open(table, schema, budget=900, table="t") as curator:
        right = curator.ask("SELECT COVAR_POP(y, x) AS c FROM t", bits=100).rows[0]["c"]
    assert right == Fraction(34, 5) - Fraction(36 * 6, 25)
    monkeypatch.setattr(pair, "_times", lambda one, two: (Fraction(0), Fraction(0)))
    with nl.Curator.open(table, schema, budget=900, table="t") as curator:
        wrong = curator.ask("SELECT COVAR_POP(y, x) AS c FROM t", bits=100).rows[0]["c"]
    assert wrong != right


@pytest.mark.parametrize("sql", ["CORR(h, h)", "COVAR_POP(h, a)", "VAR_SAMP(h)"])
def test_too_fine_steps_are_refused_before_anything_is_charged(sql):
    schema = nl.Schema(h=nl.Integer(0, 2**33), a=nl.Integer(0, 3))
    with nl.Curator.open(pa.table({"h": [1, 2], "a": [1, 2]}), schema, budget=9, table="t") as curator:
        with pytest.raises(nl.QuestionError, match="too fine"):
            curator.ask(f"SELECT {sql} FROM t", bits=8)
        assert curator.ask("SELECT COUNT(*) FROM t").remaining == 9
