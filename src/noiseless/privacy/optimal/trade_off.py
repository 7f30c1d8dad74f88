"""What an error buys: the best quantizer at each of several errors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, RangeError, TooLargeError
from noiseless.exact.number import Number
from noiseless.exact.rounding import float_down
from noiseless.privacy.optimal.adversary_estimate import adversary_estimate
from noiseless.privacy.optimal.best import Against
from noiseless.privacy.optimal.optimal_quantizer import OptimalQuantizer, optimal_quantizer
from noiseless.privacy.optimal.spread_of import Asked
from noiseless.privacy.pictures.progress import progress
from noiseless.theory.ranges.boxes import Box

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TradeOff:
    """Columns of equal length. Bits are rounded up and d_min down; nan if not known exactly."""

    best: tuple[OptimalQuantizer, ...]
    error: Floats
    cells: NDArray[np.int64]
    leakage: Floats
    """L0, in bits."""
    maximin: Floats
    """I⋆, in bits."""
    d_min: Floats
    """The worst-case error of the adversary's best estimate of all data after the most revealing answer."""

    @property
    def quality(self) -> Floats:
        """The papers' γ."""
        return 1 / self.error

    @property
    def p1(self) -> Floats:
        """The papers' P1 = 1/L0, in nats; nan if not known exactly."""
        return np.array([nan if isnan(bits) else best.p1 for best, bits in zip(self.best, self.leakage, strict=True)])

    @property
    def p2(self) -> Floats:
        """The papers' P2 = 1/I⋆, in nats."""
        return np.array([best.p2 for best in self.best])

    def picture(self) -> str:
        """An SVG of the three columns against the error."""
        from noiseless.privacy.optimal.pictures import trade_off_picture

        return trade_off_picture(self)

    def _repr_html_(self) -> str:
        return self.picture()


def trade_off(
    query: Asked, errors: Iterable[Number], *, against: Against = "leakage", box: Box | None = None
) -> TradeOff:
    """The best quantizer for each error, and what it reveals.

    Source: TIFS Fig. 3: docs/optimal_quantizers.md

    >>> from noiseless.privacy.queries.linear import Mean
    >>> curve = trade_off(Mean(n=2, low=-2, high=2), ["0.25", "0.5", 1], against="maximin")
    >>> curve.cells, curve.maximin, curve.leakage, curve.d_min.round(3)
    (array([8, 4, 2]), array([3., 2., 1.]), array([5., 3., 1.]), array([0.707, 1.414, 2.828]))
    """
    if isinstance(errors, (str, int, float, Decimal, Fraction)):
        raise InputError(f"errors={errors!r} is not a list; write it as [0.1, 0.2, 0.5]")
    wanted = list(errors)
    if not wanted:
        raise InputError("errors is empty; give at least one error")
    best = tuple(
        optimal_quantizer(query, error=error, against=against, box=box) for error in progress(wanted, "best quantizers")
    )
    return TradeOff(
        best,
        np.array([float(each.error) for each in best]),
        np.array([each.cells for each in best]),
        np.array([_leakage(each) for each in best]),
        np.array([each.maximin.bits_up for each in best]),
        np.array([_d_min(each) for each in best]),
    )


def _leakage(best: OptimalQuantizer) -> float:
    try:
        return best.leakage.bits_up
    except (TooLargeError, RangeError):
        return nan


def _d_min(best: OptimalQuantizer) -> float:
    query: Any = best.asked
    try:
        return float_down(adversary_estimate(best.quantizer, query, volumes=False).d_min.enclosure.lower)
    except InputError:
        return nan
