"""Ours: the cost of NP Theorem 8 as printed.

q = 2^ε·n levels of a mean of n ≥ 2 have 2^ε + 1 answers, so the true cost is log2(2^ε + 1) bits, not ε. The
largest safe number of levels is max(K, n(K − 1)), K = 2^ε (docs/theorems.md#np-thm-8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import look, printed
from noiseless.privacy.definitions.noiseless.calibrate import calibrate
from noiseless.privacy.definitions.noiseless.theorem_8_as_printed import theorem_8_as_printed
from noiseless.privacy.queries.linear import Mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

PEOPLE = (2, 3, 10, 100)
BITS = range(7)


def numbers(material: Material) -> Numbers:
    """Levels and answers, as they should be and as printed."""
    rows = []
    for n in PEOPLE:
        mean = Mean(n=n, low=0, high=1)
        for bits in BITS:
            safe, unsafe = calibrate(mean, bits=bits), theorem_8_as_printed(mean, bits)
            rows.append(
                {
                    "n": n,
                    "epsilon": bits,
                    "safe_levels": safe.quantizer.levels,
                    "safe_answers": safe.guarantee.count,
                    "printed_levels": unsafe.quantizer.levels,
                    "printed_answers": unsafe.guarantee.count,
                    "printed_bits": unsafe.guarantee.bits,
                }
            )
    return Numbers(
        rows,
        "Mean of n values in [0, 1]. Left: what the quantizer of Theorem 8 really costs one person, log2(2^ε + 1) "
        "bits for every n ≥ 2, beside the ε that is promised (dashed). Right: the largest safe number of levels, "
        "max(K, n(K − 1)) with K = 2^ε, beside the printed n·2^ε (dashed). Exact counts.",
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """Bits on the left, levels on the right."""
    left, right = canvas.subplots(1, 2)
    n = made.values("n")[0]
    promised = made.column("epsilon", n=n)
    left.plot(promised, made.column("printed_bits", n=n), label="true cost of the printed q", **look(0))
    left.plot(promised, promised, label="promised by Theorem 8", **printed())
    left.set(xlabel="promised ε, bits", ylabel="bits", title="cost to one person")
    for place, n in enumerate(made.values("n")):
        right.semilogy(promised, made.column("safe_levels", n=n), label=f"n = {n}, safe", **look(place))
        right.semilogy(promised, made.column("printed_levels", n=n), **printed(place))
    right.plot([], [], label="as printed", **printed())
    right.set(xlabel="ε, bits", ylabel="levels q", title="levels of the quantizer")
    for axes in (left, right):
        axes.legend()


FIGURE = Figure("theorem8", "Theorem 8 as printed costs more than it says", "ours", numbers, draw, (8.0, 4.4))
