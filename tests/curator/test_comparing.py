"""Previews of batches: each way costs what it says, the cross table gives every answer, and the data do not matter."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.answer.ways import BATCH, CROSS_TABLE, ONE_BY_ONE

SCHEMA = nl.Schema(
    age=nl.Integer(0, 120),
    income=nl.Integer(0, 100, missing="apart"),
    born=nl.Date("2000-01-01", "2000-12-31"),
    smoker=nl.Category("no", "yes"),
    edu=nl.Category("school", "college", "phd"),
    region=nl.Public("north", "south"),
)
ONE = "SELECT COUNT(*) FROM people WHERE "
EDU = [f"{ONE}edu = '{each}'" for each in ("school", "college", "phd")]


def table(shift: int = 0) -> pa.Table:
    rows = range(shift, shift + 300)
    return pa.table(
        {
            "age": [(53 * k + 7) % 91 for k in rows],
            "income": [None if k % 11 == 0 else k % 90 for k in rows],
            "born": [f"2000-{k % 12 + 1:02d}-01" for k in rows],
            "smoker": ["yes" if k % 7 == 0 else "no" for k in rows],
            "edu": [("school", "college", "phd")[k * k % 7 % 3] for k in rows],
            "region": [("north", "south")[(k - shift) % 2] for k in rows],
        }
    )


def opened(shift: int = 0, budget: int = 60) -> nl.Curator:
    return nl.Curator.open(table(shift), SCHEMA, budget, table="people")


@pytest.fixture(scope="module")
def fresh():
    """A curator that is only asked for previews."""
    with opened() as found:
        yield found


def counts_of(told):
    return {way.name: way.count for way in told.ways}


@pytest.mark.parametrize(
    ("batch", "counts"),
    [
        (EDU, {ONE_BY_ONE: 8, BATCH: 3, CROSS_TABLE: 3}),
        ([f"{ONE}age BETWEEN {10 * k} AND {10 * k + 9}" for k in range(1, 8)], (128, 8, 9)),
        ([f"{ONE}smoker = '{s}' AND edu = '{e}'" for s in ("no", "yes") for e in ("school", "phd")], (16, 5, 6)),
        ([f"{ONE}age >= {k} AND income >= 40" for k in (20, 30, 40, 50, 60)], (32, 6, 18)),  # 6 ages, 3 with missing
        ([f"{ONE}region = '{r}' AND smoker = 'no'" for r in ("north", "south")], (2, 2, 2)),  # nobody is in both
        (["SELECT COUNT(income) FROM people", f"{ONE}income IS NULL"], (4, 2, 2)),
        ([f"{ONE}born < DATE '2000-03-05'", f"{ONE}born >= DATE '2000-07-01'"], (4, 3, 3)),
        (
            ["SELECT age, COUNT(*) FROM people GROUP BY age", f"{ONE}age < 18 OR smoker = 'yes'"],
            (242, 224, 242),
        ),  # 18 + 2·103
    ],
)
def test_counts_of_the_three_ways(fresh, batch, counts):
    told = fresh.preview_batch(batch)
    wanted = counts if isinstance(counts, dict) else dict(zip((ONE_BY_ONE, BATCH, CROSS_TABLE), counts, strict=True))
    assert counts_of(told) == wanted
    assert [way.factor for way in told.ways] == sorted(way.factor for way in told.ways)
    assert told.cheapest is told.ways[0]
    assert {way.error for way in told.ways} == {0}


@pytest.mark.parametrize("given", [{}, {"error": 9}, {"bits": 3}])
def test_each_way_costs_what_it_says(given):
    """On a fresh ledger, and after something was asked."""
    random = Random(5)
    for past in (None, f"{ONE}edu = 'phd'"):
        batch = [f"{ONE}age >= {random.randrange(10, 80)} AND edu = 'phd'" for _ in range(3)]
        batch += [f"{ONE}edu = 'phd'", f"{ONE}income < {random.randrange(10, 80)}"]
        for name in (ONE_BY_ONE, BATCH, CROSS_TABLE):
            with opened() as curator:
                if past is not None:
                    curator.ask(past)
                way, before = curator.preview_batch(batch, **given)[name], spent(curator)
                if name == ONE_BY_ONE:
                    loud = [curator.ask(each, **given).loud for each in batch]
                elif name == BATCH:
                    loud = [curator.batch(batch, **given)[0].loud]
                else:
                    loud = [curator.ask(way.question, **way_given(given, way)).loud]
                if not any(loud):
                    assert abs(spent(curator) / before - way.factor) < Fraction(1, 2**60)  # rounded up each time
                assert spent(curator) / before <= way.dearest


def way_given(given, way):
    return {"bits": way.factor.bit_length()} if "bits" in given else given


def spent(curator):
    return Fraction(curator.sequence.spent())


def test_the_cross_table_gives_every_answer():
    batch = [
        f"{ONE}age < 30 AND smoker = 'yes'",
        f"{ONE}NOT (income BETWEEN 10 AND 19) AND region = 'south'",
        f"{ONE}income IS NULL OR age = 60",
        f"{ONE}born >= DATE '2000-05-02'",
    ]
    with opened() as curator, opened() as other:
        way = curator.preview_batch(batch)[CROSS_TABLE]
        cells = curator.ask(way.question).rows
        asked = [answer.rows[0].value for answer in other.batch(batch)]

    def total(keep):
        return sum(row["COUNT(*)"].value for row in cells if keep(row))

    assert asked == [
        total(lambda row: row["age_group"] == "under 30" and row["smoker"] == "yes"),
        total(
            lambda row: row["income_group"] in ("under 10", "20 and over") and row["region"] == "south",
        ),
        total(lambda row: row["income_group"] == "missing" or row["age_group"] == "60 to under 61"),
        total(lambda row: row["born_group"] == "2000-05-02 and over"),
    ]


def test_the_comparison_is_the_same_whatever_the_data():
    batch = [*EDU, f"{ONE}age < 30"]
    with opened() as one, opened(shift=17) as two:
        assert repr(one.preview_batch(batch)) == repr(two.preview_batch(batch))
        assert repr(one.preview_batch(batch, error=5)) == repr(two.preview_batch(batch, error=5))
        assert spent(one) == 1
        assert len(one.entries()) == 1


def test_sums_by_cells_keep_their_error_and_it_adds_up(fresh):
    means = [f"SELECT AVG(age) FROM people WHERE edu = '{each}'" for each in ("school", "college", "phd")]
    told = fresh.preview_batch(means, bits=2)
    assert counts_of(told)[BATCH] == 9
    assert told[CROSS_TABLE].question == "SELECT edu, COUNT(*), SUM(age) FROM people GROUP BY edu"
    assert told[CROSS_TABLE].error > 0
    assert "their errors with them" in told[CROSS_TABLE].gives_up


@pytest.mark.parametrize(
    ("batch", "given", "why"),
    [
        (["SELECT MEDIAN(age) FROM people", EDU[0]], {"bits": 3}, "a quantile of age does not follow"),
        ([f"{ONE}age > income", EDU[0]], {}, "compares functions of a row"),
        (["SELECT AVG(age) FROM people"], {"bits": 1}, "no private conditions or groups"),
        (["SELECT age, income, COUNT(*) FROM people GROUP BY 1, 2", EDU[0]], {}, "it would have 37026 cells"),
        (["SELECT FLOOR(age / 10) AS ten, COUNT(*) FROM people GROUP BY ten", EDU[0]], {}, "which is not a column"),
        (EDU, {"error": {"*": 5}}, "give one error= or bits= for all"),
    ],
)
def test_why_there_is_no_cross_table(fresh, batch, given, why):
    told = fresh.preview_batch(batch, **given)
    assert why in told.no_cross_table
    assert why in " ".join(repr(told).split())
    assert {way.name for way in told.ways} == {ONE_BY_ONE, BATCH}
    with pytest.raises(KeyError):
        told[CROSS_TABLE]


def test_what_it_says(fresh):
    told = fresh.preview_batch(EDU)
    assert told.sentence == "cheapest as one batch or as a cross table: 1.585 bits, instead of 3 bits one by one"
    shown = repr(told)
    assert max(map(len, shown.split("\n"))) <= 80
    assert [line for line in shown.split("\n") if line.startswith("│")] == [
        "│ as one batch     │ 3       │ 1.585 bits │ exact         │",
        "│ as a cross table │ 3       │ 1.585 bits │ exact         │",
        "│ one by one       │ 8       │ 3 bits     │ exact         │",
    ]
    assert "<td>as one batch</td><td>3</td><td>1.585 bits</td>" in told._repr_html_()
    quiet = fresh.preview_batch([f"{ONE}age >= {k}" for k in (20, 30)], error=5)
    assert "if loud" in repr(quiet)
    with opened(budget=1) as small:
        assert "the budget does not allow it" in small.preview_batch(EDU).sentence
        assert "1.585 bits: too much" in repr(small.preview_batch(EDU))


def test_bad_batches_are_refused_as_batch_refuses_them(fresh):
    for wrong in ([], "SELECT COUNT(*) FROM people", 5):
        with pytest.raises(nl.QuestionError, match="a batch"):
            fresh.preview_batch(wrong)
    with pytest.raises(nl.UnknownVariableError, match="question 2 of 2: column 'hight' does not exist"):
        fresh.preview_batch([EDU[0], "SELECT AVG(hight) FROM people"], bits=1)
    with pytest.raises(nl.QuestionError, match="question 2 of 2 needs the answer to its subquery first"):
        fresh.preview_batch([EDU[0], f"{ONE}age > (SELECT AVG(age) FROM people)"], bits=1)
    with pytest.raises(nl.BudgetError, match="question 1 of 2: AVG needs bits="):
        fresh.preview_batch(["SELECT AVG(age) FROM people", EDU[0]])
