"""NHT Fig. 4 (CDC Fig. 3): the privacy ε of hiding obesity against the accuracy ρ = 1/error, and its asymptote 0.01/ρ.

By the paper's own measure its policy has ε = 0 at every ρ; what Theorem 4 computes is ε as pull-back, which is drawn
(docs/theorems.md#nht-thm-4). `Shift` has about twice as much at the same accuracy. ε·ρ → 0.01 is a limit, no constant.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from noiseless.lab.figures.bmi import OBESE, PEOPLE
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import look, printed
from noiseless.privacy.definitions.hypothesis.collapse import Collapse
from noiseless.privacy.definitions.hypothesis.shift import Shift

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ACCURACIES = [Fraction(digit, 100) * 10**place for place in range(4) for digit in (5, 10, 20)]
"""From 0.05 to 200."""
ASYMPTOTE = "0.01/ρ, the paper's asymptote"
POLICIES = {"Shift": Shift, "Collapse (the paper's policy)": Collapse}


def numbers(material: Material) -> Numbers:
    """ε as pull-back and as the paper defines it, of both policies, and the asymptote of the paper's."""
    constant = 2 * PEOPLE["height"].measure / PEOPLE.measure  # the boundary is inside the range at every height
    rows = []
    for name, policy in POLICIES.items():
        for rho in ACCURACIES:
            found = policy(OBESE, error=1 / rho).certify(PEOPLE)
            literal = None if found.literal_epsilon is None else float(found.literal_epsilon)
            rows.append({"curve": name, "rho": float(rho), "epsilon": float(found.epsilon), "literal_epsilon": literal})
    rows += [
        {"curve": ASYMPTOTE, "rho": float(rho), "epsilon": float(constant / rho), "literal_epsilon": None}
        for rho in ACCURACIES
    ]
    return Numbers(
        rows,
        "Weight in [0, 200] kg, height in [0, 250] cm; hidden is whether weight ≥ 0.003·height². ε is the pull-back measure: "
        "the range is 1 + ε times what tells the side. By the paper's literal measure its own policy has ε = 0 at every ρ, "
        "since all it hides is reported on a curve, which has no area.",
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """ε against ρ, both logarithmic."""
    axes = canvas.subplots()
    for place, name in enumerate(made.values("curve")):
        how = printed() if name == ASYMPTOTE else look(place)
        axes.loglog(made.column("rho", curve=name), made.column("epsilon", curve=name), label=name, **how)
    axes.set(xlabel="accuracy ρ = 1/error, 1/kg", ylabel="ε (pull-back)")
    axes.legend()


FIGURE = Figure("nht4", "Privacy against accuracy: who is obese?", "NHT Fig. 4, CDC Fig. 3", numbers, draw)
