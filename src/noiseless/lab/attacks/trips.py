"""How many trips are alone in their pair of boxes? (NP Fig. 6)

Each coordinate of where a trip begins and ends is cut into 2^(ε/2) parts, so that begin and end are boxes of ε bits
each. A trip that no other shares its pair of boxes with can be found by whoever knows them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noiseless.errors import InputError
from noiseless.lab.attacks.curve import Curve, Point
from noiseless.lab.datasets.trips import EAST, NORTH, Trips
from noiseless.privacy.mechanisms.quantizer import Quantizer


def unique_trips(trips: Trips, bits: Sequence[int]) -> Curve:
    """The share of trips with a unique pair of boxes, against the bits of one box (of two coordinates); exact."""
    if any(type(each) is not int or each < 0 or each % 2 for each in bits) or not bits:
        raise InputError(
            f"bits={list(bits)} must be even whole numbers of at least 0: half of them for each coordinate"
        )
    points = []
    for budget in bits:
        cells = np.zeros(trips.rows, dtype=np.int64)
        for place, (low, high) in enumerate((NORTH, EAST) * 2):
            levels = 1 << (budget // 2)
            index = Quantizer(low, high, levels).apply(trips.points[:, place], output="index", outside="clamp")
            cells = np.unique(cells * levels + index, return_inverse=True)[1].reshape(-1)
        share = float((np.bincount(cells) == 1).sum() / trips.rows)
        points.append(Point({"bits": budget}, share, share, share))
    return Curve("unique trips", "unique share", tuple(points), trips.origin)
