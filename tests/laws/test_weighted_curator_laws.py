"""Questions charged by the answer, through the curator: one person's data cause at most 2^budget transcripts.

Everything that is seen counts: numbers, intervals, prices, what is left, and refusals. Strategies are adaptive: what is
asked next is any function of what was seen so far. Others' data lie so that one person's data can cross a guard.
"""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.ledger.priced import Priced
from noiseless.curator.ledger.reserve import ReservedUnit
from noiseless.curator.releases.release import Release
from noiseless.privacy.composition.weights import Weights
from tests.curator.worlds import worlds
from tests.laws import played
from tests.laws.played import anew

SCHEMA = nl.Schema(
    x=nl.Integer(0, 4, missing=0), y=nl.Integer(-1, 1, missing=0), s=nl.Boolean(missing=False), g=nl.Public("n", "s")
)
VALUES = [(x, y, s) for x in range(5) for y in (-1, 1) for s in (False, True)]
"""All that the person's row can be."""
OTHERS = [
    [(4, 1, True, "n"), (2, 0, False, "n"), (0, -1, True, "s")],
    [(1, 1, True, "n"), (4, 1, False, "n"), (3, -1, True, "s"), (4, 0, True, "n"), (0, 0, False, "s")],
]
MENU: list[tuple[str, dict[str, Any]]] = [
    ("SELECT SUM(x) FROM t", {"error": 3}),
    ("SELECT SUM(x) FROM t", {"error": "3.5"}),
    ("SELECT AVG(x) FROM t WHERE g = 'n'", {"error": 1}),
    ("SELECT g, SUM(x) FROM t GROUP BY g", {"error": 3}),
    ("SELECT SUM(y) FROM t", {"error": 2}),
    ("SELECT SUM(y) FROM t WHERE s", {"error": "1.5"}),
    ("SELECT COUNT(*) FROM t WHERE s", {"error": "0.5"}),
    ("SELECT COUNT(*) FROM t WHERE x >= 2", {"error": 1}),
    ("SELECT COUNT(*) FROM t WHERE x >= 2", {}),
    ("SELECT SUM(x), SUM(y) FROM t", {"error": 3}),
    ("SELECT SUM(x) FROM t", {"bits": 1}),
    ("SELECT SUM(x) FROM t", {"bits": "0.5"}),
    ("SELECT g, COUNT(*) FROM t WHERE s GROUP BY g", {"error": "0.5"}),
    ("SELECT VAR_POP(y) FROM t", {"error": "0.4"}),
    ("SELECT SUM(x) FROM t", {"error": 3, "max_bits": 1}),
]


@cache
def datasets(others: int):
    """The table with all that the person's row can be."""
    rows = [[*OTHERS[others], (*value, "n")] for value in VALUES]
    return worlds([pa.table(dict(zip("xysg", zip(*each, strict=True), strict=True))) for each in rows], SCHEMA)


def fresh(others: int, place: int, budget: int) -> nl.Curator:
    return anew(datasets(others)[place], budget)


def seen(curator: nl.Curator, sql: str, terms: dict) -> str:
    """All that an analyst sees of one question: its preview, its answer or refusal, its price, and a refinement."""
    preview = curator.preview(sql, **{name: value for name, value in terms.items() if name != "max_bits"})
    before = [preview.factor, preview.dearest, preview.affordable, preview.remaining, preview.rows]
    try:
        answer = curator.ask(sql, **terms)
    except nl.BudgetExceededError as refused:
        return f"{before} {refused} {curator.remaining}"
    refined = ""
    if sql == "SELECT SUM(x) FROM t":
        try:
            refined = shown(curator.refine(answer, error=0))
        except (nl.BudgetError, nl.BudgetExceededError) as refused:  # too dear, or not bought in bins
            refined = str(refused)
    return f"{before} {shown(answer)} {answer.factor} {answer.loud} {answer.remaining} {refined}"


def shown(answer: nl.Answer) -> str:
    return str([[repr(row[label]) for label in answer.labels] for row in answer.rows])


def transcripts(others: int, budget: int, seed: int, steps: int = 3) -> int:
    curators = [fresh(others, place, budget) for place in range(len(VALUES))]
    return played.transcripts(curators, MENU, seen, seed, steps)


CASES = [(others, budget, seed) for others in (0, 1) for budget in (2, 3, 5) for seed in range(3)]


def test_one_person_causes_no_more_transcripts_than_the_budget():
    most = {}
    for others, budget, seed in CASES:
        number = transcripts(others, budget, seed)
        assert number <= budget, (others, budget, seed)
        most[budget] = max(number, most.get(budget, 0))
    assert most[2] == 2
    assert most[5] > 2


def narrow_guards(self, wide, window):
    guard = max(1, window - 2)
    return nl.Bins(self.rounded_width(wide, up=False), guard) if wide > guard else None


def without_room(count, chance, most=None):
    return Weights(count, max(Fraction(count), (count - 1) / chance)) if count > 1 else Weights(1, Fraction(1))


WRONG: dict[str, list[tuple[Any, str, Any]]] = {
    "guards of V − 2": [(Release, "guarding", narrow_guards), (nl.Bins, "keeps", lambda self, window: True)],
    "a loud answer at the quiet price": [(ReservedUnit, "price", lambda self, places: self.weights.quiet)],
    "asked without a reserve": [
        (Weights, "cheapest", without_room),
        (Priced, "fits", property(lambda self: self.after(False).spent() <= self.before.budget)),
    ],
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_charge_is_caught(name, monkeypatch):
    for where, what, wrong in WRONG[name]:
        monkeypatch.setattr(where, what, wrong)
    assert any(transcripts(others, budget, seed, steps=4) > budget for others, budget, seed in CASES)


def sums_of_weights(others: int, seed: int, steps: int = 5) -> list[Fraction]:
    """At every point that one person's data can reach: the sum of all weights that were charged for their outcomes."""
    nodes: dict[str, list[nl.Curator]] = {"": [fresh(others, place, 1 << 40) for place in range(len(VALUES))]}
    found = []
    for _ in range(steps):
        following: dict[str, list[nl.Curator]] = {}
        for transcript, curators in nodes.items():
            sql, terms = random.Random(f"{seed} {transcript}").choice(MENU)
            weights = {}
            for curator in curators:
                before = curator.sequence.spent('["n"]')
                outcome = transcript + seen(curator, sql, terms)
                following.setdefault(outcome, []).append(curator)
                weights[outcome] = Fraction(before) / curator.sequence.spent('["n"]')
            found.append(sum(weights.values(), Fraction(0)))
        nodes = following
    return found


def test_weights_of_what_one_person_can_cause_sum_to_at_most_one():
    """Kraft's inequality at every step, which is more than a bound on transcripts: no step may borrow from another."""
    sums = [each for others in (0, 1) for seed in range(3) for each in sums_of_weights(others, seed)]
    assert max(sums) <= 1
    assert sum(each > Fraction(999, 1000) for each in sums) > 10
    assert min(sums) < 1


@pytest.mark.parametrize("name", [*WRONG][:2])
def test_a_step_that_borrows_is_caught(name, monkeypatch):
    for where, what, wrong in WRONG[name]:
        monkeypatch.setattr(where, what, wrong)
    assert max(each for seed in range(3) for each in sums_of_weights(1, seed)) > 1
