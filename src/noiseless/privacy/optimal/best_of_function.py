"""The best cells of a function on a box, up to the uncertainty of small boxes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise

from noiseless.privacy.optimal.best import Against, Best, few_enough, uniform
from noiseless.privacy.optimal.partition import Cuts, best_cuts, fewest_cuts
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.theory.spread.box_function import BoxFunction

FINE = 64
"""The number of candidate edges in each longest cell."""
MOST_CELLS = 1 << 9
ONE = 1 << 40
"""The number of whole units that stand for a share of 1."""
SLACK = Fraction(1, 10**6)
"""More than all rounding errors of shares here."""


def best_of_function(spread: BoxFunction, width: Fraction, against: Against) -> Best:
    """The best edges on a fine grid, and a limit for all policies. If sides of the box have gaps, so may the values.

    Two points of one cell differ by at most w. The middle values of their small boxes then differ by at most w + 2a,
    where a bounds how far values are from the middle one. So every policy is also a policy on the small boxes, with
    that width and with points split at will, and its smallest cell is no larger than the best of those.
    """
    low, high = spread.low.lower, spread.high.upper
    if low == high:
        return Best(Quantizer(low - width / 2, high + width / 2, 1), 1, Fraction(1))
    connected = all(len(spread.box[name].components) == 1 for name in spread.box.names)
    if high - low <= width or (against == "maximin" and connected):
        return replace(uniform(low, high, width), limit=None if against == "maximin" else Fraction(1))
    few_enough((high - low) / width, MOST_CELLS)
    fine = width / FINE
    steps = range(1, int((high - low) / fine) + 1)
    grid = sorted({low, high, *(low + k * fine for k in steps), *(high - k * fine for k in steps)})
    shares, away, met = spread.histogram(grid[1:-1])
    parts = [(left, right) for (left, right), there in zip(pairwise(grid), met.tolist(), strict=True) if there]
    starts = list(accumulate((max(1, round(share * ONE)) for share in shares[met].tolist()), initial=0))
    lefts, rights = [left for left, _ in parts], [right for _, right in parts]
    reach = [starts[bisect_right(rights, left + width)] for left in lefts]
    if against == "maximin":
        return _made(parts, starts, fewest_cuts(starts, reach), None)
    loose = [starts[bisect_right(lefts, right + width + 2 * away)] for right in rights]
    limit = Fraction(best_cuts(starts, loose, split=True)[1] + 1, ONE) + SLACK
    return _made(parts, starts, best_cuts(starts, reach, split=False)[0], min(limit, Fraction(1)))


def _made(parts: list[tuple[Fraction, Fraction]], starts: list[int], cuts: Cuts, limit: Fraction | None) -> Best:
    """Cells from the first edge of their first part to the last edge of their last; gaps in between hold no values."""
    firsts = [bisect_left(starts, cut) for cut in cuts]
    edges = {edge for first, after in pairwise(firsts) for edge in (parts[first][0], parts[after - 1][1])}
    return Best(Quantizer.from_edges(sorted(edges)), len(cuts) - 1, limit)
