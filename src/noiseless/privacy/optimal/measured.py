"""What every optimal policy reveals, by the papers' two measures."""

from __future__ import annotations

from collections.abc import Sized
from fractions import Fraction
from typing import TYPE_CHECKING

from noiseless.exact.enclosure import Enclosure
from noiseless.exact.logratio import LogRatio
from noiseless.privacy.optimal.privacy_of import privacy_of


class Measured:
    """Leakage by the share of the smallest cell, maximin information by the number of cells."""

    if TYPE_CHECKING:  # fields in some classes, properties in others

        @property
        def smallest(self) -> Fraction | Enclosure:
            """The share of all data in the smallest cell."""

        @property
        def cells(self) -> int | Sized:
            """The cells, or their number."""

    @property
    def leakage(self) -> LogRatio:
        """L0(X;Y): never too small."""
        smallest = self.smallest
        return LogRatio.of(Fraction(1), smallest.lower if isinstance(smallest, Enclosure) else smallest)

    @property
    def maximin(self) -> LogRatio:
        """I⋆(X;Y)."""
        cells = self.cells
        return LogRatio(Fraction(cells if isinstance(cells, int) else len(cells)))

    @property
    def p1(self) -> float:
        """The papers' P1 = 1/L0, in nats."""
        return privacy_of(self.leakage)

    @property
    def p2(self) -> float:
        """The papers' P2 = 1/I⋆, in nats."""
        return privacy_of(self.maximin)
