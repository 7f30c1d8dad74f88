"""SELECT, HAVING and ORDER BY: aggregates, and arithmetic on released numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.condition import TRUE, Condition
from noiseless.curator.plan.functions.leaves import ColumnOf
from noiseless.curator.plan.group import Group
from noiseless.curator.plan.plan import (
    Aggregate,
    Arithmetic,
    Combination,
    Comparison,
    Constant,
    Expression,
    KeyOf,
    Test,
)
from noiseless.curator.schema.dates import EPOCH, Date, days
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.aggregates import AggregateReader
from noiseless.curator.sql.conditions import COMPARISONS, as_key, keys_of
from noiseless.curator.sql.constants import column_name, constant, is_constant
from noiseless.curator.sql.functions import FUNCTION, RowReader
from noiseless.curator.sql.refusal import argument, only, text_of, unknown_error
from noiseless.errors import InputError, QuestionError

OPERATIONS: dict[type, str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}
COMBINATIONS: dict[type, str] = {exp.And: "AND", exp.Or: "OR", exp.Not: "NOT"}


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the expressions of one statement, given its GROUP BY columns and the names defined so far."""

    schema: Schema
    table: str
    keys: tuple[str, ...]
    groups: tuple[Group, ...] = ()
    named: Mapping[str, Expression] = field(default_factory=dict)
    kept: Condition = TRUE
    """The condition of WHERE, together with what joins keep."""
    written: tuple[Any, ...] = ()
    """The expressions of GROUP BY, if it has several levels: a row of a total has none of its keys."""

    def expression(self, node: Any) -> Expression:
        """An expression of keys, aggregates and constants."""
        if self._is_group(node):
            return self._group(node)
        match node:
            case exp.Paren():
                return self.expression(node.this)
            case _ if is_constant(node) and not isinstance(node, exp.Neg):
                return Constant(constant(node))
            case exp.Neg():
                return Arithmetic("-", Constant(Fraction(0)), self.expression(node.this))
            case exp.Column():
                return self._key_or_name(node)
            case _ if type(node) in OPERATIONS:
                return self._arithmetic(node)
            case _:
                return AggregateReader(self.schema, self.table, self.kept).read(node)

    def test(self, node: Any) -> Test:
        """A test of expressions, in HAVING."""
        if (key := self._grouped_test(node)) is not None:
            return Comparison("=", key, Constant(True))
        match node:
            case exp.Paren():
                return self.test(node.this)
            case _ if type(node) in COMBINATIONS:
                both = [node.this] if isinstance(node, exp.Not) else [node.this, node.expression]
                return Combination(COMBINATIONS[type(node)], tuple(self.test(part) for part in both))
            case exp.Between():
                only(node, "this", "low", "high")
                value = self.expression(node.this)
                low, high = self.expression(argument(node, "low")), self.expression(argument(node, "high"))
                return Combination("AND", (self._comparison(">=", value, low), self._comparison("<=", value, high)))
            case _ if type(node) in COMPARISONS:
                left, right = self.expression(node.this), self.expression(node.expression)
                return self._comparison(COMPARISONS[type(node)], left, right)
            case _:
                raise unknown_error(node)

    def _grouped_test(self, node: Any) -> KeyOf | None:
        """The key that is true or false, if a node is one."""
        if not isinstance(node, exp.Column) and not (self.groups and self._is_group(node)):
            return None
        try:
            key = self.expression(node)
        except QuestionError:
            if isinstance(node, exp.Column):
                raise
            return None
        return key if isinstance(key, KeyOf) and self.kind_of(key) == "truth" else None

    def _is_group(self, node: Any) -> bool:
        """Whether a node can be an expression of GROUP BY: it is about a row, and is not just a column."""
        if is_constant(node) or isinstance(node, (exp.Column, exp.Paren)):
            return False
        if node.find(exp.AggFunc, exp.Filter, exp.CountIf, exp.WithinGroup) is not None:
            return False
        if any(FUNCTION in each.meta for each in node.find_all(exp.Var)):
            return True
        columns = list(node.find_all(exp.Column))
        aliases = {each.name.lower() for each in columns if not each.table} & {name.lower() for name in self.named}
        expressions = any(each.column is None for each in self.groups)
        return bool(columns) and not aliases and (expressions or self._grouped_column(node) is not None)

    def _grouped_column(self, node: Any) -> str | None:
        """The column of GROUP BY that an expression is, as DATE_TRUNC('day', day) is the day."""
        try:
            function = RowReader(self.schema, self.table).function(node)
        except InputError:
            return None
        return function.name if isinstance(function, ColumnOf) and function.name in self.keys else None

    def _group(self, node: Any) -> Expression:
        if (key := self._grouped_column(node)) is not None:
            return KeyOf(key)
        function = RowReader(self.schema, self.table).function(node)
        for each in self.groups:
            if each.function == function:
                return KeyOf(each.label)
        raise QuestionError(
            f"{text_of(node)!r} is neither aggregated nor grouped; repeat it in GROUP BY, exactly as it is here"
        )

    def _key_or_name(self, node: Any) -> Expression:
        name = column_name(node, self.table)
        for key in self.keys:
            if key.lower() == name.lower():
                return KeyOf(key)
        for known, expression in self.named.items():
            if known.lower() == name.lower() and not node.unnest().table:
                return expression
        known, _ = self.schema.find(name)
        raise QuestionError(
            f"column {known!r} is neither aggregated nor grouped; use AVG or another function, or add it to GROUP BY"
        )

    def _arithmetic(self, node: Any) -> Expression:
        left, right = self.expression(node.this), self.expression(node.expression)
        if not (self._is_number(left) and self._is_number(right)):
            raise QuestionError(
                f"{node.sql(dialect='duckdb')[:60]!r} calculates with a key, a text or a date; calculate with "
                f"numbers only"
            )
        return Arithmetic(OPERATIONS[type(node)], left, right)

    def _is_number(self, side: Expression) -> bool:
        match side:
            case Constant(value):
                return isinstance(value, Fraction)
            case Aggregate("ORDER"):
                return not self.is_date(side)
            case _:
                return not isinstance(side, KeyOf)

    def kind_of(self, key: KeyOf) -> str:
        """Whether a key is a number, a date, a text or a truth value."""
        for each in self.groups:
            if each.label == key.column:
                return each.function.kind
        first = keys_of(self.schema.columns[key.column])[0]
        return "truth" if isinstance(first, bool) else "text" if isinstance(first, str) else "number"

    def is_date(self, side: Expression) -> bool:
        """Whether an expression is a date made of many rows, such as the earliest."""
        if not isinstance(side, Aggregate) or side.function != "ORDER":
            return False
        if side.column is None:
            return side.of is not None and side.of.kind == "date"
        return isinstance(self.schema.columns[side.column], Date)

    def _key(self, key: KeyOf, value: Any) -> Any:
        """A constant as a key; None if it is of another type, or not declared."""
        group = next((each for each in self.groups if each.label == key.column), None)
        if group is None or (group.column is not None and group.function.kind == "text"):
            return as_key(keys_of(self.schema.columns[key.column]), value)
        match group.function.kind:
            case "date":
                return _date(value)
            case "number":
                return value if isinstance(value, Fraction) else None
            case "truth":
                return value if isinstance(value, bool) else None
        return value if isinstance(value, str) else None

    def _comparison(self, sign: str, left: Expression, right: Expression) -> Comparison:
        """Compare two numbers, two dates, or a key with a constant of its type; refuse anything else."""
        for one, other in ((left, right), (right, left)):
            if self.is_date(one) and isinstance(other, Constant):
                day = Constant(_date(other.value))
                return Comparison(sign, *((one, day) if one is left else (day, one)))
            if isinstance(one, KeyOf) and isinstance(other, Constant):
                key = self._key(one, other.value)
                if key is None:
                    raise QuestionError(f"{str(other.value)!r} is not a value of {one.column!r}; use one of its keys")
                return Comparison(sign, *((one, Constant(key)) if one is left else (Constant(key), one)))
        if not (self._is_number(left) and self._is_number(right)) and not (self.is_date(left) and self.is_date(right)):
            raise QuestionError(
                "HAVING compares numbers with numbers, dates with dates, and keys with constants; change one side"
            )
        return Comparison(sign, left, right)


def _date(value: object) -> date:
    day = days(value)
    return EPOCH + timedelta(days=int(day))
