"""What is shown after the release: in every possible table, the true result of the same SQL is inside.

All numbers of a small result vary over all whole numbers of their intervals, some may be missing, and DuckDB computes
the true result of each of these worlds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import duckdb
import pytest

from noiseless.curator.plan.plan import Aggregate, Constant, KeyOf, Plan
from noiseless.curator.question.after import calls, form, gather, over, row, stages
from noiseless.curator.question.after.cell import Cell, number
from noiseless.curator.question.after.results import results
from noiseless.curator.question.after.row import Row
from noiseless.curator.releases.reported import Reported
from noiseless.curator.schema.categories import Category
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Integer
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql import sifting
from noiseless.curator.sql.read import read

SCHEMA = Schema(
    place=Public("a", "b", "c", "d"),
    side=Public("left", "right"),
    x=Integer(0, 100),
    y=Category("no", "yes"),
)
INNER = "SELECT place, side, SUM(x) AS n, AVG(x) AS m FROM people GROUP BY place, side"
FIELDS = ("place", "side", "n", "m")
# place, side, the range of n, what is reported, the range of m (-1: may be missing), what is reported
OVERLAPPING = [
    ("a", "left", (3, 5), 4, (2, 2), 2),
    ("b", "right", (5, 6), 5, (2, 2), 2),
    ("c", "left", (6, 8), 7, (-1, 1), 0),
    ("d", "right", (7, 7), 7, (2, 2), 2),
]
QUESTIONS = [
    "SELECT place, 1.0 * n / SUM(n) OVER () AS share FROM {t}",
    "SELECT place, n * 100.0 / SUM(n) OVER (PARTITION BY side) - 50 AS share FROM {t}",
    "SELECT place, (n - m) / (n + m) AS index, ABS(n - 6) AS far, n - n AS same FROM {t}",
    "SELECT place, RANK() OVER (ORDER BY n DESC) AS r, DENSE_RANK() OVER (ORDER BY m) AS d FROM {t}",
    "SELECT place, DENSE_RANK() OVER (ORDER BY n DESC) AS d, DENSE_RANK() OVER (ORDER BY n DESC, m) AS e FROM {t}",
    "SELECT place, RANK() OVER (ORDER BY m, n DESC) AS r, "
    "DENSE_RANK() OVER (PARTITION BY side ORDER BY n) AS d FROM {t}",
    "SELECT place, ROW_NUMBER() OVER (ORDER BY n, place) AS r, RANK() OVER (ORDER BY side DESC, n) AS s FROM {t}",
    "SELECT place, LAG(n) OVER (ORDER BY n, place) AS before, LEAD(m, 2, 9) OVER (ORDER BY n, place) AS after FROM {t}",
    "SELECT place, n - LAG(n, 1, 0) OVER (ORDER BY place) AS step FROM {t}",
    "SELECT place, SUM(n) OVER (ORDER BY n) AS running, COUNT(m) OVER (ORDER BY n, place) AS counted FROM {t}",
    "SELECT place, SUM(n) OVER (ORDER BY place) AS running, MIN(m) OVER (ORDER BY place DESC) AS least FROM {t}",
    "SELECT place, AVG(n) OVER (ORDER BY n, place ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS smooth FROM {t}",
    "SELECT place, SUM(n) OVER (ORDER BY n, place ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS rest FROM {t}",
    "SELECT place, COALESCE(SUM(n) OVER (ORDER BY n, place ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING), 0) AS two "
    "FROM {t} WHERE n > 4",
    "SELECT place, n FROM {t} WHERE n >= 6 AND (m <> 2 OR side = 'right')",
    "SELECT place, n FROM {t} WHERE NOT (m < 2) OR m IS NULL",
    "SELECT place, n FROM {t} ORDER BY n DESC, place LIMIT 2",
    "SELECT place, n FROM {t} WHERE n > 4 ORDER BY m, place LIMIT 2",
    "SELECT place, 1.0 * n / SUM(n) OVER () AS share, RANK() OVER (ORDER BY n) AS r FROM {t} WHERE n > 5",
    "SELECT place, CASE WHEN n > 6 THEN 'big' WHEN n > 5 THEN 'fair' ELSE 'small' END AS size FROM {t}",
    "SELECT place, CASE side WHEN 'left' THEN n ELSE m END AS what, COALESCE(m, 0) + 1 AS m1 FROM {t}",
    "SELECT place, NULLIF(n, 7) AS not7, GREATEST(n, m) AS larger, LEAST(m, 2) AS smaller FROM {t}",
    "SELECT place, ROUND(n / 3.0) AS thirds, FLOOR(n / 2.0) AS halves, CAST(n / 3.0 AS INTEGER) AS whole FROM {t}",
    "SELECT place, m IN (1, 2) AS few, n BETWEEN 5 AND 6 AS medium, (n > 5) IS TRUE AS many FROM {t}",
    "SELECT MAX(n) - MIN(n) AS spread, AVG(n) AS mean, MEDIAN(m) AS middle, COUNT(m) AS known, COUNT(*) AS k FROM {t}",
    "SELECT COUNT(*) AS rows, MIN(n) AS least, AVG(m) AS mean FROM {t} WHERE n BETWEEN 5 AND 6",
    "SELECT SUM(n) FILTER (WHERE side = 'left') * 1.0 / SUM(n) AS share FROM {t}",
    "SELECT side, SUM(n) AS total, COUNT(*) AS places, MAX(m) AS most FROM {t} GROUP BY side HAVING SUM(n) > 9",
    "SELECT CASE WHEN n > 5 THEN 'big' ELSE 'small' END AS size, COUNT(*) AS k, SUM(n) AS s FROM {t} GROUP BY size",
    "SELECT size, AVG(k) AS mean FROM (SELECT side, CASE WHEN n > 6 THEN 'big' ELSE 'small' END AS size, COUNT(*) AS k "
    "FROM {t} GROUP BY side, size) AS u GROUP BY size ORDER BY mean DESC",
    "SELECT COUNT(*) AS firsts, SUM(n) AS s "
    "FROM (SELECT place, n, RANK() OVER (PARTITION BY side ORDER BY n DESC) AS r FROM {t}) AS u WHERE r = 1",
    "SELECT SUM(n) AS top FROM (SELECT n FROM {t} ORDER BY n DESC, place LIMIT 2) AS u",
    "WITH u AS (SELECT side, SUM(n) AS s FROM {t} GROUP BY side) SELECT side, s / SUM(s) OVER () AS share FROM u",
    "SELECT place, PERCENT_RANK() OVER (ORDER BY n) AS p, CUME_DIST() OVER (ORDER BY n DESC) AS c FROM {t}",
    "SELECT place, PERCENT_RANK() OVER (PARTITION BY place ORDER BY n) AS p FROM {t} WHERE n > 4",
    "SELECT place, NTILE(2) OVER (ORDER BY n, place) AS half, NTILE(3) OVER (ORDER BY m, place) AS third FROM {t}",
    "SELECT place, NTILE(3) OVER (ORDER BY n, place) AS third FROM {t} WHERE n > 5",
    "SELECT place, FIRST_VALUE(n) OVER (ORDER BY n, place) AS a, FIRST_VALUE(m) OVER (ORDER BY n, place) AS b FROM {t}",
    "SELECT place, FIRST_VALUE(n) OVER (PARTITION BY side ORDER BY n DESC, place) AS top FROM {t} WHERE n > 5",
    "SELECT place, FIRST_VALUE(CASE WHEN n > 6 THEN 'big' ELSE 'small' END) OVER (ORDER BY m, place) AS first FROM {t}",
    "SELECT place, n % 4 AS rest, SQRT(n) AS root, POWER(n - 6, 2) AS apart, POWER(m, 3) AS cube FROM {t}",
    "SELECT place, SQRT(m) AS root FROM {t} WHERE m > 0",
    "SELECT place, n FROM {t} QUALIFY RANK() OVER (ORDER BY n DESC) = 1",
    "SELECT place, n FROM {t} WHERE n > 4 "
    "QUALIFY ROW_NUMBER() OVER (PARTITION BY side ORDER BY m, place) = 1 ORDER BY n, place",
    "SELECT place, n FROM {t} ORDER BY n DESC, place LIMIT 2 OFFSET 1",
    "SELECT place, m FROM {t} WHERE n > 4 ORDER BY m, place OFFSET 2",
    "SELECT place, n FROM {t} QUALIFY COUNT(m) OVER (ORDER BY n, place) > 1 ORDER BY n, place LIMIT 1 OFFSET 1",
]


def planned(question: str) -> Plan:
    return read(question.format(t=f"({INNER}) AS t"), SCHEMA, "people")


def rows_of(plan: Plan, result: Sequence[Any]) -> list[Row]:
    """The rows of the last stage, from the intervals of a result."""
    lines = []
    for place, side, (low, high), n, (least, most), m in result:
        numbers = {"SUM": Reported(n, low, high), "AVG": Reported(m, max(least, 0), most, sure=least >= 0)}
        found = {each: numbers[each.function] for each in plan.aggregates() if isinstance(each, Aggregate)}
        lines.append(({"place": place, "side": side}, found))
    return results(plan, lines)


def worlds_of(result: Sequence[Any]) -> Iterator[list[tuple[Any, ...]]]:
    """All results that are possible."""
    ranges = [
        product(range(low, high + 1), (None if m < 0 else m for m in range(least, most + 1)))
        for _, _, (low, high), _, (least, most), _ in result
    ]
    for numbers in product(*ranges):
        yield [(place, side, n, m) for (place, side, *_), (n, m) in zip(result, numbers, strict=True)]


@cache
def tables() -> tuple[duckdb.DuckDBPyConnection, int]:
    """A table for every world."""
    connection, worlds = duckdb.connect(), list(worlds_of(OVERLAPPING))
    for place, world in enumerate(worlds):
        rows = ", ".join(f"('{place}', '{side}', {n}, {'NULL' if m is None else m})" for place, side, n, m in world)
        connection.execute(f"CREATE TABLE t{place} AS FROM (VALUES {rows}) AS t (place, side, n, m)")
    return connection, len(worlds)


@cache
def true_results(question: str) -> list[list[dict[str, Any]]]:
    """What SQL answers in every world."""
    connection, worlds = tables()
    found = []
    for place in range(worlds):
        answer = connection.execute(question.format(t=f"t{place}"))
        names = [each[0] for each in answer.description]
        found.append([dict(zip(names, values, strict=True)) for values in answer.fetchall()])
    return found


def holds(cell: Cell, true: Any) -> bool:
    """Whether a cell may be what is true. DuckDB computes with doubles."""
    if true is None:
        return cell.empty
    if isinstance(true, (str, bool)):
        return true in cell.options
    near = Fraction(1, 10**9)
    return cell.form is not None and cell.form.low - near <= Fraction(true) <= cell.form.high + near


def same_row(found: Row, true: Mapping[str, Any], keys: Sequence[str]) -> bool:
    return all(true[key] in found.cells[key].options for key in keys)


def breaks(question: str) -> str | None:
    """Where the law is broken, if it is."""
    plan = planned(question)
    found = rows_of(plan, OVERLAPPING)
    keys = [each.label for each in plan.outputs if not each.released]
    keys = keys or [each.label for each in plan.outputs if each.label == "size"]
    for truth in true_results(question):
        for true in truth:
            same = [each for each in found if same_row(each, true, keys)]
            if len(same) != 1:
                return f"{true} is not among {len(found)} rows"
            if wrong := [label for label, value in true.items() if not holds(same[0].cells[label], value)]:
                return f"{wrong} of {true} is not in {same[0]}"
        sure = [each for each in found if each.sure]
        if any(not any(same_row(each, true, keys) for true in truth) for each in sure):
            return f"a row that is sure is not in {truth}"
    return None


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_possible_result_is_inside(question):
    assert breaks(question) is None


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_reported_follows_from_the_reported_numbers(question):
    """In the world of the reported numbers, SQL gives the reported values, in the reported order."""
    plan = planned(question)
    found = [each for each in rows_of(plan, OVERLAPPING) if each.shown]
    world = [(place, side, n, m) for place, side, _, n, _, m in OVERLAPPING]
    true = true_results(question)[list(worlds_of(OVERLAPPING)).index(world)]
    shown = [{label: cell.value for label, cell in each.cells.items()} for each in found]
    if "ORDER BY" not in question.rpartition("FROM")[2]:
        key = next(iter(true[0]))
        shown, true = (sorted(each, key=lambda row: str(row[key])) for each in (shown, true))
    plain = [
        {name: pytest.approx(value) if isinstance(value, float) else value for name, value in row.items()}
        for row in true
    ]
    assert shown == plain


def exact_ends(question: str) -> list[tuple[Any, Any]]:
    """The least and the most that the last column is in any world, by place."""
    values = [
        [true[[*true][-1]] for true in sorted(truth, key=lambda each: each["place"])]
        for truth in true_results(question)
    ]
    return [(min(column), max(column)) for column in zip(*values, strict=True)]


@pytest.mark.parametrize(
    "question",
    [
        QUESTIONS[0],
        "SELECT place, 1 - n * 1.0 / SUM(n) OVER (PARTITION BY side) AS rest FROM {t}",
        "SELECT place, n - AVG(n) OVER () AS apart FROM {t}",
        "SELECT place, SUM(n) OVER (ORDER BY place) / SUM(n) OVER () AS share FROM {t}",
        "SELECT place, RANK() OVER (ORDER BY n DESC) AS r FROM {t}",
        "SELECT place, DENSE_RANK() OVER (ORDER BY n) AS r FROM {t}",
        "SELECT place, n - LEAD(n, 1, 0) OVER (ORDER BY place) AS step FROM {t}",
    ],
)
def test_intervals_are_as_small_as_can_be(question):
    """Of shares, differences, ranks and running sums, the ends are reached."""
    label = planned(question).outputs[-1].label
    forms = [each.cells[label].form for each in rows_of(planned(question), OVERLAPPING)]
    assert [(float(each.low), float(each.high)) for each in forms] == [
        (pytest.approx(low), pytest.approx(high)) for low, high in exact_ends(question)
    ]


def every_row_is_sure(limit, pairs):
    for place, (found, order) in enumerate(pairs):
        yield replace(found, shown=place < limit), order


def only_the_reported(value, cells):
    return next((cell for cell in cells if cell.value == value), cells[0])


MUTANTS = {
    "a sum leaves out rows that are not sure": (
        gather,
        "_addend",
        lambda member: member.cell.form if member.sure else form.Form(0),
    ),
    "rows that are different are counted, equal or not": (
        over,
        "_apart",
        lambda orders: sorted(each.latest for each in orders),
    ),
    "nothing is never last": (row, "LAST", (0, -1)),
    "CASE is what is reported": (calls, "either", only_the_reported),
    "LAG is what is reported": (over, "either", only_the_reported),
    "all rows of a LIMIT are sure": (stages, "_limited", every_row_is_sure),
    "a frame holds what certainly is in it": (
        over,
        "_meets",
        lambda frame, least, most: over._inside(frame, least) and over._inside(frame, most),
    ),
    "the first value is what is reported": (over, "_first", lambda own, positions, rows: rows[own].parts[0]),
    "a row number is what is reported": (
        sifting,
        "Window",
        lambda function, parts, partition, order: Constant(Fraction(1)),
    ),
    "a number never is missing": (calls, "NOTHING", number(0, 0, 0)),
    "a product has the ends of its reported value": (form, "between", lambda low, high: form.Form(low)),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_wrong_variants_are_caught(name, monkeypatch):
    module, what, wrong = MUTANTS[name]
    monkeypatch.setattr(module, what, wrong)
    assert any(breaks(question) is not None for question in QUESTIONS)


def test_a_plan_with_stages_asks_for_numbers_and_keys_only():
    plan = planned("SELECT n FROM {t} WHERE n > 5 ORDER BY n LIMIT 1")
    kinds = {type(item.expression) for item in plan.items}
    assert kinds == {Aggregate, KeyOf}
    assert (plan.having, plan.order, plan.limit) == (None, (), None)
