"""NP Fig. 3: the advantage of three adversaries that look for a household in an aggregate, against bits.

The paper calibrates by Theorem 8, which is unsafe: its bins have one answer more than promised
(docs/theorems.md#np-thm-8). Here bins are calibrated by the corrected theorem; the printed one is dashed, for one n.
The promise is per day, and days add up. We cannot confirm that the advantage is negligible at n = 4 and 2 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from noiseless.lab.attacks.adversary import SEED
from noiseless.lab.attacks.household import Rule, household
from noiseless.lab.attacks.household_adversaries import ADVERSARIES
from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import EXACT, along, band, look, printed

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

BITS = (0, 1, 2, 3, 4, 6, None)
SIZES = (2, 4, 8, 16, 32)
BESIDE = 4
"""The n for which the printed theorem is drawn."""
HIGH = 100
"""The bound of a home's daily kWh; higher values are clamped."""


def numbers(material: Material) -> Numbers:
    """The advantage with its 95 % interval, for every adversary, n and bits."""
    games = 2000 if material.quick else 5000
    rows = []
    possible = [n for n in SIZES if n < material.meters.homes]
    beside = [n for n in possible if n == BESIDE]
    rules: tuple[tuple[Rule, list[int]], ...] = (("corrected", possible), ("printed", beside))
    for place, adversary in enumerate(ADVERSARIES):
        for rule, sizes in rules:
            for n in sizes:
                seed = SEED + 1 + place * len(SIZES) + SIZES.index(n)  # otherwise all curves share the same luck
                curve = household(
                    material.meters, n, BITS, high=HIGH, adversary=adversary, games=games, rule=rule, seed=seed
                )
                rows += [
                    {
                        "adversary": adversary,
                        "calibration": rule,
                        "n": n,
                        "bits": EXACT if point.setting["bits"] is None else point.setting["bits"],
                        "advantage": point.value,
                        "lower": point.lower,
                        "upper": point.upper,
                    }
                    for point in curve.points
                ]
    dashed = f" Dashed: Theorem 8 as printed, n = {BESIDE}, whose bins have one answer more than it promises."
    return Numbers(
        rows,
        "2·|P − ½| of guessing which of two households is in the mean of n, from daily means with the given bits per "
        f"day; bands are 95 % intervals of {games} games, seeds from {SEED + 1} on; “exact” is without privacy. "
        f"Bounds 0–{HIGH} kWh a day. The bits of all days add up; the paper finds next to no advantage at n = 4 and "
        "2 bits." + (dashed if beside else ""),
        material.meters.origin,
    )


def draw(made: Numbers, canvas: Canvas) -> None:
    """A panel for each adversary; the right end is without privacy."""
    adversaries, bits = made.values("adversary"), made.values("bits")
    places = along(bits)
    panels = canvas.subplots(1, len(adversaries), sharey=True)
    for axes, adversary in zip(panels, adversaries, strict=True):
        for place, n in enumerate(made.values("n")):
            here = {"adversary": adversary, "calibration": "corrected", "n": n}
            band(axes, places, made.column("lower", **here), made.column("upper", **here), place)
            axes.plot(places, made.column("advantage", **here), label=f"n = {n}", **look(place))
            as_printed = made.column("advantage", adversary=adversary, calibration="printed", n=n)
            if as_printed:
                axes.plot(places, as_printed, label=f"Thm 8 as printed, n = {n}", **printed(place))
        axes.set(xlabel="bits a day", title=adversary, ylim=(-0.02, 1.02))
        axes.set_xticks(places, [str(each) for each in bits])
    panels[0].set_ylabel("advantage")
    canvas.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=6)


FIGURE = Figure("np3", "Is a household in the aggregate?", "NP Fig. 3", numbers, draw, (10.5, 4.6))
