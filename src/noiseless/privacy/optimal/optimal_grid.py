"""The best cells of unrelated columns: the best quantizer of each, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from noiseless.errors import BudgetError, InputError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.number import Number
from noiseless.privacy.composition.vector import Vector, VectorMechanism
from noiseless.privacy.optimal.best import Against
from noiseless.privacy.optimal.measured import Measured
from noiseless.privacy.optimal.optimal_quantizer import OptimalQuantizer, optimal_quantizer
from noiseless.privacy.optimal.spread_of import spread_of
from noiseless.privacy.quantizers.grid import Grid
from noiseless.privacy.queries.histogram import Histogram
from noiseless.theory.spread.atoms import Atoms
from noiseless.theory.spread.box_function import BoxFunction


@dataclass(frozen=True)
class OptimalGrid(Measured):
    """The best quantizer of each coordinate, and how little they reveal together about all data.

    `limit` is an upper bound of the smallest cell's share for any policy with these errors; None if only the number of
    cells was minimised.
    """

    vector: Vector
    best: Mapping[str, OptimalQuantizer]
    limit: Fraction | None

    @property
    def grid(self) -> Grid:
        """The quantizers side by side."""
        return Grid({name: best.quantizer for name, best in self.best.items()})

    @property
    def cells(self) -> int:
        """The number of different answers; no policy with these errors has fewer, if it was minimised."""
        return prod(best.cells for best in self.best.values())

    @property
    def smallest(self) -> Enclosure:
        """The share of all data in the smallest cell."""
        shares = [best.smallest for best in self.best.values()]
        one = Fraction(1)
        return Enclosure(prod((s.lower for s in shares), start=one), prod((s.upper for s in shares), start=one))

    @property
    def mechanism(self) -> VectorMechanism:
        """The vector answered through this grid, with its guarantee for one person."""
        return self.vector.mechanism(self.grid)


def optimal_grid(vector: Vector, *, error: Number | Mapping[str, Number], against: Against = "leakage") -> OptimalGrid:
    """The cells of unrelated columns that reveal least, for an error of each coordinate.

    Each coordinate reads its own column, so every combination of their values occurs. If coordinate j alone needs N_j
    cells, it has N_j values of which no two fit into one cell. No two of their ∏N_j combinations do either, so no
    policy has fewer than ∏N_j cells, and the grid has no more.

    For the smallest cell, put some coordinates at an end of their range and let the others run through these values.
    The cells are different, and in each of the first coordinates they lie within w_j = 2·error of the end. So no
    smallest cell is larger than

        ∏ m_j,  m_j = min{F_j(low + w_j), 1 − F_j(high − w_j), 1/N_j},

    which the grid attains if every m_j is attained, as for weighted sums and order statistics of intervals.

    Guarantee: against "maximin" no policy has fewer cells; against "leakage" `limit` bounds every policy, and is
    attained for values that fill intervals, up to the rounding of irrational edges.
    Source: TIFS Thm IV.2, IV.3 for vectors: docs/theorems.md#tifs-thm-iv-3-vectors

    >>> from noiseless.privacy.queries.linear import Mean
    >>> both = Vector({"x": Mean(2, -2, 2), "y": Mean(2, -2, 2)}, {"x": "x", "y": "y"})
    >>> best = optimal_grid(both, error="0.625")
    >>> best.cells, round(best.leakage.nats, 3), float(best.limit)
    (16, 3.266, 0.03814697265625)
    """
    if not isinstance(vector, Vector) or len(set(map(str, vector.reads.values()))) < len(vector.coordinates):
        raise InputError(
            "optimal_grid needs a Vector whose coordinates read different columns; name them in reads, or use "
            "optimal_cells"
        )
    if not vector.of_columns or any(isinstance(query, Histogram) for query in vector.coordinates.values()):
        raise InputError("optimal_grid needs one number of each column; use weighted sums and order statistics")
    errors = error if isinstance(error, Mapping) else dict.fromkeys(vector.coordinates, error)
    if set(errors) != set(vector.coordinates):
        raise BudgetError(f"error does not match the coordinates; name each of {', '.join(vector.coordinates)} once")
    best = {
        name: optimal_quantizer(query, error=errors[name], against=against)
        for name, query in vector.coordinates.items()
        if not isinstance(query, Histogram)
    }
    limit = None if against == "maximin" else prod(map(_end, best.values()), start=Fraction(1))
    return OptimalGrid(vector, best, limit)


def _end(best: OptimalQuantizer) -> Fraction:
    """m_j: the smaller share within reach of an end, and at most an equal share of the fewest cells."""
    spread, width = spread_of(best.asked), 2 * best.error
    fewest = optimal_quantizer(best.asked, error=best.error, against="maximin").cells
    if isinstance(spread, Atoms):
        sizes = list(zip(spread.values, spread.points, strict=True))
        ends = (
            sum(points for value, points in sizes if value <= spread.low + width),
            sum(points for value, points in sizes if value >= spread.high - width),
        )
        return min(Fraction(min(ends), spread.total), Fraction(1, fewest))
    assert not isinstance(spread, BoxFunction)
    below, above = spread.share_below(spread.low + width), 1 - spread.share_below(spread.high - width)
    return min(below, above, Fraction(1, fewest))
