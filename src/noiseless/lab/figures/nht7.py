"""NHT Fig. 7: how many levels a quantizer of the mean of n may have, against the ε of indistinguishability.

Theorem 5 prints n(2^(ε−1) − 1); the largest number that keeps the promise is n(2^(ε−1) + 1) − 1, on intervals and for n
≥ 2 (docs/theorems.md#nht-thm-5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import look, printed
from noiseless.privacy.definitions.indistinguishable.indistinguishable import Indistinguishable
from noiseless.privacy.definitions.indistinguishable.printed import theorem_5_as_printed
from noiseless.privacy.queries.linear import Mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

PEOPLE = (2, 3, 10, 100)
BITS = range(1, 9)


def numbers(material: Material) -> Numbers:
    """The exact and the printed number of levels."""
    rows = []
    for n in PEOPLE:
        mean = Mean(n=n, low=0, high=1)
        for bits in BITS:
            found = Indistinguishable(bits).calibrate(mean)
            rows.append(
                {
                    "n": n,
                    "epsilon": bits,
                    "levels": found.quantizer.levels,
                    "telling": found.telling,
                    "printed_levels": theorem_5_as_printed(mean, bits),
                }
            )
    return Numbers(
        rows,
        "The largest number of levels q with at most 2^ε telling answers for any two values of one person: the "
        "exact n(2^(ε−1) + 1) − 1, and dashed the n(2^(ε−1) − 1), or 1, of Theorem 5. The theorem is safe for "
        "intervals, but at ε = 1 it allows only one level, and at ε = 2 about a third.",
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """Levels against ε; the printed ones dashed in the same colour."""
    axes = canvas.subplots()
    for place, n in enumerate(made.values("n")):
        x = made.column("epsilon", n=n)
        axes.semilogy(x, made.column("levels", n=n), label=f"n = {n}", **look(place))
        axes.semilogy(x, made.column("printed_levels", n=n), **printed(place))
    axes.plot([], [], label="Theorem 5 as printed", **printed())
    axes.set(xlabel="ε", ylabel="levels q")
    axes.legend()


FIGURE = Figure("nht7", "How many levels are indistinguishable", "NHT Fig. 7", numbers, draw)
