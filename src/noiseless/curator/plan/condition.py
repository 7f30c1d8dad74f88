"""Conditions on codes: which rows a question covers.

A condition combines "the code of this column lies in these ranges" and "it is missing" by AND, OR and NOT, in SQL's
three-valued logic: a comparison with a missing value is unknown, and only rows where the condition is true count.
Constants became codes when the question was read, so a condition holds only integers and no text from the question.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from noiseless.errors import QuestionError

Ranges = tuple[tuple[int, int], ...]
"""Codes from first to last, disjoint, in order, no two touching."""


@dataclass(frozen=True, slots=True)
class Within:
    """The code of a column lies in the ranges."""

    column: str
    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Missing:
    """The value of a column is missing; for columns that keep missing values separate."""

    column: str


@dataclass(frozen=True, slots=True)
class Every:
    """All parts hold; TRUE if there are none."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one part holds; FALSE if there are none."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold; unknown stays unknown."""

    part: Condition


Condition = Within | Missing | Every | Some | Not
TRUE, FALSE = Every(()), Some(())


def ranges(pairs: Iterable[tuple[int, int]]) -> Ranges:
    """The union of ranges of codes in normal form.

    >>> ranges([(5, 6), (0, 2), (3, 3), (9, 8)])
    ((0, 3), (5, 6))
    """
    union: list[tuple[int, int]] = []
    for first, last in sorted(pair for pair in pairs if pair[0] <= pair[1]):
        if union and first <= union[-1][1] + 1:
            union[-1] = union[-1][0], max(union[-1][1], last)
        else:
            union.append((first, last))
    return tuple(union)


def others(given: Ranges, top: int) -> Ranges:
    """The codes 0..top that are not in the ranges.

    >>> others(((0, 3), (5, 6)), 9)
    ((4, 4), (7, 9))
    """
    edges = [-1, *(edge for pair in given for edge in pair), top + 1]
    return ranges((edges[place] + 1, edges[place + 1] - 1) for place in range(0, len(edges), 2))


def every(parts: Iterable[Condition]) -> Condition:
    """AND without constants and repetitions, in a fixed order."""
    return _joined(parts, Every, TRUE, FALSE)


def some(parts: Iterable[Condition]) -> Condition:
    """OR without constants and repetitions, in a fixed order."""
    return _joined(parts, Some, FALSE, TRUE)


def _joined(
    parts: Iterable[Condition], kind: type[Every] | type[Some], neutral: Condition, final: Condition
) -> Condition:
    flat: set[Condition] = set()
    for part in parts:
        if part == final:
            return final
        flat.update(part.parts if isinstance(part, kind) else (part,))
    flat.discard(neutral)
    if final in flat:
        return final
    return flat.pop() if len(flat) == 1 else kind(tuple(sorted(flat, key=repr)))


def negation(part: Condition) -> Condition:
    """NOT."""
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    return part.part if isinstance(part, Not) else Not(part)


def columns_read(condition: Condition) -> frozenset[str]:
    """The columns that a condition reads."""
    match condition:
        case Within() | Missing():
            return frozenset({condition.column})
        case Not():
            return columns_read(condition.part)
        case _:
            return frozenset().union(*map(columns_read, condition.parts))


def given_public(condition: Condition, keys: Mapping[str, int]) -> Condition:
    """What remains of a condition once the public columns are known."""
    return condition if columns_read(condition).isdisjoint(keys) else _given(condition, keys)


def _given(condition: Condition, keys: Mapping[str, int]) -> Condition:
    match condition:
        case Within() if condition.column in keys:
            return TRUE if _inside(condition.ranges, keys[condition.column]) else FALSE
        case Within() | Missing():
            return condition
        case Not():
            return negation(_given(condition.part, keys))
        case Every():
            return every(_given(part, keys) for part in condition.parts)
        case Some():
            return some(_given(part, keys) for part in condition.parts)


def holds(condition: Condition, code: int | None) -> bool | None:
    """Whether a condition on one column holds for a code (None: missing value); the result None is unknown."""
    match condition:
        case Within():
            return None if code is None else _inside(condition.ranges, code)
        case Missing():
            return code is None
        case Not():
            truth = holds(condition.part, code)
            return None if truth is None else not truth
        case _:
            decisive = isinstance(condition, Some)
            truths = [holds(part, code) for part in condition.parts]
            return decisive if decisive in truths else None if None in truths else not decisive


def of_one_column(condition: Condition, column: str, top: int, apart: bool) -> Condition:
    """A condition on one column in normal form: the ranges where it is true, with or without missing values."""
    true = _true(condition, top)
    missing = apart and holds(condition, None) is True
    if true == ((0, top),) and (missing or not apart):
        return TRUE
    within = [Within(column, true)] if true else []
    return some([*within, *([Missing(column)] if missing else [])])


def _true(condition: Condition, top: int) -> Ranges:
    """The codes 0..top where a condition on one column is true. A code is never unknown, so NOT is the complement."""
    match condition:
        case Within():
            return ranges((max(first, 0), min(last, top)) for first, last in condition.ranges)
        case Missing():
            return ()
        case Not():
            return others(_true(condition.part, top), top)
        case Some():
            return ranges(pair for part in condition.parts for pair in _true(part, top))
        case Every():
            return others(ranges(pair for part in condition.parts for pair in others(_true(part, top), top)), top)


def truth_changes(condition: Condition, top: int, apart: bool) -> int:
    """How often a condition in the normal form of one column changes as the code runs up, missing values last.

    >>> truth_changes(Within("age", ((0, 3), (7, 9))), top=9, apart=False)
    2
    """
    parts = condition.parts if isinstance(condition, Some) else (condition,)
    spans = next((part.ranges for part in parts if isinstance(part, Within)), ())
    places = [(first, last) for first, last in spans]
    places += [(top + 1, top + 1) for part in parts if isinstance(part, Missing)]
    union, end = ranges(places), top + apart
    return sum((first > 0) + (last < end) for first, last in union)


def statement(condition: Condition, field: Callable[[str], str]) -> str:
    """The condition as SQL for any engine: comparisons of codes with integers."""
    match condition:
        case Within() if not condition.ranges:
            return f"{field(condition.column)} < 0"  # never true, but unknown where the value is missing
        case Within():
            return _joined_by("OR", _comparisons(field(condition.column), condition.ranges), "FALSE")
        case Missing():
            return f"{field(condition.column)} IS NULL"
        case Not():
            return f"NOT ({statement(condition.part, field)})"
        case Every():
            return _joined_by("AND", (statement(part, field) for part in condition.parts), "TRUE")
        case Some():
            return _joined_by("OR", (statement(part, field) for part in _united(condition.parts)), "FALSE")


def _comparisons(field: str, given: Ranges) -> Iterable[str]:
    """Ranges of several codes one by one, then all single codes."""
    yield from (f"{field} BETWEEN {first} AND {last}" for first, last in given if first < last)
    single = [str(first) for first, last in given if first == last]
    if single:
        yield f"{field} = {single[0]}" if len(single) == 1 else f"{field} IN ({', '.join(single)})"


def _united(parts: Iterable[Condition]) -> Iterable[Condition]:
    """Parts of OR, where all ranges of one column are one part, which is unknown where each of them is."""
    pairs: dict[str, list[tuple[int, int]]] = {}
    for part in parts:
        if isinstance(part, Within):
            pairs.setdefault(part.column, []).extend(part.ranges)
        else:
            yield part
    yield from (Within(column, ranges(found)) for column, found in pairs.items())


def _joined_by(word: str, parts: Iterable[str], empty: str) -> str:
    return f" {word} ".join(f"({part})" for part in parts) or empty


def _inside(given: Ranges, code: int) -> bool:
    place = bisect_right(given, (code, float("inf")))
    return place > 0 and given[place - 1][1] >= code


def cuts(condition: Condition, column: str | None = None) -> Iterable[int]:
    """The codes at which a condition may change, of one column or of all."""
    match condition:
        case Within() if column in (None, condition.column):
            for first, last in condition.ranges:
                yield from (first, last + 1)
        case Within() | Missing():
            return
        case Not():
            yield from cuts(condition.part, column)
        case _:
            for part in condition.parts:
                yield from cuts(part, column)


def condition_depth(condition: Condition) -> int:
    """The nesting depth of a condition."""
    match condition:
        case Within() | Missing():
            return 1
        case Not():
            return 1 + condition_depth(condition.part)
        case _:
            return 1 + max(map(condition_depth, condition.parts), default=0)


MOST_PARTS = 1000


def check_size(condition: Condition) -> None:
    """Refuse a condition of thousands of parts: it is a mistake, or an attack on the evaluator."""
    if sum(1 for _ in cuts(condition)) > 2 * MOST_PARTS:
        raise QuestionError(f"the WHERE clause has more than {MOST_PARTS} ranges; ask in parts")
