"""NHT Fig. 8: the leakage L0(X; Y) of the averaging query against the number of people n and ε, in bits.

The paper says that it falls with n. In fact it grows: if q is proportional to n, the smallest cell is a corner of the
cube, and L0 = log(n!·(q/n)ⁿ) (docs/indistinguishability.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.privacy.definitions.indistinguishable.indistinguishable import Indistinguishable
from noiseless.privacy.definitions.indistinguishable.printed import theorem_5_as_printed
from noiseless.privacy.optimal.query_leakage import query_leakage
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.linear import Mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

PEOPLE = range(2, 21)
BITS = range(1, 9)
PRINTED, EXACT = "q of Theorem 5 as printed", "largest q that keeps the promise"


def numbers(material: Material) -> Numbers:
    """The leakage at the printed and at the largest number of levels, in bits."""
    rows = []
    for rule in (PRINTED, EXACT):
        for bits in BITS:
            for n in PEOPLE:
                mean = Mean(n=n, low=0, high=1)
                safe = Indistinguishable(bits).calibrate(mean).quantizer
                made = Quantizer(0, 1, theorem_5_as_printed(mean, bits)) if rule == PRINTED else safe
                leaks = query_leakage(made, mean).bits
                rows.append({"rule": rule, "epsilon": bits, "n": n, "levels": made.levels, "leakage_bits": leaks})
    return Numbers(
        rows,
        "L₀ of the quantized mean of n values in [0, 1], in bits; lighter is more, and steps of the contours are 20 "
        "bits. It grows with n at every ε (at ε = 1 the printed q is 1, which reveals nothing), where the paper says "
        "that it falls. Exact volumes.",
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """A heat map for each rule, on the same scale."""
    both = canvas.subplots(1, 2, sharey=True)
    people, bits = made.values("n"), made.values("epsilon")
    most = max(made.column("leakage_bits"))
    for axes, rule in zip(both, made.values("rule"), strict=True):
        leaks = np.array(made.column("leakage_bits", rule=rule)).reshape(len(bits), len(people))
        drawn = axes.pcolormesh(
            people, bits, leaks, cmap="cividis", vmin=0, vmax=most, shading="nearest", rasterized=True
        )
        levels = np.arange(20, most - 10, 20)
        ink = ["white" if level < most / 2 else "black" for level in levels]
        lines = axes.contour(people, bits, leaks, levels=levels, colors=ink, linewidths=0.7)
        axes.clabel(lines, fmt="%d", fontsize=7)
        axes.set(xlabel="number of people n", title=rule, xticks=people[::3])
        axes.grid(visible=False)
    both[0].set_ylabel("ε")
    canvas.colorbar(drawn, ax=both, label="L₀(X; Y), bits")


FIGURE = Figure("nht8", "Leakage of the averaging query grows with n", "NHT Fig. 8", numbers, draw, (8.0, 4.4))
