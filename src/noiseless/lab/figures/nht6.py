"""NHT Fig. 6: the most that a report leaks about the hypothesis, L0(Y; H), against the (literal) ε of privacy.

Proposition 1 prints −ln(1 − e^−ε), its proof −ln(1 − e^−(ε+1)); both are false. log(1 + 1/ε) is correct, and nested
ranges attain it (docs/theorems.md#nht-prop-1).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import SHORT_DASHED, look, printed
from noiseless.privacy.definitions.hypothesis.leaks import leakage_given_epsilon, proposition_1_as_printed

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

TIGHT = "ln(1 + 1/ε), attained"
STATED, PROVED = "Proposition 1 as printed", "as in its printed proof"


def numbers(material: Material) -> Numbers:
    """The tight bound and the two printed ones, in nats."""
    epsilons = [Fraction(twentieth, 20) for twentieth in range(1, 101)]
    rows = [{"bound": TIGHT, "epsilon": float(each), "nats": leakage_given_epsilon(each).nats} for each in epsilons]
    for place, bound in enumerate((STATED, PROVED)):
        rows += [
            {"bound": bound, "epsilon": float(each), "nats": proposition_1_as_printed(float(each))[place]}
            for each in epsilons
        ]
    return Numbers(
        rows,
        "The most that a report Y can leak about the hypothesis H at a (literal) ε of privacy, in nats. The printed "
        "bounds (dashed) are below what nested ranges leak, so they promise too much.",
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """L0 against ε."""
    axes = canvas.subplots()
    for place, bound in enumerate(made.values("bound")):
        how = look(0) if bound == TIGHT else printed(place) | ({"linestyle": SHORT_DASHED} if bound == PROVED else {})
        x, y = made.column("epsilon", bound=bound), made.column("nats", bound=bound)
        axes.plot(x, y, label=bound, markevery=9, **how)
    axes.set(xlabel="ε", ylabel="L₀(Y; H), nats", ylim=(0, 3.2), xlim=(0, 5))
    axes.legend()


FIGURE = Figure("nht6", "What privacy says about leakage", "NHT Fig. 6", numbers, draw)
