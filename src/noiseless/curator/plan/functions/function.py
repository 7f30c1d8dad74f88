"""What every function of one row can do.

A function is computed from the values that codes stand for, exactly. Privacy depends only on the bounds and the step
that its result is clamped to, and on the columns that it reads. Its arithmetic decides only whether the result is true.

Source: theory §12: docs/functions.md
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from noiseless.curator.plan.functions.span import Codes, Span
from noiseless.curator.plan.functions.term import Term, Writer

if TYPE_CHECKING:
    from noiseless.curator.plan.condition import Condition

Value = Fraction | str | bool | None
"""The value of a function for one row. A date is a number of days since 1970-01-01; None: it has no value."""
Kind = Literal["number", "date", "text", "truth"]
Row = Mapping[str, int | None]
"""The codes of one row; None is a missing value that has no code."""
Tree = list[Any]
Write = Callable[["Condition"], Tree]
"""How certificates write a condition: with values instead of codes."""
ANYWHERE: Codes = {}


class Function(ABC):
    """A function of one row.

    To add one, write its class, the SQL that leads to it in `sql/functions.py`, and its bounds again in the checker.
    """

    __slots__ = ()

    @property
    def kind(self) -> Kind:
        """The kind of its value: a number by default."""
        return "number"

    @property
    @abstractmethod
    def parts(self) -> tuple[Function, ...]:
        """The functions it is computed from."""

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of CASE in it, not in its parts."""
        return ()

    @property
    def reads(self) -> frozenset[str]:
        """The columns it reads."""
        from noiseless.curator.plan.condition import columns_read

        own = [part.reads for part in self.parts]
        return frozenset().union(*own, *map(columns_read, self.conditions))

    @property
    def depth(self) -> int:
        """How deeply it is nested."""
        from noiseless.curator.plan.condition import condition_depth

        below = [*(part.depth for part in self.parts), *map(condition_depth, self.conditions)]
        return 1 + max(below, default=0)

    @abstractmethod
    def given(self, keys: Mapping[str, int]) -> Function:
        """What remains of it once the codes of some columns are known."""

    @abstractmethod
    def value(self, row: Row) -> Value:
        """Its value for the codes of one row. This defines it; engines compute the same."""

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """Its bounds. `codes` are narrower bounds of some columns."""
        raise AssertionError(f"{self} is not a number")

    def term(self, writer: Writer) -> Term:
        """The function as SQL."""
        raise AssertionError(f"{self} is not a number")

    @abstractmethod
    def absent(self) -> Condition:
        """When it has no value."""

    @abstractmethod
    def tree(self, write: Write) -> Tree:
        """The tree that certificates write."""

    @abstractmethod
    def __str__(self) -> str:
        """The function in SQL."""


def all_parts(function: Function) -> Iterator[Function]:
    """A function and everything in it, except what only conditions contain."""
    yield function
    for part in function.parts:
        yield from all_parts(part)


def any_absent(function: Function) -> Condition:
    """When a part has no value: then most functions have none."""
    from noiseless.curator.plan.condition import some

    return some(part.absent() for part in function.parts)
