"""The largest smallest cell for a spread with one peak, in closed form.

The first and last cells cannot be longer than w, and there are at least ⌈L/w⌉ cells, so no smallest cell is larger than

    m = min{F(low + w), 1 − F(high − w), 1/⌈L/w⌉}.

Cells of exactly m, laid from the top and never beginning after low + (k−1)·w for the k-th, attain it: on one side of
the peak cells of equal share only grow shorter, so none becomes longer than w.

Source: TIFS Thm IV.3 (16) for linear f on a box: docs/theorems.md#tifs-thm-iv-3
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from noiseless.privacy.optimal.best import Best, few_enough
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.theory.spread.spread import Spread, value_at


def largest_smallest(spread: Spread, width: Fraction) -> Fraction:
    """m: the share of the smallest cell of an optimal policy. No policy has a larger one."""
    length = spread.high - spread.low
    if width >= length:
        return Fraction(1)
    ends = spread.share_below(spread.low + width), 1 - spread.share_below(spread.high - width)
    return min(*ends, Fraction(1, ceil(length / width)))


def edges_of(spread: Spread, width: Fraction) -> list[Fraction]:
    """The edges; irrational ones are rounded down slightly. No cell is longer than w."""
    share, cells = largest_smallest(spread, width), ceil((spread.high - spread.low) / width)
    edges = [spread.high]
    for cell in range(cells - 1, 0, -1):
        latest = spread.low + cell * width
        left = spread.share_below(edges[-1]) - share
        # whether F⁻¹(left) lies beyond the latest place is decided by F, which is exact
        even = latest if spread.share_below(latest) <= left else value_at(spread, left, up=False)
        edges.append(max(even, edges[-1] - width))
    return [spread.low, *edges[::-1]]


def best_of_one_peak(spread: Spread, width: Fraction) -> Best:
    """The quantizer with the edges of `edges_of`."""
    few_enough((spread.high - spread.low) / width)
    edges = edges_of(spread, width)
    return Best(Quantizer.from_edges(edges), len(edges) - 1, largest_smallest(spread, width))
