"""NHT Fig. 4 (CDC Fig. 3): the privacy ε of hiding obesity against the accuracy ρ = 1/error, and its asymptote 0.01/ρ.

By the paper's own measure its policy has ε = 0 at every ρ. Theorem 4 computes ε as pull-back, which is drawn here
(docs/theorems.md#nht-thm-4). `Shift` has about twice the ε at the same accuracy. ε·ρ → 0.01 is a limit, not a constant.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noiseless.lab.attacks.tester import BODIES, OBESE
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import look, printed
from noiseless.privacy.definitions.hypothesis.certified import epsilon_of
from noiseless.privacy.definitions.hypothesis.collapse import Collapse
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.privacy.definitions.hypothesis.shift import Shift

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ACCURACIES = [Fraction(digit, 100) * 10**place for place in range(4) for digit in (5, 10, 20)]
"""From 0.05 to 200."""
ASYMPTOTE = "0.01/ρ, the asymptote"
POLICIES: dict[str, Policy] = {"Shift": Shift(OBESE, error=1), "Collapse (the paper's)": Collapse(OBESE, error=1)}


def numbers(material: Material) -> Numbers:
    """ε as pull-back and as the paper defines it, of both policies, and the asymptote of the paper's."""
    constant = 2 * BODIES["height"].measure / BODIES.measure  # the boundary is inside the range at every height
    rows = []
    for name, policy in POLICIES.items():
        for rho in ACCURACIES:
            share = policy.with_error(1 / rho).hidden(BODIES).measure.lower / BODIES.measure
            literal = policy.literal(share)
            assert literal is not None  # no error here hides everybody
            rows.append(_row(name, rho, epsilon_of(share), float(literal)))
    rows += [_row(ASYMPTOTE, rho, constant / rho, None) for rho in ACCURACIES]
    return Numbers(
        rows,
        "Weight in [0, 200] kg, height in [0, 250] cm. The hidden fact is whether weight ≥ 0.003·height². ε is the "
        "pull-back "
        "measure: the range is 1 + ε times the part whose reports reveal the side. By the paper's literal measure "
        "its own "
        "policy has ε = 0 at every ρ, because everything it hides is reported on a curve, which has no area.",
    )


def _row(curve: str, rho: Fraction, epsilon: Fraction | float, literal: float | None) -> dict[str, Any]:
    times = float(epsilon * rho)
    return {"curve": curve, "rho": float(rho), "epsilon": float(epsilon), "times_rho": times, "literal": literal}


def draw(made: Numbers, canvas: Canvas) -> None:
    """ε against ρ, both logarithmic, and ε·ρ, which has a limit."""
    left, right = canvas.subplots(1, 2)
    for axes, column, words in ((left, "epsilon", "ε (pull-back)"), (right, "times_rho", "ε·ρ")):
        for place, name in enumerate(made.values("curve")):
            how = printed() if name == ASYMPTOTE else look(place)
            axes.plot(made.column("rho", curve=name), made.column(column, curve=name), label=name, **how)
        axes.set(xscale="log", xlabel="accuracy ρ = 1/error, 1/kg", title=words)
    left.set_yscale("log")
    right.set_ylim(bottom=0)
    left.legend()


FIGURE = Figure("nht4", "Privacy against accuracy: who is obese?", "NHT Fig. 4, CDC Fig. 3", numbers, draw, (8.0, 4.4))
