"""Keys in results: functions of them, calculations with them, and which of them a row of ROLLUP has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.after import Call, Expression, Nothing
from noiseless.curator.plan.functions.function import Value
from noiseless.curator.plan.group import shown
from noiseless.curator.plan.plan import Constant, KeyOf
from noiseless.curator.sql.conditions import COMPARISONS, TEXT_TESTS, keys_of
from noiseless.curator.sql.expressions import OPERATIONS, Reader
from noiseless.curator.sql.functions import TEXTS, RowReader
from noiseless.curator.sql.refusal import only, text_of
from noiseless.curator.sql.results import Typed
from noiseless.errors import QuestionError

OF_TEXTS = (*TEXTS, *TEXT_TESTS, exp.Trim, exp.Concat)
"""Functions and tests of texts."""
MIXED = (*OPERATIONS, exp.Neg, exp.Not, *COMPARISONS, exp.Between, *OF_TEXTS)
"""Nodes that keys can be calculated or compared with."""
OF_MISSING = (exp.Coalesce, exp.Case, exp.If, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ)
"""Functions that may have a value although a key is missing."""
MOST_KEYS = 200
"""A function of a key is a CASE with one line for each of its values."""
OfKey = Callable[[KeyOf], Typed]


def mixes(node: Any, reader: Reader, aggregates: tuple[type, ...], grouped: Callable[[Any], Any], shown: bool) -> bool:
    """Whether something is calculated from keys, or keys are compared with numbers of the groups.

    A comparison of keys alone is one if it is to be shown.
    """
    if type(node) not in MIXED:
        return False
    if not any(_key(each, reader) or grouped(each) for each in _outside(node, aggregates)):
        return False
    compares = type(node) in (*COMPARISONS, exp.Between, exp.Not)
    return not compares or shown or node.find(*aggregates) is not None


def replaces_missing(node: Any) -> bool:
    """Whether a node may have a value in a row without the key, as COALESCE(key, 'all') has."""
    return node.find(*OF_MISSING) is not None


def _outside(node: Any, aggregates: tuple[type, ...]) -> Iterator[Any]:
    """A node and the nodes in it, except those inside aggregates."""
    if isinstance(node, (*aggregates, exp.Query, exp.Window)):
        return
    yield node
    for part in node.iter_expressions():
        yield from _outside(part, aggregates)


def _key(node: Any, reader: Reader) -> str | None:
    """The key with the name of this column. None if there is none."""
    if not isinstance(node, exp.Column) or (node.table and node.table.lower() != reader.table.lower()):
        return None
    return next((key for key in reader.keys if key.lower() == node.name.lower()), None)


def function_of_key(node: Any, reader: Reader, key: OfKey) -> Typed | None:
    """A function of the texts of a key, as a CASE over its values."""
    if type(node) not in OF_TEXTS:
        return None
    columns = list(node.find_all(exp.Column))
    found = {_key(each, reader) for each in columns}
    if len(found) != 1 or None in found:
        return None
    [name] = found
    column = None if name is None else reader.schema.columns.get(name)
    if name is None or column is None:
        return None
    keys, function = keys_of(column), RowReader(reader.schema, reader.table).function(node)
    if len(keys) > MOST_KEYS:
        raise QuestionError(f"{text_of(node)!r} is about a key with more than {MOST_KEYS} values; group by it instead")
    of = key(KeyOf(name))
    parts: list[Expression] = []
    for code, value in enumerate(keys):
        given = Fraction(value) if isinstance(value, int) and not isinstance(value, bool) else value
        parts += [Call("=", (of.node, Constant(given))), _constant(function.value({name: code}), function.kind)]
    missing = getattr(column, "missing", None) == "apart"
    parts.append(_constant(function.value({name: None}), function.kind) if missing else Nothing())
    return Typed(Call("CASE", tuple(parts)), function.kind, released=False)


def _constant(value: Value, kind: str) -> Expression:
    found = shown(value, kind)
    return Nothing() if found is None else Constant(Fraction(found) if kind == "number" else found)  # type: ignore[arg-type]


def grouping_of(node: Any, reader: Reader, key: OfKey) -> Typed:
    """GROUPING(a, b): a binary number with the digit 1 for each key that a row of ROLLUP and the like does not have."""
    only(node, "expressions")
    number: Expression | None = None
    for each in node.expressions:
        found = reader.expression(each)
        if not isinstance(found, KeyOf):
            raise QuestionError(f"{text_of(node)!r} needs keys of GROUP BY; name columns that are in GROUP BY")
        if None in _values(found, reader):
            raise QuestionError(
                f"{text_of(node)!r} cannot tell the rows without {found.column!r} from those where it is missing; ask "
                f"for each level by itself"
            )
        absent = Call("IS NULL", (key(found).node,))
        digit = Call("CASE", (absent, Constant(Fraction(1)), Constant(Fraction(0))))
        doubled = None if number is None else Call("*", (number, Constant(Fraction(2))))
        number = digit if doubled is None else Call("+", (doubled, digit))
    if number is None:
        raise QuestionError(f"{text_of(node)!r} needs keys of GROUP BY; name columns that are in GROUP BY")
    return Typed(number, "number", released=False)


def _values(key: KeyOf, reader: Reader) -> tuple[Any, ...]:
    """The values that a key has where a row has it."""
    group = next((each for each in reader.groups if each.label == key.column), None)
    return keys_of(reader.schema.columns[key.column]) if group is None else group.values
