"""What a row adds to a sum that was released: a whole number that depends on its codes.

Order statistics are sums too: of m rows that count, the k-th smallest with k = ⌈p·m/q⌉ is at most v if and only if
q·(rows up to v) − p·m ≥ 0, or, for the least, if there is a row up to v.

Source: theory §13, known facts: docs/deduce.md
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.read import Read

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ends = tuple[NDArray[np.int64], NDArray[np.int64]]
    """The least and the greatest integers that are possible, in arrays."""


class Boxes(Protocol):
    """Boxes of codes. `codes` and `ends` are the least and the greatest code of a column in each box.

    `ends` may treat a row as if it were divided between both ends, with the same sum.
    """

    def codes(self, name: str, column: Any) -> Ends: ...  # noqa: D102

    def ends(self, name: str, column: Any) -> Ends: ...  # noqa: D102


class Weight(Protocol):
    """What a row adds, from what is known of its codes."""

    name: ClassVar[str]
    """Its name in proofs."""

    @property
    def line(self) -> Measured | None:
        """The column or function that it is linear in. None if there is none."""

    @property
    def read(self) -> Read:
        """The columns and functions that it reads, and the codes at which boxes must be cut."""

    def ends(self, boxes: Boxes) -> Ends:
        """The least and the most that a row of each box adds."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A column, or a function on a grid, by its name."""

    name: str
    column: Any

    @property
    def read(self) -> Read:
        """The column or function that it reads."""
        return Read(functions=(self.column.function,)) if self.computed else Read(columns=(self.name,))

    @property
    def computed(self) -> bool:
        """Whether it is a function, which has no codes to cut."""
        return isinstance(self.column, Derived)

    @property
    def top(self) -> int:
        """The greatest code."""
        return int(self.column.top)

    @property
    def scale(self) -> tuple[Fraction, Fraction, Fraction]:
        """The lowest and the highest value, and the step."""
        return self.column.low, self.column.high, self.column.step

    def cut(self, starts: list[int]) -> Read:
        """What it reads, cut at some codes if it is a column."""
        return self.read if self.computed else Read(columns=(self.name,), cuts={self.name: starts})

    def codes(self, boxes: Boxes) -> Ends:
        """The least and the greatest code in each box."""
        return boxes.codes(self.name, self.column)

    def ends(self, boxes: Boxes) -> Ends:
        """The least and the greatest code in each box, where a row may be divided between both ends."""
        return boxes.ends(self.name, self.column)


@dataclass(frozen=True, slots=True)
class Line:
    """factor·code + shift."""

    name: ClassVar[str] = "sum"
    of: Measured
    factor: int = 1
    shift: int = 0

    @property
    def line(self) -> Measured:
        """The column or function."""
        return self.of

    @property
    def read(self) -> Read:
        """What the column reads."""
        return self.of.read

    def ends(self, boxes: Boxes) -> Ends:
        """The least and the most that a row of each box adds. The factor is above 0."""
        low, high = self.of.ends(boxes)
        return self.factor * low + self.shift, self.factor * high + self.shift


@dataclass(frozen=True, slots=True)
class Square:
    """(code − centre)²."""

    name: ClassVar[str] = "square"
    line: ClassVar[None] = None
    of: Measured
    centre: int

    @property
    def read(self) -> Read:
        """Cut at the centre, where it turns."""
        return self.of.cut([self.centre])

    def ends(self, boxes: Boxes) -> Ends:
        """The least and the most that a row of each box adds."""
        import numpy as np

        low, high = (each - self.centre for each in self.of.codes(boxes))
        least = np.where((low <= 0) & (high >= 0), 0, np.minimum(low**2, high**2))
        return least, np.maximum(low**2, high**2)


@dataclass(frozen=True, slots=True)
class Product:
    """(code − centre)·(code − centre) of two columns."""

    name: ClassVar[str] = "product"
    line: ClassVar[None] = None
    sides: tuple[Measured, Measured]
    centres: tuple[int, int]

    @property
    def read(self) -> Read:
        """What both columns read."""
        one, two = (side.read for side in self.sides)
        return Read(functions=one.functions + two.functions, columns=one.columns + two.columns)

    def ends(self, boxes: Boxes) -> Ends:
        """The least and the most that a row of each box adds: products of ends."""
        import numpy as np

        one, two = (
            [end - centre for end in side.codes(boxes)] for side, centre in zip(self.sides, self.centres, strict=True)
        )
        corners = np.stack(np.broadcast_arrays(*(a * b for a in one for b in two)))
        return corners.min(axis=0), corners.max(axis=0)


@dataclass(frozen=True, slots=True)
class UpTo:
    """`inside` if the code is at most `last`, otherwise `outside`, which is less."""

    name: ClassVar[str] = "sum"
    line: ClassVar[None] = None
    of: Measured
    last: int
    inside: int
    outside: int

    @property
    def read(self) -> Read:
        """Cut after the last code."""
        return self.of.cut([self.last + 1])

    def ends(self, boxes: Boxes) -> Ends:
        """The least and the most that a row of each box adds."""
        import numpy as np

        low, high = self.of.codes(boxes)
        return np.where(high <= self.last, self.inside, self.outside), np.where(
            low <= self.last, self.inside, self.outside
        )


@dataclass(frozen=True, slots=True)
class Shifted:
    """A weight from its least value on, like the codes of a column."""

    weight: Weight
    least: int
    most: int

    @property
    def top(self) -> int:
        """How far the greatest value is above the least."""
        return self.most - self.least

    @property
    def read(self) -> Read:
        """What the weight reads."""
        return self.weight.read

    def codes(self, boxes: Boxes) -> Ends:
        """The least and the greatest value in each box, counted from the least of all."""
        low, high = self.weight.ends(boxes)
        return low - self.least, high - self.least

    def ends(self, boxes: Boxes) -> Ends:
        """The same as `codes`. The weight decides whether a row may be divided."""
        return self.codes(boxes)

    @property
    def scale(self) -> tuple[Fraction, Fraction, Fraction]:
        """The least and the greatest value, and the distance between neighbouring values."""
        return Fraction(self.least), Fraction(self.most), Fraction(1)


@dataclass(frozen=True, slots=True)
class Bound:
    """The sum of a weight lies between two ends: one pair for each label.

    In proofs it is named by its number among all bounds of a release, and multiplied by `scale`.
    """

    weight: Weight
    ends: Sequence[tuple[int | None, int | None]]
    number: int = 0
    scale: Fraction = Fraction(1)
