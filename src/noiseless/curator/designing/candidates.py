"""The divisions of a column that are worth trying, and what each of them does for every number.

A division separates codes that some of the questions treat differently. A column of numbers is cut further: into equal
cells, and where the custodian declared a prior into cells that are small where it puts much. Codes that all questions
treat alike, and that need not be near each other, share a cell. Nothing depends on the data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.designing.division import Division
from noiseless.curator.designing.wanted import COUNT, OTHER, Codes, Number, Reading
from noiseless.curator.microdata.prior import Shares, fine_cells
from noiseless.curator.schema.scale import Scale

MOST_TOGETHER = 7
"""Up to this number of questions, all combinations are tried.

Otherwise each question alone, and the first ones together.
"""
MOST_WIDTHS = 40
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A division, and for each number: the share of rows that surely count as far as this column can tell, the share
    that may count, and half of the widest cell as a share of the range.

    Without a prior the shares are those of the worst table: 1 or 0.
    """

    division: Division
    sure: Floats
    may: Floats
    width: Floats

    @property
    def cells(self) -> int:
        """The number of cells: the factor by which it multiplies the price."""
        return self.division.cells


def candidates(
    name: str, numbers: Sequence[Number], dataset: Dataset, most: int, shares: Shares | None, contiguous: bool
) -> list[Candidate]:
    """The divisions of a column with at most `most` cells, without those that are never better than another."""
    column, judging = dataset.schema.private[name], Judging.of(name, numbers, shares)
    alone = contiguous and column.apart
    found: dict[tuple[int, ...], Candidate] = {}
    for labels in _labels(name, numbers, column.values, isinstance(column, Scale), shares, contiguous):
        division = Division(name, _in_order(_missing_alone(labels) if alone and labels.any() else labels))
        if division.cells <= most and division.labels not in found:
            found[division.labels] = judging.judged(division)
    return _undominated(list(found.values()))


@dataclass(frozen=True, slots=True, eq=False)
class Judging:
    """What numbers need from a column: the different readings of it, and which reading each number has (-1: none).

    A cell of s codes is a share of slope·s + start of the range of each number in `measuring`.
    """

    numbers: Sequence[Number]
    readings: tuple[tuple[Reading, bool], ...]
    which: Codes
    measuring: Codes
    slope: Floats
    start: Floats
    weights: Floats | None

    @classmethod
    def of(cls, name: str, numbers: Sequence[Number], shares: Shares | None) -> Judging:
        """The needs of some numbers from a column."""
        known: dict[tuple[bytes, bytes, bool], int] = {}
        readings: list[tuple[Reading, bool]] = []
        which = np.full(len(numbers), -1)
        for place, number in enumerate(numbers):
            reading = (number.readings or {}).get(name)
            if reading is None:
                continue
            key = reading.alike.tobytes(), reading.possible.tobytes(), number.by_column
            if key not in known:
                known[key] = len(readings)
                readings.append((reading, number.by_column))
            which[place] = known[key]
        measuring = [place for place, each in enumerate(numbers) if each.column == name and each.range]
        start = [float(numbers[place].error(0) / (numbers[place].range or 1)) for place in measuring]
        next_ = [float(numbers[place].error(1) / (numbers[place].range or 1)) for place in measuring]
        weights = None if shares is None else shares.of(name)
        slope = np.array(next_) - np.array(start)
        return cls(numbers, tuple(readings), which, np.array(measuring, int), slope, np.array(start), weights)

    def judged(self, division: Division) -> Candidate:
        """What a division does for every number."""
        labels, count = np.array(division.labels), len(self.numbers)
        sure, may, width = np.ones(count), np.ones(count), np.full(count, 0.5)
        sure[[each.readings is None or each.kind == OTHER for each in self.numbers]] = 0
        for place, (reading, by_column) in enumerate(self.readings):
            own = self.which == place
            found = _certain_shares(labels, reading, by_column, self.weights)
            sure[own], may[own] = sure[own] * found[0], found[1]
        spans = [_span(labels, reading.possible, self.weights) for reading, _ in self.readings]
        anything = _span(labels, np.ones(len(labels), bool), self.weights) if len(self.measuring) else 0.0
        each = np.array([spans[self.which[place]] if self.which[place] >= 0 else anything for place in self.measuring])
        width[self.measuring] = np.minimum(0.5, self.slope * each + self.start)
        return Candidate(division, sure, may, width)


def _missing_alone(labels: Codes) -> Codes:
    """The same labels, with the last value in its own cell."""
    return np.append(labels[:-1], labels.max() + 1)


def _certain_shares(labels: Codes, reading: Reading, by_column: bool, weights: Floats | None) -> tuple[float, float]:
    """The shares of rows that surely count, and that may count, as far as this column can tell."""
    if weights is None or not by_column:
        pairs = np.unique(labels * (int(reading.alike.max()) + 1) + reading.alike)
        return float(len(pairs) == labels.max() + 1), 1.0
    own = np.bincount(labels, weights)
    possible = np.bincount(labels, reading.possible)
    return float(own[possible == np.bincount(labels)].sum()), float(own[possible > 0].sum())


def _span(labels: Codes, possible: NDArray[np.bool_], weights: Floats | None) -> float:
    """The codes between the ends of the widest cell; with a prior, of the expected one."""
    codes = np.flatnonzero(possible)
    if not len(codes):
        return 0.0
    first, last = np.full(labels.max() + 1, len(labels)), np.full(labels.max() + 1, -1)
    np.minimum.at(first, labels[codes], codes)
    np.maximum.at(last, labels[codes], codes)
    held = last >= 0
    spans = (last - first)[held]
    shares = None if weights is None else np.bincount(labels[codes], weights[codes], labels.max() + 1)[held]
    if shares is None or not shares.sum():
        return float(spans.max())
    return float((spans * shares).sum() / shares.sum())


def _labels(
    name: str, numbers: Sequence[Number], values: int, is_scale: bool, shares: Shares | None, contiguous: bool
) -> Iterator[Codes]:
    """Labels that separate what some questions treat differently. If the column is measured, they are cut further."""
    yield np.zeros(values, np.int64)
    measured = any(number.column == name and number.kind != COUNT for number in numbers)
    seen: set[bytes] = set()
    for labels in _alike_together(name, numbers, values):
        base = _runs(labels) if contiguous and is_scale else labels
        if (key := _in_order_array(base).tobytes()) in seen:
            continue
        seen.add(key)
        yield base
        if is_scale and measured:
            runs = _runs(labels)
            yield from _cut(runs, shares, name)


def _alike_together(name: str, numbers: Sequence[Number], values: int) -> list[Codes]:
    """Labels for each question and for several together: codes with one label are alike for all of these."""
    each: dict[int, list[Codes]] = {}
    for number in numbers:
        if number.readings is not None and name in number.readings:
            each.setdefault(number.question, []).append(number.readings[name].alike)
    of_questions = {key.tobytes(): key for key in (_joined(own, values) for own in each.values())}
    single = sorted(of_questions.values(), key=lambda codes: int(codes.max()))
    chosen: Iterable[tuple[Codes, ...]] = (single[:count] for count in range(1, len(single) + 1))  # type: ignore[misc]
    if len(single) <= MOST_TOGETHER:
        chosen = (some for count in range(1, len(single) + 1) for some in combinations(single, count))
    return [*single, *(_joined(some, values) for some in chosen)]


def _joined(keys: Iterable[Codes], values: int) -> Codes:
    """A label for every combination of labels."""
    found = np.zeros(values, np.int64)
    for key in keys:
        _, found = np.unique(found * (int(key.max()) + 1) + key, return_inverse=True)
    return _in_order_array(found.ravel())


def _runs(labels: Codes) -> Codes:
    """A different label for every run."""
    return np.concatenate([[0], np.cumsum(labels[1:] != labels[:-1])])


def _cut(runs: Codes, shares: Shares | None, name: str) -> Iterator[Codes]:
    """Every run cut into pieces that are no wider than some width, and into pieces that a prior makes small."""
    lengths = np.bincount(runs)
    done = set()
    for pieces in range(1, MOST_WIDTHS + 1):
        width = -(-len(runs) // pieces)
        counts = -(-lengths // width)
        if (key := counts.tobytes()) not in done:
            done.add(key)
            yield _equal(lengths, counts)
    if shares is not None:
        yield from fine_cells(runs, shares.of(name), MOST_WIDTHS)


def _equal(lengths: Codes, counts: Codes) -> Codes:
    """Every run cut into this many pieces, as equal as can be."""
    pieces = [np.arange(length) * count // length for length, count in zip(lengths, counts, strict=True)]
    before = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return np.concatenate([own + first for own, first in zip(pieces, before, strict=True)])


def _in_order_array(labels: Codes) -> Codes:
    """The same labels, numbered in the order in which they first occur."""
    return np.array(_in_order(labels), np.int64)


def _in_order(labels: Codes) -> tuple[int, ...]:
    known: dict[int, int] = {}
    return tuple(known.setdefault(int(label), len(known)) for label in labels)


def _undominated(given: list[Candidate]) -> list[Candidate]:
    """The candidates, without those that have no fewer cells than another and are better for no number."""
    kept: list[Candidate] = []
    for one in sorted(given, key=lambda each: (each.cells, -float(each.sure.sum()), float(each.width.sum()))):
        if not any(_is_as_good(other, one) for other in kept):
            kept.append(one)
    return kept


def _is_as_good(one: Candidate, two: Candidate) -> bool:
    better = one.sure >= two.sure, one.may - one.sure <= two.may - two.sure, one.width <= two.width
    return one.cells <= two.cells and all(map(np.all, better))
