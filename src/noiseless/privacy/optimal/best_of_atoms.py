"""The best cells of finitely many values."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import pairwise

from noiseless.privacy.optimal.best import Against, Best
from noiseless.privacy.optimal.partition import Cuts, best_cuts, fewest_cuts
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.theory.spread.atoms import Atoms


def best_of_atoms(atoms: Atoms, width: Fraction, against: Against) -> Best:
    """The best cells that keep the points of one value together. The limit also holds for policies that split them."""
    starts, furthest = atoms.starts, furthest_of(atoms, width)
    if against == "maximin":
        return _made(atoms, fewest_cuts(starts, furthest), None)
    limit = Fraction(best_cuts(starts, furthest, split=True)[1], starts[-1])
    return _made(atoms, best_cuts(starts, furthest, split=False)[0], limit)


def furthest_of(atoms: Atoms, width: Fraction) -> list[int]:
    """For each value, the place after the last point within the width above it."""
    starts = atoms.starts
    return [starts[bisect_right(atoms.values, value + width)] for value in atoms.values]


def _made(atoms: Atoms, cuts: Cuts, limit: Fraction | None) -> Best:
    """Edges with each cell's values centred between them; gaps between distant cells hold no values."""
    margin = min((right - left for left, right in pairwise(atoms.values)), default=Fraction(1)) / 2
    starts = atoms.starts
    firsts = [bisect_left(starts, cut) for cut in cuts]
    edges = set()
    for first, after in pairwise(firsts):
        edges |= {atoms.values[first] - margin, atoms.values[after - 1] + margin}
    return Best(Quantizer.from_edges(sorted(edges)), len(cuts) - 1, limit)
