"""CDC Fig. 5: how far the mean of the reported weights moves, and their divergence from the true ones, against ρ.

The paper draws its own policy (Collapse) and does not say how it estimates densities. Here the bins and the direction
of the divergence are stated, and `Stretch` and `Shift` are added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from noiseless.exact.number import exact_number
from noiseless.lab.attacks.tester import BODIES, OBESE, clamped
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import look
from noiseless.privacy.definitions.hypothesis.collapse import Collapse
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.privacy.definitions.hypothesis.shift import Shift
from noiseless.privacy.definitions.hypothesis.stretch import Stretch

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

POLICIES: dict[str, Policy] = {
    "Collapse (the paper's)": Collapse(OBESE, error=1),
    "Stretch": Stretch(OBESE, error=1),
    "Shift": Shift(OBESE, error=1),
}
ACCURACIES = ("0.02", "0.03", "0.04", "0.05", "0.07", "0.1", "0.15", "0.2", "0.3", "0.5", "1")
BINS = np.arange(0, 201, 5)
"""Edges, in kg."""
SPREAD = 0.5
"""People added to every bin, so that an empty one does not make the divergence infinite."""


def numbers(material: Material) -> Numbers:
    """The difference of means in kg and the divergence in nats, of each policy at each ρ."""
    people = material.survey
    true = clamped(people, BODIES)
    rows = []
    for name, policy in POLICIES.items():
        for rho in ACCURACIES:
            made = policy.with_error(1 / exact_number(rho, "rho")).apply(true, within=BODIES)["weight"]
            shift = float(made.mean() - true["weight"].mean())
            rows.append(
                {"policy": name, "rho": float(rho), "mean_shift_kg": shift, "kl_nats": divergence(true["weight"], made)}
            )
    return Numbers(
        rows,
        "Left: mean reported weight less mean true weight. Right: Kullback–Leibler divergence D(true ‖ reported) of "
        "the weights' histograms, in nats; bins of 5 kg from 0 to 200, half a person added to each. Accuracy ρ = "
        "1/error; the error is the furthest that any weight is moved. Shift acts on people up to two errors from the "
        "boundary, the others up to one.",
        people.origin,
    )


def divergence(true: Any, reported: Any) -> float:
    """D(true ‖ reported) of two lists of weights, in nats."""
    p, q = (np.histogram(each, BINS)[0] + SPREAD for each in (true, reported))
    p, q = p / p.sum(), q / q.sum()
    return float(np.sum(p * np.log(p / q)))


def draw(made: Numbers, canvas: Canvas) -> None:
    """A panel for the shift of the mean, and one for the divergence."""
    left, right = canvas.subplots(1, 2)
    for axes, column, words in (
        (left, "mean_shift_kg", "shift of the mean, kg"),
        (right, "kl_nats", "D(true ‖ reported), nats"),
    ):
        for place, policy in enumerate(made.values("policy")):
            axes.semilogx(
                made.column("rho", policy=policy), made.column(column, policy=policy), label=policy, **look(place)
            )
        axes.set(xlabel="accuracy ρ = 1/error, 1/kg", title=words)
    left.legend()


FIGURE = Figure("cdc5", "What hiding obesity does to the weights", "CDC Fig. 5", numbers, draw, (8.0, 4.2))
