"""What an adversary achieves against privacy: one point for each setting, with its uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

Z = 1.96
"""For 95 %."""


@dataclass(frozen=True, slots=True)
class Point:
    """A figure between its lower and upper ends, in one setting."""

    setting: Mapping[str, Any]
    value: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of one adversary, and which data and seed they come from."""

    adversary: str
    figure: str
    points: tuple[Point, ...]
    origin: str
    seed: int | None = None

    def fields(self) -> dict[str, Any]:
        """For machines."""
        points = [{**p.setting, self.figure: p.value, "lower": p.lower, "upper": p.upper} for p in self.points]
        return {"adversary": self.adversary, "data": self.origin, "seed": self.seed, "points": points}

    def picture(self) -> str:
        """An SVG."""
        from noiseless.lab.attacks.picture import curve_picture

        return curve_picture(self)

    def _repr_html_(self) -> str:
        return self.picture()

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.table import Table

        names = list(self.points[0].setting)
        table = Table(*names, self.figure, "95 % interval", "")
        top = max([1e-12, *(point.upper for point in self.points)])
        for point in self.points:
            told = ["exact" if point.setting[name] is None else _shown(point.setting[name]) for name in names]
            sure = "" if point.lower == point.upper else f"{point.lower:.3f} – {point.upper:.3f}"
            table.add_row(*told, f"{point.value:.4f}", sure, "█" * round(20 * point.value / top))
        return Group(f"{self.adversary}, on {self.origin}", table)


def _shown(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def advantage(wins: int, games: int) -> tuple[float, float, float]:
    """2·|P − ½| of a guess between two, with a 95 % interval: Wilson's for P, folded at ½.

    >>> advantage(75, 100)[0]
    0.5
    """
    low, high = wilson(wins, games)
    ends = sorted((abs(2 * low - 1), abs(2 * high - 1)))
    return abs(2 * wins / games - 1), 0.0 if low <= 0.5 <= high else ends[0], ends[1]


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share.

    >>> tuple(round(end, 3) for end in wilson(50, 100))
    (0.404, 0.596)
    """
    share, spread = wins / games, Z * Z / games
    middle = share + spread / 2
    wide = Z * sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, (middle - wide) / (1 + spread)), min(1.0, (middle + wide) / (1 + spread))
