"""Stages of a plan: SELECTs about the rows of a result, read strictly.

E is a column of the rows before, a constant, null, an operation of several E, or a function over the rows. A stage has
outputs, or the keys and numbers of groups. Every E has a kind, and depends on released numbers or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.checker.numbers import day, rational, whole
from noiseless.curator.certificate.checker.wrong import elements, pairs, require

Tree = Sequence[Any]
MOST_STAGES, MOST_NODES, FURTHEST = 50, 20_000, 1000
NULL = "null"
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")
OF_NUMBERS = {"+": 2, "-": 2, "*": 2, "/": 2, "floor": 1, "ceil": 1, "trunc": 1, "abs": 1, "sqrt": 1}
RANKS = ("rank", "dense_rank", "row_number")
BESIDE = ("lag", "lead")
FIRST = "first_value"
GATHERED = ("count", "sum", "avg", "min", "max", "median")
CONSTANTS = ("number", "text", "truth", "date")


@dataclass(frozen=True, slots=True)
class Kind:
    """number, date, text or truth, and whether it depends on released numbers."""

    name: str
    released: bool

    @property
    def is_number(self) -> bool:
        """Whether it is shown with an interval."""
        return self.released and self.name in ("number", "date")


@dataclass(frozen=True, slots=True)
class Arranged:
    """A row for every row that is kept."""

    outputs: Sequence[tuple[str, Tree]]
    kinds: Mapping[str, Kind]
    where: Tree | None
    order: Sequence[tuple[Tree, bool]]
    limit: int | None


@dataclass(frozen=True, slots=True)
class Gathered:
    """A row for every group of rows that are kept: keys, and numbers as label, function, E and filter."""

    keys: Sequence[tuple[str, Tree]]
    numbers: Sequence[tuple[str, str, Tree | None, Tree | None]]
    kinds: Mapping[str, Kind]
    where: Tree | None


Stage = Arranged | Gathered


def read_stages(given: Any, columns: Mapping[str, Kind]) -> tuple[Stage, ...]:
    """All stages, the last one arranged. `columns` are those of the question about the table."""
    listed = elements(given)
    require(0 < len(listed) <= MOST_STAGES, "there are no stages, or too many")
    stages: list[Stage] = []
    reader = _Reader(columns)
    for each in listed:
        require(isinstance(each, dict), "a stage is not a set of fields")
        stage = reader.arranged(each) if "outputs" in each else reader.gathered(each)
        reader.columns = stage.kinds
        stages.append(stage)
    require(isinstance(stages[-1], Arranged), "the last stage gathers")
    return tuple(stages)


class _Reader:
    def __init__(self, columns: Mapping[str, Kind]) -> None:
        self.columns, self.nodes = columns, 0

    def arranged(self, given: Mapping[str, Any]) -> Arranged:
        require(set(given) == {"outputs", "where", "order", "limit"}, "fields of a stage are missing or unknown")
        outputs, order = pairs(given["outputs"]), pairs(given["order"])
        kinds = self._labels(outputs)
        self._test(given["where"])
        limit = None if given["limit"] is None else whole(given["limit"])
        require(limit is None or limit >= 0, "a limit is below 0")
        return Arranged(outputs, kinds, given["where"], self._order(order), limit)

    def gathered(self, given: Mapping[str, Any]) -> Gathered:
        require(set(given) == {"keys", "numbers", "where"}, "fields of a stage are missing or unknown")
        keys = pairs(given["keys"])
        kinds = dict(self._labels(keys, some=False))
        groups = all(kind.name in ("text", "truth") or not kind.released for kind in kinds.values())
        require(groups, "rows are grouped by an interval")
        self._test(given["where"])
        numbers = [self._gathering(each) for each in elements(given["numbers"])]
        for label, function, tree, _ in numbers:
            require(label not in kinds, "two columns have the same label")
            found = Kind("number", released=True) if tree is None else self.kind(tree)
            kinds[label] = Kind(found.name if function in ("min", "max") else "number", released=True)
        return Gathered(keys, numbers, kinds, given["where"])

    def _gathering(self, given: Any) -> tuple[str, str, Tree | None, Tree | None]:
        require(isinstance(given, list) and len(given) == 4, "a number of a group is not four things")
        label, function, tree, kept = given
        require(isinstance(label, str) and function in GATHERED, "a function of rows is unknown")
        self._test(kept)
        self._argument(function, [] if tree is None else [tree])
        return label, function, tree, kept

    def _argument(self, function: str, parts: Sequence[Tree]) -> Kind:
        """What a function gathers: rows, numbers, or for some also dates."""
        if not parts:
            require(function == "count", "only rows can be counted without naming something")
            return Kind("number", released=True)
        require(len(parts) == 1, "a function of rows is about several things")
        kind = self.kind(parts[0])
        of_dates = function in ("min", "max")
        fits = kind.name == "number" or (of_dates and kind.name == "date") or function == "count"
        require(fits, "a function of rows needs numbers")
        return Kind(kind.name if of_dates else "number", released=True)

    def _labels(self, listed: Sequence[tuple[Any, Any]], some: bool = True) -> dict[str, Kind]:
        labels = [label for label, _ in listed]
        require(all(isinstance(label, str) for label in labels), "a label is not a text")
        require(len(set(labels)) == len(labels) >= some, "labels are missing, or the same twice")
        kinds = {label: self.kind(tree) for label, tree in listed}
        require(all(kind.name != NULL for kind in kinds.values()), "a column is always null")
        return kinds

    def _test(self, tree: Any) -> None:
        require(tree is None or self.kind(tree).name == "truth", "a condition is not a truth value")

    def _order(self, listed: Sequence[tuple[Any, Any]]) -> list[tuple[Tree, bool]]:
        for tree, direction in listed:
            self.kind(tree)
            require(direction in ("ascending", "descending"), "an order has no direction")
        return [(tree, direction == "descending") for tree, direction in listed]

    def kind(self, tree: Any) -> Kind:
        """The kind of an expression. Refused if anything is unknown."""
        require(isinstance(tree, list) and bool(tree) and isinstance(tree[0], str), "an expression is not a list")
        self.nodes += 1
        require(self.nodes <= MOST_NODES, "there are too many expressions")
        name, *parts = tree
        if name == "column":
            require(len(parts) == 1 and parts[0] in self.columns, "a column of a stage is unknown")
            return self.columns[parts[0]]
        if name in CONSTANTS:
            return Kind(_constant(name, parts), released=False)
        if name == NULL:
            require(not parts, "null has parts")
            return Kind(NULL, released=False)
        if name == "over":
            return self._over(parts)
        return self._operation(name, [self.kind(part) for part in parts], parts)

    def _operation(self, name: str, kinds: list[Kind], parts: Sequence[Any]) -> Kind:
        released, names = any(kind.released for kind in kinds), [kind.name for kind in kinds]
        if name in OF_NUMBERS:
            require(len(parts) == OF_NUMBERS[name] and set(names) <= {"number", NULL}, "an operation needs numbers")
            return Kind("number", released)
        if name == "round":
            require(len(parts) in (1, 2) and names[0] in ("number", NULL), "rounding needs a number")
            require(
                len(parts) == 1 or (parts[1][0] == "number" and abs(whole(parts[1][1])) <= 12), "digits are no number"
            )
            return Kind("number", released)
        if name == "reported":
            require(len(parts) == 3 and names in (["number"] * 3, ["date"] * 3), "a known number has other parts")
            require(all(part[0] in ("number", "date") for part in parts), "a known number is not made of constants")
            ends = [rational(end) if names[0] == "number" else Fraction(day(end).toordinal()) for _, end in parts]
            require(ends[1] <= ends[0] <= ends[2], "a known number is not between its ends")
            return Kind(names[0], released=True)
        if name in COMPARISONS:
            require(len(parts) == 2 and names[0] == names[1], "values of different kinds are compared")
            return Kind("truth", released)
        if name in ("and", "or", "not"):
            fits = len(parts) == 1 if name == "not" else len(parts) >= 1
            require(fits and set(names) <= {"truth", NULL}, "a condition needs truth values")
            return Kind("truth", released)
        if name == "is_null":
            require(len(parts) == 1, "is_null is about one thing")
            return Kind("truth", released)
        if name == "case":
            require(len(parts) % 2 == 1 and len(parts) >= 3, "a case has no result")
            require(set(names[:-1:2]) <= {"truth", NULL}, "a case has no condition")
            return Kind(_same([*names[1::2], names[-1]]), released)
        if name == "nullif":
            require(len(parts) == 2, "nullif is about two things")
            return Kind(_same(names), released)
        require(name in ("coalesce", "greatest", "least") and bool(parts), "an operation is unknown")
        kind = _same(names)
        require(name == "coalesce" or kind == "number", "an operation needs numbers")
        return Kind(kind, released)

    def _over(self, parts: Sequence[Any]) -> Kind:
        require(len(parts) == 5, "a function over rows has other parts")
        function, arguments, partition, order, frame = parts
        require(all(isinstance(part, list) for part in parts[1:4]), "a function over rows has other parts")
        require(all(not self.kind(each).released for each in partition), "a partition is not made of keys")
        self._order(pairs(order))
        require(frame is None or (function in GATHERED and bool(order)), "a frame has no order")
        if frame is not None:
            require(isinstance(frame, list) and len(frame) == 2, "a frame has no two ends")
            require(all(end is None or abs(whole(end)) <= FURTHEST for end in frame), "a frame is too long")
        if function in GATHERED:
            return self._argument(function, arguments)
        require(bool(order), "a rank has no order")
        if function in RANKS:
            require(not arguments, "a rank is about something")
            return Kind("number", released=True)
        kinds = [self.kind(each) for each in arguments]
        if function == FIRST:
            require(len(arguments) == 1 and frame is None, "the first of rows has other parts")
            return Kind(_same([kinds[0].name]), released=True)
        require(function in BESIDE and len(arguments) in (2, 3), "a function over rows is unknown")
        require(arguments[1][0] == "number" and 1 <= whole(arguments[1][1]) <= FURTHEST, "an offset is not 1 or more")
        return Kind(_same([kinds[0].name, *(kind.name for kind in kinds[2:])]), released=True)


def _constant(name: str, parts: Sequence[Any]) -> str:
    require(len(parts) == 1, "a constant is not one value")
    if name == "number":
        rational(parts[0])
    elif name == "date":
        day(parts[0])
    else:
        require(isinstance(parts[0], bool if name == "truth" else str), "a constant is of another kind")
    return name


def _same(names: Sequence[str]) -> str:
    """The kind of several things that may be null."""
    found = {name for name in names if name != NULL}
    require(len(found) == 1, "values have different kinds")
    return found.pop()
