"""NHT Fig. 5 (CDC Fig. 4): histograms of the reported heights and weights, for several accuracies ρ.

The paper's policy (Collapse) puts people on the boundary and leaves a gap around it. `Shift` reaches twice as far with
the same error and spreads them over a band (docs/policies.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from noiseless.exact.number import exact_number
from noiseless.lab.attacks.tester import BODIES, OBESE, clamped
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import COLOURS
from noiseless.privacy.definitions.hypothesis.collapse import Collapse
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.privacy.definitions.hypothesis.shift import Shift

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

POLICIES: dict[str, Policy] = {"Collapse": Collapse(OBESE, error=1), "Shift": Shift(OBESE, error=1)}
ACCURACIES = ("0.2", "0.1", "0.05")
TRUTH = "∞"
HEIGHTS, WEIGHTS = np.arange(145, 206, 4), np.arange(40, 121, 4)
"""Edges of the bins, in cm and kg."""


def numbers(material: Material) -> Numbers:
    """How many people are reported in each bin that has any."""
    people = material.survey
    bodies = clamped(people, BODIES)
    rows = []
    for name, policy in POLICIES.items():
        rows += _counted(name, TRUTH, bodies)
        for rho in ACCURACIES:
            made = policy.with_error(1 / exact_number(rho, "rho")).apply(bodies, within=BODIES)
            rows += _counted(name, rho, made)
    return Numbers(
        rows,
        "Reported heights and weights in bins of 4 cm × 4 kg, darker for more people; the line is the boundary of "
        "obesity, 0.003·height². Top: the paper's policy. Bottom: Shift, which reaches twice as far. "
        "ρ = ∞ is the truth; ρ = 0.2, 0.1, 0.05 are errors of up to 5, 10, 20 kg. People outside the frame are not "
        "shown.",
        people.origin,
    )


def _counted(policy: str, rho: str, bodies: dict[str, Any]) -> list[dict[str, Any]]:
    counts, _, _ = np.histogram2d(bodies["height"], bodies["weight"], [HEIGHTS, WEIGHTS])
    return [
        {
            "policy": policy,
            "rho": rho,
            "height": int(HEIGHTS[x]),
            "weight": int(WEIGHTS[y]),
            "people": int(counts[x, y]),
        }
        for x, y in np.argwhere(counts > 0)
    ]


def draw(made: Numbers, canvas: Canvas) -> None:
    """A row of histograms for each policy."""
    from matplotlib.colors import PowerNorm

    scale = PowerNorm(0.5, 0, max(made.column("people")))  # so that one person is still visible
    grid = canvas.subplots(len(made.values("policy")), len(made.values("rho")), sharex=True, sharey=True)
    for line, policy in zip(grid, made.values("policy"), strict=True):
        for axes, rho in zip(line, made.values("rho"), strict=True):
            counts = np.zeros((len(WEIGHTS) - 1, len(HEIGHTS) - 1))
            here = {"policy": policy, "rho": rho}
            across = np.searchsorted(HEIGHTS, made.column("height", **here))
            counts[np.searchsorted(WEIGHTS, made.column("weight", **here)), across] = made.column("people", **here)
            drawn = axes.pcolormesh(HEIGHTS, WEIGHTS, counts, cmap="Greys", norm=scale, rasterized=True)
            axes.plot(HEIGHTS, [float(OBESE.at(height=int(each))) for each in HEIGHTS], color=COLOURS[1])
            axes.set_title("the truth, ρ = ∞" if rho == TRUTH else f"{policy}, ρ = {rho}")
            axes.set_ylim(WEIGHTS[0], WEIGHTS[-1])
    canvas.colorbar(drawn, ax=grid, label="people", shrink=0.8)
    for axes in grid[-1]:
        axes.set_xlabel("height, cm")
    for axes in grid[:, 0]:
        axes.set_ylabel("weight, kg")


FIGURE = Figure("nht5", "What is reported of weights and heights", "NHT Fig. 5, CDC Fig. 4", numbers, draw, (9.5, 6.0))
