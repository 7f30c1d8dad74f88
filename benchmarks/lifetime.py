"""How long a budget lasts if questions are charged by the answer: real curators, asked until they refuse."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

import noiseless as nl
from benchmarks.measure import Row, compared, seconds, shown
from noiseless.lab.figures.material import Material
from noiseless.lab.lifetime.asked import Kind
from noiseless.lab.lifetime.people import People, surveyed, synthetic
from noiseless.lab.lifetime.priced import lifetime
from noiseless.lab.lifetime.runs import ERRORS, MOST, SURVEY_ERRORS, Summary, answered, kinds
from noiseless.privacy.composition.sequence import Cell

PEOPLE, LONG, ASKS = 100_000, 4000, 400
BITS, RUNS, PRICED_RUNS = 16, 5, 20
PRICED = ((10_000, 16, PRICED_RUNS), (PEOPLE, 16, PRICED_RUNS), (PEOPLE, 8, PRICED_RUNS), (1_000_000, 16, 3))
EQUAL: dict[str, dict[str, Any]] = {"count": {}, "mean": {"bits": "1.585"}, "median": {"bits": 7}}
"""The cheapest equal bins that keep the errors. A mean without a private condition needs only one bit."""
NAMED = {"mean": "means to ±1 cm", "count": "counts to ±100", "median": "medians of age to the year"}
WANTED = "≥ 150"


def rows() -> list[Row]:
    settled, charged = _steps()
    ask, ask_equal = _asks()
    return [
        *_asked_until_refused(),
        *_on_the_survey(),
        *_priced(),
        _where_it_goes(),
        Row(f"charging a price to a product of {LONG} bits", shown(charged), "", "", "≤ 30 µs"),
        Row(f"a guarded sum after {LONG} bits: ask and settle", shown(settled), "", "", ""),
        compared("ask a mean of 10^5 rows, error=0.5", ask, ask_equal, "equal bins", "≤ 1.2×"),
    ]


def _asked_until_refused() -> Iterator[Row]:
    """Real curators of 10^5 people."""
    tables = [synthetic(PEOPLE, run) for run in range(RUNS)]
    kept: dict[Kind, list[int]] = {}
    equal: dict[Kind, int] = {}
    for run, people in enumerate(tables):
        source = people.table()
        for kind in _all_kinds(ERRORS):
            kept.setdefault(kind, []).append(_asked(people, source, kind, run))
            if not run and not kind.stable:
                equal[kind] = _asked(people, source, kind, run, _equal_terms(kind))
    for kind, found in kept.items():
        noise = answered(kind, "noise", tables, BITS)
        wanted = WANTED if kind.private and not kind.stable else ""
        yield _row(f"10^5 people: {_named(kind)}", kind, found, equal.get(replace(kind, stable=False)), noise, wanted)


def _on_the_survey() -> Iterator[Row]:
    """Real curators of the survey, or of its twin."""
    people = surveyed(Material().grouped)
    source = people.table()
    for kind in _all_kinds(SURVEY_ERRORS):
        found = [_asked(people, source, kind, run) for run in range(RUNS)]
        equal = _asked(people, source, kind, 0, _equal_terms(kind))
        noise = answered(kind, "noise", [people] * RUNS, BITS)
        words = _named(kind).replace("±100", "±20")
        yield _row(f"the survey, {people.size} people: {words}", kind, found, equal, noise, "")


def _priced() -> Iterator[Row]:
    """Other sizes and budgets, priced as a curator prices them (`tests/lab/test_lifetime.py`)."""
    for size, runs, bits in (
        (10_000, PRICED_RUNS, 16),
        (PEOPLE, PRICED_RUNS, 16),
        (PEOPLE, PRICED_RUNS, 8),
        (10**6, 3, 16),
    ):
        tables = [synthetic(size, run, regions=1) for run in range(runs)]
        for kind in kinds(ERRORS):
            if kind.private:
                found = answered(kind, "stable" if kind.name == "median" else "guarded", tables, bits)
                words = f"{size:,} people, {bits} bits, priced in {runs} runs: {_named(kind)}"
                yield Row(words, _summary(found), "", "", WANTED if (size, bits) == (PEOPLE, 16) else "")


def _where_it_goes() -> Row:
    """On which step of a conditional mean the budget is spent, on average."""
    kind, spent, left = Kind("mean", True, ERRORS["mean"]), dict[tuple[str, bool], float](), 0.0
    for run in range(PRICED_RUNS):
        people = synthetic(PEOPLE, run, regions=1)
        found = lifetime(people, kind.questions(people, run), BITS)
        left += found.left / PRICED_RUNS
        for what, bits in found.spent.items():
            spent[what] = spent.get(what, 0.0) + bits / PRICED_RUNS
    parts = [f"{'loud' if loud else 'quiet'} {name} {bits:.1f}" for (name, loud), bits in sorted(spent.items())]
    return Row(f"where {BITS} bits of conditional means go", ", ".join([*parts, f"left {left:.1f}"]), "", "", "")


def _all_kinds(errors: dict[str, Fraction]) -> list[Kind]:
    """All kinds, and those that can also be asked to be stable."""
    return [*kinds(errors), *(replace(kind, stable=True) for kind in kinds(errors) if kind.name != "median")]


def _equal_terms(kind: Kind) -> dict[str, Any]:
    return EQUAL[kind.name] if kind.private or kind.name != "mean" else {"bits": 1}


def _asked(people: People, source: Any, kind: Kind, run: int, terms: dict[str, Any] | None = None) -> int:
    """How many answers keep the error before the first question is refused."""
    kept = 0
    with nl.Curator.open(source, people.schema, BITS, table="people") as curator:
        for question in islice(kind.questions(people, run), MOST):
            try:
                answer = curator.ask(question.sql(people), **(question.terms if terms is None else terms))
            except nl.BudgetExceededError:
                break
            except nl.BudgetError:  # too few people are left to keep the error
                continue
            kept += not answer.coarser
    return kept


def _named(kind: Kind) -> str:
    where = "private conditions" if kind.private else "public groups"
    return f"{NAMED[kind.name]}, {where}{', stable' if kind.stable else ''}"


def _summary(found: Summary) -> str:
    return f"{found.mean:.0f} (median {found.median:.0f}, first decile {found.decile:.0f})"


def _row(words: str, kind: Kind, found: list[int], equal: int | None, noise: Summary, wanted: str) -> Row:
    summary = Summary(tuple(found))
    before = f"{equal} (equal bins), {noise.mean:.0f} (noise, ε = 1)"
    ratio = "" if not equal else f"{summary.mean / equal:.2g}×"
    return Row(f"{words}, {BITS} bits, {len(found)} runs", _summary(summary), before, ratio, wanted)


def _steps() -> tuple[float, float]:
    """One question of a sequence that has spent many bits, and the multiplication alone."""
    bins, price = nl.Bins(884_736, 1536), Fraction(577, 576)
    question = nl.Weighted((nl.GuardedSum("height", bins, PEOPLE, 1500),), Fraction(577))
    start = nl.Sequence.start({"height": 1501}, bits=LONG + 20)
    spent = Cell(2**LONG, start.cells[""].remaining).charged(price, {})
    long = nl.Sequence(start.budget, start.values, {"": spent})
    settled = seconds(lambda: [long.ask(question).settle([2]) for _ in range(200)]) / 200
    return settled, seconds(lambda: [spent.charged(price, {}) for _ in range(1000)]) / 1000


def _asks() -> tuple[float, float]:
    """The first tenth of many asks, guarded and equal in turn, so that both meet the same noise."""
    times: list[tuple[float, float]] = []
    people = synthetic(PEOPLE, 0)
    table, schema = people.table(), people.schema
    with (
        nl.Curator.open(table, schema, LONG, table="people") as guarded,
        nl.Curator.open(table, schema, LONG, table="people") as equal,
    ):
        for question in islice(Kind("mean", False, Fraction(1, 2)).questions(people, 0), ASKS):
            sql = question.sql(people)
            first = seconds(partial(guarded.ask, sql, error="0.5"), repeat=1)
            times.append((first, seconds(partial(equal.ask, sql, bits=1), repeat=1)))
    ours, theirs = (statistics.quantiles(each, n=10)[0] for each in zip(*times, strict=True))
    return ours, theirs
