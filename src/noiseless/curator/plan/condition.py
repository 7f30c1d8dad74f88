"""Conditions on codes: which rows a question covers.

A condition combines "the code of this column lies in these ranges" and "it is missing" by AND, OR and NOT, in SQL's
three-valued logic: a comparison with a missing value is unknown, and only rows where the condition is true count.
Constants became codes when the question was read, so a condition holds only integers and no text from the question.
"""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noiseless.curator.schema.plain import name_text
from noiseless.errors import QuestionError

if TYPE_CHECKING:
    from noiseless.curator.plan.functions.function import Function

Ranges = tuple[tuple[int, int], ...]
"""Ranges of codes, first to last: in order, disjoint, and no two of them touch."""


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


@dataclass(frozen=True, slots=True)
class Compared:
    """Two functions of a row compare in this way; unknown if one has no value. `plan/compare.py` makes them."""

    sign: str
    left: Function
    right: Function


@dataclass(frozen=True, slots=True)
class Absent:
    """A function of a row has no value."""

    function: Function


Condition = Within | Missing | Every | Some | Not | Compared | Absent
TRUE, FALSE = Every(()), Some(())
ANY_CODE = 1 << 62
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


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
        if part is neutral:
            continue
        if part == final:
            return final
        flat.update(part.parts if isinstance(part, kind) else (part,))
    if not flat:
        return neutral
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
            return frozenset().union(
                *(each.reads for each in functions_of(condition)), *map(columns_read, parts_of(condition))
            )


def functions_of(condition: Condition) -> tuple[Function, ...]:
    """The functions that a condition compares itself."""
    match condition:
        case Compared():
            return condition.left, condition.right
        case Absent():
            return (condition.function,)
    return ()


def parts_of(condition: Condition) -> tuple[Condition, ...]:
    """The conditions that a condition combines."""
    match condition:
        case Every() | Some():
            return condition.parts
        case Not():
            return (condition.part,)
    return ()


def is_simple(condition: Condition) -> bool:
    """Whether it compares columns with constants only, so that it follows from ranges of codes."""
    return not functions_of(condition) and all(map(is_simple, parts_of(condition)))


def given_public(condition: Condition, keys: Mapping[str, int]) -> Condition:
    """What remains of a condition once the keys of public columns are known. It is true for the same rows."""
    return condition if columns_read(condition).isdisjoint(keys) else settled(_given(condition, keys), False)


def settled(condition: Condition, unknown: bool) -> Condition:
    """A condition in which a comparison without a value counts as `unknown`, and as the opposite under NOT.

    If they count as false, it is true for the same rows.
    """
    match condition:
        case Not():
            return negation(settled(condition.part, not unknown))
        case Every():
            return every(settled(part, unknown) for part in condition.parts)
        case Some():
            return some(settled(part, unknown) for part in condition.parts)
        case Compared() if not columns_read(condition):
            return TRUE if unknown else FALSE
    return condition


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
        case Compared():
            from noiseless.curator.plan.compare import compared

            return compared(condition.sign, condition.left.given(keys), condition.right.given(keys))
        case Absent():
            return condition.function.given(keys).absent()


def holds_for(condition: Condition, row: Mapping[str, int | None]) -> bool | None:
    """Whether a condition holds for the codes of a row (None: missing value); the result None is unknown."""
    match condition:
        case Within() | Missing():
            return holds(condition, row[condition.column])
        case Not():
            truth = holds_for(condition.part, row)
            return None if truth is None else not truth
        case Compared():
            left, right = condition.left.value(row), condition.right.value(row)
            return None if left is None or right is None else COMPARE[condition.sign](left, right)
        case Absent():
            return condition.function.value(row) is None
        case _:
            decisive = isinstance(condition, Some)
            truths = [holds_for(part, row) for part in condition.parts]
            return decisive if decisive in truths else None if None in truths else not decisive


def narrowed(condition: Condition, codes: Mapping[str, tuple[int, int]]) -> Mapping[str, tuple[int, int]]:
    """The ranges of codes that columns can have where a condition holds, within `codes`.

    They may be wider than needed.
    """
    match condition:
        case Within(column, ((first, _), *_) as spans):
            return _between(codes, column, first, spans[-1][1])
        case Not(Within(column, ((0, last), *_))):
            return _between(codes, column, last + 1, ANY_CODE)
        case Every():
            for part in condition.parts:
                codes = narrowed(part, codes)
        case Not(Some(parts)):
            for part in parts:
                codes = narrowed(negation(part), codes)
    return codes


def _between(codes: Mapping[str, tuple[int, int]], column: str, first: int, last: int) -> Mapping[str, tuple[int, int]]:
    low, high = codes.get(column, (0, ANY_CODE))
    low, high = max(low, first), min(high, last)
    return {**codes, column: (low, high)} if low <= high else codes  # else it never holds


def may_be_unknown(condition: Condition, apart: Collection[str]) -> bool:
    """Whether a condition may be neither true nor false, if these columns keep missing values separate."""
    match condition:
        case Within():
            return condition.column in apart
        case Compared():
            return any(side.absent() != FALSE for side in (condition.left, condition.right))
    return any(may_be_unknown(part, apart) for part in parts_of(condition))


def in_words(condition: Condition) -> str:
    """A condition in short, in codes.

    >>> in_words(Every((Within("age", ((0, 3), (5, 5))), Not(Missing("pay")))))
    '(age:0-3,5 AND NOT pay IS NULL)'
    """
    match condition:
        case Within():
            spans = (str(first) if first == last else f"{first}-{last}" for first, last in condition.ranges)
            return f"{name_text(condition.column)}:{','.join(spans)}"
        case Missing():
            return f"{name_text(condition.column)} IS NULL"
        case Not():
            return f"NOT {in_words(condition.part)}"
        case Compared():
            return f"{condition.left} {condition.sign} {condition.right}"
        case Absent():
            return f"{condition.function} IS NULL"
        case _:
            word = " AND " if isinstance(condition, Every) else " OR "
            return (
                f"({word.join(map(in_words, condition.parts))})" if condition.parts else str(condition == TRUE).upper()
            )


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
        case Compared() | Absent():
            return holds_for(condition, dict.fromkeys(columns_read(condition), code))
        case _:
            decisive = isinstance(condition, Some)
            truths = [holds(part, code) for part in condition.parts]
            return decisive if decisive in truths else None if None in truths else not decisive


def of_one_column(condition: Condition, column: str, top: int, apart: bool) -> Condition:
    """A condition on one column in normal form: the ranges where it is true, with or without missing values.

    One that compares functions stays as it is.
    """
    if not is_simple(condition):
        return condition
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
        case Compared() | Absent():
            raise AssertionError(f"{condition} is not about ranges of codes")


def truth_changes(condition: Condition, top: int, apart: bool) -> int:
    """How often a condition in the normal form of one column changes as the code runs up, missing values last.

    >>> truth_changes(Within("age", ((0, 3), (7, 9))), top=9, apart=False)
    2
    """
    if not is_simple(condition):
        return top + apart  # it may change at every code
    parts = condition.parts if isinstance(condition, Some) else (condition,)
    spans = next((part.ranges for part in parts if isinstance(part, Within)), ())
    places = [(first, last) for first, last in spans]
    places += [(top + 1, top + 1) for part in parts if isinstance(part, Missing)]
    union, end = ranges(places), top + apart
    return sum((first > 0) + (last < end) for first, last in union)


def statement(condition: Condition, field: Callable[[str], str]) -> str:
    """The condition as SQL for any engine: comparisons of codes with integers.

    `field` gives the name of a column. Where functions are compared it is a `Writer`.
    """
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
        case Compared():
            from noiseless.curator.plan.compare import comparison

            return comparison(condition, field)  # type: ignore[arg-type]
        case Absent():
            return f"{condition.function.term(field).k.sql} IS NULL"  # type: ignore[arg-type]


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
        case _:
            for part in parts_of(condition):
                yield from cuts(part, column)


def condition_depth(condition: Condition) -> int:
    """The nesting depth of a condition."""
    below = [*map(condition_depth, parts_of(condition)), *(each.depth for each in functions_of(condition))]
    return 1 + max(below, default=0)


MOST_PARTS = 1000


def check_size(condition: Condition) -> None:
    """Refuse a condition of thousands of parts: it is a mistake, or an attack on the evaluator."""
    if sum(1 for _ in cuts(condition)) > 2 * MOST_PARTS:
        raise QuestionError(f"the WHERE clause has more than {MOST_PARTS} ranges; ask in parts")
