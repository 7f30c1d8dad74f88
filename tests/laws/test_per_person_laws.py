"""One person's rows, all together, cause no more answers to questions about a view with one row for each person.

All values of all rows of the person vary, and how many rows there are; others are fixed.
"""

from __future__ import annotations

from itertools import product

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.dataset.dataset import people_of
from noiseless.curator.engines.duckdb import DuckDB
from noiseless.curator.plan.person import Measure
from noiseless.curator.sql.per_person import per_person
from tests.curator.small import fresh, shown

SCHEMA = nl.Schema(
    world=nl.Integer(0, 99),
    v=nl.Integer(-1, 1),
    x=nl.Real(0, 1, step="0.5", missing="apart", on_grid=True),
    t=nl.Public(),
    unit="who",
    rows=2,
    order_by="t",
)
VIEW = {
    "world": "MAX(world)",
    "n": "COUNT(*)",
    "total": "SUM(v)",
    "mean": {"expression": "AVG(v)", "step": "0.5"},
    "most": "MAX(x)",
    "least": "MIN(x)",
    "known": "COUNT(x)",
    "apart": "MAX(v) - MIN(v)",
    "odd": {"expression": "SUM(v * v + 1)", "high": 3},
    "sums": "SUM(x)",
}
OTHERS: list[list[tuple]] = [[], [(0, 0.5), (1, None)], [(-1, 1.0)]]
"""What the rows of others may be: nobody, one with two rows, one with one row."""
VALUES = [-1, 0, 1, 7]
MISSING = [0.0, 0.5, 1.0, None]
QUESTIONS = [
    ("v", "SELECT SUM(total) FROM people", {"bits": 1}),
    ("v", "SELECT AVG(total), COUNT(*) FROM people", {"bits": 2}),
    ("v", "SELECT n, COUNT(*) FROM people GROUP BY n", {}),
    ("v", "SELECT COUNT(*) FROM people WHERE total > 0 AND apart < 2", {}),
    ("v", "SELECT MAX(mean), MIN(apart) FROM people", {"bits": 4}),
    ("v", "SELECT SUM(odd * total) FROM people WHERE n = 2", {"bits": 2}),
    ("v", "SELECT total, COUNT(*) FROM people GROUP BY total", {}),
    ("x", "SELECT COUNT(most), SUM(sums) FROM people", {"bits": 3}),
    ("x", "SELECT known, SUM(least) FROM people GROUP BY known", {"bits": 4}),
    ("x", "SELECT COUNT(*) FROM people WHERE most > least", {}),
    ("x", "SELECT MEDIAN(sums) FROM people", {"bits": 2}),
]
ATTAINED = [0, 2, 3, 6, 9]


def rows_of(column: str) -> list[list[tuple]]:
    """All that the rows of the person can be."""
    one = [(value, 0.5) for value in VALUES] if column == "v" else [(0, value) for value in MISSING]
    return [[row] for row in one] + [list(pair) for pair in product(one, repeat=2)]


def source(people: list[tuple[str, int, list]]) -> pa.Table:
    """A table of rows, from who has them, in which world they are, and their values."""
    rows = [(who, world, *row) for who, world, own in people for row in own]
    who, world, v, x = zip(*rows, strict=True)
    columns = {"who": who, "world": world, "v": v, "x": pa.array(x, "float64"), "t": range(len(rows))}
    return pa.table({name: each if isinstance(each, pa.Array) else list(each) for name, each in columns.items()})


def rows_of_view(worlds: list[list[tuple]]) -> list[list]:
    """What the view says about a person in many worlds: they are people of one table."""
    people = [(f"me in {world}", world, own) for world, own in enumerate(worlds)]
    view = per_person("people", VIEW, SCHEMA)
    engine = DuckDB(prepares=False)
    try:
        found = engine.fetch(people_of(engine, source(people), view, None).table)
    finally:
        engine.close()
    return [[0, *row[1:]] for row in sorted(found)]


@pytest.fixture(scope="module")
def views():
    """The views of all tables, each once, by the column that varies and by others."""
    schema = per_person("people", VIEW, SCHEMA).schema
    known = rows_of_view([rows for rows in OTHERS if rows])
    found = {}
    for column in "vx":
        for others in range(len(OTHERS)):
            rows = [
                [*own, *known[:others][-1:]] for own in ([each] for each in distinct(rows_of_view(rows_of(column))))
            ]
            tables = [
                pa.table(dict(zip(schema.columns, map(list, zip(*each, strict=True)), strict=True))) for each in rows
            ]
            found[column, others] = [
                nl.Curator.open(each, schema, 900, table="people", store=":memory:") for each in tables
            ]
    yield found
    for listed in found.values():
        for view in listed:
            view.close()


def distinct(rows: list[list]) -> list[list]:
    return [list(row) for row in dict.fromkeys(map(tuple, rows))]


def most_answers(views, column: str, sql: str, given: dict) -> tuple[int, int]:
    most, promised = 0, set()
    for others in range(len(OTHERS)):
        answers = [fresh(view).ask(sql, **given) for view in views[column, others]]
        most = max(most, len(set(map(shown, answers))))
        promised |= {(others, answer.guarantee.count) for answer in answers}
        assert nl.verify(answers[0].certificate).count == answers[0].guarantee.count
    assert len(promised) == len(OTHERS)
    return most, max(count for _, count in promised)


@pytest.mark.parametrize(("column", "sql", "given"), QUESTIONS, ids=[sql for _, sql, _ in QUESTIONS])
def test_one_person_causes_no_more_answers_than_promised(views, column, sql, given):
    most, promised = most_answers(views, column, sql, given)
    assert most <= promised
    if (column, sql, given) in [QUESTIONS[place] for place in ATTAINED]:
        assert most == promised


def test_the_values_of_a_view_are_those_of_the_declared_rows():
    for row, own in zip(rows_of_view(rows_of("v")), rows_of("v"), strict=True):
        v = [min(value, 1) for value, _ in own]
        found = dict(zip(VIEW, row, strict=True))
        assert found | {"most": 0, "least": 0, "known": 0, "sums": 0} == {
            "world": 0,
            "n": len(v),
            "total": sum(v),
            "mean": sum(v) / len(v),
            "most": 0,
            "least": 0,
            "known": 0,
            "apart": max(v) - min(v),
            "odd": sum(value**2 + 1 for value in v),
            "sums": 0,
        }
    for row, own in zip(rows_of_view(rows_of("x")), rows_of("x"), strict=True):
        x = [value for _, value in own if value is not None]
        known = dict(zip(VIEW, row, strict=True))
        assert [known[name] for name in ("most", "least", "known", "sums")] == [
            max(x, default=None),
            min(x, default=None),
            len(x),
            sum(x) if x else None,
        ]


def opened(own: list, budget: int) -> nl.Curator:
    rows = source([("me", 0, own), ("you", 1, OTHERS[1])])
    return nl.Curator.open(rows, SCHEMA, budget, table="rows", per_person={"people": VIEW})


def test_answers_about_the_rows_and_about_the_view_stay_within_the_whole_budget():
    """The parts of the budget multiply: transcripts of both tables together, in any order."""
    asked = ["SELECT SUM(v) FROM rows", "SELECT SUM(total) FROM people", "SELECT COUNT(*) FROM rows WHERE v > 0"]
    asked += ["SELECT COUNT(*) FROM people WHERE apart > 1", "SELECT MAX(mean) FROM people"]
    seen = set()
    for own in product([(-1, 0.5), (0, 0.5), (1, 0.5)], repeat=2):
        with opened(list(own), budget=4) as curator:
            seen.add(tuple(asked_or_refused(curator, sql) for sql in asked))
    assert 2 < len(seen) <= 2**4


def asked_or_refused(curator: nl.Curator, sql: str) -> tuple:
    try:
        return shown(curator.ask(sql, bits="1.6"))
    except nl.BudgetExceededError:
        return ()


def test_bounds_of_a_sum_that_forget_further_rows_are_caught(monkeypatch):
    """Wrong: a total has the bounds of one row. It is clamped, so that nothing more is revealed, but it is not true."""
    right = Measure.ends
    with opened([(1, 0.5), (1, 0.5)], budget=30) as curator:
        assert curator.ask("SELECT SUM(total) FROM people", bits=9).rows[0].value == 3
    monkeypatch.setattr(Measure, "ends", lambda self, rows: right(self, 1))
    with opened([(1, 0.5), (1, 0.5)], budget=30) as curator:
        assert curator.ask("SELECT SUM(total) FROM people", bits=9).rows[0].upper < 3
