"""Regions of a square that share an answer, in shades from light to dark, with the reported value in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 161
"""The number of points along each side, for the contours."""


def shades(number: int) -> list[str]:
    """This number of greys, from light to dark."""
    return [str(shade) for shade in np.linspace(0.97, 0.35, number)]


def draw_regions(
    axes: Axes, function: Callable[[Any, Any], Any], edges: Sequence[float], side: tuple[float, float]
) -> None:
    """The cells between the edges of a function of two coordinates, both on the same side."""
    line = np.linspace(*side, POINTS)
    values = function(*np.meshgrid(line, line))
    axes.contourf(line, line, values, levels=list(edges), colors=shades(len(edges) - 1))
    axes.contour(line, line, values, levels=list(edges[1:-1]), colors="black", linewidths=0.8, linestyles="solid")
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.set(xlabel="x₁", ylabel="x₂", xlim=side, ylim=side)
