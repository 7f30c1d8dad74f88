"""How much of the data is left in a released copy: for the custodian only, since it is made of private values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.dataset import Dataset
from noiseless.curator.microdata.columns import Cells, Groups, PublicKeys
from noiseless.curator.microdata.plan import ReleasePlan

Floats = NDArray[np.float64]
WARNING = "For the custodian only: these figures are computed from the private values and must not be passed on."
BINS = 60
"""Histograms are compared in so many equal parts of the range, or one for each code if there are fewer."""


@dataclass(frozen=True, eq=False)
class ColumnUtility:
    """One column of numbers before and after: what was promised, and what was measured."""

    cells: Cells
    counts: Floats
    """How many rows have each code."""

    @property
    def name(self) -> str:
        """Of the column."""
        return self.cells.name

    @property
    def promised(self) -> float:
        """The worst error, of any data."""
        return float(self.cells.error)

    @cached_property
    def measured(self) -> float:
        """The worst error of these data, up to the rounding of codes."""
        return float(np.abs(self._numbers - self._reports)[self.counts > 0].max(initial=0))

    @cached_property
    def mean_difference(self) -> float:
        """The mean of the reports less that of the values."""
        share = self.counts / max(1.0, self.counts.sum())
        return float((share * (self._reports - self._numbers)).sum())

    @cached_property
    def before(self) -> Floats:
        """The shares of the values in equal parts of the range."""
        return self._binned(self.counts)

    @cached_property
    def after(self) -> Floats:
        """The shares that the copy gives, every report being spread evenly over its cell."""
        places = np.arange(len(self.counts)) // self.cells.width
        return self._binned((np.bincount(places, self.counts) / np.bincount(places))[places])

    @cached_property
    def divergence(self) -> float:
        """Kullback–Leibler, in nats, of the values' histogram from the copy's (CDC Fig. 5)."""
        there = self.before > 0
        return float((self.before[there] * np.log(self.before[there] / self.after[there])).sum())

    @cached_property
    def variation(self) -> float:
        """Total variation: half of the differences."""
        return float(np.abs(self.before - self.after).sum() / 2)

    @property
    def _numbers(self) -> Floats:
        column = self.cells.column
        return float(column.low) + float(column.step) * np.arange(len(self.counts), dtype=np.float64)

    @property
    def _reports(self) -> Floats:
        middles = np.array([float(number) for number in self.cells.middles()])
        found: Floats = middles[np.arange(len(self.counts)) // self.cells.width]
        return found

    def _binned(self, counts: Any) -> Floats:
        bins = min(BINS, len(counts))
        places = np.arange(len(counts)) * bins // len(counts)
        found: Floats = np.bincount(places, counts, minlength=bins) / max(1.0, counts.sum())
        return found


@dataclass(frozen=True, eq=False)
class Utility:
    """What a released copy is worth."""

    columns: tuple[ColumnUtility, ...]
    generalised: dict[str, tuple[int, int]]
    """For every category how many values it had, and how many groups it has now."""
    correlations: dict[tuple[str, str], tuple[float, float]]
    """Of every pair of columns, before and after."""
    unique: tuple[float, float]
    """The share of rows that no other is like, before and after."""
    together: tuple[tuple[str, ...], ...]

    def fields(self) -> dict[str, Any]:
        """All figures."""
        return {
            "warning": WARNING,
            "columns": {
                each.name: {
                    "error promised": each.promised,
                    "error measured": each.measured,
                    "difference of means": each.mean_difference,
                    "Kullback-Leibler, nats": each.divergence,
                    "total variation": each.variation,
                }
                for each in self.columns
            },
            "generalised": {name: {"values": a, "groups": b} for name, (a, b) in self.generalised.items()},
            "correlations": {f"{a}, {b}": {"before": x, "after": y} for (a, b), (x, y) in self.correlations.items()},
            "unique rows": {"before": self.unique[0], "after": self.unique[1]},
            "belonging together": [list(group) for group in self.together],
        }

    def to_json(self) -> str:
        """All figures, for machines."""
        return json.dumps(self.fields(), ensure_ascii=False, indent=1)

    def html(self) -> str:
        """One page with all figures and a picture of every column."""
        from noiseless.curator.microdata.utility_page import utility_page

        return utility_page(self)

    def _repr_html_(self) -> str:
        return self.html()


def utility_of(plan: ReleasePlan, dataset: Dataset) -> Utility:
    """From a few aggregates of the codes; nothing of a row is fetched."""
    cells = [column for column in plan.private if isinstance(column, Cells)]
    groups = {
        column.name: (column.column.values, column.answers) for column in plan.private if isinstance(column, Groups)
    }
    return Utility(
        tuple(ColumnUtility(column, _counts(column, dataset)) for column in cells),
        groups,
        _correlations(cells, dataset),
        _unique(plan, dataset),
        (*plan.grids, *plan.together),
    )


def _counts(column: Cells, dataset: Dataset) -> Floats:
    field = dataset.field(column.name)
    rows = dataset.engine.run(f"SELECT {field}, COUNT(*) FROM {dataset.engine.codes} GROUP BY {field}")
    counts = np.zeros(column.column.top + 1)
    for code, number in rows:
        if code is not None:
            counts[int(code)] = number
    return counts


def _correlations(cells: list[Cells], dataset: Dataset) -> dict[tuple[str, str], tuple[float, float]]:
    """CORR of the codes, and of the middles of their cells."""
    pairs = list(combinations(cells, 2))
    if not pairs:
        return {}

    def double(column: Cells, released: bool) -> str:
        code = f"CAST({dataset.field(column.name)} AS BIGINT)"
        first = f"({code} - {code} % {column.width})"
        start = column.width * (column.cells - 1)
        middle = (
            f"CASE WHEN {first} = {start} THEN {start + column.column.top} ELSE 2 * {first} + {column.width - 1} END"
        )
        return f"(1e0 * ({middle if released else code}))"  # a double on every engine

    wanted = ", ".join(
        f"CORR({double(a, released)}, {double(b, released)})" for a, b in pairs for released in (False, True)
    )
    [found] = dataset.engine.run(f"SELECT {wanted} FROM {dataset.engine.codes}")
    numbers = [float("nan") if number is None else float(number) for number in found]
    return {(a.name, b.name): (numbers[2 * k], numbers[2 * k + 1]) for k, (a, b) in enumerate(pairs)}


def _unique(plan: ReleasePlan, dataset: Dataset) -> tuple[float, float]:
    """Rows alone in what is told of them, the public columns included."""
    before, after = [], []
    for column in plan.columns:
        field = dataset.field(column.name)
        before.append(field)
        match column:
            case Cells():
                after.append(f"{field} - {field} % {column.width}")
            case Groups():
                places = [column.labels.index(label) for label in column.labels]
                cases = " ".join(f"WHEN {code} THEN {place}" for code, place in enumerate(places))
                after.append(f"CASE {field} {cases} END")
            case PublicKeys():
                after.append(field)
    return _alone(before, dataset), _alone(after, dataset)


def _alone(keys: list[str], dataset: Dataset) -> float:
    listed = ", ".join(keys)
    counted = f"SELECT COUNT(*) AS n FROM {dataset.engine.codes} GROUP BY {listed}"
    [(alone,)] = dataset.engine.run(f"SELECT COALESCE(SUM(CASE WHEN n = 1 THEN 1 ELSE 0 END), 0) FROM ({counted}) AS c")
    return float(Fraction(int(alone), max(1, dataset.rows)))
