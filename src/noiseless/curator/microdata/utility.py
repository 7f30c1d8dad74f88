"""How much of the data survives in a released copy. For the custodian only, since it uses private values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.microdata.columns import Cells, Groups, PublicKeys
from noiseless.curator.microdata.plan import CopyPlan
from noiseless.curator.page import finite
from noiseless.curator.schema.dates import Date

Floats = NDArray[np.float64]
WARNING = "For the custodian only: these figures are computed from the private values and must not be passed on."
BINS = 60
"""Histograms are compared in this number of equal parts of the range, or one per code if there are fewer codes."""


@dataclass(frozen=True, eq=False)
class ColumnUtility:
    """One column of numbers before and after: what was promised and what was measured."""

    cells: Cells
    measured: float
    """The worst error in these data, up to the rounding of codes."""
    mean_difference: float
    """The mean of the reports minus the mean of the values."""
    before: Floats
    """The share of the values in each of several equal parts of the range."""
    after: Floats
    """The same shares estimated from the copy, with every report spread evenly over its cell."""

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.cells.name

    @property
    def promised(self) -> float:
        """The worst error for any data."""
        return float(self.cells.error)

    @cached_property
    def divergence(self) -> float:
        """Kullback–Leibler divergence, in nats, of the values' histogram from the copy's (CDC Fig. 5)."""
        there = self.before > 0
        return float((self.before[there] * np.log(self.before[there] / self.after[there])).sum())

    @cached_property
    def variation(self) -> float:
        """Total variation: half the sum of the differences."""
        return float(np.abs(self.before - self.after).sum() / 2)


@dataclass(frozen=True, eq=False)
class Utility:
    """How useful a released copy is."""

    columns: tuple[ColumnUtility, ...]
    generalised: dict[str, tuple[int, int]]
    """For every category, how many values it had and how many groups it has now."""
    correlations: dict[tuple[str, str], tuple[float, float]]
    """The correlation of every pair of columns, before and after."""
    unique: tuple[float, float]
    """The share of unique rows, before and after."""
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
        return json.dumps(finite(self.fields()), ensure_ascii=False, indent=1)

    def html(self) -> str:
        """One page with all figures and a picture of every column."""
        from noiseless.curator.microdata.utility_page import utility_page

        return utility_page(self)

    def _repr_html_(self) -> str:
        return self.html()


def utility_of(plan: CopyPlan, dataset: Dataset) -> Utility:
    """The report, computed from a few aggregates of the codes. No row is fetched."""
    cells = [column for column in plan.private if isinstance(column, Cells)]
    groups = {
        column.name: (column.column.values, column.answers) for column in plan.private if isinstance(column, Groups)
    }
    return Utility(
        tuple(_column(column, dataset) for column in cells),
        groups,
        _correlations(cells, dataset),
        _unique(plan, dataset),
        (*plan.grids, *plan.together),
    )


def _column(column: Cells, dataset: Dataset) -> ColumnUtility:
    """One column, from three small results: the errors, the histogram of the values, and the histogram of the cells."""
    code, top = f"CAST({dataset.field(column.name)} AS BIGINT)", column.column.top
    part = -(-(top + 1) // BINS)
    report, value, unit = _halves(column, code)
    [(worst, mean)] = _asked(dataset, f"MAX(ABS({report} - {value})), AVG(1e0 * ({report} - {value}))")
    before = _tally(dataset, f"{code} - {code} % {part}")
    cells = _tally(dataset, column.first_sql(code))
    edges = np.minimum(np.arange(0, top + 1 + part, part, dtype=np.float64), top + 1)
    shares = np.zeros(len(edges) - 1)
    for first, number in before.items():
        shares[first // part] = number
    firsts = np.array(sorted(cells), dtype=np.float64)
    ends = np.array([column.end_of(column.place_of(first)) for first in sorted(cells)], dtype=np.float64)
    numbers = np.array([cells[first] for first in sorted(cells)], dtype=np.float64)
    total = max(1.0, numbers.sum())
    return ColumnUtility(
        column,
        unit * float(worst or 0),
        unit * float(mean or 0),
        shares / total,
        np.diff(_below(edges, firsts, ends, numbers)) / total,
    )


def _below(edges: Floats, firsts: Floats, ends: Floats, numbers: Floats) -> Floats:
    """How many rows lie below each edge if the rows of every cell are spread evenly."""
    if not len(firsts):
        return np.zeros(len(edges))
    sums = np.append(0.0, np.cumsum(numbers))
    place = np.searchsorted(firsts, edges, side="right") - 1
    inside = np.clip((edges - firsts[place]) / (ends[place] - firsts[place]), 0.0, 1.0)
    found: Floats = np.where(place < 0, 0.0, sums[place] + inside * numbers[place])
    return found


def _tally(dataset: Dataset, first: str) -> dict[int, int]:
    rows = dataset.engine.run(f"SELECT {first}, COUNT(*) FROM {dataset.engine.codes_for(first)} GROUP BY {first}")
    return {int(found): int(number) for found, number in rows if found is not None}


def _halves(column: Cells, code: str) -> tuple[str, str, float]:
    """Report and value in half steps. Dates are in half days, and the earlier of two days is reported."""
    middle, step = column.middle_sql(code), column.column.step
    if not isinstance(column.column, Date):
        return middle, f"(2 * {code})", float(step) / 2
    return f"({step} * {middle} - ({step} * {middle}) % 2)", f"(2 * {step} * {code})", 0.5


def _asked(dataset: Dataset, wanted: str) -> list[tuple[Any, ...]]:
    return dataset.engine.run(f"SELECT {wanted} FROM {dataset.engine.codes_for(wanted)}")


def _correlations(cells: list[Cells], dataset: Dataset) -> dict[tuple[str, str], tuple[float, float]]:
    """CORR of the codes, and of the middles of their cells."""
    pairs = list(combinations(cells, 2))
    if not pairs:
        return {}

    def double(column: Cells, released: bool) -> str:
        code = f"CAST({dataset.field(column.name)} AS BIGINT)"
        return f"(1e0 * {column.middle_sql(code) if released else code})"  # makes it a double on every engine

    kinds = (False, True)
    wanted = ", ".join(f"CORR({double(a, kind)}, {double(b, kind)})" for a, b in pairs for kind in kinds)
    [found] = _asked(dataset, wanted)
    numbers = [float("nan") if number is None else float(number) for number in found]
    return {(a.name, b.name): (numbers[2 * k], numbers[2 * k + 1]) for k, (a, b) in enumerate(pairs)}


def _unique(plan: CopyPlan, dataset: Dataset) -> tuple[float, float]:
    """The share of rows that are unique in everything released about them, including public columns."""
    before, after = [], []
    for column in plan.columns:
        field = dataset.field(column.name)
        before.append(field)
        match column:
            case Cells():
                after.append(column.first_sql(field))
            case Groups():
                places = [column.labels.index(label) for label in column.labels]
                cases = " ".join(f"WHEN {code} THEN {place}" for code, place in enumerate(places))
                after.append(f"CASE {field} {cases} END")
            case PublicKeys():
                after.append(field)
    revealed = [dataset.field(name) for each in plan.policies for name in each.columns]
    before, after = [*before, *revealed], [*after, *revealed]
    return _alone(before, dataset), _alone(after, dataset)


def _alone(keys: list[str], dataset: Dataset) -> float:
    listed = ", ".join(keys)
    counted = f"SELECT COUNT(*) AS n FROM {dataset.engine.codes_for(listed)} GROUP BY {listed}"
    [(alone,)] = dataset.engine.run(f"SELECT COALESCE(SUM(CASE WHEN n = 1 THEN 1 ELSE 0 END), 0) FROM ({counted}) AS c")
    return float(Fraction(int(alone), max(1, dataset.rows)))
