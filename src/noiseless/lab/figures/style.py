"""How figures look: colours that colour-blind readers can distinguish, and lines and markers that work in grey.

What a paper prints wrong or loose is dashed.
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""The colours of Okabe and Ito, darkest first, without yellow, which is hard to see on white."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
LINES: tuple[Any, ...] = ("-", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)), (0, (3, 1, 1, 1)), "-", "-.")
"""Line styles; none of them is plainly dashed."""
DASHED, SHORT_DASHED = (0, (5, 3)), (0, (2, 2))
GREY = "#555555"
EXACT = "exact"
"""The label for no privacy, instead of a number of bits."""
SETTINGS: dict[str, Any] = {
    "axes.formatter.use_mathtext": False,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"],
    "font.size": 9,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.5,
    "legend.fontsize": 8,
    "legend.framealpha": 0.85,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "svg.fonttype": "none",  # letters as text: smaller files, and searchable
    "svg.hashsalt": "noiseless",  # otherwise every file has different random names
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}
CAPTION_SIZE = 7.5
LINE_HEIGHT = 0.155
"""The height of a line of the caption, in inches."""
LETTERS_PER_INCH = 17.2


def look(place: int) -> dict[str, Any]:
    """The style of the curve at this place; up to seven curves get different colours and markers."""
    kind = place % len(COLOURS)
    return {"color": COLOURS[kind], "linestyle": LINES[kind], "marker": MARKERS[kind]}


def along(settings: list[Any]) -> list[float]:
    """Where settings are drawn; "exact" is at the right end."""
    numbers = [each for each in settings if each != EXACT]
    return [max(numbers) + 1.5 if each == EXACT else each for each in settings]


def printed(place: int | None = None) -> dict[str, Any]:
    """The style of what a paper prints: dashed, without markers, in the colour of the curve beside it."""
    return {"color": GREY if place is None else COLOURS[place], "linestyle": DASHED, "marker": ""}


def band(axes: Axes, x: list[Any], lower: list[Any], upper: list[Any], place: int) -> None:
    """The interval around a curve."""
    axes.fill_between(x, lower, upper, color=COLOURS[place], alpha=0.18, linewidth=0)


def with_words(canvas: Canvas, title: str, caption: str) -> None:
    """Add a title above and a wrapped caption below; the drawing gets the room in between."""
    wide, high = canvas.get_size_inches()
    lines = wrap(caption, int(LETTERS_PER_INCH * wide))
    below = (LINE_HEIGHT * len(lines) + 0.12) / high
    canvas.suptitle(title, fontsize=10.5, fontweight="bold", x=0.02, ha="left")
    canvas.text(0.02, 0.06 / high, "\n".join(lines), fontsize=CAPTION_SIZE, va="bottom", ha="left", linespacing=1.25)
    engine: Any = canvas.get_layout_engine()
    engine.set(rect=(0, below, 1, 1 - below))
