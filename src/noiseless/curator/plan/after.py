"""What is computed from the rows of a result: expressions over its columns, windows over its rows, and stages.

Nothing here is about the table. A stage is one more SELECT about the rows of the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from noiseless.curator.plan.plan import Constant


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the rows."""

    label: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """NULL."""


@dataclass(frozen=True, slots=True)
class Call:
    """An operation of a row: arithmetic, a comparison, CASE, ROUND and so on."""

    operation: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """ROWS BETWEEN `before` PRECEDING AND `after` FOLLOWING: None for UNBOUNDED, below 0 for the other direction."""

    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Window:
    """A function OVER the rows of the result with the same `partition`, in some order.

    Without a frame, a function such as SUM is over all rows up to the rows in the same place. Without an order, it is
    over all rows.
    """

    function: str
    parts: tuple[Expression, ...]
    partition: tuple[Expression, ...]
    order: Order
    frame: Frame | None = None


Expression = Column | Constant | Nothing | Call | Window
Order = tuple[tuple[Expression, bool], ...]
"""The expressions to order by, each with whether it is descending."""


@dataclass(frozen=True, slots=True)
class Output:
    """A column that a stage makes. Its kind is number, date, text or truth.

    `released` says that it depends on released numbers. Others depend on keys and constants only.
    """

    label: str
    expression: Expression
    kind: str
    released: bool

    @property
    def is_number(self) -> bool:
        """Whether an answer shows it with an interval."""
        return self.released and self.kind in ("number", "date")


@dataclass(frozen=True, slots=True)
class Arranged:
    """SELECT outputs … WHERE test ORDER BY … LIMIT …: a row for every row that the test keeps."""

    outputs: tuple[Output, ...]
    where: Expression | None = None
    order: Order = ()
    limit: int | None = None

    @property
    def depth(self) -> int:
        """The nesting depth of its expressions."""
        return max(map(depth_of, roots_of(self)))


@dataclass(frozen=True, slots=True)
class Gathering:
    """COUNT, SUM, AVG, MIN, MAX or MEDIAN of the rows of a group that a test keeps; COUNT also of rows."""

    label: str
    function: str
    of: Expression | None
    kept: Expression | None = None


@dataclass(frozen=True, slots=True)
class Gathered:
    """WHERE test GROUP BY keys: a row for every group, with numbers. Without keys, one row."""

    keys: tuple[Output, ...]
    numbers: tuple[Gathering, ...]
    where: Expression | None = None

    @property
    def depth(self) -> int:
        """The nesting depth of its expressions."""
        return max(map(depth_of, roots_of(self)), default=1)


Stage = Arranged | Gathered


def roots_of(stage: Stage) -> Iterator[Expression]:
    """The expressions of a stage."""
    if stage.where is not None:
        yield stage.where
    if isinstance(stage, Arranged):
        yield from (each.expression for each in stage.outputs)
        yield from (expression for expression, _ in stage.order)
        return
    yield from (each.expression for each in stage.keys)
    yield from (part for each in stage.numbers for part in (each.of, each.kept) if part is not None)


def parts_of(node: Expression) -> tuple[Expression, ...]:
    """The expressions that an expression is made of."""
    match node:
        case Call():
            return node.parts
        case Window():
            return *node.parts, *node.partition, *(expression for expression, _ in node.order)
    return ()


def depth_of(node: Expression) -> int:
    """The nesting depth of an expression. In a certificate the parts of a window are lists inside its own list."""
    return (3 if isinstance(node, Window) else 1) + max(map(depth_of, parts_of(node)), default=0)


def windows_of(node: Expression) -> Iterator[Window]:
    """The windows of an expression. Windows inside other windows come first."""
    for part in parts_of(node):
        yield from windows_of(part)
    if isinstance(node, Window):
        yield node
