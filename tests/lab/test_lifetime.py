"""How many questions a budget answers: the fast prices are a curator's, and the rest is known by hand."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import islice
from math import exp, floor, log, log2

import numpy as np
import pytest

import noiseless as nl
from noiseless.lab.datasets.people import grouped
from noiseless.lab.datasets.twins import twin_grouped
from noiseless.lab.lifetime import noise, priced
from noiseless.lab.lifetime.asked import Kind
from noiseless.lab.lifetime.equal import equal_answers, in_equal_bins
from noiseless.lab.lifetime.filters import SELECTIVITY, private_filters, public_filters
from noiseless.lab.lifetime.people import People, surveyed, synthetic
from noiseless.lab.lifetime.priced import Spending, lifetime
from noiseless.lab.lifetime.runs import Summary, kinds
from tests.curator.small import fresh

BITS = 5
ONE = Fraction(1)
KINDS = [
    Kind("mean", True, ONE),
    Kind("mean", False, ONE),
    Kind("mean", True, ONE, stable=True),
    Kind("mean", False, ONE, stable=True),
    Kind("count", True, Fraction(20)),
    Kind("count", True, Fraction(20), stable=True),
    Kind("median", True, Fraction(0)),
    Kind("median", False, Fraction(0)),
]
TABLES = {"synthetic": lambda: synthetic(1500, 0, columns=2, regions=3), "survey": lambda: surveyed(twin_grouped(700))}


@cache
def people(table: str) -> People:
    return TABLES[table]()


@cache
def opened(table: str) -> nl.Curator:
    return nl.Curator.open(people(table).table(), people(table).schema, 1, table="people")


def asked_of_a_curator(table: str, kind: Kind, most: int) -> tuple[int, int, float | None]:
    """How many questions a real curator answers, how many within the error, and what is left.

    What is left is None if the last one was refused before its first step, where the prices go one step further.
    """
    curator, answered, kept = fresh(opened(table), BITS), 0, 0
    for question in islice(kind.questions(people(table), 0), most):
        try:
            [row] = curator.ask(question.sql(people(table)), **question.terms).rows
        except nl.BudgetExceededError as refused:
            if "all steps" in str(refused):
                return answered, kept, None
            break
        except nl.BudgetError:  # too few people are left
            continue
        answered += 1
        kept += row.value is not None and row.upper - row.lower <= 2 * kind.error + Fraction(1, 100)
    return answered, kept, BITS - log2(curator.sequence.spent())


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.name} {kind.private} {kind.stable}")
def test_prices_are_those_of_a_curator(kind, table):
    """As many answers, and as much left, to the last bit."""
    most = 25
    found = lifetime(people(table), islice(kind.questions(people(table), 0), most), BITS)
    *answers, left = asked_of_a_curator(table, kind, most)
    assert [found.answered, found.kept] == answers
    assert left in (None, found.left)
    assert sum(found.spent.values()) == pytest.approx(BITS - found.left) or not kind.private


def test_another_price_is_noticed(monkeypatch):
    kind = KINDS[4]
    monkeypatch.setattr(priced, "is_loud", lambda width, released: False)
    found = lifetime(people("synthetic"), islice(kind.questions(people("synthetic"), 0), 25), BITS)
    assert (found.answered, found.kept, found.left) != asked_of_a_curator("synthetic", kind, 25)


@pytest.mark.parametrize("kind", kinds({"mean": ONE, "count": ONE, "median": Fraction(0)}), ids=str)
def test_equal_bins(kind):
    """A curator charges the same count for bins that keep the error."""
    table = people("synthetic")
    [question] = islice(kind.questions(table, 0), 1)
    count = equal_answers(kind, table)
    terms = {} if kind.name == "count" else {"bits": log2(count) + 1e-9}
    answer = fresh(opened("synthetic"), 16).ask(question.sql(table), **terms)
    assert answer.factor == count
    [row] = answer.rows
    assert row.upper - row.lower <= 2 * kind.error
    curator, answered = fresh(opened("synthetic"), BITS), 0
    with suppress(nl.BudgetExceededError):
        for question in kind.questions(table, 0):
            curator.ask(question.sql(table), **terms)
            answered += 1
    assert in_equal_bins(table, kind.questions(table, 0), BITS) == answered
    if kind.private:
        assert answered == floor(BITS / log2(count) + 1e-9)


def test_laplace():
    """Counts to ±100: b = 100/ln 20, so 33 answers. Means: the range over the people, times ln 20."""
    table = people("synthetic")
    counts = Kind("count", True, Fraction(100))
    assert noise.with_noise(table, counts.questions(table, 0)) == floor(100 / log(20)) == 33
    [question] = islice(Kind("mean", False, ONE).questions(table, 0), 1)
    people_asked = table.count(question.about)
    assert noise.laplace_epsilon(table, question) == pytest.approx(150 / people_asked * log(20))


def test_exponential_mechanism():
    """Ten people of 0, one of 1 and nine of 2 years: the median is 0, one move from being 1 too."""
    utility, medians = noise.utilities(np.array([[11.0, 1.0, 9.0], [2.0, 5.0, 2.0]]))
    assert medians.tolist() == [0, 1]
    assert utility.tolist() == [[0, -0.5, -1.5], [-2.5, 0, -2.5]]
    weights = [1, exp(-0.25), exp(-0.75)]
    right = (weights[0] / sum(weights) + 1 / (1 + 2 * exp(-1.25))) / 2
    assert noise._right(utility, medians, 1.0) == pytest.approx(right)


def test_a_person_moves_the_utility_by_at_most_one():
    draw = np.random.default_rng(0)
    for _ in range(200):
        tally = draw.integers(0, 4, 5).astype(float)
        here, there = draw.integers(0, 5, 2)
        other = tally.copy()
        other[there] += 1
        if draw.random() < 0.5 and tally[here]:
            other[here] -= 1
        if min(tally.sum(), other.sum()):
            one, two = noise.utilities(tally[None])[0], noise.utilities(other[None])[0]
            assert abs(one - two).max() <= 1


def test_the_median_needs_the_epsilon_that_it_gets():
    table, kind = people("synthetic"), KINDS[6]
    questions = list(islice(kind.questions(table, 0), 30))
    tallies = np.stack([table.tally(each.about, each.column) for each in questions]).astype(float)
    needed = noise.median_epsilon(table, questions)
    assert (
        noise._right(*noise.utilities(tallies), needed) >= 0.95 > noise._right(*noise.utilities(tallies), needed / 1.01)
    )


def test_filters_follow_from_the_seed():
    table = people("synthetic")
    first = list(islice(private_filters(0, table.weight, 2), 200))
    assert first == list(islice(private_filters(0, table.weight, 2), 200))
    assert first != list(islice(private_filters(1, table.weight, 2), 200))
    assert len(set(first)) == 200
    shares = [table.count(asked) / table.size for _, asked in first]
    assert SELECTIVITY[0] <= min(shares) < 0.3 < 0.7 < max(shares) <= SELECTIVITY[1] + 0.01
    halves = [table.count(asked) / table.size for _, asked in islice(private_filters(0, table.weight, 2, 0.5), 50)]
    assert 0.44 < min(halves) < 0.48 < 0.52 < max(halves) < 0.57
    assert {len(asked.regions) for _, asked in islice(public_filters(0, 10, 2), 99)} == set(range(2, 9))
    assert len(list(public_filters(0, 3, 1))) == 6  # of three regions one or two


@pytest.mark.parametrize("private", [False, True])
def test_sums_are_those_of_the_rows(private):
    table = people("synthetic")
    for question in islice(Kind("mean", private, ONE).questions(table, 3), 5):
        about, column = question.about, question.column
        rows = (
            (table.weight >= about.low) & (table.weight <= about.high)
            if private
            else np.isin(table.region, about.regions)
        )
        assert table.count(about) == rows.sum()
        assert table.total(about, column) == table.heights[column][rows].sum()
        assert table.tally(about, column).tolist() == np.bincount(table.ages[column][rows], minlength=101).tolist()


def test_summary():
    found = Summary((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 22))
    assert (found.mean, found.median, found.decile) == (7, 6, 2)


def test_a_budget_of_nothing():
    spending = Spending(people("survey"), 0)
    [question] = islice(KINDS[0].questions(people("survey"), 0), 1)
    assert not spending.ask(question)
    assert spending.answered == 0


@pytest.mark.parametrize("name", ["count", "mode"])
def test_bad_kinds(name):
    with pytest.raises(nl.InputError, match="kind of question"):
        Kind(name, False, ONE)


def test_the_survey_in_groups(tmp_path):
    """People without a height, an age or a group are left out; every group is a combination of three columns."""
    file = tmp_path / "responses.csv"
    file.write_text(
        "Height,Weight,Age,Gender,Village - town,Only child\n"
        "170,60,20,female,village,no\n180,80,21,male,city,yes\n,70,20,male,city,no\n165,55,19,,city,no\n"
    )
    found = grouped(file)
    assert found.columns["region"].tolist() == [0, 7]
    assert found.columns["age"].tolist() == [20, 21]
    assert found.origin == "responses.csv: 2 of 4 people gave height, weight, age and group"
    file.write_text("Height,Weight,Age,Gender,Village - town\n1,2,3,male,city\n")
    with pytest.raises(nl.SourceError, match="Only child"):
        grouped(file)
