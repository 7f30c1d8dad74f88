"""Questions of several steps and at stable levels, through the curator: one person's data cause at most 2^budget
transcripts, and at every step the weights of what they can cause sum to at most 1.

Everything that is seen counts, and strategies are adaptive, as in test_weighted_curator_laws. Here there are more
people, so that counts and sums under a condition have guarded bins, and others' data are drawn near guards.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.ledger.reserve import ReservedUnit
from noiseless.curator.releases.centred import Centred
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.stable_level import StableLevel
from noiseless.privacy.composition.levels import FinestLevel
from tests.curator.worlds import worlds
from tests.laws import played
from tests.laws.played import anew

SCHEMA = nl.Schema(x=nl.Integer(0, 2, missing="apart"), s=nl.Boolean(missing=False), g=nl.Public("n", "s"))
VALUES = [(x, s) for x in (0, 1, 2, None) for s in (False, True)]
"""All that the person's row can be."""
MENU: list[tuple[str, dict[str, Any]]] = [
    ("SELECT AVG(x) FROM t WHERE s", {"error": "0.7"}),
    ("SELECT AVG(x) FROM t WHERE s", {"error": "0.4"}),
    ("SELECT AVG(x) FROM t", {"error": "0.6"}),
    ("SELECT COUNT(x), AVG(x) FROM t WHERE s", {"error": "0.8"}),
    ("SELECT AVG(x) FROM t WHERE s", {"bits": "0.6"}),
    ("SELECT VAR_POP(x) FROM t WHERE s", {"error": "0.9"}),
    ("SELECT g, AVG(x) FROM t WHERE s GROUP BY g", {"error": "0.9"}),
    ("SELECT MEDIAN(x) FROM t WHERE s", {"error": "0.5"}),
    ("SELECT MEDIAN(x) FROM t WHERE s", {"error": 0, "stable": True}),
    ("SELECT g, QUANTILE(x, 0.3), COUNT(*) FROM t WHERE s GROUP BY g", {"error": 1, "stable": True}),
    ("SELECT MIN(x), MAX(x) FROM t", {"error": "0.5", "stable": True}),
    ("SELECT SUM(x) FROM t WHERE s", {"error": 4, "stable": True}),
    ("SELECT AVG(x) FROM t WHERE s", {"error": "0.7", "stable": True}),
    ("SELECT s, COUNT(*) FROM t GROUP BY s", {"error": 2, "stable": True}),
    ("SELECT COUNT(*) FROM t WHERE x >= 1", {"error": 1}),
    ("SELECT AVG(x) FROM t WHERE s", {"bits": 2}),
]


@cache
def others(seed: int) -> list[tuple[int | None, bool, str]]:
    draw = random.Random(seed)
    return [(draw.choice((0, 1, 2, 2, None)), draw.random() < 0.7, draw.choice("nns")) for _ in range(23 + seed % 5)]


@cache
def datasets(seed: int):
    """The table with all that the person's row can be."""
    tables = []
    for value in VALUES:
        x, s, g = zip(*others(seed), (*value, "n"), strict=True)
        tables.append(pa.table({"x": pa.array(x, pa.int64()), "s": s, "g": g}))
    return worlds(tables, SCHEMA)


def fresh(seed: int, place: int, budget: int) -> nl.Curator:
    return anew(datasets(seed)[place], budget)


def seen(curator: nl.Curator, sql: str, terms: dict[str, Any]) -> str:
    """All that an analyst sees of one question: its preview, then its answer or refusal, its steps and prices."""
    try:
        preview = curator.preview(sql, **terms)
        before: list[Any] = [preview.factor, preview.dearest, preview.affordable, preview.remaining]
        before += [preview.rows, preview.steps]
    except nl.NoiselessError as refused:
        before = [refused]
    try:
        answer = curator.ask(sql, **terms)
    except nl.NoiselessError as refused:
        return f"{before} {refused} {curator.remaining}"
    shown = [[repr(row[label]) for label in answer.labels] for row in answer.rows]
    widths = list(map(str, answer.widths.values()))
    entry = [answer.factor, answer.loud, answer.coarser, answer.remaining, answer.entry, len(curator.entries())]
    return f"{before} {shown} {widths} {entry}"


def transcripts(seed: int, budget: int, strategy: int, steps: int = 3) -> int:
    curators = [fresh(seed, place, budget) for place in range(len(VALUES))]
    return played.transcripts(curators, MENU, seen, strategy, steps)


CASES = [(seed, budget, strategy) for seed in range(2) for budget in (3, 6) for strategy in range(12)]


def test_one_person_causes_no_more_transcripts_than_the_budget():
    most = dict.fromkeys((3, 6), 0)
    for seed, budget, strategy in CASES:
        number = transcripts(seed, budget, strategy)
        assert number <= budget, (seed, budget, strategy)
        most[budget] = max(number, most[budget])
    assert most[3] >= 2
    assert most[6] >= 3


def sums_of_weights(seed: int, place: int) -> Fraction:
    """One question after nothing: the sum of all weights that were charged for what one person can cause."""
    sql, terms = MENU[place]
    weights = {}
    for value in range(len(VALUES)):
        curator = fresh(seed, value, 1 << 60)
        outcome = seen(curator, sql, terms)
        weights[outcome] = 1 / Fraction(curator.sequence.spent('["n"]'))
    return sum(weights.values(), Fraction(0))


def test_weights_of_what_one_person_can_cause_sum_to_at_most_one():
    sums = {place: [sums_of_weights(seed, place) for seed in range(2)] for place in range(len(MENU))}
    assert all(max(each) <= 1 for each in sums.values())
    assert sum(max(each) > Fraction(9, 10) for each in sums.values()) > 5
    assert sum(min(each) < Fraction(9, 10) for each in sums.values()) > 5


def never_unsteady(self, width, finest, numbers):
    place = self.observe(width, {**numbers, ("tally", self.name, width): _coarser(numbers, self.name, finest, width)})
    return place if place[0] >= 0 else None


def _coarser(numbers, name, finest, width):
    found: dict[int, int] = {}
    for code, count in numbers["tally", name, finest].items():
        if code is not None:
            found[code - code % width] = found.get(code - code % width, 0) + count
    return found


WRONG: dict[str, list[tuple[Any, str, Any]]] = {
    "guards of V − 2": [
        (Centred, "guarding", lambda self, wide, window: nl.Bins(wide, max(1, window - 2))),
        (nl.Bins, "keeps", lambda self, window: True),
    ],
    "a coarse level at the price of the first": [(ReservedUnit, "price", lambda self, places: self.weights.quiet)],
    "one level fewer is counted": [
        (StableLevel, "answers", lambda self, width, rows=1: width.levels - 1),
        (StableLevel, "question", lambda self, width: FinestLevel(self.reads, width.levels - 1)),
    ],
    "every level is called stable": [(OrderStatistic, "steady", never_unsteady)],
}


TRIED = dict(zip(WRONG, ([1, 2, 0], [8, 7, 13], [8, 7, 13], [8, 7]), strict=True))
"""The questions that reveal each mistake."""


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_variant_is_caught(name, monkeypatch):
    for where, what, wrong in WRONG[name]:
        monkeypatch.setattr(where, what, wrong)
    assert any(sums_of_weights(seed, place) > 1 for seed in (0, 11, 1, 2) for place in TRIED[name])
