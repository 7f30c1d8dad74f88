"""Comparisons of functions of a row. Where one column decides, they become ranges of its codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, product
from math import prod

from noiseless.curator.plan.condition import (
    COMPARE,
    FALSE,
    TRUE,
    Compared,
    Condition,
    Missing,
    Within,
    every,
    in_words,
    is_simple,
    negation,
    ranges,
    some,
    statement,
)
from noiseless.curator.plan.functions.arithmetic import affine, subtracted
from noiseless.curator.plan.functions.choice import Choice, choice
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.functions.leaves import NOTHING, ColumnOf, Constant, columns_in
from noiseless.curator.plan.functions.term import Dialect, Term, Writer, in_smallest, ratio
from noiseless.curator.plan.functions.texts import TESTS
from noiseless.curator.schema.scale import Scale, codes_where
from noiseless.errors import QuestionError

LISTED = 5_000
"""A condition on a column of at most this many codes is tried on each of them."""
MOST_PAIRS = 100_000
"""A comparison of texts of several columns is tried on at most this many combinations."""
MIRRORED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
ONE, ZERO = Constant(Fraction(1)), Constant(Fraction(0))
UNKNOWN = Compared("=", NOTHING, NOTHING)
"""A comparison with no value, which is never true and never false."""
Truth = Callable[[Mapping[str, int | None]], bool | None]


def compared(sign: str, left: Function, right: Function) -> Condition:
    """Whether two functions compare in this way. Unknown where one has no value."""
    if NOTHING in (left, right):
        return UNKNOWN
    left, right = (each if each.reads else Constant(each.value({}), each.kind) for each in (left, right))
    if isinstance(left, Constant) and isinstance(right, Constant):
        return TRUE if COMPARE[sign](left.fixed, right.fixed) else FALSE
    if isinstance(left, Constant) and not isinstance(right, Constant):
        sign, left, right = MIRRORED[sign], right, left
    texts = left.kind in ("text", "truth")
    if not texts and (found := _in_one_column(sign, left, right)) is not None:
        return found
    if texts and isinstance(left, Choice):
        return _case_by_case(sign, left, right)
    if texts and isinstance(right, Choice):
        return _case_by_case(MIRRORED[sign], right, left)
    made = Compared(sign, left, right)

    def truth(row: Mapping[str, int | None]) -> bool | None:
        one, two = left.value(row), right.value(row)
        return None if one is None or two is None else COMPARE[sign](one, two)

    columns = columns_in(left, right)
    if texts:
        return _of_texts(truth, columns)
    found = tried(truth, {each.name: each for each in columns})
    return made if found is None else found


def _case_by_case(sign: str, left: Choice, right: Function) -> Condition:
    """Compare a text that CASE chooses, case by case: 1 where the comparison holds, and 0 where it does not."""
    columns = columns_in(left, right)

    def held(value: Function) -> Function:
        if value == NOTHING:
            return NOTHING
        condition = compared(sign, value, right)
        return choice([(condition, ONE), (negation(condition), ZERO)], NOTHING, columns)

    numbers = choice([(test, held(value)) for test, value in left.cases], held(left.otherwise), columns)
    return compared("=", numbers, ONE)


def _in_one_column(sign: str, left: Function, right: Function) -> Condition | None:
    """The ranges of one column in which a comparison holds. None if it does not compare a column with a number."""
    found = affine(subtracted(left, right))
    if found is None:
        return None
    column = found.column.column
    assert isinstance(column, Scale)
    position = column.position(-found.shift / found.factor)
    turned = MIRRORED[sign] if found.factor < 0 else sign
    if turned == "<>":
        sides = (codes_where(position, "<", column.top), codes_where(position, ">", column.top))
        return Within(found.column.name, ranges(sides))
    return Within(found.column.name, ranges([codes_where(position, turned, column.top)]))


def text_test(name: str, left: Function, right: Function) -> Condition:
    """A test of two texts, tried on the declared values."""

    def truth(row: Mapping[str, int | None]) -> bool | None:
        one, two = left.value(row), right.value(row)
        return None if one is None or two is None else TESTS[name](one, two)

    columns = columns_in(left, right)
    return _of_texts(truth, columns) if columns else TRUE if truth({}) else FALSE


def _of_texts(truth: Truth, columns: Sequence[ColumnOf]) -> Condition:
    """A condition on texts, tried on the declared values. If it can be unknown, it compares CASE with 1."""
    named = {each.name: each for each in columns}
    found = tried(truth, named, always=True)
    if found is not None:
        return found
    true = tried(lambda row: truth(row) is True, named, always=True)
    unknown = tried(lambda row: truth(row) is None, named, always=True)
    assert true is not None
    assert unknown is not None
    return compared("=", choice([(true, ONE), (unknown, NOTHING)], ZERO, tuple(columns)), ONE)


def tried(truth: Truth, columns: Mapping[str, ColumnOf], always: bool = False) -> Condition | None:
    """A condition found by trying all codes of its columns. None if these are too many.

    If `always`, more are tried, and the condition is refused if they are still too many: an engine cannot decide it.
    """
    size = prod(each.top + 1 + each.apart for each in columns.values())
    if not always and (len(columns) != 1 or size > LISTED):
        return None
    if size > MOST_PAIRS:
        raise QuestionError(
            f"a comparison of texts of {' and '.join(columns)} has {size} combinations, and at most {MOST_PAIRS} are "
            f"tried; compare each column with constants"
        )
    if len(columns) == 1:
        [column] = columns.values()
        return _of_codes(column, lambda code: truth({column.name: code}))
    *rest, last = columns.values()
    listed = [[*range(each.top + 1), *([None] if each.apart else [])] for each in rest]
    found = []
    for codes in product(*listed):
        given = dict(zip((each.name for each in rest), codes, strict=True))
        left = _of_codes(last, lambda code, given=given: truth({**given, last.name: code}))  # type: ignore[misc]
        if left is None:
            return None
        if left != FALSE:
            found.append(every([*(_is(each, code) for each, code in zip(rest, codes, strict=True)), left]))
    return some(found)


def _is(column: ColumnOf, code: int | None) -> Condition:
    """The condition that a column has this code. It is never unknown."""
    if code is None:
        return Missing(column.name)
    within = Within(column.name, ((code, code),))
    return every([within, negation(Missing(column.name))]) if column.apart else within


def _of_codes(column: ColumnOf, truth: Callable[[int | None], bool | None]) -> Condition | None:
    """The condition on one column with this truth for every code. None if it is unknown for some code."""
    true: list[tuple[int, int]] = []
    for holds, run in groupby(range(column.top + 1), truth):
        codes = list(run)
        if holds is None:
            return None
        if holds:
            true.append((codes[0], codes[-1]))
    within = Within(column.name, ranges(true))
    if not column.apart:
        return TRUE if within.ranges == ((0, column.top),) else within if true else FALSE
    match truth(None):
        case True:
            return some([within, Missing(column.name)])
        case False:
            return every([within, negation(Missing(column.name))])
    return within


def in_sql(condition: Condition, dialect: Dialect, field: Callable[[str], str]) -> str:
    """The condition in SQL. Functions are compared in whole numbers that cannot overflow, whatever the data are."""
    if is_simple(condition):
        return statement(condition, field)
    return in_smallest(dialect, field, lambda writer: statement(condition, writer), in_words(condition))


def comparison(condition: Compared, writer: Writer) -> str:
    """The comparison as SQL, in whole numbers."""
    left, right = condition.left.term(writer), condition.right.term(writer)
    one, two = _same_unit(writer, left, right)
    return f"{one} {condition.sign} {two}"


def _same_unit(writer: Writer, left: Term, right: Term) -> tuple[str, str]:
    (a, b), (c, d) = ratio(writer, left), ratio(writer, right)
    return writer.times(a, d).sql, writer.times(c, b).sql
