"""How near can an estimator with a prior come? The best one against the tight bound of NP Theorem 4."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError
from noiseless.lab.attacks.curve import Curve, Point

Floats = NDArray[np.float64]


def estimator(counts: Sequence[int], p: float = 2.0, tilt: float = 0.0) -> Curve:
    """E|X − X̂|^p of the best estimator of a value in [0, 1] from K equal cells, and the bound ρ·K^(−p)/(2^p(p+1)).

    The prior has the density 1 + tilt·(2x − 1); ρ is its least value. `lower` of each point is the bound.
    """
    if p <= 0 or not 0 <= tilt < 1 or any(k < 1 for k in counts):
        raise InputError(f"p={p} must be above 0, tilt={tilt} from 0 to below 1, and counts at least 1")
    points = []
    for cells in counts:
        error = sum(_best_in(place / cells, (place + 1) / cells, p, tilt) for place in range(cells))
        bound = (1 - tilt) * float(cells) ** -p / (2**p * (p + 1))
        points.append(Point({"count": cells, "p": p, "tilt": tilt}, error, bound, error))
    return Curve("estimator with a prior", "error", tuple(points), f"density 1 + {tilt}·(2x − 1) on [0, 1]")


def _best_in(low: float, high: float, p: float, tilt: float) -> float:
    """The least of ∫|x − a|^p f(x) dx over the cell: a closed form for each a, tried on finer and finer grids."""

    def error(a: Floats) -> Floats:
        below, above = a - low, high - a
        even = (1 - tilt + 2 * tilt * a) * (below ** (p + 1) + above ** (p + 1)) / (p + 1)
        found: Floats = even + 2 * tilt * (above ** (p + 2) - below ** (p + 2)) / (p + 2)
        return found

    tried = np.linspace(low, high, 201)
    for _ in range(6):
        best = tried[int(error(tried).argmin())]
        step = tried[1] - tried[0]
        tried = np.linspace(max(low, best - step), min(high, best + step), 201)
    return float(error(tried).min())
