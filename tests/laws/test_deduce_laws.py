"""Deductions against all tables that fit what was released."""

from __future__ import annotations

from random import Random

import pytest

import noiseless as nl
from noiseless.curator.deduce.deduced import deduced_lines
from noiseless.curator.deduce.facts import Facts
from tests.laws.deduced_worlds import (
    CONDITIONS,
    GROUPS,
    MEASURES,
    NUMBERS,
    dataset,
    lines_of,
    tables,
    told,
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
        out = told(widths, rows)
        fitting = [table for table in fitting if told(widths, table) == out]
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


@pytest.mark.parametrize("seed", range(40))
def test_the_truth_is_inside(seed):
    random = Random(seed)
    known, fitting = known_after(random, random.randint(0, 4))
    facts = Facts.of(known)
    for _ in range(6):
        question, lines = asked(random)
        check(lines, question, facts, fitting)
