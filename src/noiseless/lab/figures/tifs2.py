"""TIFS Fig. 2: regions with the same answer for x₁² + 2·x₂² on [−2, 2]² and quality γ = 2: twelve rings.

The figure is correct; the paper's reason for it is not. Above 4 the level sets are disconnected, so the query does not
meet the condition of Cor. IV.1. It is enough that its values fill an interval (docs/theorems.md#tifs-cor-iv-1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.regions import draw_regions, shades
from noiseless.privacy.optimal.optimal_quantizer import optimal_quantizer
from noiseless.theory.ranges.boxes import Box

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SIDE = (-2, 2)


def bowl(x1: Any, x2: Any) -> Any:
    """The query."""
    return x1**2 + 2 * x2**2


def numbers(material: Material) -> Numbers:
    """The rings, what is reported in each, and between which two shares of all data it holds."""
    best = optimal_quantizer(bowl, error="0.5", against="maximin", box=Box(x1=SIDE, x2=SIDE))
    rows = [
        {
            "ring": ring + 1,
            "lower": float(best.quantizer.edge(ring)),
            "upper": float(best.quantizer.edge(ring + 1)),
            "reported": float(best.quantizer.midpoint(ring)),
            "share_lower": float(share.lower),
            "share_upper": float(share.upper),
        }
        for ring, share in enumerate(best.shares)
    ]
    return Numbers(
        rows,
        f"x₁² + 2·x₂² on [−2, 2]², γ = 2 (error ½): {best.cells} answers. Above 4 its level sets are disconnected, "
        "which the paper's condition forbids, but the optimum allows. Bars, in the same shades: the share of "
        "all data in each ring, by interval arithmetic, the upper end.",
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """The square, and how much each ring holds."""
    left, right = canvas.subplots(1, 2)
    draw_regions(left, bowl, [*made.column("lower"), made.column("upper")[-1]], SIDE)
    reported = made.column("reported")
    for value in reported:
        if value < bowl(0, SIDE[1]):  # further out there is no room for labels
            words = {"ha": "center", "va": "center", "fontsize": 6, "bbox": {"fc": "white", "ec": "none", "pad": 0.1}}
            left.text(0, (value / 2) ** 0.5, f"{value:g}", **words)
    right.barh(reported, made.column("share_upper"), height=0.8, color=shades(len(reported)), edgecolor="black")
    right.set(xlabel="share of all data", ylabel="reported value", yticks=reported)


FIGURE = Figure("tifs2", "Which data share an answer: x₁² + 2·x₂²", "TIFS Fig. 2", numbers, draw, (7.2, 4.6))
