"""TIFS Fig. 3: what the mean of two on [−2, 2] reveals, against the quality γ: L0, I⋆, and the adversary's error d_min.

The paper draws ⌈2γ⌉ equal bins: L0 = ln(q²/2), I⋆ = ln q, d_min = 4√2/q from q = 2 on. They have the fewest cells, but
from three on, unless 2γ is whole, not the least leakage; the best bins are beside them (docs/optimal_quantizers.md).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import look
from noiseless.lab.figures.tifs1 import PAIR
from noiseless.privacy.optimal.best import Against
from noiseless.privacy.optimal.trade_off import trade_off

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

BINS: tuple[tuple[str, Against], ...] = (("equal bins (the paper's)", "maximin"), ("bins of least leakage", "leakage"))
PANELS = (("L0_nats", "L₀(X; Y), nats"), ("maximin_nats", "I⋆(X; Y), nats"), ("d_min", "d_min, adversary's error"))


def numbers(material: Material) -> Numbers:
    """The three measures of both kinds of bins, at each γ."""
    each = 5 if material.quick else 1  # includes the halves, where the number of bins jumps
    gammas = [Fraction(place, 20) for place in range(5 if material.quick else 4, 101, each)]
    rows = []
    for bins, against in BINS:
        curve = trade_off(PAIR, [1 / gamma for gamma in gammas], against=against)
        rows += [
            {
                "bins": bins,
                "gamma": float(gamma),
                "cells": best.cells,
                "L0_nats": best.leakage.nats,
                "maximin_nats": best.maximin.nats,
                "d_min": float(d_min),
            }
            for gamma, best, d_min in zip(gammas, curve.best, curve.d_min, strict=True)
        ]
    return Numbers(
        rows,
        "Mean of two values in [−2, 2], each answer off by at most 1/γ. As quality rises, more is revealed (left, "
        "middle) and the adversary's best estimate of both values is nearer (right). Equal bins are optimal for I⋆ "
        "always, for L₀ only up to two of them, or where 2γ is whole. Exact volumes; from two bins on L₀ = ln(q²/2), "
        "I⋆ = ln q, d_min = 4√2/q with q = ⌈2γ⌉ equal bins.",
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """Three panels."""
    for axes, (column, words) in zip(canvas.subplots(1, 3), PANELS, strict=True):
        for place, bins in enumerate(made.values("bins")):
            x = made.column("gamma", bins=bins)
            axes.plot(
                x,
                made.column(column, bins=bins),
                label=bins,
                markevery=(4 * place, 8),
                drawstyle="steps-pre",
                **look(place),
            )
        axes.set(xlabel="quality γ = 1/error", title=words)
        axes.set_ylim(bottom=0)
        if column == "L0_nats":
            axes.legend(loc="upper left")


FIGURE = Figure("tifs3", "What a better answer reveals: the mean of two", "TIFS Fig. 3", numbers, draw, (9.5, 4.0))
