"""Functions of one row, as trees: columns, constants, and operations on them.

A function is compared by what it is; sums and products have no order. Values are rationals, texts and truth values. A
date is a number of days since 1970-01-01, and None is a missing value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.checker.columns import Column

Columns = Mapping[Any, Column]
Value = Fraction | str | bool | None
Row = Mapping[str, int | None]
"""The codes of the columns of one row. The code None is a missing value."""
UNORDERED = ("+", "*")


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """An operation with its parts, its constants (a name, a value, a step) and the conditions of its cases."""

    op: str
    kind: str
    parts: tuple[Function, ...] = ()
    fixed: tuple[Any, ...] = ()
    tests: tuple[Any, ...] = ()
    reads: frozenset[str] = field(default=frozenset())
    """The columns it reads, also in its conditions."""
    size_of_tests: int = 0
    size: int = field(init=False)
    """The number of operations in it."""
    hashed: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 1 + sum(part.size for part in self.parts) + self.size_of_tests)
        parts: Any = frozenset(self.parts) if self.op in UNORDERED else self.parts
        object.__setattr__(self, "hashed", hash((self.op, self.kind, parts, self.fixed, self.tests)))

    def __hash__(self) -> int:
        return self.hashed

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Function) or self.hashed != other.hashed:
            return False
        if (self.op, self.kind, self.fixed, self.tests) != (other.op, other.kind, other.fixed, other.tests):
            return False
        return self.parts == other.parts or (self.op in UNORDERED and self.parts == other.parts[::-1])

    @property
    def value(self) -> Value:
        """The value of a constant."""
        return self.fixed[0]  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """The name of a column."""
        return self.fixed[0]  # type: ignore[no-any-return]

    @property
    def number(self) -> Fraction:
        """A constant as a number. If it has no value, any number will do."""
        return self.value if isinstance(self.value, Fraction) else Fraction(bool(self.value))


def constant(value: Value, kind: str = "number") -> Function:
    """A constant."""
    return Function("constant", kind, fixed=(value,))


NOTHING = constant(None)
ONE, ZERO = constant(Fraction(1)), constant(Fraction(0))


def is_constant(function: Function) -> bool:
    """Whether it is a constant, perhaps without a value."""
    return function.op == "constant"


def column_of(name: str, column: Column) -> Function:
    """The function that is the value of a column. The value of a key is a text, a truth value or a number."""
    key = column.keys[0] if column.keys else None
    kind = "truth" if isinstance(key, bool) else "text" if isinstance(key, str) else "number"
    return Function("column", "date" if column.kind == "date" else kind, fixed=(name,), reads=frozenset({name}))


def key_at(column: Column, code: int | None) -> Value:
    """The value that a code stands for."""
    if code is None:
        return None
    if column.scale:
        return column.low + column.step * code
    key = column.keys[code]
    return key if isinstance(key, (str, bool)) else Fraction(key)


def operation(op: str, *parts: Function, fixed: tuple[Any, ...] = ()) -> Function:
    """An operation on parts that were checked. The kind follows from theirs."""
    return Function(op, kind_of(op, parts), parts, fixed, reads=frozenset().union(*(part.reads for part in parts)))


def kind_of(op: str, parts: tuple[Function, ...]) -> str:
    """The kind of what an operation on parts gives."""
    kinds = [part.kind for part in parts if part != NOTHING]
    match op:
        case "+":
            return "date" if "date" in kinds else "number"
        case "-":
            return "date" if parts[0].kind == "date" and parts[1].kind != "date" else "number"
        case "least" | "greatest" | "case":
            return kinds[0] if kinds else "number"
        case "date_trunc":
            return "date"
        case "lower" | "upper" | "trim" | "ltrim" | "rtrim" | "substring" | "left" | "right" | "replace" | "concat":
            return "text"
    return "number"
