"""A figure in two steps: numbers, and a drawing that uses only these numbers."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from noiseless.lab.figures.material import Material

Row = Mapping[str, Any]
FORMULAS = "none, exact formulas only"
"""The origin of a figure without data."""


@dataclass(frozen=True, eq=False, slots=True)
class Numbers:
    """Exactly what is drawn: tidy rows with the same columns, a caption, and the origin of the data.

    >>> made = Numbers([{"n": 2, "levels": 6}, {"n": 3, "levels": 9}], "Levels.")
    >>> made.column("levels", n=3), made.values("n")
    ([9], [2, 3])
    """

    rows: Sequence[Row]
    caption: str
    data: str = FORMULAS

    def column(self, name: str, **equal: Any) -> list[Any]:
        """One column of the rows that have these values."""
        return [row[name] for row in self.rows if all(row[key] == value for key, value in equal.items())]

    def values(self, name: str) -> list[Any]:
        """The different values of a column, in order of appearance."""
        return list(dict.fromkeys(self.column(name)))

    def csv(self) -> str:
        """The rows as text; floats with all their digits."""
        text = StringIO()
        table = csv.DictWriter(text, list(self.rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(self.rows)
        return text.getvalue()


@dataclass(frozen=True, slots=True)
class Figure:
    """The name of a figure, which figure of the papers it is, how its numbers are made, and how they are drawn."""

    name: str
    title: str
    paper: str
    """Such as "NP Fig. 3"; "ours" if it is in no paper."""
    numbers: Callable[[Material], Numbers]
    draw: Callable[[Numbers, Canvas], None]
    size: tuple[float, float] = (7.0, 4.6)
    """The size in inches, including the caption."""
