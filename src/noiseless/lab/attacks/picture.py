"""A curve as a picture: the value with its interval against the settings."""

from __future__ import annotations

from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from noiseless.lab.attacks.curve import shown
from noiseless.privacy.pictures.svg import svg

if TYPE_CHECKING:
    from noiseless.lab.attacks.curve import Curve

WIDTH, HEIGHT, LEFT, TOP = 640, 340, 60, 54
WIDE, TALL = WIDTH - LEFT - 30, HEIGHT - TOP - 78
LETTERS = 100
"""Characters in a line about the data."""
LINE, BAND, BESIDE, QUIET = "#1f618d", "#aed6f1", "#b9770e", "#566573"


def curve_picture(curve: Curve) -> str:
    """An SVG; settings are evenly spaced, in the order they were tried."""
    points, base = curve.points, TOP + TALL

    def at(place: int, value: float) -> str:
        return f"{LEFT + WIDE * place / max(1, len(points) - 1):.1f},{TOP + TALL * (1 - value / curve.top):.1f}"

    def line(values: list[float], colour: str, dashes: str = "") -> str:
        path = " ".join(at(place, value) for place, value in enumerate(values))
        return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" {dashes}/>'

    upper = [at(place, point.upper) for place, point in enumerate(points)]
    lower = [at(place, point.lower) for place, point in enumerate(points)]
    parts = [
        f'<text x="{LEFT}" y="20" font-size="13">{escape(curve.adversary)}: {escape(curve.figure)}</text>',
        f'<line x1="{LEFT}" y1="{base}" x2="{LEFT + WIDE}" y2="{base}" stroke="{QUIET}"/>',
        f'<line x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{base}" stroke="{QUIET}"/>',
        f'<polygon points="{" ".join([*upper, *reversed(lower)])}" fill="{BAND}"/>',
        line([point.value for point in points], LINE),
        f'<text x="{LEFT - 6}" y="{TOP + 4}" text-anchor="end">{curve.top:.3g}</text>',
        f'<text x="{LEFT - 6}" y="{base + 4}" text-anchor="end">0</text>',
        f'<text x="{LEFT + WIDE / 2:.1f}" y="{base + 36}" text-anchor="middle">{escape(curve.varied)}</text>',
    ]
    for place, words in enumerate(lines := wrap(curve.origin, LETTERS)):
        bottom = HEIGHT - 8 - 12 * (len(lines) - 1 - place)
        parts.append(f'<text x="{LEFT}" y="{bottom}" font-size="10" fill="{QUIET}">{escape(words)}</text>')
    if curve.beside is not None:
        parts.append(line([point.setting[curve.beside] for point in points], BESIDE, 'stroke-dasharray="6 4"'))
        parts.append(
            f'<text x="{LEFT + WIDE}" y="38" text-anchor="end" fill="{BESIDE}">dashed: {escape(curve.beside)}</text>'
        )
    for place, point in enumerate(points):
        x, y = at(place, point.value).split(",")
        parts.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{LINE}"/>')
        parts.append(
            f'<text x="{x}" y="{base + 18}" text-anchor="middle">{escape(shown(point.setting[curve.varied]))}</text>'
        )
    return svg(WIDTH, HEIGHT, parts)
