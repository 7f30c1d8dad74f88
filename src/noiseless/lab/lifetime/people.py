"""The people that a lifetime of questions is about, as codes: synthetic people, or those of the survey.

Synthetic heights and ages depend on the weight, each column in its own way, so that every answer may lie anywhere. The
answers to all questions about intervals of weights, or about regions, follow from sums over single weights and regions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Integer, Real, Scale
from noiseless.curator.schema.schema import Schema
from noiseless.lab.datasets.people import Measured
from noiseless.lab.lifetime.filters import Filter, drawn_for

Codes = NDArray[np.int64]
COLUMNS, REGIONS = 4, 10
OLDEST = 100
SYNTHETIC_HEIGHT, SYNTHETIC_WEIGHT = Real(100, 250, step="0.1"), Real(20, 200, step="0.1")
SYNTHETIC_AGE = Integer(0, OLDEST)


@dataclass(frozen=True)
class People:
    """Codes of the same people: their weights and regions, and a row for each column of heights and of ages."""

    weight: Codes
    region: Codes
    heights: Codes
    ages: Codes
    scales: tuple[Scale, Scale, Scale]
    """The scales of the weight, the heights and the ages."""
    origin: str

    @property
    def size(self) -> int:
        """How many people there are. It is public."""
        return len(self.weight)

    @property
    def columns(self) -> int:
        """How many columns of heights there are, and of ages."""
        return len(self.heights)

    @cached_property
    def sizes(self) -> Codes:
        """How many people are in each region. It is public."""
        return np.bincount(self.region)

    @property
    def schema(self) -> Schema:
        """Its declaration for a curator."""
        weight, height, age = self.scales
        heights: dict[str, Any] = {f"height_{place}": height for place in range(self.columns)}
        ages: dict[str, Any] = {f"age_{place}": age for place in range(self.columns)}
        return Schema({"weight": weight, **heights, **ages, "region": Public(*range(len(self.sizes)))})

    def table(self) -> Any:
        """The people as a table of numbers, for a curator."""
        import pyarrow

        weight, height, age = self.scales
        heights = {f"height_{place}": _numbers(codes, height) for place, codes in enumerate(self.heights)}
        ages = {f"age_{place}": _numbers(codes, age) for place, codes in enumerate(self.ages)}
        return pyarrow.table({"weight": _numbers(self.weight, weight), **heights, **ages, "region": self.region})

    def where(self, asked: Filter) -> str:
        """The condition in SQL."""
        if asked.regions:
            return f"region IN ({', '.join(map(str, asked.regions))})"
        weight = self.scales[0]
        low, high = (weight.show(weight.number(code)) for code in (asked.low, asked.high))
        return f"weight BETWEEN {low} AND {high}"

    def count(self, asked: Filter) -> int:
        """How many people meet a condition."""
        return int(self._of(self._counts, asked))

    def total(self, asked: Filter, column: int) -> int:
        """The sum of the codes of the heights of people who meet a condition."""
        return int(self._of(self._totals, asked)[column])

    def tally(self, asked: Filter, column: int) -> Codes:
        """How many of the people who meet a condition have each age."""
        found: Codes = self._of(self._tallies, asked)[column]
        return found

    def _of(self, sums: tuple[Codes, Codes], asked: Filter) -> Any:
        """The sum over people who meet a condition, from the sums up to every weight and of every region."""
        up_to, by_region = sums
        if asked.regions:
            return by_region[list(asked.regions)].sum(axis=0)
        return up_to[asked.high + 1] - up_to[asked.low]

    @cached_property
    def _counts(self) -> tuple[Codes, Codes]:
        return self._sums([np.ones(self.size, dtype=np.int64)], 0)

    @cached_property
    def _totals(self) -> tuple[Codes, Codes]:
        return self._sums(self.heights, 1)

    @cached_property
    def _tallies(self) -> tuple[Codes, Codes]:
        oldest = self.scales[2].top + 1
        each = [
            [
                np.bincount(group * oldest + codes, minlength=groups * oldest).reshape(groups, oldest)
                for codes in self.ages
            ]
            for group, groups in self._groups
        ]
        by_weight, by_region = (np.stack(found, axis=1) for found in each)
        return _up_to(by_weight), by_region

    def _sums(self, rows: Sequence[Codes] | Codes, axis: int) -> tuple[Codes, Codes]:
        each = [
            [np.bincount(group, weights=codes, minlength=groups).astype(np.int64) for codes in rows]
            for group, groups in self._groups
        ]
        by_weight, by_region = (np.stack(found, axis=1) if axis else found[0] for found in each)
        return _up_to(by_weight), by_region

    @property
    def _groups(self) -> list[tuple[Codes, int]]:
        return [(self.weight, self.scales[0].top + 1), (self.region, len(self.sizes))]


def _up_to(sums: Codes) -> Codes:
    """The sums below each place, so that an interval is a difference."""
    return np.concatenate([np.zeros((1, *sums.shape[1:]), dtype=np.int64), np.cumsum(sums, axis=0)])


def _numbers(codes: Codes, scale: Scale) -> NDArray[np.float64]:
    """The nearest floats to the numbers of codes."""
    return np.array([float(scale.number(code)) for code in range(scale.top + 1)])[codes]


def synthetic(size: int, run: int, columns: int = COLUMNS, regions: int = REGIONS) -> People:
    """People of one run: heights about a mean from 150 to 190 cm, ages about one from 25 to 65, by the weight.

    Regions have about the same size, and heavier people live in the later ones.
    """
    draw = drawn_for(run, 0)
    heavy = draw.standard_normal(size)
    heights, ages = (
        np.stack([_column(draw, heavy, *how) for _ in range(columns)])
        for how in ((SYNTHETIC_HEIGHT, (150, 190), 6, 8), (SYNTHETIC_AGE, (25, 65), 8, 12))
    )
    return People(
        _codes(75 + 14 * heavy, SYNTHETIC_WEIGHT),
        _regions(heavy + draw.standard_normal(size), regions),
        heights,
        ages,
        (SYNTHETIC_WEIGHT, SYNTHETIC_HEIGHT, SYNTHETIC_AGE),
        f"synthetic people: {size}, {columns} heights and ages of each",
    )


def surveyed(measured: Measured) -> People:
    """The people of the survey, in whole cm, kg and years."""
    height, weight, age = Integer(100, 250), Integer(20, 200), Integer(15, 30)
    columns = measured.columns
    return People(
        _codes(columns["weight"], weight),
        columns["region"].astype(np.int64),
        _codes(columns["height"], height)[None],
        _codes(columns["age"], age)[None],
        (weight, height, age),
        measured.origin,
    )


def _column(
    draw: np.random.Generator, heavy: NDArray[np.float64], scale: Scale, means: tuple[int, int], slope: int, spread: int
) -> Codes:
    mean, rise = draw.uniform(*means), draw.uniform(-slope, slope)
    return _codes(mean + rise * heavy + spread * draw.standard_normal(len(heavy)), scale)


def _regions(place: NDArray[np.float64], regions: int) -> Codes:
    """Equal parts of the people, by their place."""
    ends = np.quantile(place, np.arange(1, regions) / regions)
    return np.searchsorted(ends, place).astype(np.int64)


def _codes(numbers: NDArray[np.float64], scale: Scale) -> Codes:
    """The nearest codes, within the bounds."""
    codes: Codes = np.clip(np.rint((numbers - float(scale.low)) / float(scale.step)), 0, scale.top).astype(np.int64)
    return codes
