"""How many trips are alone in their pair of boxes? (NP Fig. 6)

Each coordinate of where a trip begins and ends is cut into 2^(ε/2) parts, so begin and end are boxes of ε bits each. If
no other trip has the same pair of boxes, an adversary who knows them finds the trip.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, TooLargeError
from noiseless.lab.attacks.adversary import SEED, drawn
from noiseless.lab.attacks.curve import Curve, Point
from noiseless.lab.datasets.trips import Trips
from noiseless.privacy.quantizers.quantizer import Quantizer

Ints = NDArray[np.int64]
MOST_BITS = 40


class Seeker:
    """Knows the boxes where everybody begins and ends, and looks for their rows in the released trips."""

    name = "unique trips"

    def choose(self, games: int, draw: np.random.Generator) -> Ints:
        """Whom to look for: everybody."""
        return np.arange(games)

    def observe(self, chosen: Ints, reports: Ints) -> Ints:
        """How many released trips share each trip's boxes; `reports` numbers the pairs of boxes."""
        found: Ints = np.bincount(reports)[reports[chosen]]
        return found

    def guess(self, evidence: Ints, draw: np.random.Generator) -> NDArray[np.bool_]:
        """Whether the adversary finds the row of each trip."""
        found: NDArray[np.bool_] = evidence == 1
        return found


def unique_trips(trips: Trips, bits: Sequence[int]) -> Curve:
    """The share of trips with a unique pair of boxes, against the bits of one box (of two coordinates); exact."""
    if any(type(each) is not int or each < 0 or each % 2 for each in bits) or not bits:
        raise InputError(
            f"bits={list(bits)} is not valid; use even whole numbers of at least 0, half for each coordinate"
        )
    if max(bits) > MOST_BITS:
        raise TooLargeError(f"bits={max(bits)} exceeds {MOST_BITS}, where a box is a few cm wide; use fewer bits")
    seeker, draw, points = Seeker(), drawn(SEED), []
    for budget in bits:
        chosen = seeker.choose(trips.rows, draw)
        named = seeker.guess(seeker.observe(chosen, _boxes(trips, 1 << (budget // 2))), draw)
        points.append(Point.exactly({"bits": budget}, float(named.mean())))
    return Curve(seeker.name, "unique share", tuple(points), trips.origin, most=1.0)


def _boxes(trips: Trips, levels: int) -> Ints:
    """The curator's part: a number for the pair of boxes of each trip."""
    cells = np.zeros(trips.rows, dtype=np.int64)
    for place, (low, high) in enumerate((trips.north, trips.east) * 2):
        index = Quantizer(low, high, levels).apply(trips.points[:, place], output="index", outside="clamp")
        cells = np.unique(cells * levels + index, return_inverse=True)[1].reshape(-1)
    return cells
