"""Ours: the ε of the three policies against the error, and the limit for any policy.

Collapse is the papers' policy. Stretch has the same ε, also by the papers' own measure. Shift has about twice the ε. No
policy can exceed the limit: every hidden point is within twice the error of the other side (docs/policies.md).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from noiseless.lab.attacks.tester import BODIES, OBESE
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import COLOURS, look
from noiseless.privacy.definitions.hypothesis.collapse import Collapse
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.privacy.definitions.hypothesis.shift import Shift
from noiseless.privacy.definitions.hypothesis.stretch import Stretch

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

POLICIES: dict[str, Policy] = {
    "Shift": Shift(OBESE, error=1),
    "Stretch": Stretch(OBESE, error=1),
    "Collapse (the papers')": Collapse(OBESE, error=1),
}
ERRORS = [Fraction(digit, 10) * 10**place for place in range(3) for digit in (1, 2, 3, 5)][:-1]
"""From 0.1 to 30 kg."""


def numbers(material: Material) -> Numbers:
    """Pull-back and literal ε of each policy, and the limit, at each error."""
    rows = []
    for name, policy in POLICIES.items():
        for error in ERRORS[4:] if material.quick else ERRORS:  # the limit is slow for small errors
            found = policy.with_error(error).certify(BODIES)
            assert found.literal_epsilon is not None
            assert found.limit is not None
            rows.append(
                {
                    "policy": name,
                    "error": float(error),
                    "epsilon": float(found.epsilon),
                    "literal_epsilon": float(found.literal_epsilon),
                    "limit": float(found.limit),
                }
            )
    return Numbers(
        rows,
        "Weight in [0, 200] kg, height in [0, 250] cm. The hidden fact is whether weight ≥ 0.003·height². Left: ε as "
        "pull-back, and the limit for any policy with this error, whatever it changes (1 cm counts like 1 kg). "
        "Right: ε by the papers' literal measure, where Collapse has 0 at every error and cannot be drawn.",
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """Pull-back on the left, literal on the right, all axes logarithmic."""
    left, right = canvas.subplots(1, 2, sharey=True)
    errors, limit = made.values("error"), made.column("limit", policy=made.values("policy")[0])
    left.plot(errors, limit, color=COLOURS[-1], linewidth=2.6, label="limit of any policy")
    for axes, column in ((left, "epsilon"), (right, "literal_epsilon")):
        for place, policy in enumerate(made.values("policy")):
            values = made.column(column, policy=policy)
            if any(values):
                size = {"markersize": 8, "fillstyle": "none"} if policy == "Stretch" else {}
                axes.plot(errors, values, label=policy, **look(place), **size)
        axes.set(xscale="log", yscale="log", xlabel="error, kg")
        axes.legend()
    left.set(title="ε as pull-back", ylabel="ε")
    right.set(title="ε by the papers' literal measure")


FIGURE = Figure("policies", "What an error can hide", "ours", numbers, draw, (8.0, 4.4))
