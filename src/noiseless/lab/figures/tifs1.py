"""TIFS Fig. 1: regions of two people's data with the same answer, for their mean on [−2, 2] and quality γ = 2.

The paper's four strips have the fewest cells, and for γ = 2 also the least leakage. In general equal strips leak more
than necessary: beside them are the strips of least leakage for γ = 1.6 (docs/optimal_quantizers.md), with equal strips
dashed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noiseless.exact.number import exact_number
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.regions import draw_regions
from noiseless.lab.figures.style import COLOURS, DASHED
from noiseless.privacy.optimal.best import Against
from noiseless.privacy.optimal.optimal_quantizer import optimal_quantizer
from noiseless.privacy.queries.linear import Mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SIDE = (-2, 2)
PAIR = Mean(n=2, low=SIDE[0], high=SIDE[1])
EQUAL, LEAST = "equal strips", "least leakage"
POLICIES: tuple[tuple[str, Against, str], ...] = (
    (EQUAL, "maximin", "2"),
    (EQUAL, "maximin", "1.6"),
    (LEAST, "leakage", "1.6"),
)


def numbers(material: Material) -> Numbers:
    """The strips, what is reported in each, and which share of all possible data it holds."""
    rows = []
    for policy, against, gamma in POLICIES:
        best = optimal_quantizer(PAIR, error=1 / exact_number(gamma, "gamma"), against=against)
        made = best.quantizer
        rows += [
            {
                "policy": policy,
                "gamma": float(gamma),
                "lower": float(made.edge(cell)),
                "upper": float(made.edge(cell + 1)),
                "reported": float(made.midpoint(cell)),
                "share": float(share.lower),
                "L0_nats": best.leakage.nats,
            }
            for cell, share in enumerate(best.shares)
        ]
    return Numbers(
        rows,
        "Mean of two values in [−2, 2]; all data in a strip have the same answer, written in it. Left: γ = 2, the "
        "paper's four equal strips (error ½). Right: γ = 1.6 (error 0.625), where equal strips (dashed) leak more "
        "than the best ones.",
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """Two squares."""
    left, right = canvas.subplots(1, 2)
    equal = made.column("L0_nats", policy=EQUAL, gamma=1.6)[0]
    for axes, policy, gamma, beside in (
        (left, EQUAL, 2.0, ""),
        (right, LEAST, 1.6, f"; dashed: equal strips, {equal:.3f}"),
    ):
        here = {"policy": policy, "gamma": gamma}
        draw_regions(axes, lambda a, b: (a + b) / 2, [*made.column("lower", **here), SIDE[1]], SIDE)
        for reported in made.column("reported", **here):
            words = f"{reported:.4g}".replace("-", "−")
            axes.text(reported, reported, words, ha="center", va="center", bbox={"fc": "white", "ec": "none", "pad": 1})
        axes.set_title(f"γ = {gamma:g}, {policy}\nL₀ = {made.column('L0_nats', **here)[0]:.3f} nats{beside}")
    for edge in made.column("lower", policy=EQUAL, gamma=1.6)[1:]:
        ends = max(SIDE[0], 2 * edge - SIDE[1]), min(SIDE[1], 2 * edge - SIDE[0])
        right.plot(ends, ends[::-1], color=COLOURS[1], linestyle=DASHED)


FIGURE = Figure("tifs1", "Which data share an answer: the mean of two", "TIFS Fig. 1", numbers, draw, (7.2, 4.7))
