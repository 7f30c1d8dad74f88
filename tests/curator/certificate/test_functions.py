"""Certificates of functions of a row: every kind verifies, and nothing in them can be changed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from sqlglot import parse_one

import noiseless as nl
from noiseless.curator.certificate.checker import WrongCertificateError, check_counts
from noiseless.curator.certificate.checker.about import computed_column
from noiseless.curator.certificate.checker.columns import read_schema
from noiseless.curator.certificate.checker.conditions import read_condition
from noiseless.curator.certificate.checker.function_trees import Reader
from noiseless.curator.plan.functions.derived import grid_of
from noiseless.curator.plan.trees import function_tree
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.sql.functions import RowReader
from noiseless.errors import QuestionError
from tests.curator import random_functions as made
from tests.curator.certificate.forging import forged, opened, resealed

QUESTIONS = [
    ("SELECT SUM(age * height), AVG(age + pay) FROM t", {"bits": 9}),
    ("SELECT AVG(pay / NULLIF(age, 0)), COUNT(pay / NULLIF(age, 0)), SUM(1 / NULLIF(pay, 0)) FROM t", {"bits": 20}),
    ("SELECT AVG(CASE WHEN age > 30 THEN pay ELSE height END) FROM t WHERE ill = 'flu'", {"bits": 9}),
    ("SELECT region, AVG(age * year) AS m, MAX(age - year) FROM t GROUP BY region, year", {"bits": 9}),
    ("SELECT SUM(year), AVG(year), MIN(year), VAR_POP(year) FROM t WHERE region = 'n'", {"bits": 9}),
    ("SELECT SUM(year), AVG(year), MIN(year) FROM t WHERE age > 20", {"bits": 12}),
    ("SELECT SUM(CASE WHEN open THEN age ELSE pay END) AS s FROM t GROUP BY open", {"bits": 9}),
    ("SELECT year, COUNT(*) AS n FROM t WHERE ABS(age - year + 1990) > 3 GROUP BY year", {}),
    ("SELECT COUNT(*) FROM t WHERE age > pay OR ABS(age - year + 1990) > 3", {}),
    ("SELECT COUNT(*) FROM t WHERE CASE WHEN open THEN region ELSE ill END = 'n'", {}),
    ("SELECT AVG(LENGTH(ill)), AVG(LENGTH(LOWER(region))) FROM t WHERE age > 5", {"bits": 9}),
    ("SELECT AVG(EXTRACT(MONTH FROM born)), MIN(DATE_TRUNC('week', born)), MAX(born + age) FROM t", {"bits": 16}),
    ("SELECT MIN(born + 30), MAX(DATE '2000-01-01' - born), AVG(YEAR(born + 7 * age)) FROM t", {"bits": 16}),
    ("SELECT AVG(SQRT(age)), AVG(LN(age + 1)), AVG(EXP(height)), AVG(POWER(age, 1.5)) FROM t", {"bits": 25}),
    ("SELECT AVG(LOG(2, age + 1)), AVG(LN(NULLIF(age, 0))), SUM(SQRT(age) * height) FROM t", {"bits": 25}),
    ("SELECT AVG(CEIL(height)), AVG(TRUNC(pay / 3)), AVG(ABS(pay)), AVG(LEAST(age, pay)) FROM t", {"bits": 25}),
    ("SELECT AVG(COALESCE(pay, age)), COUNT(COALESCE(pay, age)), AVG(GREATEST(age, pay, 3)) FROM t", {"bits": 25}),
    ("SELECT VAR_POP(age * height), STDDEV_POP(-height) FROM t WHERE region = 'n'", {"bits": 15}),
    ("SELECT SUM(age + 1), SUM(3 - age), AVG(3 - age), MEDIAN(3 - age), MAX(3 - age) FROM t", {"bits": 25}),
    ("SELECT SUM(age + 1), SUM(2 * age), MEDIAN(3 - age), MAX(3 - age) FROM t WHERE pay > 3", {"bits": 35}),
    ("SELECT AVG(age * height) FILTER (WHERE pay > age), COUNT(*) FILTER (WHERE age > 3) FROM t", {"bits": 15}),
    ("SELECT AVG(pay * age) AS m FROM t", {"error": 4000}),
    ("SELECT STDDEV_POP(pay * age) AS m FROM t", {"error": 4000}),
    ("SELECT SUM(age * height), AVG(age * height) FROM t", {"bits": "0.6"}),
    ("SELECT SUM(age * height) FROM t WHERE age > 4", {"error": 2000, "stable": True}),
    ("SELECT ill, COUNT(age * pay) AS n FROM t GROUP BY ill", {"error": 2, "stable": True}),
    ("SELECT ill, COUNT(pay / 2) FROM t GROUP BY ill", {"error": 2, "stable": True}),
    ("SELECT MEDIAN(age * height) FROM t", {"error": 20}),
    ("SELECT ill, COUNT(*) FROM t WHERE age > pay GROUP BY ill", {}),
]
FORGED = [
    ("SELECT SUM(age * height) FILTER (WHERE pay > age), AVG(2 * age + 1) FROM t", {"bits": 9}),
    ("SELECT AVG(CASE WHEN age > pay THEN SQRT(age) ELSE pay / 3 END) FROM t WHERE open", {"bits": 9}),
]
CLAIMS = {"dataset", "noiseless", "ledger", "count", "schema", "id"}
"""What only a signature, or the rest of the certificate, can vouch for."""
GRID = {"grids"}
"""A grid may be wider than it must be: then all that follows from it is that of the wider grid."""


@pytest.fixture(scope="module")
def curator():
    with opened() as found:
        yield found


@pytest.mark.parametrize(("sql", "wanted"), QUESTIONS)
def test_genuine_certificates_verify(sql, wanted):
    with opened() as curator:
        nl.verify(curator.ask(sql, **wanted).certificate)


@pytest.mark.parametrize(("sql", "wanted"), FORGED)
def test_any_change_is_noticed(sql, wanted):
    with opened() as curator:
        content = dict(curator.ask(sql, **wanted).certificate.content)
    tried = 0
    for path, other in forged(content):
        with pytest.raises(WrongCertificateError):
            check_counts(other)
        if path and path[0] not in CLAIMS | GRID:
            tried += 1
            with pytest.raises(nl.CertificateError):
                nl.verify(resealed(other))
    assert tried > 200


def test_a_grid_must_hold_every_value_and_the_truth(curator):
    content = curator.ask("SELECT SUM(age * height) FROM t", bits=9).certificate.content
    low, step, top, slack = map(Fraction, content["grids"][0])
    columns = read_schema(content["schema"]).columns
    function = Reader(columns, read_condition).read(content["plan"]["items"][0][1][1][1])
    rows = int(content["rows"])
    computed_column([str(low), str(step), str(top), str(slack)], function, columns, rows)
    smaller = slack - Fraction(1, 10**6)
    for wrong in (
        (low + step, step, top, slack),
        (low, step, top - 1, slack),
        (low, step, top, smaller),
        (low, step * 3, top, slack),
        (low, -step, top, slack),
        (low, Fraction(0), top, slack),
        (low, step, Fraction(1 << 62), slack),
        (low, step, Fraction(0), slack),
    ):
        with pytest.raises(WrongCertificateError):
            computed_column([str(each) for each in wrong], function, columns, rows)


@pytest.mark.parametrize("grids", [None, [], [None], [None, None], [["0", "1/4", "800"]], "x", [{}]])
def test_grids_are_there_exactly_where_they_are_needed(curator, grids):
    content = curator.ask("SELECT SUM(age * height) FROM t", bits=9).certificate.content
    other = {**content, "grids": grids} if grids is not None else {k: v for k, v in content.items() if k != "grids"}
    with pytest.raises(nl.CertificateError):
        nl.verify(resealed(other))
    plain = curator.ask("SELECT AVG(2 * age + 1) FROM t", bits=5).certificate.content
    with pytest.raises(nl.CertificateError):
        nl.verify(resealed({**plain, "grids": [["0", "1", "100", "0"]]}))


AGE, BORN, REGION = (["column", name] for name in ("age", "born", "region"))


def _deep(depth: int) -> list[Any]:
    tree: list[Any] = AGE
    for _ in range(depth):
        tree = ["abs", tree]
    return tree


def _squares(times: int) -> list[Any]:
    tree: list[Any] = ["number", "9" * 400]
    for _ in range(times):
        tree = ["*", tree, tree]
    return ["+", tree, AGE]


HOSTILE: list[Any] = [
    [],
    "age",
    ["column", "nobody"],
    ["column", ["age"]],
    ["column"],
    ["unknown", AGE],
    [["abs"], AGE],
    ["number", "1"],
    ["number", 1],
    ["+", AGE, REGION],
    ["+", BORN, BORN],
    ["-", AGE, BORN],
    ["/", AGE, ["number", "0"]],
    ["/", AGE, AGE],
    ["/", AGE, ["-", AGE, AGE]],
    ["mod", AGE, "0"],
    ["floor", AGE, "-1"],
    ["ln", AGE, "1"],
    ["sqrt", ["-", AGE, ["number", "5"]], "1"],
    ["sqrt", AGE, "1/" + "1" + "0" * 300],
    ["exp", ["*", ["number", "1" + "0" * 300], AGE], "1"],
    ["exp", ["*", ["number", "1000"], AGE], "1"],
    ["power", ["+", AGE, ["number", "1"]], "1" + "0" * 300, "1"],
    ["log", ["+", AGE, ["number", "1"]], "1", "1"],
    ["extract", "month", ["+", BORN, ["*", ["number", "100000"], AGE]]],
    ["extract", "month", ["date", "0000-01-01"]],
    ["extract", "month", AGE],
    ["extract", ["month"], BORN],
    ["date_trunc", "century", BORN],
    ["case", AGE],
    ["case", [["every"], AGE], REGION],
    ["case", [["compared", "~", AGE, AGE], AGE], ["null"]],
    ["case", [["compared", "=", AGE, REGION], AGE], ["null"]],
    ["case", [["every"], ["null"]], ["null"]],
    ["length", AGE],
    ["substring", REGION, AGE],
    ["length", ["left", REGION, ["number", "1/2"]]],
    ["least", AGE],
    ["least", AGE, BORN],
    ["greatest", REGION, REGION],
    ["+", AGE, ["number", "9" * 4000]],
    _deep(10_000),
    _deep(140),
    _squares(20),
]


@pytest.mark.parametrize("tree", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_trees_are_refused_and_nothing_else(curator, tree):
    content = curator.ask("SELECT SUM(age * height) FROM t", bits=9).certificate.content
    plan = dict(content["plan"])
    plan["items"] = [[plan["items"][0][0], ["sum", ["function", tree]]]]
    with pytest.raises(WrongCertificateError):
        check_counts({**{name: each for name, each in content.items() if name != "id"}, "plan": plan})


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(made.numbers())
def test_the_bounds_of_the_checker_hold_whatever_the_curator_accepts(meant):
    try:
        function = RowReader(made.SCHEMA, "t").number(parse_one(meant.sql, dialect="duckdb"))
        grid, slack = grid_of(function.span(), 10**12)
    except QuestionError:
        assume(False)
    assume(function.reads)
    columns = read_schema(Declaration(made.SCHEMA).write()).columns
    read = Reader(columns, read_condition).read(function_tree(function, made.SCHEMA))
    low, high, step = grid
    computed_column([str(low), str(step), str((high - low) / step), str(slack)], read, columns, 1)


def test_conditions_that_differ_among_cells_may_turn_at_every_code():
    """Two counts that go up and down in their own ways have four answers together, and not three."""
    with opened() as curator:
        certificate = curator.ask(
            "SELECT COUNT(*) FILTER (WHERE ABS(age - year + 1973) > 3), "
            "COUNT(*) FILTER (WHERE age * year % 7 = 3) FROM t"
        ).certificate
        assert int(certificate.content["count"]) == 4
        assert nl.verify(certificate).count == 4


def test_numbers_of_public_columns_turn_with_the_condition():
    with opened() as curator:
        certificate = curator.ask(
            "SELECT MIN(year) FILTER (WHERE age IN (1, 3, 5, 7)), MAX(year) FILTER (WHERE age IN (2, 5, 9)) FROM t",
            bits=9,
        ).certificate
        assert int(certificate.content["count"]) == 9  # three answers each, which one piece each would make five
        nl.verify(certificate)
