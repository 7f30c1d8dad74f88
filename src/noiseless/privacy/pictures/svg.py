"""The frame of every picture."""

from __future__ import annotations

from collections.abc import Iterable

INK = "#1b2631"


def svg(width: float, height: float, parts: Iterable[str], size: int = 11) -> str:
    """A self-contained SVG of some parts on white."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="{size}" fill="{INK}" role="img"><rect width="{width}" height="{height}" '
        f'fill="white"/>{"".join(parts)}</svg>\n'
    )
