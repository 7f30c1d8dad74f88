"""A picture of a budget over time: a step line for each public group, below the line of the budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from markupsafe import Markup

from noiseless.curator.ledger.over_time import Moment

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 680, 240, 46, 30, 14
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4", "10 4")
"""The dashes of the lines, so that they differ not only in colour."""


def picture(moments: Sequence[Moment], groups: Sequence[str]) -> Markup:
    """An SVG whose colours come from the style sheet, because the content policy forbids styles in pages."""
    first, last = _seconds(moments[0]), _seconds(moments[-1])
    highest = max(max(each.budget, each.most) for each in moments) or 1.0

    def across(moment: Moment) -> float:
        return LEFT + (WIDTH - LEFT - 10) * ((_seconds(moment) - first) / (last - first) if last > first else 1.0)

    def up(bits: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * bits / highest

    parts = list(_axes(moments, highest, up))
    parts.append(_line("budget", [(across(each), up(each.budget)) for each in moments], ""))
    for place, name in enumerate(groups):
        dash = DASHES[place % len(DASHES)]
        parts.append(
            _line(f"spent line{place}", [(across(each), up(each.spent.get(name, 0.0))) for each in moments], dash)
        )
    words = f"bits spent until {moments[-1].time[:10]}: {moments[-1].most:.4g} of {moments[-1].budget:.4g}"
    head = Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(WIDTH, HEIGHT, words)
    return head + Markup("").join(parts) + Markup("</svg>")


def _axes(moments: Sequence[Moment], highest: float, up: object) -> Iterator[Markup]:
    assert callable(up)
    for share in (0.0, 0.5, 1.0):
        height, bits = up(share * highest), f"{share * highest:.3g}"
        yield Markup('<line class="axis" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}"></line>').format(
            LEFT, WIDTH - 10, height
        )
        yield Markup('<text x="{}" y="{:.1f}" text-anchor="end">{}</text>').format(LEFT - 6, height + 4, bits)
    shown = slice(11, 16) if moments[0].time[:10] == moments[-1].time[:10] else slice(0, 10)
    for x, anchor, moment in ((LEFT, "start", moments[0]), (WIDTH - 10, "end", moments[-1])):
        yield Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(
            x, HEIGHT - 10, anchor, moment.time[shown]
        )


def _line(name: str, points: Sequence[tuple[float, float]], dash: str) -> Markup:
    """Steps: nothing is spent between two entries."""
    path, height = f"M{LEFT},{points[0][1]:.1f}", points[0][1]
    for x, y in points:
        path += f"H{x:.1f}" if y == height else f"H{x:.1f}V{y:.1f}"
        height = y
    return Markup('<path class="{}" d="{}"{}></path>').format(
        name, path, Markup(' stroke-dasharray="{}"').format(dash) if dash else ""
    )


def _seconds(moment: Moment) -> float:
    return datetime.fromisoformat(moment.time).timestamp()
