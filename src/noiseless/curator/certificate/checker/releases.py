"""Releases, as a certificate names them: integers about some rows."""

from __future__ import annotations

from dataclasses import dataclass, field

from noiseless.curator.certificate.checker.conditions import TRUE, Condition
from noiseless.curator.certificate.checker.groups import Group


@dataclass(frozen=True, slots=True)
class Part:
    """Public cells with their total number of rows, a condition, and the private columns that the condition reads."""

    cells: tuple[int, ...]
    rows: int
    condition: Condition
    reads: tuple[str, ...]
    changes: int

    @property
    def plain(self) -> bool:
        """Whether every row counts."""
        return self.condition == TRUE


@dataclass(frozen=True, slots=True)
class Computed:
    """A function of the row on a grid, by its place among these, with the private columns it reads."""

    place: int
    reads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """The cells of private groups, and the private columns that these read."""

    cells: int
    reads: tuple[str, ...]
    groups: tuple[Group, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Release:
    """A kind of number, its column and its part. Order statistics also have a share, counts what is counted.

    Sums of products have a second column. A count of different values of a public column has its name for a share.
    """

    kind: str
    name: str | Computed | None
    part: Part
    share: str = ""
    groups: Grouped | None = None
    second: str | Computed | None = None

    @property
    def plain(self) -> bool:
        """Whether every row counts."""
        return self.part.plain

    @property
    def reads(self) -> tuple[str, ...]:
        """The private columns that it depends on."""
        own: list[str] = [] if self.groups is None else [*self.groups.reads]
        for name in (self.name, self.second) if self.kind not in ("head count", "cross table") else ():
            own += name.reads if isinstance(name, Computed) else [] if name is None else [name]
        return tuple(sorted({*own, *self.part.reads}))
