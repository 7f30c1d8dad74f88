"""`deduce`, and what `ask` and `preview` make of what follows already."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from itertools import product
from typing import Any

import pandas as pd
import pytest

import noiseless as nl
from noiseless.curator.deducing import Deducing

N = 60
ROWS: dict[str, list[Any]] = {
    "age": [20 + 7 * k % 31 for k in range(N)],
    "pay": [None if k % 9 == 0 else 100 * (k * k % 23) for k in range(N)],
    "born": [date(2020, 1, 1) + timedelta(days=11 * k % 90) for k in range(N)],
    "ill": ["yes" if k % 4 == 0 else "no" for k in range(N)],
    "region": ["north" if k % 3 else "south" for k in range(N)],
}
SCHEMA = nl.Schema(
    age=nl.Integer(20, 50),
    pay=nl.Real(0, 2200, step=100, missing="apart"),
    born=nl.Date("2020-01-01", "2020-03-31"),
    ill=nl.Category("no", "yes"),
    region=nl.Public("north", "south"),
)


@pytest.fixture
def curator():
    with nl.Curator.open(pd.DataFrame(ROWS), SCHEMA, budget=100, table="people") as opened:
        yield opened


def only(answer: nl.Answer) -> Any:
    return next(iter(answer.rows[0].values()))


def test_before_anything_was_asked_only_the_declared_ranges_are_known(curator):
    found = curator.deduce("SELECT COUNT(*) FROM people WHERE age >= 30")
    assert (only(found).lower, only(found).upper, found.facts, found.cost) == (0, N, (), 0)
    mean = only(curator.deduce("SELECT AVG(age) FROM people"))
    assert (mean.lower, mean.upper, mean.sure) == (20, 50, True)
    assert curator.preview("SELECT AVG(age) FROM people", error=1).deduced is None


def test_a_histogram_answers_everything_about_its_column(curator):
    paid = curator.ask("SELECT age, COUNT(*) FROM people GROUP BY age")
    before = curator.remaining
    ages = ROWS["age"]
    wanted = {
        "SELECT COUNT(*) FROM people WHERE age BETWEEN 25 AND 40": sum(25 <= each <= 40 for each in ages),
        "SELECT SUM(age) FROM people": sum(ages),
        "SELECT AVG(age) FROM people WHERE age > 30": Fraction(
            sum(each for each in ages if each > 30), sum(each > 30 for each in ages)
        ),
        "SELECT MEDIAN(age) FROM people": sorted(ages)[(N + 1) // 2 - 1],
        "SELECT MAX(age) FROM people WHERE age < 33": max(each for each in ages if each < 33),
    }
    for sql, truth in wanted.items():
        asked = curator.ask(sql)
        assert only(asked).exact
        assert only(asked).value == truth
        assert (asked.cost, asked.entry, asked.facts, asked.guarantee.count) == (0, 0, (paid.entry,), 1)
        assert not nl.verify(asked.certificate).unproved
    assert curator.remaining == before
    assert len(curator.entries()) == 3  # open, ask and answer


def test_a_question_is_bought_if_what_follows_is_not_precise_enough(curator):
    first = curator.ask("SELECT AVG(age) FROM people", error=2)
    free = curator.ask("SELECT AVG(age) FROM people", error=3)
    assert (free.cost, free.entry) == (0, first.entry)
    total = curator.ask("SELECT SUM(age) FROM people", error=3 * N)
    assert total.cost == 0
    assert only(free).upper - only(free).lower <= 4
    bought = curator.ask("SELECT AVG(age) FROM people WHERE region = 'north'", error=2)
    assert bought.cost > 0
    assert bought.entry == 2


def test_a_repeat_recalls_its_own_entry(curator):
    sql = "SELECT COUNT(*) FROM people WHERE age >= 30"
    first = curator.ask(sql)
    again = curator.ask(sql)
    assert (again.entry, again.facts, again.certificate.content["ledger"]["entry"]) == (
        first.entry,
        (),
        first.certificate.content["ledger"]["entry"],
    )


def test_exact_numbers_of_no_rows_or_of_uncertain_rows_are_not_free(curator):
    curator.ask("SELECT ill, COUNT(*) FROM people GROUP BY ill")
    uncertain = curator.deduce("SELECT MIN(age) FROM people WHERE ill = 'yes' AND age < 25")
    assert not only(uncertain).sure
    assert curator.ask("SELECT COUNT(*) FROM people WHERE ill = 'yes' AND age < 25").cost > 0


def test_bits_of_zero_only_deduce(curator):
    curator.ask("SELECT AVG(age) FROM people", error=2)
    for zero in (0, "0", 0.0, Fraction(0)):
        found = curator.ask("SELECT SUM(age) FROM people", bits=zero)
        assert found.cost == 0
        assert found.facts == (1,)
        assert only(found).lower < sum(ROWS["age"]) < only(found).upper
    assert len(curator.entries()) == 3
    with pytest.raises(nl.BudgetError, match="not both"):
        curator.ask("SELECT SUM(age) FROM people", bits=0, error=1)


def test_what_is_bought_is_cut_to_what_is_known():
    cut = 0
    for least in range(30, 48):
        with nl.Curator.open(pd.DataFrame(ROWS), SCHEMA, budget=100, table="people", store=":memory:") as curator:
            known = curator.ask("SELECT age, COUNT(*) FROM people GROUP BY age")
            kept = f"age >= {least} AND NOT (ill = 'yes' AND region = 'south')"
            bought = curator.ask(f"SELECT COUNT(*) FROM people WHERE {kept}", error=2)
            if not bought.entry or not bought.facts:
                continue
            cut += 1
            recorded = curator.recall(bought.entry)
            rows = zip(ROWS["age"], ROWS["ill"], ROWS["region"], strict=True)
            truth = sum(age >= least and not (ill == "yes" and region == "south") for age, ill, region in rows)
            assert bought.facts == (known.entry,)
            assert only(recorded).lower <= only(bought).lower <= truth <= only(bought).upper <= only(recorded).upper
            assert only(bought) != only(recorded)
            assert recorded.certificate.content["answer"] == bought.certificate.content["answer"]
            assert "narrower" in repr(bought)
    assert cut


@pytest.mark.parametrize(
    ("asked", "follows"),
    [
        (["age >= 30"], "age < 30"),
        (["age < 30", "age < 40"], "age BETWEEN 30 AND 39"),
        (["ill = 'yes' AND age < 30", "ill = 'yes' AND age >= 30"], "ill = 'yes'"),
        (["age >= 30 AND region = 'north'", "age >= 30 AND region = 'south'"], "age >= 30"),
        (["age >= 30 AND region = 'north'", "age >= 30"], "age < 30 AND region = 'south'"),
        (["pay > 500"], "NOT pay > 500 OR pay IS NULL"),
    ],
)
def test_counts_that_follow_from_counts_are_free(curator, asked, follows):
    for condition in asked:
        assert curator.ask(f"SELECT COUNT(*) FROM people WHERE {condition}").cost > 0
    free = curator.ask(f"SELECT COUNT(*) FROM people WHERE {follows}")
    assert (free.cost, free.entry, free.facts) == (0, 0, tuple(range(1, len(asked) + 1)))
    assert only(free).exact
    assert nl.verify(free.certificate).unproved == 0


def test_what_public_groups_add_up_to_is_free(curator):
    truth = Fraction(sum(ROWS["age"]), N)
    known = curator.ask("SELECT region, AVG(age) FROM people GROUP BY region", error="0.5")
    free = curator.ask("SELECT AVG(age) FROM people", error="0.5")
    assert (free.entry, free.facts) == (0, (known.entry,))
    assert only(free).lower <= truth <= only(free).upper


def test_what_public_groups_add_up_to_cuts_what_is_bought():
    truth, cut = Fraction(sum(ROWS["age"]), N), 0
    for hundredths in range(18, 45, 3):
        with nl.Curator.open(pd.DataFrame(ROWS), SCHEMA, budget=100, table="people", store=":memory:") as curator:
            curator.ask("SELECT region, AVG(age) FROM people GROUP BY region", error="0.5")
            bought = curator.ask("SELECT AVG(age) FROM people", error=Fraction(hundredths, 100))
            if not bought.facts or not bought.entry:
                continue
            cut += 1
            recorded = curator.recall(bought.entry)
            assert only(recorded).lower <= only(bought).lower <= truth <= only(bought).upper <= only(recorded).upper
            assert only(bought) != only(recorded)
            assert recorded.certificate.content["answer"] == bought.certificate.content["answer"]
            assert "narrower" in repr(bought)
    assert cut


def test_a_preview_says_what_is_already_certain(curator):
    curator.ask("SELECT age, COUNT(*) FROM people GROUP BY age")
    told = curator.preview("SELECT COUNT(*) FROM people WHERE ill = 'yes' AND age > 30")
    assert told.deduced is not None
    assert told.deduced.facts == (1,)
    assert "already certain" in repr(told)
    assert told.cost > 0


def test_dates_texts_and_groups(curator):
    curator.ask("SELECT region, born, COUNT(*) FROM people GROUP BY region, born")
    found = curator.deduce(
        "SELECT region, MIN(born) AS first, MAX(born) AS last, "
        "COUNT(*) FILTER (WHERE born > DATE '2020-02-01') AS late FROM people GROUP BY region ORDER BY region"
    )
    for row in found.rows:
        own = [day for day, region in zip(ROWS["born"], ROWS["region"], strict=True) if region == row["region"]]
        assert row["first"].value == min(own)
        assert row["last"].value == max(own)
        assert row["late"].value == sum(day > date(2020, 2, 1) for day in own)
    assert nl.verify(found.certificate).count == 1


def test_missing_values_are_no_numbers(curator):
    curator.ask("SELECT pay, COUNT(*) FROM people GROUP BY pay")
    pays = [each for each in ROWS["pay"] if each is not None]
    found = curator.deduce("SELECT COUNT(*) AS n, COUNT(pay) AS known, AVG(pay) AS mean FROM people")
    row = found.rows[0]
    assert (row["n"].value, row["known"].value) == (N, len(pays))
    assert row["mean"].lower <= Fraction(sum(pays), len(pays)) <= row["mean"].upper
    assert row["mean"].upper - row["mean"].lower < 101  # half a step on both sides


def test_subqueries_must_follow_exactly(curator):
    sql = "SELECT COUNT(*) FROM people WHERE age > (SELECT AVG(age) FROM people)"
    with pytest.raises(nl.QuestionError, match="ask it first"):
        curator.deduce(sql)
    curator.ask("SELECT age, COUNT(*) FROM people GROUP BY age")
    mean = Fraction(sum(ROWS["age"]), N)
    assert only(curator.deduce(sql)).value == sum(each > mean for each in ROWS["age"])


def test_nothing_private_is_read(curator, monkeypatch):
    """A law: what is deduced is a function of the ledger and of public facts."""
    curator.ask("SELECT age, COUNT(*) FROM people GROUP BY age")
    curator.ask("SELECT AVG(age) FROM people WHERE region = 'north'", bits=2)

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("private data were read")

    for name in ("fetch", "grouped"):
        monkeypatch.setattr(curator._dataset.engine, name, refused)
    for sql in ("SELECT AVG(age) FROM people WHERE ill = 'no'", "SELECT region, SUM(pay) FROM people GROUP BY region"):
        curator.deduce(sql)
        curator.preview(sql, bits=3).deduced  # noqa: B018  it is found on first use


def test_tables_with_the_same_answers_have_the_same_deductions():
    """Whatever a person's data are: if the released facts are the same, so is all that follows."""
    asked = ["SELECT COUNT(*) FROM t WHERE x >= 2", "SELECT SUM(x) FROM t"]
    derived = [
        "SELECT AVG(x) FROM t WHERE x >= 1",
        "SELECT MEDIAN(x), MIN(x), MAX(x), VAR_POP(x) FROM t",
        "SELECT COUNT(*) FROM t WHERE x = 3",
    ]
    schema = nl.Schema(x=nl.Integer(0, 3), g=nl.Public("a"))
    known: dict[Any, Any] = {}
    for values in product(range(4), repeat=3):
        with nl.Curator.open(
            pd.DataFrame({"x": values, "g": ["a"] * 3}), schema, budget=50, table="t", store=":memory:"
        ) as opened:
            answers = tuple(
                str(dict(opened.ask(sql, **given).rows[0])) for sql, given in zip(asked, ({}, {"bits": 1}), strict=True)
            )
            found = [str([dict(row) for row in opened.deduce(sql).rows]) for sql in derived]
        assert known.setdefault(answers, found) == found
    assert len(known) > 3


def test_every_true_number_is_inside_whatever_was_asked():
    """All tables of three people; answers of several kinds; the truth of everything that is deduced."""
    schema = nl.Schema(x=nl.Integer(0, 2), y=nl.Category("a", "b"), g=nl.Public("p", "q"))
    menus: list[list[tuple[str, dict[str, Any]]]] = [
        [("SELECT x, COUNT(*) FROM t GROUP BY x", {})],
        [("SELECT g, SUM(x) FROM t GROUP BY g", {"bits": 1}), ("SELECT COUNT(*) FROM t WHERE y = 'a'", {})],
        [("SELECT MEDIAN(x) FROM t", {"bits": 1}), ("SELECT y, COUNT(*) FROM t GROUP BY y", {})],
    ]
    for xs in product(range(3), repeat=3):
        for place, ys in enumerate(("aab", "bba")):
            menu = menus[(sum(xs) + place) % len(menus)]
            frame = pd.DataFrame({"x": xs, "y": list(ys), "g": ["p", "p", "q"]})
            with nl.Curator.open(frame, schema, budget=50, table="t", store=":memory:") as opened:
                for sql, given in menu:
                    opened.ask(sql, **given)
                count = only(opened.deduce("SELECT COUNT(*) FROM t WHERE x >= 1 AND y = 'a'"))
                truth = sum(x >= 1 and y == "a" for x, y in zip(xs, ys, strict=True))
                assert count.lower <= truth <= count.upper
                middle = only(opened.deduce("SELECT MEDIAN(x) FROM t WHERE g = 'p'"))
                assert middle.lower <= sorted(xs[:2])[0] <= middle.upper
                total = only(opened.deduce("SELECT SUM(x) FROM t WHERE y = 'b'"))
                assert total.lower <= sum(x for x, y in zip(xs, ys, strict=True) if y == "b") <= total.upper


def test_what_ask_refuses_is_refused(curator):
    with pytest.raises(nl.UnknownVariableError):
        curator.deduce("SELECT AVG(nothing) FROM people")
    with pytest.raises(nl.QuestionError):
        curator.deduce("DROP TABLE people")


def test_a_deducing_of_its_own_says_the_same(curator):
    curator.ask("SELECT age, COUNT(*) FROM people GROUP BY age")
    own = Deducing(curator._dataset, curator._account)
    sql = "SELECT AVG(age) FROM people WHERE age > 30"
    assert repr(own.answer(own.deduction(sql))) == repr(curator.deduce(sql))


def test_nothing_is_deduced_of_what_cannot_be_narrower(curator, monkeypatch):
    """The first question about its columns, and exact answers once they are bought."""
    deduced, calls = Deducing._from, []

    def counted(self: Deducing, *given: Any, **terms: Any) -> Any:
        calls.append(given)
        return deduced(self, *given, **terms)

    def asked(sql: str, **given: Any) -> int:
        before = len(calls)
        curator.ask(sql, **given)
        return len(calls) - before

    monkeypatch.setattr(Deducing, "_from", counted)
    assert asked("SELECT AVG(age) FROM people", bits=1) == 0
    assert asked("SELECT AVG(age) FROM people WHERE age > 30", bits=2) == 0  # no table was released
    assert asked("SELECT COUNT(*) FROM people WHERE age > 41") == 1  # before it is bought
    assert asked("SELECT AVG(age) FROM people WHERE age > 35", error=9) == 1  # and it follows
    assert asked("SELECT AVG(age) FROM people WHERE age > 41", error=2) == 2  # before, and afterwards
    curator.ask("SELECT age, COUNT(*) FROM people GROUP BY age")
    assert asked("SELECT AVG(age) FROM people WHERE ill = 'no' AND age < 40", bits=2) == 1
