"""Questions as Ibis expressions: read through their SQL, and true."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import ibis
import pyarrow as pa
import pytest

import noiseless as nl

DRAW = Random(5)
ROWS = 300
PEOPLE = pa.table(
    {
        "region": [DRAW.choice(["north", "south"]) for _ in range(ROWS)],
        "year": [DRAW.choice([2023, 2024]) for _ in range(ROWS)],
        "age": [DRAW.randrange(90) for _ in range(ROWS)],
        "height": [DRAW.randrange(1500, 1900) / 10 for _ in range(ROWS)],
        "sex": [DRAW.choice(["female", "male"]) for _ in range(ROWS)],
        "day": [date(2024, 1, 1) + timedelta(DRAW.randrange(360)) for _ in range(ROWS)],
        "married": [DRAW.random() < 0.4 for _ in range(ROWS)],
        "income": [DRAW.choice([None, 100, 500, 1000]) for _ in range(ROWS)],
    }
)
SCHEMA = nl.Schema(
    region=nl.Public("north", "south"),
    year=nl.Public(2023, 2024),
    age=nl.Integer(0, 120),
    height=nl.Real(100, 220, step="0.1", on_grid=True),
    sex=nl.Category("female", "male"),
    day=nl.Date("2024-01-01", "2024-12-31"),
    married=nl.Boolean(),
    income=nl.Integer(0, 1000, missing="apart"),
)


@pytest.fixture(scope="module")
def curator():
    with nl.Curator.open(PEOPLE, SCHEMA, 9000, table="people", store=":memory:") as opened:
        yield opened


def test_the_table_has_public_names_and_types(curator):
    kinds = {name: str(kind) for name, kind in curator.table.schema().items()}
    whole, text = "int64", "string"
    numbers = {"age": whole, "height": "float64", "income": whole}
    others = {"region": text, "year": whole, "sex": text, "day": "date", "married": "boolean"}
    assert kinds == numbers | others


_ = ibis._
QUESTIONS = {
    "count": lambda t: t.count(),
    "mean": lambda t: t.age.mean(),
    "by a public column": lambda t: t.group_by("region").aggregate(n=t.count(), mean=t.age.mean()),
    "by a whole number": lambda t: t.group_by("year").aggregate(n=t.count()),
    "filter": lambda t: t.filter(t.age > 30, t.sex == "male").aggregate(n=_.count(), mean=_.age.mean()),
    "by a private column": lambda t: t.group_by("sex").aggregate(n=_.count()),
    "by cases": lambda t: (
        t.mutate(k=ibis.cases((t.age < 30, "young"), else_="old")).group_by("k").aggregate(n=_.count())
    ),
    "a function of the row": lambda t: (t.height * t.age).sum(),
    "a condition inside": lambda t: t.age.mean(where=t.married),
    "variance": lambda t: t.height.var(how="pop"),
    "correlation": lambda t: t.age.corr(t.height, how="pop"),
    "distinct": lambda t: t.age.nunique(),
    "months": lambda t: t.group_by(month=t.day.truncate("M")).aggregate(n=_.count()),
    "in": lambda t: t.filter(t.sex.isin(["female", "male"]), t.age.between(20, 30)).count(),
    "like": lambda t: t.filter(t.sex.like("f%")).count(),
    "missing values": lambda t: t.income.fill_null(0).mean(),
    "not missing": lambda t: t.income.notnull().sum(),
    "a share": lambda t: t.married.mean(),
    "a share of groups": lambda t: t.group_by("sex").aggregate(n=_.count()).mutate(share=_.n / _.n.sum()),
    "a rank": lambda t: _with_ranks(t.group_by("region").aggregate(mean=t.age.mean())),
    "a running sum": lambda t: _with_sums(t.group_by("year").aggregate(n=t.count())),
    "a share of all": lambda t: t.group_by("sex").aggregate(n=_.count()).mutate(share=_.n / t.count().as_scalar()),
    "apart from all": lambda t: t.group_by("region").aggregate(m=_.age.mean()).mutate(d=_.m - t.age.mean().as_scalar()),
    "written months": lambda t: t.group_by(month=t.day.strftime("%Y-%m")).aggregate(n=_.count()),
}


def _with_ranks(rows):
    order = ibis.desc(rows["mean"])
    return rows.mutate(rank=ibis.rank().over(order_by=order), before=rows["mean"].lag().over(order_by=rows.region))


def _with_sums(rows):
    two = ibis.window(order_by=rows.year, preceding=1, following=0)
    return rows.mutate(sum=rows.n.cumsum(order_by=rows.year), two=rows.n.sum().over(two))


@pytest.mark.parametrize("build", QUESTIONS.values(), ids=QUESTIONS)
def test_the_truth_lies_within(curator, build):
    answer = curator.ask(build(curator.table), bits=8)
    raw = ibis.duckdb.connect()
    found = raw.to_pyarrow(build(raw.create_table("people", PEOPLE)))
    if isinstance(found, pa.Scalar):
        assert _within(answer.rows[0][answer.numbers[0]], found.as_py())
        return
    keys = [label for label in answer.labels if label not in answer.numbers]
    rows = {tuple(map(_key, map(row.get, keys))): row for row in found.to_pylist()}
    met = [(row, rows[key]) for row in answer.rows if (key := tuple(_key(row[each]) for each in keys)) in rows]
    assert len(met) == len(rows) > 0
    assert all(_within(row[label], true[label]) for row, true in met for label in answer.numbers)


def _key(value):
    return str(value)[:10]


def _within(number, true):
    if number is None or true is None:
        return number is true
    return number.lower - 1e-9 <= true <= number.upper + 1e-9


def test_an_expression_is_its_sql(curator):
    table = curator.table
    expression = table.group_by("region").aggregate(total=table.height.sum())
    by_text = curator.ask("SELECT region, SUM(height) AS total FROM people GROUP BY region", bits=5)
    assert curator.preview(expression, bits=5).cost == 0
    assert curator.ask(expression, bits=5).rows == by_text.rows
    assert curator.batch([expression, table.count()], bits=5)[0].rows == by_text.rows


def test_other_tables_and_what_has_no_sql_are_refused(curator):
    before = curator.remaining
    for expression in (
        ibis.table({"age": "int64"}, name="others").age.mean(),
        ibis.memtable(pa.table({"age": [1, 2]})).age.mean(),
        curator.table.age.corr(curator.table.height, how="sample"),
        curator.table,
        curator.table.age.collect(),
    ):
        with pytest.raises(nl.QuestionError):
            curator.ask(expression, bits=3)
    assert curator.remaining == before
