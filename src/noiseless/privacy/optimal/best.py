"""What all ways to find the best quantizer share."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

from noiseless.errors import BudgetError
from noiseless.privacy.quantizers.quantizer import Quantizer

Against = Literal["maximin", "leakage"]
MOST_CELLS = 1 << 16


@dataclass(frozen=True, slots=True)
class Best:
    """A quantizer, the number of its answers, and the largest share that a smallest cell can have."""

    quantizer: Quantizer
    cells: int
    limit: Fraction | None


def uniform(low: Fraction, high: Fraction, width: Fraction) -> Best:
    """The fewest cells that cover an interval, each at most the width long: equal cells.

    Source: TIFS Thm IV.2: docs/theorems.md#tifs-thm-iv-2
    """
    levels = max(1, ceil((high - low) / width))
    return Best(Quantizer(low, high, levels), levels, None)


def few_enough(cells: Fraction, most: int = MOST_CELLS) -> None:
    """Refuse too many edges to list."""
    if cells > most:
        raise BudgetError(
            f"an error this small needs more than {most} cells, too many to list; allow a larger error, or "
            "choose against='maximin', where equal cells are best"
        )
