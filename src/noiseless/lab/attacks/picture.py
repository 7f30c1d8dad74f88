"""A curve as a picture: the value with its interval against what was varied."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from noiseless.privacy.svg import svg

if TYPE_CHECKING:
    from noiseless.lab.attacks.curve import Curve

WIDTH, HEIGHT, LEFT, TOP = 640, 300, 60, 40
LINE, BAND = "#1f618d", "#aed6f1"


def curve_picture(curve: Curve) -> str:
    """An SVG; settings are evenly spaced, in the order they were tried."""
    points = curve.points
    top = max([1e-12, *(point.upper for point in points)])
    wide, tall = WIDTH - LEFT - 30, HEIGHT - TOP - 50

    def at(place: int, value: float) -> str:
        return f"{LEFT + wide * place / max(1, len(points) - 1):.1f},{TOP + tall * (1 - value / top):.1f}"

    upper = [at(place, point.upper) for place, point in enumerate(points)]
    lower = [at(place, point.lower) for place, point in enumerate(points)]
    middle = [at(place, point.value) for place, point in enumerate(points)]
    varied = next(iter(name for name in points[0].setting if len({str(p.setting[name]) for p in points}) > 1), "")
    parts = [
        f'<text x="{LEFT}" y="20" font-size="13">{escape(curve.adversary)}: {escape(curve.figure)}</text>',
        f'<polygon points="{" ".join([*upper, *reversed(lower)])}" fill="{BAND}"/>',
        f'<polyline points="{" ".join(middle)}" fill="none" stroke="{LINE}" stroke-width="2"/>',
        f'<text x="{LEFT - 6}" y="{TOP + 4}" text-anchor="end">{top:.3g}</text>',
        f'<text x="{LEFT - 6}" y="{TOP + tall + 4}" text-anchor="end">0</text>',
        f'<text x="{LEFT}" y="{HEIGHT - 6}" fill="#808b96">{escape(curve.origin)}</text>',
    ]
    for place, point in enumerate(points):
        x = at(place, 0).split(",")[0]
        shown = point.setting.get(varied)
        name = "exact" if shown is None else f"{shown:.3g}" if isinstance(shown, float) else str(shown)
        parts.append(f'<text x="{x}" y="{TOP + tall + 18}" text-anchor="middle">{escape(name)}</text>')
    return svg(WIDTH, HEIGHT, parts)
