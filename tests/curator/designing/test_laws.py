"""What a design announces, against all tables: by brute force over every way that rows can lie in its cells."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from random import Random

import numpy as np
import pandas as pd
import pytest

import noiseless as nl
from noiseless.curator.deduce.deduced import deduced_lines
from noiseless.curator.deduce.facts import Facts
from noiseless.curator.deduce.partition import Axis, Partition
from noiseless.curator.designing import served
from noiseless.curator.designing.base import Base
from noiseless.curator.designing.division import Division
from noiseless.curator.designing.expected import share_of
from noiseless.curator.designing.served import HALF, from_base
from noiseless.curator.designing.wanted import Number, numbers_of
from noiseless.curator.designing.workload import wishes
from noiseless.curator.question.reading import meaning

ROWS = 3
SCHEMA = nl.Schema(
    age=nl.Integer(0, 3, missing="apart"),
    pay=nl.Real(0, 1, step="0.5"),
    smoker=nl.Category("no", "yes", missing="?"),
    g=nl.Public("n", "s"),
)
QUESTIONS = [
    "SELECT COUNT(*) FROM t WHERE age >= 2",
    "SELECT COUNT(*) FROM t WHERE age >= 2 AND smoker = 'yes'",
    "SELECT COUNT(age) FROM t",
    "SELECT AVG(age) FROM t",
    "SELECT AVG(age) FROM t WHERE smoker = 'no'",
    "SELECT MEDIAN(age) FROM t WHERE pay > 0 OR smoker = 'yes'",
    "SELECT SUM(pay) FROM t",
    "SELECT MAX(pay), MIN(age) FROM t WHERE NOT smoker = 'yes'",
    "SELECT smoker, COUNT(*) FROM t GROUP BY smoker",
    "SELECT AVG(2 * age + 1) FROM t WHERE age <> 1",
    "SELECT VAR_POP(pay) FROM t",
    "SELECT g, AVG(pay) FROM t WHERE smoker IS NOT NULL GROUP BY g",
]


def table(rows):
    ages, pays, smokers = [None, 0, 1, 2, 3], [0, 0.5, 1], ["no", "yes", None]
    return pd.DataFrame(
        {
            "age": pd.array([ages[row % 5] for row in rows], "Int64"),
            "pay": [pays[row % 3] for row in rows],
            "smoker": [smokers[row // 2 % 3] for row in rows],
            "g": ["n" for _ in rows],
        }
    )


@pytest.fixture(scope="module")
def curator():
    with nl.Curator.open(table(range(ROWS)), SCHEMA, budget=10, table="t") as curator:
        yield curator


def worst_found(curator, base, texts):
    """The largest share of each question over all ways to put the rows into cells, deduced from these alone."""
    dataset, axes = curator._dataset, tuple(Axis((each.name,), np.array(each.labels)) for each in base.divisions)
    places = [*product(*(range(axis.size) for axis in axes))]
    lines = [meaning(text, dataset, centred=True)[1] for text in texts]
    before = [deduced_lines(each, dataset, Facts.of()) for each in lines]
    largest = [0.0] * len(texts)
    for cells in combinations_with_replacement(range(len(places)), ROWS):
        found, counts = np.unique(cells, return_counts=True)
        labels = np.array([places[cell] for cell in found]).reshape(len(found), len(axes))
        facts = Facts.of((), [Partition(axes, np.zeros(len(found), int), labels, counts, frozenset([0]), 1)])
        for place, each in enumerate(lines):
            largest[place] = max(largest[place], share_of(deduced_lines(each, dataset, facts), before[place]))
    return largest


def broken(curator, base):
    """The questions whose announced share is below what is deduced from some table."""
    numbers = numbers_of(wishes(QUESTIONS), curator._dataset)
    announced = from_base(wishes(QUESTIONS), numbers, base.divisions)
    found = worst_found(curator, base, QUESTIONS)
    return [each.wish.text for each, worst in zip(announced, found, strict=True) if worst > float(each.sure) + 1e-9]


BASES = [
    Base(()),
    Base((Division("age", (0, 0, 1, 1, 2)),)),
    Base((Division("age", (0, 0, 1, 1, 1)), Division("smoker", (0, 1, 1)))),
    Base((Division("age", (0, 1, 1, 0, 2)), Division("pay", (0, 1, 1)))),
    Base((Division("pay", (0, 0, 1)), Division("smoker", (0, 1, 2)))),
]


@pytest.mark.parametrize("base", BASES)
def test_no_table_is_worse_than_announced(curator, base):
    assert not broken(curator, base)


@pytest.mark.parametrize("base", BASES[1:])
def test_some_table_is_as_bad_as_announced(curator, base):
    """Where cells decide which rows count, and an error is announced. Values off the grid are left out."""
    numbers = numbers_of(wishes(QUESTIONS), curator._dataset)
    announced = from_base(wishes(QUESTIONS), numbers, base.divisions)
    for each, worst in zip(announced, worst_found(curator, base, QUESTIONS), strict=True):
        if each.share < HALF and "pay" not in each.wish.text:
            assert worst == pytest.approx(float(each.share)), each.wish.text


def test_narrower_cells_than_there_are_would_be_noticed(curator, monkeypatch):
    right = Number.error
    monkeypatch.setattr(Number, "error", lambda self, span: right(self, max(0, span - 1)))
    assert any(broken(curator, base) for base in BASES)


def test_open_cells_taken_for_decided_ones_would_be_noticed(curator, monkeypatch):
    monkeypatch.setattr(served, "decided", lambda number, labels: number.readings is not None)
    assert any(broken(curator, base) for base in BASES)


@pytest.mark.parametrize("bits", [2, 4])
def test_designs_keep_what_they_announce_and_charge_what_they_said(bits):
    for rows in (range(3), [4, 4, 4], [0, 7, 14]):
        with nl.Curator.open(table(rows), SCHEMA, budget=10, table="t") as curator:
            plan = curator.design(QUESTIONS, bits=bits)
            assert plan.cost <= bits
            assert rows != [4, 4, 4] or not broken(curator, plan.base)  # one table is enough: they are the same
            published = plan.publish()
            assert Fraction(published.factor) == Fraction(plan.price) * np.prod([1, *(e.price for e in plan.asked)])
            assert curator.sequence.spent() == published.factor
            for each in plan.served:
                before = curator.remaining
                answer = curator.deduce(each.wish.text)
                assert (answer.factor, curator.remaining) == (1, before)


@pytest.mark.parametrize("given", [{}, {"prior": {"age": {"0 to 1": 0.9}, "pay": "normal(0, 1)"}}, {"copy": True}])
def test_the_data_make_no_difference(given):
    told = set()
    for rows in (range(3), [4, 4, 4], [0, 7, 14]):
        with nl.Curator.open(table(rows), SCHEMA, budget=10, table="t") as curator:
            told.add(str(curator.design(QUESTIONS, bits=4, **given).fields()))
    assert len(told) == 1


def test_a_copy_with_the_designed_cells(tmp_path):
    with nl.Curator.open(table(range(3)), SCHEMA, budget=10, table="t") as curator:
        plan = curator.design(QUESTIONS, bits=5, copy=True)
        with pytest.raises(nl.errors.SourceError, match="to="):
            plan.publish()
        made = plan.publish(tmp_path / "o.parquet").base
        assert made.guarantee.count == plan.base.cells == plan.price
        assert nl.verify(made.certificate, file=tmp_path / "o.parquet")
        answer = curator.deduce("SELECT COUNT(*) FROM t WHERE age >= 2")
        assert made.entry in answer.facts


def partitions(codes):
    """All ways to give labels to a number of codes."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(codes):
        found = [(*labels, label) for labels in found for label in range(max(labels, default=-1) + 2)]
    return found


SMALL = nl.Schema(age=nl.Integer(0, 4), smoker=nl.Category("no", "yes"), pay=nl.Integer(0, 3))
CONDITIONS = ["age >= 2", "age = 1", "smoker = 'yes'", "pay < 2", "age >= 3 AND smoker = 'no'", "pay = 3 OR age < 1"]
MEASURED = ["COUNT(*)", "AVG(age)", "AVG(pay)", "MEDIAN(age)"]


def distance(seed, bits):
    """How far the losses of a design are from the best of all cross tables, for a random workload."""
    random = Random(seed)
    texts = [f"SELECT {random.choice(MEASURED)} FROM t WHERE {random.choice(CONDITIONS)}" for _ in range(5)]
    given = {text: random.randint(1, 3) for text in texts}
    rows = pd.DataFrame({"age": [0, 1], "smoker": ["no", "yes"], "pay": [1, 2]})
    with nl.Curator.open(rows, SMALL, budget=10, table="t") as curator:
        plan = curator.design(given, bits=bits)
        numbers = numbers_of(wishes(given), curator._dataset)
    every = [[Division(name, labels) for labels in partitions(c.values)] for name, c in SMALL.private.items()]
    best = None
    for base in product(*every):
        if np.prod([each.cells for each in base]) <= 2**bits:
            losses = [each.loss for each in from_base(wishes(given), numbers, base)]
            key = max(losses), sum(losses)
            best = key if best is None or key < best else best
    found = [each.loss for each in plan.served]
    return float(max(found) - best[0]), float(sum(found) - best[1])


def test_the_search_finds_the_best_cross_table(record_property):
    """It may do better than all of them by asking questions, and no worse than the best by more than is said here."""
    found = [distance(seed, bits) for seed in range(3) for bits in (2, 3)]
    record_property("distances to the optimum", str(found))
    assert max(found) <= (0, 0)
