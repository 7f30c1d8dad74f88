"""The quantizer that reveals least for a given error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from noiseless.errors import BudgetError, InputError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.definitions.noiseless.calibrate import calibrate
from noiseless.privacy.definitions.noiseless.certify import mechanism
from noiseless.privacy.domain import is_evenly_spaced
from noiseless.privacy.mechanisms.mechanism import Mechanism
from noiseless.privacy.optimal.best import Against, Best, uniform
from noiseless.privacy.optimal.best_of_atoms import best_of_atoms
from noiseless.privacy.optimal.best_of_function import best_of_function
from noiseless.privacy.optimal.measured import Measured
from noiseless.privacy.optimal.one_peak import best_of_one_peak
from noiseless.privacy.optimal.shares import shares, smallest_share
from noiseless.privacy.optimal.spread_of import Asked, spread_of
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.linear import EqualWeights, Linear, weights_of
from noiseless.privacy.queries.order import OrderStatistic
from noiseless.privacy.queries.variance import Variance
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.spread.atoms import Atoms
from noiseless.theory.spread.box_function import BoxFunction


@dataclass(frozen=True)
class OptimalQuantizer(Measured):
    """A quantizer, and how little it reveals about the data as a whole.

    `limit` is an upper bound of the smallest cell's share for any policy with this error; None if only the number of
    cells was minimised. It is reached, up to the rounding of irrational edges, unless `asked` is a function on a box
    (then it is a bound) or points of one value would have to be split (see `optimal_partition`).
    """

    asked: Asked
    error: Fraction
    against: Against
    quantizer: Quantizer
    cells: int
    """The number of different answers."""
    limit: Fraction | None
    box: Box | None = None

    @property
    def quality(self) -> Fraction:
        """The papers' γ."""
        return 1 / self.error

    @cached_property
    def shares(self) -> tuple[Enclosure, ...]:
        """The share of all possible data in each nonempty cell."""
        return shares(spread_of(self.asked, self.box), self.quantizer)

    @cached_property
    def smallest(self) -> Enclosure:
        """The share of all possible data in the smallest cell."""
        return smallest_share(spread_of(self.asked, self.box), self.quantizer)

    def regions(self) -> str:
        """An SVG of the regions that share an answer, for two people or a box of two coordinates (TIFS Fig. 1–2)."""
        from noiseless.privacy.optimal.pictures import regions_picture

        return regions_picture(self)

    @property
    def mechanism(self) -> Mechanism:
        """The query answered through this quantizer, with its guarantee for one person."""
        if isinstance(self.asked, Mapping) or not hasattr(self.asked, "reach"):
            raise InputError("only a query makes a mechanism; give one such as Mean(n=300, low=0, high=60)")
        query: Any = self.asked
        made = mechanism(self.quantizer, query)
        return replace(made, error=min(made.error, self.error))  # bins that fill gaps may be wider than any cell


def optimal_quantizer(
    query: Asked, *, error: Number, against: Against = "leakage", box: Box | None = None
) -> OptimalQuantizer:
    """The quantizer of a query that reveals least with this worst-case error.

    Against "maximin" it has the fewest cells: uniform bins where values fill an interval, otherwise a greedy cover of
    the values; for a function of a `box` up to what interval arithmetic leaves open at the ends of its range. Against
    "leakage" its smallest cell is largest: in closed form for weighted sums of intervals and order statistics, by
    dynamic programming for finitely many values, and for a function of a `box` by the same on small boxes, with both a
    certain share and a certain limit.

    Source: TIFS Thm IV.2, IV.3, corrected: docs/theorems.md#tifs-thm-iv-3

    >>> from noiseless.privacy.queries.linear import Mean
    >>> best = optimal_quantizer(Mean(n=2, low=-2, high=2), error="0.625")
    >>> [round(float(edge), 4) for edge in best.quantizer.edges], round(best.leakage.nats, 3)
    ([-2.0, -0.75, 0.2322, 0.75, 2.0], 1.633)
    >>> optimal_quantizer({10: 6, 14: 1, 19: 2}, error="2.5").smallest
    1/3
    """
    allowed = exact_number(error, "error")
    if allowed <= 0:
        raise BudgetError(
            f"error={error} is not above 0, and without error the answer is the query itself; use a positive error"
        )
    if against not in ("maximin", "leakage"):
        raise BudgetError(
            f"against={against!r} is not valid; use 'maximin' (fewest cells) or 'leakage' (largest smallest cell)"
        )
    best = _without_counting(query, allowed) if against == "maximin" and box is None else None
    if best is None:
        spread, width = spread_of(query, box), 2 * allowed
        match spread:
            case Atoms():
                best = best_of_atoms(spread, width, against)
            case BoxFunction():
                best = best_of_function(spread, width, against)
            case _:
                best = best_of_one_peak(spread, width)
    return OptimalQuantizer(query, allowed, against, best.quantizer, best.cells, best.limit, box)


def _without_counting(query: Asked, error: Fraction) -> Best | None:
    """The fewest cells if the query's values are an interval or a full grid, for any number of people."""
    even = isinstance(query, (EqualWeights, Linear)) and is_evenly_spaced(query.domain) and _equal_weights(query)
    if even or (isinstance(query, OrderStatistic) and query.step is not None):
        assert isinstance(query, (EqualWeights, Linear, OrderStatistic))
        made = calibrate(query, error=error)
        cells = made.guarantee.count if isinstance(query, OrderStatistic) else made.quantizer.levels
        return Best(made.quantizer, cells, None)
    if (
        isinstance(query, (EqualWeights, Linear, OrderStatistic, Variance))
        and query.step is None
        and query.high > query.low
    ):
        return uniform(query.low, query.high, 2 * error)
    return None


def _equal_weights(query: EqualWeights | Linear) -> bool:
    return len({abs(weight) for weight in weights_of(query) if weight}) == 1
