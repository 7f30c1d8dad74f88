"""WHERE: comparisons of columns with constants become ranges of codes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from noiseless.curator.plan.compare import MIRRORED, compared, text_test
from noiseless.curator.plan.condition import (
    COMPARE,
    FALSE,
    TRUE,
    Condition,
    Missing,
    Within,
    every,
    negation,
    others,
    ranges,
    some,
)
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.functions.leaves import NOTHING, Constant
from noiseless.curator.schema.categories import Boolean, Category, Key
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale, codes_where
from noiseless.curator.schema.schema import Column, Schema
from noiseless.curator.sql.constants import Literal, column_name, constant, is_column, is_constant
from noiseless.curator.sql.refusal import argument, only, text_of, unknown_error
from noiseless.errors import InputError, QuestionError

if TYPE_CHECKING:
    from noiseless.curator.sql.functions import RowReader

COMPARISONS: dict[type, str] = {exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
TEXT_TESTS: dict[type, str] = {
    exp.Like: "LIKE",
    exp.ILike: "ILIKE",
    exp.StartsWith: "STARTS_WITH",
    exp.EndsWith: "ENDS_WITH",
    exp.Contains: "CONTAINS",
}


def condition(node: Any, schema: Schema, table: str, kept: Condition = TRUE) -> Condition:
    """The condition of a WHERE clause about the rows that are `kept`."""
    from noiseless.curator.sql.functions import RowReader

    return _condition(node, RowReader(schema, table, kept))


def _condition(node: Any, reader: RowReader) -> Condition:
    match node:
        case exp.Paren():
            return _condition(node.this, reader)
        case exp.And():
            return _all(_chain(node), reader)
        case exp.Or():
            return some([_condition(part, reader) for part in _chain(node)])
        case exp.Not():
            return negation(_condition(node.this, reader))
        case exp.Boolean():
            return TRUE if node.this else FALSE
        case exp.Column():
            return _compared(column_name(node, reader.table), reader.schema, "=", True)
        case _:
            return _test(node, reader)


def _all(nodes: list[Any], reader: RowReader) -> Condition:
    """AND of some conditions.

    Each is about the rows that the ones before it keep, as in hours > 0 AND pay / hours > 20.
    """
    found: list[Condition] = []
    for node in nodes:
        found.append(_condition(node, replace(reader, kept=every([reader.kept, *found]))))
    return every(found)


def _chain(node: Any) -> list[Any]:
    """The conditions that a chain of ANDs or ORs connects. The parser nests them: A OR B OR C is (A OR B) OR C."""
    kind, parts = type(node), []
    while type(node) is kind:
        parts.append(node.expression)
        node = node.this
    return [node, *reversed(parts)]


def _test(node: Any, reader: RowReader) -> Condition:
    """A test: a comparison of one column with constants, or of functions of a row."""
    match node:
        case exp.Between():
            only(node, "this", "low", "high")
            low, high = argument(node, "low"), argument(node, "high")
            if not (is_column(node.this) and is_constant(low) and is_constant(high)):
                above, below = exp.GTE(this=node.this, expression=low), exp.LTE(this=node.this, expression=high)
                return every([_comparison(each, reader) for each in (above, below)])
            name, schema = column_name(node.this, reader.table), reader.schema
            return every([_compared(name, schema, ">=", constant(low)), _compared(name, schema, "<=", constant(high))])
        case exp.In():
            only(node, "this", "expressions")
            if not (is_column(node.this) and all(map(is_constant, node.expressions))):
                return some(_functions_compared("=", node.this, each, reader) for each in node.expressions)
            name = column_name(node.this, reader.table)
            return _in(name, reader.schema, [constant(each) for each in node.expressions])
        case exp.Is():
            return _is(node, reader)
        case exp.NullSafeEQ() | exp.NullSafeNEQ():
            return _distinct(node, reader)
        case _ if type(node) in TEXT_TESTS:
            found = _text_test(node, reader)
            return negation(found) if node.args.get("negate") else found  # NOT LIKE is one node
        case _ if type(node) in COMPARISONS:
            return _comparison(node, reader)
        case exp.Case() | exp.If() | exp.Coalesce() | exp.Nullif() | exp.Cast() | exp.Var():
            return _functions_compared("=", node, exp.true(), reader)
        case _:
            raise unknown_error(node)


def _comparison(node: Any, reader: RowReader) -> Condition:
    sign, left, right = COMPARISONS[type(node)], node.this, node.expression
    if is_constant(left):
        sign, left, right = MIRRORED[sign], right, left
    if is_column(left) and is_constant(right):
        return _compared(column_name(left, reader.table), reader.schema, sign, constant(right))
    return _functions_compared(sign, left, right, reader)


def _functions_compared(sign: str, left: Any, right: Any, reader: RowReader) -> Condition:
    """A comparison of functions of a row, both of one kind."""
    one, two = _two_of_a_kind(left, right, reader)
    if NOTHING in (one, two):
        raise QuestionError("a comparison with NULL is never true; write IS NULL or IS NOT NULL")
    return compared(sign, one, two)


def _two_of_a_kind(left: Any, right: Any, reader: RowReader) -> tuple[Function, Function]:
    one, two = reader.alike([reader.complete(left), reader.complete(right)])
    if one.kind == "truth":
        return reader.as_number(one), reader.as_number(two)
    return one, two


def _distinct(node: Any, reader: RowReader) -> Condition:
    """IS [NOT] DISTINCT FROM. It is never unknown: two missing values are not distinct."""
    only(node, "this", "expression")
    one, two = _two_of_a_kind(node.this, node.expression, reader)
    absent = [part.absent() for part in (one, two)]
    known = every([compared("=", one, two), *map(negation, absent)])
    alike = some([known, every(absent)])
    return alike if isinstance(node, exp.NullSafeEQ) else negation(alike)


def _text_test(node: Any, reader: RowReader) -> Condition:
    """LIKE and its kin, tried on the declared values."""
    only(node, "this", "expression", "negate")
    name = TEXT_TESTS[type(node)]
    parts = [reader.function(node.this), reader.function(argument(node, "expression"))]
    if any(part.kind != "text" for part in parts) or NOTHING in parts:
        raise QuestionError(f"{text_of(node)!r} needs two texts; compare numbers and dates with <, = or BETWEEN")
    return text_test(name, *parts)


def _compared(name: str, schema: Schema, sign: str, value: Literal) -> Condition:
    known, column = schema.find(name)
    if sign == "<>":
        return Within(known, others(_codes(known, column, "=", value), column.top))
    return Within(known, _codes(known, column, sign, value))


def _in(name: str, schema: Schema, values: list[Literal]) -> Condition:
    known, column = schema.find(name)
    return Within(known, ranges(pair for value in values for pair in _codes(known, column, "=", value)))


def _is(node: Any, reader: RowReader) -> Condition:
    only(node, "this", "expression")
    if not is_column(node.this):
        return _function_is(node, reader)
    known, column = reader.schema.find(column_name(node.this, reader.table))
    if isinstance(node.expression, exp.Boolean):
        if not isinstance(column, Boolean):
            raise QuestionError(f"{known!r} is not a Boolean column; compare it with =")
        wanted = Within(known, _codes(known, column, "=", bool(node.expression.this)))
        return every([wanted, negation(Missing(known))]) if column.apart else wanted
    if not isinstance(node.expression, exp.Null):
        raise unknown_error(node)
    match column:
        case Category() if column.own_missing:
            return Within(known, ((column.top, column.top),))
        case Scale() | Boolean() if column.apart:
            return Missing(known)
        case _:
            raise QuestionError(
                f"IS NULL needs a column declared with missing='apart', and {known!r} is not; leave the test out, or "
                f"ask "
                f"the custodian to declare it"
            )


def _function_is(node: Any, reader: RowReader) -> Condition:
    """IS NULL, IS TRUE or IS FALSE of a function of a row; never unknown."""
    found = reader.complete(node.this)
    if isinstance(node.expression, exp.Null):
        return found.absent()
    if not isinstance(node.expression, exp.Boolean) or found.kind != "truth":
        raise unknown_error(node)
    wanted = compared("=", reader.as_number(found), Constant(Fraction(bool(node.expression.this))))
    return every([wanted, negation(found.absent())])


def _codes(name: str, column: Column, sign: str, value: Literal) -> tuple[tuple[int, int], ...]:
    """The codes that compare with a constant in this way."""
    if isinstance(column, Scale):
        try:
            position = column.position(column.literal(value))
        except InputError as wrong:
            raise QuestionError(f"column {name!r}: {wrong}") from None
        return ranges([codes_where(position, sign, column.top)])
    if isinstance(column, Public) and not column.keys:
        raise QuestionError(f"{name!r} only orders rows and has no declared keys; leave it out of WHERE")
    return _keys(name, column, sign, value)


def _keys(name: str, column: Category | Boolean | Public, sign: str, value: Literal) -> tuple[tuple[int, int], ...]:
    key = as_key(column.keys, value)
    if key is None or (sign == "=" and key not in column.keys):
        shown = ", ".join(map(repr, column.keys[:10])) + (", …" if len(column.keys) > 10 else "")
        raise QuestionError(f"{str(value)!r} is not a key of {name!r}; use one of {shown}")
    if sign != "=" and not isinstance(column, Public):
        raise QuestionError(f"the values of {name!r} have no order; compare with =, <> or IN")
    return ranges((code, code) for code, known in enumerate(column.keys) if COMPARE[sign](known, key))


def keys_of(column: Column) -> tuple[Key, ...]:
    """The declared keys of a column in GROUP BY."""
    assert not isinstance(column, Scale)
    return column.keys


def as_key(keys: tuple[Key, ...], value: object) -> str | int | bool | Fraction | None:
    """The constant in a type that compares with the keys, or None."""
    wanted = type(keys[0])
    if isinstance(value, wanted):
        return value
    return value if wanted is int and isinstance(value, Fraction) else None
