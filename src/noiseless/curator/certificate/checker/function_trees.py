"""Reading functions of a row from a certificate: every operation is known, and its parts are of the right kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.checker.columns import Column, days
from noiseless.curator.certificate.checker.functions import NOTHING, Function, column_of, constant, kind_of, operation
from noiseless.curator.certificate.checker.numbers import day, rational
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, require

ARITHMETIC = {
    "+": (("number", "number"), ("date", "number"), ("number", "date")),
    "-": (("number", "number"), ("date", "number"), ("date", "date")),
    "*": (("number", "number"),),
    "/": (("number", "number"),),
}
"""Kinds that can be calculated with."""
STEPS = {"floor": 1, "ceil": 1, "trunc": 1, "round": 1, "mod": 1, "sqrt": 1, "ln": 1, "exp": 1, "power": 2, "log": 2}
"""Operations on one number with constants: how many constants they have. The last one is a step above 0."""
TEXTS: dict[str, tuple[str, ...]] = {
    "lower": ("text",),
    "upper": ("text",),
    "trim": ("text",),
    "ltrim": ("text",),
    "rtrim": ("text",),
    "length": ("text",),
    "substring": ("text", "whole", "whole"),
    "left": ("text", "whole"),
    "right": ("text", "whole"),
    "replace": ("text", "text", "text"),
}
PARTS = ("year", "quarter", "month", "day", "doy", "dow", "isodow")
STARTS = ("year", "quarter", "month", "week", "day")
MOST_BITS = 2700
"""The longest constant: 400 digits before and after the point."""
Conditions = Callable[[Any, Mapping[str, Column]], Any]


class Reader:
    """Reads trees. How conditions of CASE are read is given, because they are about functions too."""

    def __init__(self, columns: Mapping[str, Column], conditions: Conditions) -> None:
        self.columns, self.conditions = columns, conditions

    def read(self, tree: Any) -> Function:
        """The function, or a refusal of anything unknown."""
        require(isinstance(tree, list) and len(tree) > 0 and isinstance(tree[0], str), "a function is not a list")
        op, *parts = tree
        match op, len(parts):
            case (("column" | "null" | "number" | "date" | "text" | "truth"), (0 | 1)):
                return self._leaf(op, parts)
            case (("+" | "-" | "*" | "/"), 2):
                left, right = map(self.read, parts)
                require((left.kind, right.kind) in ARITHMETIC[op], "a calculation is not with numbers")
                return operation(op, left, right)
            case "abs", 1:
                return operation("abs", self._of("number", parts[0]))
            case (("least" | "greatest"), _) if len(parts) > 1:
                return self._alike(op, [self.read(part) for part in parts])
            case (("extract" | "date_trunc"), 2):
                known = parts[0] in (PARTS if op == "extract" else STARTS)
                require(isinstance(parts[0], str) and known, "a part of a date is unknown")
                return operation(op, self._of("date", parts[1]), fixed=(parts[0],))
            case "case", _ if len(parts) > 1:
                return self._case(parts[:-1], parts[-1])
        if op in STEPS and len(parts) == 1 + STEPS[op]:
            return self._with_step(op, parts[0], [_short(rational(number)) for number in parts[1:]])
        if op in TEXTS or op == "concat":
            return self._text(op, parts)
        raise WrongCertificateError("a function is unknown")

    def _leaf(self, op: str, parts: list[Any]) -> Function:
        require(len(parts) == (op != "null"), "a function is unknown")
        if op == "null":
            return NOTHING
        return self._column(parts[0]) if op == "column" else _constant(op, parts[0])

    def _column(self, name: Any) -> Function:
        require(isinstance(name, str) and name in self.columns, "a column is not declared")
        column = self.columns[name]
        require(column.scale or bool(column.keys), "a column without declared keys is in a function")
        return column_of(name, column)

    def _of(self, kind: str, tree: Any) -> Function:
        found = self.read(tree)
        require(found.kind == kind, f"a function needs a {kind}")
        return found

    def _alike(self, op: str, parts: list[Function]) -> Function:
        kinds = {part.kind for part in parts if part != NOTHING}
        require(kinds in ({"number"}, {"date"}), "values of different kinds are compared")
        return operation(op, *parts)

    def _with_step(self, op: str, tree: Any, numbers: list[Fraction]) -> Function:
        require(numbers[-1] > 0, "a step is not above 0")
        require(op != "log" or (numbers[0] > 0 and numbers[0] != 1), "a logarithm has an impossible base")
        return operation(op, self._of("number", tree), fixed=tuple(numbers))

    def _case(self, cases: list[Any], otherwise: Any) -> Function:
        require(all(isinstance(case, list) and len(case) == 2 for case in cases), "a case is not a pair")
        tests = tuple(self.conditions(test, self.columns) for test, _ in cases)
        parts = (*(self.read(value) for _, value in cases), self.read(otherwise))
        require(len({part.kind for part in parts if part != NOTHING}) == 1, "cases are of different kinds")
        return case(tests, parts)

    def _text(self, op: str, trees: list[Any]) -> Function:
        parts = [self.read(tree) for tree in trees]
        wanted = TEXTS.get(op, ("text",) * len(parts))
        fewest = 2 if op == "substring" else max(1, len(wanted))
        require(fewest <= len(parts) <= len(wanted), "a function of texts has too many parts, or too few")
        for part, kind in zip(parts, wanted, strict=False):
            whole = part.op == "constant" and isinstance(part.value, Fraction) and part.value.denominator == 1
            require(
                part.kind == "text" if kind == "text" else whole, "a part of a function of texts is of another kind"
            )
        return operation(op, *parts)


def case(tests: tuple[Any, ...], parts: tuple[Function, ...]) -> Function:
    """The value of the first case whose test holds, otherwise the last value."""
    from noiseless.curator.certificate.checker.conditions import columns_read, size_of

    reads = frozenset().union(*(part.reads for part in parts), *map(columns_read, tests))
    return Function("case", kind_of("case", parts), parts, (), tests, reads, sum(map(size_of, tests)))


def _constant(kind: str, given: Any) -> Function:
    match kind:
        case "number":
            return constant(_short(rational(given)))
        case "date":
            return constant(days(day(given)), "date")
        case "text":
            require(isinstance(given, str), "a text is not one")
        case "truth":
            require(isinstance(given, bool), "a truth value is not one")
    return constant(given, kind)


def _short(number: Fraction) -> Fraction:
    require(max(abs(number.numerator), number.denominator).bit_length() <= MOST_BITS, "a constant is too long")
    return number
