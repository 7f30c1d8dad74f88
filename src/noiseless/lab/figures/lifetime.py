"""Ours: how many questions a budget answers, by size of the table, kind of question and way of answering.

Charged by the answer, a budget of 16 bits lasts for hundreds of questions, where equal bins answer 2 to 16. Questions
and people follow from a seed (`lab/lifetime/filters.py` says what was fixed before). Prices are those of a curator, to
the bit (`tests/lab/test_lifetime.py`); `lab/lifetime/noise.py` says what noise at ε = 1 is compared with
(docs/pay_by_the_answer.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noiseless.lab.figures.figure import Figure, Numbers
from noiseless.lab.figures.material import Material
from noiseless.lab.figures.style import COLOURS, look, printed
from noiseless.lab.lifetime.asked import Kind
from noiseless.lab.lifetime.people import People, surveyed, synthetic
from noiseless.lab.lifetime.runs import ERRORS, SURVEY_ERRORS, answered, kinds, methods

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

RUNS = {10_000: 10, 100_000: 10, 1_000_000: 3}
SURVEY_RUNS = 10
SHARE_RUNS = 6
SHARES = (0.2, 0.35, 0.5, 0.65, 0.8)
BITS = (8, 16)
AT, WANTED = 100_000, 150
"""The number of people in the curves by selectivity, and the most questions that are asked there."""
WAYS = {
    "equal": "equal bins",
    "guarded": "guarded bins",
    "stable": "finest stable level",
    "noise": "noise, ε = 1 (Laplace or exponential)",
}
TITLES = {"mean": "means to ±1 cm", "count": "counts to ±100 (survey: ±20)", "median": "medians of age to the year"}


def numbers(material: Material) -> Numbers:
    """Answered questions of every kind and way, by people and bits, and by the share of people that conditions keep."""
    runs, bits, shares = ({2000: 1}, (8,), (0.2, 0.8)) if material.quick else (RUNS, BITS, SHARES)
    survey = surveyed(material.grouped)
    rows = _rows([survey] * (1 if material.quick else SURVEY_RUNS), kinds(SURVEY_ERRORS), bits, "survey")
    for size, number in runs.items():
        people = [synthetic(size, run, regions=1) for run in range(number)]
        private = [kind for kind in kinds(ERRORS) if kind.private]
        rows += _rows(people, private, bits, "synthetic")
        if size == AT or AT not in runs:
            for share in shares:
                rows += _rows(people[:SHARE_RUNS], private, bits[-1:], "synthetic", share)
        if size <= AT:  # public groups take longest
            public = [kind for kind in kinds(ERRORS) if not kind.private]
            rows += _rows([synthetic(size, run) for run in range(number)], public, bits, "synthetic")
    return Numbers(
        rows,
        "Questions about the people whose weight is in an interval, which keeps 20 to 80 % of them, until one is "
        "refused. Top: by the number of people (the smallest are the survey's). Bottom: among 100,000, if all "
        "intervals keep about the same share. Budget 16 bits; the csv has 8 bits and public groups, too. Lines are "
        "means over 3 to 10 runs, bars reach down to the first decile; 2,000 questions were the most. "
        "Noise at ε = 1 in all is within the same errors in 95 % of all cases; the other answers always are, except a "
        "stable one that came at a coarser level, which says so. The two budgets promise different things.",
        f"{survey.origin}; synthetic people, seed 2024",
    )


def _rows(
    people: list[People], asked: list[Kind], bits: tuple[int, ...], table: str, share: float | None = None
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for kind in asked:
        for method in methods(kind):
            if share is not None and method == "stable" and kind.name != "median":
                continue  # drawn by people only
            for budget in bits:
                found = answered(kind, method, people, budget, share)
                rows.append(
                    {
                        "table": table,
                        "people": people[0].size,
                        "kind": kind.name,
                        "conditions": "private" if kind.private else "public",
                        "error": float(kind.error),
                        "share": "20-80%" if share is None else share,
                        "bits": budget,
                        "method": method,
                        "runs": len(people),
                        "mean": found.mean,
                        "median": found.median,
                        "first_decile": found.decile,
                    }
                )
    return rows


def draw(made: Numbers, canvas: Canvas) -> None:
    """A column for each kind: by people above, by selectivity below."""
    names, bits = made.values("kind"), made.values("bits")[-1]
    above, below = canvas.subplots(2, len(names), sharey="row")
    any_share = [share for share in made.values("share") if isinstance(share, float)]
    for axes, lower, name in zip(above, below, names, strict=True):
        of_kind = {"kind": name, "conditions": "private", "bits": bits}
        _curves(axes, made, "people", {**of_kind, "share": "20-80%"})
        axes.set(xscale="log", xlabel="people", title=TITLES[name])
        if AT in made.values("people"):
            axes.plot([AT], [WANTED], marker="*", color=COLOURS[6], markersize=9, linestyle="", label="wanted: 150")
        rows = [row for row in made.rows if row["share"] in any_share]
        _curves(lower, Numbers(rows, ""), "share", of_kind)
        lower.set(xlabel="share of people that a condition keeps")
    above[0].set(ylabel=f"questions answered, {bits} bits")
    below[0].set(ylabel=f"questions answered, {bits} bits")
    handles = {label: handle for axes in above for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    canvas.legend(handles.values(), handles.keys(), loc="outside upper right", ncols=3)


def _curves(axes: Axes, made: Numbers, along: str, given: dict[str, Any]) -> None:
    for place, (method, words) in enumerate(WAYS.items()):
        x, mean, low = (made.column(name, method=method, **given) for name in (along, "mean", "first_decile"))
        if not x:
            continue
        order = sorted(range(len(x)), key=lambda which: x[which])
        x, mean, low = ([values[which] for which in order] for values in (x, mean, low))
        how = printed(6) | {"marker": "x"} if method == "noise" else look(place)
        axes.plot(x, [max(each, 0.5) for each in mean], label=words, **how)
        if method in ("guarded", "stable"):
            axes.vlines(x, [max(each, 0.5) for each in low], mean, color=how["color"], linewidth=1)
    axes.set(yscale="log")


FIGURE = Figure("lifetime", "How many questions a lifetime buys", "ours", numbers, draw, (9.6, 7.4))
