"""The best cells of a function on a box, up to what small boxes leave open."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate

from noiseless.privacy.mechanisms.quantizer import Quantizer
from noiseless.privacy.optimal.best import Against, Best, few_enough, uniform
from noiseless.privacy.optimal.partition import best_cuts
from noiseless.theory.spread.box_function import BoxFunction

FINE = 64
"""Edges are chosen among so many places in each longest cell."""
MOST_CELLS = 1 << 9
ONE = 1 << 40
"""What a share of 1 is, where shares are counted in whole units."""
SLACK = Fraction(1, 10**6)
"""More than all roundings of shares here."""


def best_of_function(spread: BoxFunction, width: Fraction, against: Against) -> Best:
    """Edges on a fine grid, and a limit that no policy can pass.

    Two points of one cell differ by at most w. The small boxes they lie in then have middle values at most w + 2a
    apart, a being how far values can be from the middle one; so every policy is also one of the small boxes, with that
    width and points told apart at will, and its smallest cell is no larger than the best of those.
    """
    low, high = spread.low.lower, spread.high.upper
    if low == high:
        return Best(Quantizer(low - width / 2, high + width / 2, 1), 1, Fraction(1))
    if against == "maximin" or high - low <= width:
        return uniform(low, high, width)
    few_enough((high - low) / width, MOST_CELLS)
    fine = width / FINE
    steps = range(1, int((high - low) / fine) + 1)
    grid = sorted({low, high, *(low + k * fine for k in steps), *(high - k * fine for k in steps)})
    shares, away = spread.histogram(grid[1:-1])
    starts = list(accumulate((max(1, round(share * ONE)) for share in shares.tolist()), initial=0))
    reach = [starts[bisect_right(grid, edge + width) - 1] for edge in grid[:-1]]
    cuts, _ = best_cuts(starts, reach, split=False)
    place = dict(zip(starts, grid, strict=True))
    loose = [starts[min(len(grid) - 1, bisect_right(grid, edge + width + 2 * away))] for edge in grid[1:]]
    limit = Fraction(best_cuts(starts, loose, split=True)[1] + 1, ONE) + SLACK
    return Best(Quantizer.from_edges(place[cut] for cut in cuts), len(cuts) - 1, min(limit, Fraction(1)))
