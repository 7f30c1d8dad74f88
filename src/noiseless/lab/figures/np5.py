"""NP Fig. 5: where taxi trips begin in New York City, and the boxes that bits divide the map into.

The smallest squares are boxes of 16 bits (256 parts of each coordinate); the lines are those of 8 bits on the left and
of 12 bits on the right, where the middle of the city is enlarged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noiseless.lab.datasets.trips import EAST, NORTH
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import COLOURS
from noiseless.privacy.quantizers.quantizer import Quantizer

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

PARTS = 256
"""Parts of each coordinate, for boxes of 16 bits."""
MIDDLE = (40.70, 40.82), (-74.05, -73.885)
"""The latitudes and longitudes of the enlarged part."""


def numbers(material: Material) -> Numbers:
    """How many trips begin in each box of 16 bits that has any; its south-western corner identifies a box."""
    trips = material.taxi
    north, east = (Quantizer(*side, PARTS) for side in (NORTH, EAST))
    rows_of = north.apply(trips.points[:, 0], output="index", outside="clamp")
    columns_of = east.apply(trips.points[:, 1], output="index", outside="clamp")
    counts = np.zeros((PARTS, PARTS), dtype=np.int64)
    np.add.at(counts, (rows_of, columns_of), 1)
    rows = [
        {"latitude": float(north.edge(y)), "longitude": float(east.edge(x)), "pickups": int(counts[y, x])}
        for y, x in np.argwhere(counts > 0).tolist()
    ]
    return Numbers(
        rows,
        f"Where trips begin, in the papers' box of {NORTH[0]}° to {NORTH[1]}° north and {-EAST[1]}° to {-EAST[0]}° "
        "west; darker is more, on a logarithmic scale. The smallest squares are boxes of 16 bits; lines are the "
        "boxes of 8 bits (left), and of 12 bits in the enlarged middle of the city (right).",
        trips.origin,
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """The whole box, and its middle."""
    from matplotlib.colors import LogNorm

    latitudes, longitudes = (np.linspace(*side, PARTS + 1) for side in (NORTH, EAST))
    counts = np.full((PARTS, PARTS), np.nan)
    y, x = (
        np.rint((np.array(made.column(name)) - side[0]) / (side[1] - side[0]) * PARTS).astype(int)
        for name, side in (("latitude", NORTH), ("longitude", EAST))
    )
    counts[y, x] = made.column("pickups")
    whole, part = canvas.subplots(1, 2)
    for axes, parts, (south_north, west_east) in ((whole, 16, (NORTH, EAST)), (part, 64, MIDDLE)):
        drawn = axes.pcolormesh(
            longitudes, latitudes, counts, cmap="Greys", norm=LogNorm(0.5, np.nanmax(counts)), rasterized=True
        )
        for lines, side in ((axes.axhline, NORTH), (axes.axvline, EAST)):
            for edge in np.linspace(*side, parts + 1):
                lines(edge, color=COLOURS[0], linewidth=0.4)
        axes.set(xlim=west_east, ylim=south_north, xlabel="longitude", title=f"boxes of {2 * int(np.log2(parts))} bits")
        axes.set_aspect(1 / np.cos(np.radians(40.7)))
        axes.grid(visible=False)
        axes.locator_params(nbins=5)
    whole.set_ylabel("latitude")
    canvas.colorbar(drawn, ax=[whole, part], label="pickups in a box of 16 bits", shrink=0.8)


FIGURE = Figure(
    "np5", "Where taxi trips begin, and the boxes they are reported in", "NP Fig. 5", numbers, draw, (9.5, 5.1)
)
