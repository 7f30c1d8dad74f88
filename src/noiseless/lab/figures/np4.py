"""NP Fig. 4: the F-score of finding which appliances are on, against the bits of every sample of the mains.

The paper draws the mean; each appliance is beside it, and the exact mains at the right end. One person's own value is
cut into 2^bits parts, for which Theorem 8 is right (the local case).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noiseless.lab.attacks.disaggregation import ALWAYS_ON, TRAIN, disaggregation
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import EXACT, GREY, along, look

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

BITS = (0, 1, 2, 3, 4, 5, 6, 8, 10, None)
HIGH = 12_000
"""The bound of the mains in watts."""
MEAN, BLIND = "mean of all", "mean if all are guessed on"


SPECIAL: dict[str, dict[str, Any]] = {
    MEAN: {"color": "black", "linewidth": 2.6},
    BLIND: {"color": GREY, "linewidth": 1.0},
}
"""How curves that are not appliances are drawn."""


def numbers(material: Material) -> Numbers:
    """The F-score of each appliance and their mean."""
    curve = disaggregation(material.house, BITS, high=HIGH)
    rows = []
    for point in curve.points:
        bits = EXACT if point.setting["bits"] is None else point.setting["bits"]
        rows.append(_row(MEAN, bits, point.value, point.lower, point.upper))
        rows.append(_row(BLIND, bits, point.setting[ALWAYS_ON]))
        rows += [_row(name, bits, score) for name, score in point.parts.items()]
    return Numbers(
        rows,
        f"F-score of finding when each appliance is on, from mains reported with the given bits per sample (0–{HIGH} "
        f"W in "
        f"equal parts), by combinatorial optimisation; levels learned from the first {TRAIN:.0%} of the time, the "
        f"rest attacked. Band: 95 %, resampled stretches of time, seed {curve.seed}. “exact”: the mains themselves.",
        material.house.origin,
    )


def _row(
    appliance: str, bits: Any, score: float, lower: float | None = None, upper: float | None = None
) -> dict[str, Any]:
    return {"appliance": appliance, "bits": bits, "f_score": score, "lower": lower, "upper": upper}


def draw(made: Numbers, canvas: Canvas) -> None:
    """The mean in black, and thinner each appliance."""
    axes = canvas.subplots()
    bits = made.values("bits")
    places = along(bits)
    lower, upper = (made.column(end, appliance=MEAN) for end in ("lower", "upper"))
    axes.fill_between(places, lower, upper, color=GREY, alpha=0.25, linewidth=0)
    for place, name in enumerate(made.values("appliance")):
        how = SPECIAL.get(name) or look(place - len(SPECIAL)) | {"linewidth": 1.0}
        axes.plot(places, made.column("f_score", appliance=name), label=name.replace("_", " "), **how)
    axes.set_xticks(places, [str(each) for each in bits])
    axes.set(xlabel="bits of each sample", ylabel="F-score", ylim=(-0.02, 1.02))
    canvas.legend(*axes.get_legend_handles_labels(), loc="outside right center")  # inside, it would cover points


FIGURE = Figure("np4", "Which appliances are on?", "NP Fig. 4", numbers, draw)
