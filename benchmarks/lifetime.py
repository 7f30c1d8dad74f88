"""How long a budget lasts if questions are charged by the answer: real curators, asked until they refuse."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, islice
from typing import Any

import numpy as np
import pyarrow as pa

import noiseless as nl
from benchmarks.measure import Row, compared, seconds, shown
from noiseless.privacy.composition.sequence import Cell

PEOPLE, COLUMNS, REGIONS, SEEDS = 100_000, 40, 25, 10
BITS, ERROR, LONG, ASKS = 16, "0.5", 4000, 400
GUARDED: dict[str, Any] = {"error": ERROR}
EQUAL: dict[str, Any] = {"bits": 1}
NAMES = [f"height_{place}" for place in range(COLUMNS)]
SCHEMA = nl.Schema({name: nl.Real(100, 250, step="0.1") for name in NAMES} | {"region": nl.Public(*range(REGIONS))})


def rows() -> list[Row]:
    guarded = [_lifetime(seed, GUARDED) for seed in range(SEEDS)]
    equal = [_lifetime(seed, EQUAL) for seed in range(2)]
    mean, before = statistics.mean(guarded), statistics.mean(equal)
    spread = f"median {statistics.median(guarded):.0f}, {min(guarded)} to {max(guarded)}"
    what = f"means of 10^5 people to ±{ERROR} cm within {BITS} bits, {SEEDS} tables"
    settled, charged = _steps()
    ask, ask_equal = _asks()
    return [
        Row(what, f"{mean:.0f} ({spread})", f"{before:.0f} (equal bins)", f"{mean / before:.2g}×", "≥ 400"),
        Row(f"charging a price to a product of {LONG} bits", shown(charged), "", "", "≤ 30 µs"),
        Row(f"a guarded sum after {LONG} bits: ask and settle", shown(settled), "", "", ""),
        compared(f"ask a mean of 10^5 rows, error={ERROR}", ask, ask_equal, "equal bins", "≤ 1.2×"),
    ]


def _table(seed: int) -> pa.Table:
    """Heights whose means differ by column, so that every sum may lie anywhere between guards."""
    random = np.random.default_rng(seed)
    means = dict(zip(NAMES, random.uniform(150, 190, COLUMNS), strict=True))
    heights = {name: np.clip(random.normal(mean, 10, PEOPLE), 100, 250) for name, mean in means.items()}
    return pa.table(heights | {"region": random.integers(0, REGIONS, PEOPLE)})


def _questions(seed: int) -> Iterator[str]:
    """Different means: of all people by column, then also without one or two public regions, in random order."""
    yield from (f"SELECT AVG({name}) FROM people" for name in NAMES)
    left_out = [", ".join(map(str, each)) for number in (1, 2) for each in combinations(range(REGIONS), number)]
    grouped = [(name, regions) for name in NAMES for regions in left_out]
    for place in np.random.default_rng(seed).permutation(len(grouped)):
        name, regions = grouped[place]
        yield f"SELECT AVG({name}) FROM people WHERE region NOT IN ({regions})"


def _lifetime(seed: int, terms: dict[str, Any]) -> int:
    """How many questions are answered before the first is refused."""
    with nl.Curator.open(_table(seed), SCHEMA, BITS, table="people") as curator:
        for answered, sql in enumerate(_questions(seed)):
            try:
                curator.ask(sql, **terms)
            except nl.BudgetExceededError:
                return answered
    raise RuntimeError("there were not enough questions; add columns or regions")


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
    with (
        nl.Curator.open(_table(0), SCHEMA, LONG, table="people") as guarded,
        nl.Curator.open(_table(0), SCHEMA, LONG, table="people") as equal,
    ):
        for sql in islice(_questions(0), ASKS):
            first = seconds(partial(guarded.ask, sql, **GUARDED), repeat=1)
            times.append((first, seconds(partial(equal.ask, sql, **EQUAL), repeat=1)))
    ours, theirs = (statistics.quantiles(each, n=10)[0] for each in zip(*times, strict=True))
    return ours, theirs
