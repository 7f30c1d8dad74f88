"""Deductions against all tables that fit what was released."""

from __future__ import annotations

from dataclasses import replace
from math import floor
from random import Random

import numpy as np
import pytest

import noiseless as nl
from noiseless.curator.deduce import atoms, inequalities, linear, sources
from noiseless.curator.deduce.deduced import deduced_lines
from noiseless.curator.deduce.facts import Facts
from noiseless.curator.deduce.partition import Axis, Partition
from noiseless.curator.deduce.rows import Rows, of_cells
from noiseless.curator.question.line import releases_of
from tests.laws.deduced_worlds import (
    CONDITIONS,
    GROUPS,
    MEASURES,
    NUMBERS,
    codes_of,
    dataset,
    lines_of,
    released_about,
    tables,
    truth,
    widths_for,
)

SMALLEST = ["COUNT({})", "SUM({})", "AVG({})", "MIN({})", "MEDIAN({})", "QUANTILE({}, 0.7)", "COUNT(DISTINCT {})"]


def drawn(random, numbers=tuple(NUMBERS)):
    number = random.choice(numbers)
    of = random.choice([*MEASURES, *(["*"] * 3 if number == "COUNT({})" else [])])
    return number, of, random.choice(list(CONDITIONS)), random.choice([*GROUPS, "", ""])


def asked(random, numbers=tuple(NUMBERS)):
    """A question that the curator accepts, with its lines."""
    while True:
        question = drawn(random, numbers)
        try:
            return question, lines_of(question, centred=random.random() < 0.3)
        except nl.NoiselessError:
            continue


def known_after(random, questions):
    """The releases of some questions about a random table, and all tables that fit them."""
    rows, fitting = random.choice(tables()), tables()
    known = []
    for question in range(1, questions + 1):
        _, lines = asked(random)
        widths = widths_for(lines, random)
        out = released_about(widths, rows)
        fitting = [table for table in fitting if released_about(widths, table) == out]
        known += [(question, *each) for each in out]
    return known, fitting


def check(lines, question, facts, fitting, smallest=False):
    """The interval of each line contains the number in every table that fits, and is the smallest if it should be."""
    sharp = 0
    for line, (keys, numbers) in zip(lines, deduced_lines(lines, dataset(), facts), strict=True):
        [interval] = numbers.values()
        numbers_there = [truth(line, question, rows) for rows in fitting]
        there = [number for number in numbers_there if number is not None]
        if interval.sure:
            assert len(there) == len(numbers_there), (question, keys)
        if interval.lower is None:
            assert not there, (question, keys)
            continue
        assert all(interval.lower <= number <= interval.upper for number in there), (question, keys, interval)
        if there:
            is_sharp = (interval.lower, interval.upper) == (min(there), max(there))
            sharp += is_sharp
            assert is_sharp or not smallest, (question, keys, interval, min(there), max(there))
    return sharp


def known_cells(random):
    """Exact counts of the cells of a table, and all tables that fit them."""
    rows, groups = random.choice(tables()), random.choice([each for each in GROUPS if each])
    lines = lines_of(("COUNT({})", "*", random.choice(list(CONDITIONS)), groups))
    widths = {release: 1 for line in lines for release in releases_of(line)}
    out = released_about(widths, rows)
    return [(1, *each) for each in out], [table for table in tables() if released_about(widths, table) == out]


def truth_is_inside(seed, change=lambda known: known):
    random = Random(seed)
    known, fitting = known_after(random, random.randint(0, 4))
    facts = Facts.of(change(known))
    for _ in range(4):
        question, lines = asked(random)
        check(lines, question, facts, fitting)


@pytest.mark.parametrize("seed", range(14))
def test_the_truth_is_inside(seed):
    truth_is_inside(seed)


def cells_are_enough(seed, numbers=SMALLEST[:6]):
    random = Random(seed)
    known, fitting = known_cells(random)
    facts = Facts.of(known)
    for _ in range(4):
        question, lines = asked(random, numbers)
        check(lines, question, facts, fitting, smallest=True)


@pytest.mark.parametrize("seed", range(14))
def test_from_exact_counts_the_interval_is_the_smallest(seed):
    cells_are_enough(seed)


AXES = [
    [Axis(("x",), np.array([0, 0, 1, 2]))],
    [Axis(("x",), np.array([0, 1, 1, 0])), Axis(("h",), np.array([0, 0, 1]))],
    [Axis(("x", "h"), np.arange(12) % 5)],
]
"""Labels of codes, a missing x last."""


def cells_of_copy(axes, rows):
    """How many rows are in each cell of a copy: the public cell, and the label on each axis."""
    found = []
    for row in rows:
        codes = codes_of(row)
        places = {"x": 3 if codes["x"] is None else codes["x"], "h": codes["h"]}
        sizes = {"x": 4, "h": 3}
        at = [
            np.ravel_multi_index([places[n] for n in axis.columns], [sizes[n] for n in axis.columns]) for axis in axes
        ]
        found.append((codes["g"], *(int(axis.labels[place]) for axis, place in zip(axes, at, strict=True))))
    return {cell: found.count(cell) for cell in sorted(set(found))}


@pytest.mark.parametrize("seed", range(12))
def test_from_a_copy_the_interval_is_the_smallest(seed):
    random = Random(seed)
    axes, rows = random.choice(AXES), random.choice(tables())
    cells = cells_of_copy(axes, rows)
    keys, counts = np.array([*cells]), np.array([*cells.values()])
    copy = Partition(tuple(axes), keys[:, 0], keys[:, 1:], counts, frozenset({0, 1}), question=7)
    fitting = [table for table in tables() if cells_of_copy(axes, table) == cells]
    for _ in range(4):
        question, lines = asked(random, SMALLEST[:6])
        check(lines, question, Facts.of((), [copy]), fitting, smallest=True)


def test_most_intervals_from_several_releases_are_the_smallest():
    sharp = lines_seen = 0
    for seed in range(200, 212):
        random = Random(seed)
        known, fitting = known_after(random, 3)
        question, lines = asked(random, SMALLEST[:5])
        sharp, lines_seen = sharp + check(lines, question, Facts.of(known), fitting), lines_seen + len(lines)
    assert sharp > lines_seen / 2


def test_nothing_is_read_and_what_a_person_did_not_change_is_the_same():
    """Deductions are a function of what was released: the engine is taken away, and tables that fit are alike."""
    unread = replace(dataset(), engine=None)
    random = Random(5)
    rows = random.choice(tables())
    widths = widths_for(asked(random)[1], random)
    alike = [table for table in tables() if released_about(widths, table) == released_about(widths, rows)][:3]
    assert len(alike) > 1
    for _ in range(3):
        _, wanted = asked(random)
        found = [
            deduced_lines(wanted, unread, Facts.of([(1, *each) for each in released_about(widths, table)]))
            for table in alike
        ]
        assert all(each == found[0] for each in found)


def test_whatever_a_solver_says_nothing_wrong_is_proved(monkeypatch):
    random = np.random.default_rng(3)

    def anything(solver, objective):
        return random.integers(-3, 4, len(solver.system.rows)) / 2, random.integers(0, 3, len(objective)).astype(float)

    monkeypatch.setattr(linear.Solver, "proposed", anything)
    for seed in (0, 3, 5, 6, 7, 9):
        truth_is_inside(seed)


@pytest.mark.parametrize("what", [np.nan, np.inf, -np.inf, 1e300, -1e18])
def test_numbers_that_are_none_prove_nothing_wrong(monkeypatch, what):
    def nothing(solver, objective):
        return np.full(len(solver.system.rows), what), np.full(len(objective), what)

    monkeypatch.setattr(linear.Solver, "proposed", nothing)
    for seed in (0, 3, 5):
        truth_is_inside(seed)


def test_with_too_many_boxes_the_declared_ranges_remain(monkeypatch):
    monkeypatch.setattr(atoms, "MOST_ATOMS", 3)
    for seed in (1, 2, 4):
        truth_is_inside(seed)


def caught(run, seeds=range(40), *given):
    """Whether some interval is wrong."""
    for seed in seeds:
        try:
            run(seed, *given)
        except AssertionError:
            return True
    return False


def test_what_is_open_is_not_false(monkeypatch):
    def two_valued(*given):
        found = of_cells(*given)
        return Rows(*(each[found.sure] for each in (found.counts, found.sure, found.low, found.high)))

    monkeypatch.setattr(sources, "of_cells", two_valued)
    assert caught(cells_are_enough)


def test_a_solver_is_not_rounded_inward(monkeypatch):
    monkeypatch.setattr(inequalities, "ceil", lambda bound: floor(bound) + 1)
    assert caught(truth_is_inside)


def test_a_fact_of_another_public_cell_is_no_fact():
    def elsewhere(known):
        return [(number, release.in_cell(1 - release.part.cells[0]), *rest) for number, release, *rest in known]

    assert caught(truth_is_inside, range(40), elsewhere)


def test_ranks_are_tried_for_all_numbers_of_rows(monkeypatch):
    def all_ends(rows, share):
        """As if all rows that may count did."""
        return Rows(rows.counts, np.ones_like(rows.sure), rows.low, rows.high)._between_ranks(
            *[lambda people: np.maximum(1, -(-share.numerator * people // share.denominator))] * 2
        )

    monkeypatch.setattr(Rows, "ranked", all_ends)
    assert caught(cells_are_enough, range(60), ["MEDIAN({})", "QUANTILE({}, 0.7)"])
