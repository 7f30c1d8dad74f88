"""WHERE: conditions on a row, read in values and kept in codes, in SQL's three-valued logic.

A condition is a tuple: within (a column, ranges of codes), missing, not, every, some, compared (a sign and two
functions of the row) and absent (a function). The parts of every and some are a set.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.function_trees import Reader
from noiseless.curator.certificate.checker.functions import Columns, Function, Row
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, elements, pairs, require

Condition = tuple[Any, ...]
TRUE: Condition = ("every", frozenset())
FALSE: Condition = ("some", frozenset())
SIGNS = ("=", "<>", "<", "<=", ">", ">=")


def read_condition(node: Any, columns: Mapping[str, Column]) -> Condition:
    """Read a condition as a plan writes it."""
    require(isinstance(node, list) and bool(node), "a condition is not a list")
    kind, *parts = node
    match kind, len(parts):
        case "within", 2:
            name = read_column(parts[0], columns)
            return "within", name, _ranges(parts[1], columns[name])
        case "in", 2:
            name = read_column(parts[0], columns)
            return "within", name, _listed(parts[1], columns[name])
        case "missing", 1:
            name = read_column(parts[0], columns)
            require(columns[name].apart, "a column does not keep missing values separate")
            return "missing", name
        case "not", 1:
            return negation(read_condition(parts[0], columns))
        case (("every" | "some"), _):
            return joined(kind, (read_condition(part, columns) for part in parts))
        case "compared", 3:
            return _compared(parts[0], *(Reader(columns, read_condition).read(part) for part in parts[1:]))
        case "absent", 1:
            return "absent", Reader(columns, read_condition).read(parts[0])
    raise WrongCertificateError("a condition is unknown")


def _compared(sign: Any, left: Function, right: Function) -> Condition:
    require(sign in SIGNS, "functions are compared in an unknown way")
    require(left.kind == right.kind and left.kind in ("number", "date"), "functions of different kinds are compared")
    return "compared", sign, left, right


def read_column(node: Any, columns: Mapping[str, Column]) -> str:
    """["column", name] of a declared column."""
    require(isinstance(node, list) and len(node) == 2 and node[0] == "column", "a column is not named as one")
    require(isinstance(node[1], str) and node[1] in columns, "a column is not declared")
    return str(node[1])


def _ranges(given: Any, column: Column) -> tuple[tuple[int, int], ...]:
    """Ranges from first to last, in order, with gaps between them."""
    require(column.scale, "only numbers and dates lie within ranges")
    found = tuple((column.code_of(first), column.code_of(last)) for first, last in pairs(given))
    require(all(first <= last for first, last in found), "a range is empty")
    require(all(one[1] + 1 < two[0] for one, two in pairwise(found)), "ranges overlap or are out of order")
    return found


def _listed(keys: Any, column: Column) -> tuple[tuple[int, int], ...]:
    """The keys in the declared order, each once, as ranges of codes."""
    require(bool(column.keys), "only columns with declared keys can be compared with a list of keys")
    places = [column.place_of(_key(key, type(column.keys[0]) is int)) for key in elements(keys)]
    require(all(one < two for one, two in pairwise(places)), "keys are listed twice or out of order")
    return runs_of(places)


def _key(node: Any, number: bool) -> Any:
    """Texts and booleans unchanged; whole numbers as ["number", text]."""
    require(isinstance(node, list) == number, "a value is not a declared key")
    if not number:
        return node
    require(len(node) == 2 and node[0] == "number", "a value is not a declared key")
    return node[1]


def runs_of(places: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Runs of neighbouring numbers, the first and the last of each."""
    runs: list[tuple[int, int]] = []
    for place in places:
        if runs and runs[-1][1] == place - 1:
            runs[-1] = runs[-1][0], place
        else:
            runs.append((place, place))
    return tuple(runs)


def joined(kind: str, parts: Iterable[Condition]) -> Condition:
    """AND or OR without constants and repetitions. Nested ones of the same kind are merged."""
    neutral, final = (TRUE, FALSE) if kind == "every" else (FALSE, TRUE)
    flat: set[Condition] = set()
    for part in parts:
        flat |= part[1] if part[0] == kind else {part}
    flat.discard(neutral)
    if final in flat:
        return final
    return flat.pop() if len(flat) == 1 else (kind, frozenset(flat))


def negation(part: Condition) -> Condition:
    """NOT. A double negation is removed."""
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    return part[1] if part[0] == "not" else ("not", part)


def parts_of(condition: Condition) -> Iterable[Condition]:
    """The parts of a condition."""
    match condition[0]:
        case "every" | "some":
            return condition[1]  # type: ignore[no-any-return]
        case "not":
            return (condition[1],)
    return ()


def columns_read(condition: Condition) -> frozenset[str]:
    """The columns that a condition reads."""
    if condition[0] in ("within", "missing"):
        return frozenset({condition[1]})
    if functions := functions_of(condition):
        return frozenset().union(*(function.reads for function in functions))
    return frozenset().union(*map(columns_read, parts_of(condition)))


def functions_of(condition: Condition) -> tuple[Function, ...]:
    """The functions that a condition compares, or that have no value."""
    return condition[-2:] if condition[0] == "compared" else condition[1:] if condition[0] == "absent" else ()


def is_simple(condition: Condition) -> bool:
    """Whether ranges of codes of columns decide it."""
    return not functions_of(condition) and all(map(is_simple, parts_of(condition)))


def size_of(condition: Condition) -> int:
    """The number of conditions and operations inside a condition."""
    return 1 + sum(map(size_of, parts_of(condition))) + sum(each.size for each in functions_of(condition))


def given_public(condition: Condition, codes: Mapping[str, int], columns: Columns | None = None) -> Condition:
    """What remains of a condition once the public columns are known. If it reads none, it is unchanged."""
    if columns_read(condition).isdisjoint(codes):
        return condition
    return settled(_given(condition, codes, columns or {}), False)


def settled(condition: Condition, unknown: bool) -> Condition:
    """The condition in which a comparison without a value counts as `unknown`, and as the opposite under NOT.

    If they count as false, it is true for the same rows.
    """
    match condition[0]:
        case "not":
            return negation(settled(condition[1], not unknown))
        case "every" | "some":
            return joined(condition[0], (settled(part, unknown) for part in condition[1]))
        case "compared" if not columns_read(condition):
            return TRUE if unknown else FALSE
    return condition


def _given(condition: Condition, codes: Mapping[str, int], columns: Columns) -> Condition:
    from noiseless.curator.certificate.checker.comparisons import absent, compared, given

    match condition[0]:
        case "within" if condition[1] in codes:
            return TRUE if holds(condition, codes[condition[1]]) else FALSE
        case "not":
            return negation(_given(condition[1], codes, columns))
        case "every" | "some":
            return joined(condition[0], (_given(part, codes, columns) for part in condition[1]))
        case "compared":
            left, right = (given(each, codes, columns) for each in condition[2:])
            return compared(condition[1], left, right, columns)
        case "absent":
            return absent(given(condition[1], codes, columns), columns)
    return condition


def holds_for(condition: Condition, row: Row, columns: Columns) -> bool | None:
    """True, false or unknown (None) for the codes of a row."""
    match condition[0]:
        case "within" | "missing":
            return holds(condition, row[condition[1]])
        case "not":
            truth = holds_for(condition[1], row, columns)
            return None if truth is None else not truth
        case "compared" | "absent":
            return _holds_for_functions(condition, row, columns)
    decisive = condition[0] == "some"
    truths = [holds_for(part, row, columns) for part in condition[1]]
    return decisive if decisive in truths else None if None in truths else not decisive


def _holds_for_functions(condition: Condition, row: Row, columns: Columns) -> bool | None:
    from noiseless.curator.certificate.checker.comparisons import COMPARE
    from noiseless.curator.certificate.checker.function_values import value_of

    values = [value_of(function, row, columns) for function in functions_of(condition)]
    if condition[0] == "absent":
        return values[0] is None
    return None if None in values else COMPARE[condition[1]](*values)


def holds(condition: Condition, code: int | None) -> bool | None:
    """True, false or unknown (None) for a code of the only column read. The code None is a missing value."""
    match condition[0]:
        case "missing":
            return code is None
        case "within":
            return None if code is None else _inside(condition[2], code)
        case "not":
            truth = holds(condition[1], code)
            return None if truth is None else not truth
    decisive = condition[0] == "some"
    truths = [holds(part, code) for part in condition[1]]
    return decisive if decisive in truths else None if None in truths else not decisive


def _inside(ranges: tuple[tuple[int, int], ...], code: int) -> bool:
    place = bisect_right(ranges, (code, float("inf")))
    return place > 0 and ranges[place - 1][1] >= code


def cuts(condition: Condition, name: str) -> Iterator[int]:
    """The codes of a column at which a condition may change."""
    if condition[0] == "within" and condition[1] == name:
        for first, last in condition[2]:
            yield from (first, last + 1)
    for part in parts_of(condition):
        yield from cuts(part, name)


def of_one_column(condition: Condition, name: str, column: Column) -> Condition:
    """The ranges of codes where a condition is true, and whether it is true for missing values.

    One that compares functions stays as it is.
    """
    if not is_simple(condition):
        return condition
    places = sorted({0, *(cut for cut in cuts(condition, name) if 0 < cut <= column.top)})
    true: list[tuple[int, int]] = []
    for first, after in pairwise([*places, column.top + 1]):
        if holds(condition, first) and true and true[-1][1] == first - 1:
            true[-1] = true[-1][0], after - 1
        elif holds(condition, first):
            true.append((first, after - 1))
    missing = column.apart and holds(condition, None) is True
    if true == [(0, column.top)] and missing == column.apart:
        return TRUE
    found: list[Condition] = [("within", name, tuple(true))] if true else []
    return joined("some", [*found, *([("missing", name)] if missing else [])])


def changes(condition: Condition, columns: Mapping[str, Column]) -> int:
    """The most often that a condition on one private column changes as its code rises, with missing values last."""
    read = columns_read(condition)
    private = [name for name in read if not columns[name].public]
    if len(private) != 1:
        return 0
    column = columns[private[0]]
    if not is_simple(condition):
        return column.top + column.apart  # it may change at every code
    places = sorted({cut for cut in cuts(condition, private[0]) if 0 < cut <= column.top})
    if len(read) > 1:
        return len(places) + column.apart  # it also depends on public columns and differs among them
    codes: list[int | None] = [0, *places, *([None] if column.apart else [])]
    truths = [holds(condition, code) is True for code in codes]
    return sum(one != two for one, two in pairwise(truths))
