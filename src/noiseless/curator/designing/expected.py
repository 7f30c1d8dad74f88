"""How certain questions will be on average, if the table is like what the custodian declared.

Tables are drawn with a fixed seed: every row by itself, its columns unrelated, each by its declared shares. What
follows from the base table of each is deduced in the same way as it will be from the real one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

import numpy as np

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.deduce.deduced import DeducedLine, deduced_lines
from noiseless.curator.deduce.facts import Facts
from noiseless.curator.deduce.partition import Axis, Partition
from noiseless.curator.designing.base import Base
from noiseless.curator.microdata.prior import Floats, Shares
from noiseless.curator.question.reading import meaning

TABLES = 4
SEED = 29


def expected_shares(texts: Iterable[str], dataset: Dataset, base: Base, shares: Shares) -> list[float]:
    """The mean over some tables of the certain error of each question, as a share of the range."""
    facts = [Facts.of((), [table]) for table in drawn_tables(dataset, base, shares)]
    found = []
    for text in texts:
        _, lines = meaning(text, dataset, centred=True)
        before = deduced_lines(lines, dataset, Facts.of())
        each = [share_of(deduced_lines(lines, dataset, known), before) for known in facts]
        found.append(sum(each) / len(each))
    return found


def share_of(after: Iterable[DeducedLine], before: Iterable[DeducedLine]) -> float:
    """The largest share of any number: half of its interval, and how wide it is if nothing but the schema is known."""
    largest = 0.0
    for (_, now), (_, then) in zip(after, before, strict=True):
        for aggregate, number in now.items():
            known, first = number, then[aggregate]
            if known.lower is not None and first.lower is not None and first.upper > first.lower:
                largest = max(largest, float((known.upper - known.lower) / (first.upper - first.lower)) / 2)
    return largest


def drawn_tables(dataset: Dataset, base: Base, shares: Shares) -> Iterator[Partition]:
    """The cells of some drawn tables, each with the real number of rows in every public cell."""
    axes = tuple(Axis((each.name,), np.array(each.labels)) for each in base.divisions)
    of_columns = [np.bincount(axis.labels, shares.of(axis.columns[0])) for axis in axes]
    chances: Floats = reduce(np.multiply.outer, of_columns, np.ones(())).ravel()
    places = np.array([*np.ndindex(*(axis.size for axis in axes))], np.int64).reshape(len(chances), len(axes))
    random, everywhere = np.random.default_rng(SEED), range(len(dataset.cells))
    for _ in range(TABLES):
        drawn = np.stack([random.multinomial(dataset.sizes[cell], chances / chances.sum()) for cell in everywhere])
        public, which = np.nonzero(drawn)
        yield Partition(axes, public, places[which], drawn[public, which], frozenset(everywhere), 0)
