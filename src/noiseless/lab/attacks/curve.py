"""What an adversary achieves: one point for each setting, with its uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import Any

BAR = 20
"""Letters."""
Z = 1.96
"""The normal quantile of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Point:
    """A figure at one setting, with the ends of its interval."""

    setting: Mapping[str, Any]
    value: float
    lower: float
    upper: float
    parts: Mapping[str, float] = field(default_factory=dict)
    """The parts whose mean is the figure, by name."""

    @classmethod
    def exactly(cls, setting: Mapping[str, Any], value: float) -> Point:
        """A figure without randomness."""
        return cls(setting, value, value, value)


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of one adversary, with their data and seed."""

    adversary: str
    figure: str
    points: tuple[Point, ...]
    origin: str
    seed: int | None = None
    beside: str | None = None
    """What is drawn beside the figure: a bound, or the charge."""
    most: float | None = None
    """The largest value of the figure, for the length of bars."""

    def on(self, origin: str) -> Curve:
        """The same curve with more about its data."""
        return replace(self, origin=f"{origin}; {self.origin}")

    def with_beside(self, name: str, other: Curve) -> Curve:
        """The same curve with the figures of another beside it."""
        points = [
            replace(point, setting={**point.setting, name: its.value})
            for point, its in zip(self.points, other.points, strict=True)
        ]
        return replace(self, points=tuple(points), beside=name)

    def fields(self) -> dict[str, Any]:
        """All fields, for JSON."""
        points = [
            {
                **_numbers(point.setting),
                self.figure: point.value,
                "lower": point.lower,
                "upper": point.upper,
                **point.parts,
            }
            for point in self.points
        ]
        return {"adversary": self.adversary, "data": self.origin, "seed": self.seed, "points": points}

    @property
    def varied(self) -> str:
        """The name of the setting that varies."""
        return next(iter(self.points[0].setting))

    @property
    def top(self) -> float:
        """The largest value that is drawn."""
        besides: list[float] = [point.setting[self.beside] for point in self.points] if self.beside else []
        return max(1e-12, *(point.upper for point in self.points), *besides)

    def picture(self) -> str:
        """The curve as an SVG."""
        from noiseless.lab.attacks.picture import curve_picture

        return curve_picture(self)

    def _repr_html_(self) -> str:
        return self.picture()

    def __str__(self) -> str:
        from rich.console import Console

        console = Console(width=110)
        with console.capture() as shown_here:
            console.print(self)
        return shown_here.get()

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.markup import escape
        from rich.table import Table

        names = list(self.points[0].setting)
        by_chance = any(point.lower < point.upper for point in self.points)
        table = Table(*names, self.figure, *(["95 % interval"] if by_chance else []), "")
        for point in self.points:
            sure = [f"{point.lower:.3f} – {point.upper:.3f}"] if by_chance else []
            bar = "█" * round(BAR * point.value / (self.most or self.top))
            table.add_row(*(shown(point.setting[name]) for name in names), f"{point.value:.4g}", *sure, bar)
        seeded = "" if self.seed is None else f", seed {self.seed}"
        printed: list[Any] = [escape(f"{self.adversary}, on {self.origin}{seeded}"), table]
        if self.points[0].parts:
            parts = Table(self.varied, *(shown(point.setting[self.varied]) for point in self.points))
            for name in self.points[0].parts:
                parts.add_row(escape(name), *(f"{point.parts[name]:.3f}" for point in self.points))
            printed.append(parts)
        return Group(*printed)


def _numbers(setting: Mapping[str, Any]) -> dict[str, Any]:
    return {name: float(each) if isinstance(each, Fraction) else each for name, each in setting.items()}


def shown(setting: Any) -> str:
    """A setting in words; None means the exact data."""
    if setting is None:
        return "exact"
    return f"{float(setting):.4g}" if isinstance(setting, (float, Fraction)) else str(setting)


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
