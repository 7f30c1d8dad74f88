"""Columns that are computed from others of the same row: declared by an expression, and then like all others.

The declaration is read when the schema is made, because an expression needs the columns that it names. What it becomes
is an ordinary private column that also knows the function of its code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import Any, Protocol

from noiseless.curator.schema.categories import NEVER, Boolean, Category, Key
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.plain import why_not
from noiseless.curator.schema.scale import Scale
from noiseless.errors import SchemaError
from noiseless.exact.number import Number

Function = Any
"""A function of `plan.functions`, which is a room above this one."""
Grid = tuple[Fraction, Fraction, Fraction]
"""Low, high and step."""
READER = "noiseless.curator.sql.derive"
"""The module that reads expressions. It needs columns, so it lies above them."""
LONGEST = 5000


class Columns(Protocol):
    """The columns that an expression may name."""

    @property
    def columns(self) -> Mapping[str, Any]:
        """Every column by its name."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A private column computed from others by an expression in SQL, such as `weight / ((height/100) * (height/100))`.

    - `step`: what numbers are rounded to. By default the grid on which the values lie, or a fine one.
    - `low`, `high`: bounds to which numbers are clamped. By default all that the declared columns allow.
    - `missing`: for a text, the value where the expression has none.

    >>> from noiseless.curator.schema.scale import Integer
    >>> from noiseless.curator.schema.schema import Schema
    >>> Schema(hours=Integer(0, 80), pay=Integer(0, 5000), spare=Derived("80 - hours")).columns["spare"]
    Derived('80 - hours', low=0, high=80, step=1)
    """

    expression: str
    step: Number | None = None
    low: Any = None
    high: Any = None
    missing: Key | None = None

    def __post_init__(self) -> None:
        if wrong := why_not(self.expression, LONGEST):
            raise SchemaError(f"the expression of a derived column {wrong}; write it in SQL, such as 'weight / height'")

    def column(self, name: str, known: Columns) -> DerivedColumn:
        """The column that it becomes among other columns.

        Refused if the expression cannot be computed for every row.
        """
        found: DerivedColumn = import_module(READER).derive(name, self, known)
        return found


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DerivedNumber(Scale):
    """A derived number. The function gives the value, which lies on the grid or is rounded to it."""

    expression: str
    function: Function = field(compare=False)
    slack: Fraction
    """How far the number of a code can be from the expression of the true values."""

    def __init__(
        self,
        expression: str,
        function: Function,
        grid: tuple[Fraction, Fraction, Fraction],
        slack: Fraction,
        apart: bool,
    ) -> None:
        for name, value in (("expression", expression), ("function", function), ("slack", slack)):
            object.__setattr__(self, name, value)
        Scale.__init__(self, *grid, "apart" if apart else "never", slack == 0)

    @property
    def rounding(self) -> Fraction:
        """How far the number of a code can be from the expression of the true values."""
        return self.slack

    @property
    def full(self) -> bool:
        """False: its bounds may be wider than its values."""
        return False

    @property
    def _doubles(self) -> Fraction:
        """0: no double is rounded, because it is computed in whole numbers."""
        return Fraction(0)

    def __repr__(self) -> str:
        bounds = f"low={self.show(self.low)}, high={self.show(self.high)}, step={Scale.show(self, self.step)}"
        return f"Derived({self.expression!r}, {bounds})"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DerivedDate(DerivedNumber, Date):
    """A derived date, such as the first day of a month."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DerivedTruth(Boolean):
    """A derived truth value. The function gives its code."""

    expression: str = ""
    function: Function = field(default=None, compare=False)

    def __init__(self, expression: str, function: Function, apart: bool) -> None:
        object.__setattr__(self, "expression", expression)
        object.__setattr__(self, "function", function)
        Boolean.__init__(self, "apart" if apart else NEVER)

    def __repr__(self) -> str:
        return f"Derived({self.expression!r})"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DerivedCategory(Category):
    """A derived text or number, one of a few. The function gives its code."""

    expression: str
    function: Function = field(compare=False)

    def __init__(self, expression: str, function: Function, values: tuple[Key, ...], missing: Key | None) -> None:
        object.__setattr__(self, "expression", expression)
        object.__setattr__(self, "function", function)
        Category.__init__(self, *values, missing=NEVER if missing is None else missing)

    def __repr__(self) -> str:
        missing = "" if self.missing == NEVER else f", missing={self.missing!r}"
        return f"Derived({self.expression!r}{missing})"


DerivedColumn = DerivedNumber | DerivedDate | DerivedTruth | DerivedCategory


def is_derived(column: object) -> bool:
    """Whether a column is computed from others of its row."""
    return isinstance(column, DerivedColumn)
