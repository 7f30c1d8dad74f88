"""NP Fig. 6: the share of taxi trips that are alone in their pair of boxes, against the bits of a box.

Begin and end are divided in the same way, so a trip costs twice the bits of a box. The paper calls the share negligible
for few bits; it is, up to about 8 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noiseless.lab.attacks.trips import unique_trips
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import look

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

BITS = tuple(range(0, 25, 2))


def numbers(material: Material) -> Numbers:
    """The share at each number of bits, exactly."""
    curve = unique_trips(material.taxi, BITS)
    rows = [
        {"bits": point.setting["bits"], "bits_of_trip": 2 * point.setting["bits"], "unique_share": point.value}
        for point in curve.points
    ]
    return Numbers(
        rows,
        "Share of trips with a unique pair of boxes, begin and end. Each coordinate is cut into 2^(ε/2) "
        "parts, so a box has ε bits and a trip 2ε. With more trips, fewer would be alone.",
        material.taxi.origin,
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """The share against the bits of a box, and of a trip above."""
    axes = canvas.subplots()
    axes.plot(made.column("bits"), made.column("unique_share"), **look(0))
    axes.set(
        xlabel="bits ε of a box", ylabel="share of trips that are alone", xticks=made.column("bits"), ylim=(-0.02, 1.02)
    )
    above = axes.secondary_xaxis("top", functions=(lambda bits: np.multiply(bits, 2), lambda bits: np.divide(bits, 2)))
    above.set(xlabel="bits of a trip", xticks=made.column("bits_of_trip"))


FIGURE = Figure("np6", "How many trips are alone in their boxes?", "NP Fig. 6", numbers, draw)
