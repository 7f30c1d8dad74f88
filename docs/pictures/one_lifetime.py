"""Draw one_lifetime.svg on the real survey: NOISELESS_DATA=… PYTHONPATH=. python docs/pictures/one_lifetime.py [PNG].

Without NOISELESS_DATA the twin is drawn.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib as mpl
from benchmarks.survey import designed, one_by_one
from matplotlib.figure import Figure

BASE, ASKED, PROMISED = "#1f618d", "#b03a2e", "#7d6608"


def drawn() -> tuple[Figure, dict[str, list[float]]]:
    """The certain error that each number of questions keeps, for every way to spend the bits."""
    plan, after, _ = designed()
    batch = next(way for way in plan.ways if way.name == "batch")
    found = {
        "announced for the worst table": [float(each.sure) for each in plan.served],
        "deduced from the base table": after,
        "one by one": one_by_one(),
        "one batch: not possible with 12 bits" if batch.why else "one batch": [float(each) for each in batch.shares],
    }
    styles: list[dict[str, Any]] = [
        {"color": PROMISED, "linestyle": "--"},
        {"color": BASE},
        {"color": ASKED},
        {"color": "#566573", "linestyle": ":"},
    ]
    figure = Figure(figsize=(7.2, 4), layout="constrained")
    axes = figure.add_subplot()
    for (name, shares), style in zip(found.items(), styles, strict=True):
        steps = sorted(shares)
        axes.step([0, *range(1, len(steps) + 1)], [steps[0], *steps], where="pre", label=name, linewidth=2, **style)
    axes.axhline(0.1, color="#aab7b8", linewidth=0.8)
    axes.set(
        xlabel="questions, the most certain first",
        ylabel="certain error / range",
        xlim=(0, 60),
        ylim=(-0.01, 0.53),
        title="Sixty questions with 12 bits",
    )
    axes.legend(loc="upper left", bbox_to_anchor=(0.22, 0.9), frameon=False, fontsize=9)
    return figure, found


if __name__ == "__main__":
    mpl.rcParams["svg.hashsalt"] = "noiseless"
    figure, found = drawn()
    figure.savefig(Path(__file__).with_suffix(".svg"), metadata={"Date": None})
    for file in sys.argv[1:]:
        figure.savefig(file, dpi=110)
    for name, shares in found.items():
        print(f"{name}: {sum(each < 0.5 for each in shares)} answered, median {median(shares):.3f}")
