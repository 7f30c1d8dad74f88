"""SUM, AVG, COUNT and so on, of a column or a function of the row, with FILTER (WHERE …)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.compare import compared
from noiseless.curator.plan.condition import FALSE, TRUE, Condition, check_size, every, negation, some
from noiseless.curator.plan.functions.choice import Choice, choice
from noiseless.curator.plan.functions.function import Function
from noiseless.curator.plan.functions.leaves import NOTHING, ColumnOf, Constant, columns_in
from noiseless.curator.plan.functions.place import possible_values
from noiseless.curator.plan.plan import DISTINCT, Aggregate, Arithmetic, Expression
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.conditions import condition
from noiseless.curator.sql.constants import column_name, constant, is_column, is_constant
from noiseless.curator.sql.functions import ONE, ZERO, RowReader
from noiseless.curator.sql.refusal import argument, only, text_of, unknown_error
from noiseless.errors import QuestionError

SIMPLE: dict[type, str] = {
    exp.Sum: "SUM",
    exp.Avg: "AVG",
    exp.VariancePop: "VAR_POP",
    exp.StddevPop: "STDDEV_POP",
    exp.Variance: "VAR_SAMP",
    exp.Stddev: "STDDEV_SAMP",
    exp.StddevSamp: "STDDEV_SAMP",
}
PAIRED: dict[type, str] = {
    exp.CovarPop: "COVAR_POP",
    exp.CovarSamp: "COVAR_SAMP",
    exp.Corr: "CORR",
    exp.RegrSlope: "REGR_SLOPE",
    exp.RegrIntercept: "REGR_INTERCEPT",
    exp.RegrR2: "REGR_R2",
}
CONTINUOUS = "PERCENTILE_CONT"
RANKS: dict[type, Fraction] = {exp.Min: Fraction(0), exp.Max: Fraction(1), exp.Median: Fraction(1, 2)}


@dataclass(frozen=True, slots=True)
class AggregateReader:
    """Reads one number about many rows."""

    schema: Schema
    table: str
    kept: Condition = TRUE
    """The condition of all rows that count."""

    @property
    def rows(self) -> RowReader:
        """Reads functions of one row."""
        return RowReader(self.schema, self.table, self.kept)

    def read(self, node: Any) -> Expression:
        """The aggregate. A share is a quotient of two aggregates."""
        if isinstance(node, exp.Filter):
            only(node, "this", "expression")
            only(node.expression, "this")
            kept = condition(node.expression.this, self.schema, self.table, self.kept)
            check_size(kept)
            return filtered(replace(self, kept=every([self.kept, kept])).read(node.this), kept)
        if isinstance(node, exp.CountIf):
            only(node, "this")
            return Aggregate("COUNT", filter=self.rows.condition(node.this))
        if isinstance(node, exp.Count):
            return self._count(node)
        kind = type(node)
        if kind in SIMPLE:
            only(node, "this")
            return self._simple(SIMPLE[kind], node.this)
        if kind in RANKS:
            only(node, "this")
            return self._about(Aggregate("ORDER", share=RANKS[kind]), node.this, kind.__name__.upper())
        if kind in PAIRED:
            return self._paired(PAIRED[kind], node)
        if kind in (exp.Quantile, exp.PercentileDisc, exp.PercentileCont):
            return self._quantile(node)
        if isinstance(node, exp.WithinGroup) and isinstance(node.this, (exp.PercentileDisc, exp.PercentileCont)):
            only(node.this, "this")
            continuous = isinstance(node.this, exp.PercentileCont)
            return self._share(node.this.this, self._ordered(node), CONTINUOUS if continuous else "PERCENTILE_DISC")
        raise unknown_error(node)

    def _paired(self, name: str, node: Any) -> Aggregate:
        """A function of two columns, or functions of the row."""
        only(node, "this", "expression")
        first, second = (self._about(Aggregate(name), argument(node, part), name) for part in ("this", "expression"))
        return replace(first, second=second)

    def _distinct(self, node: Any) -> Aggregate:
        """COUNT(DISTINCT x): of a column of any kind, or of a function of the row."""
        only(node, "expressions")
        if len(node.expressions) != 1:
            raise QuestionError("COUNT(DISTINCT a, b) counts rows of several values; count one column or function")
        what = node.expressions[0]
        if is_column(what):
            return Aggregate(DISTINCT, self.schema.find(column_name(what, self.table))[0])
        function = self.rows.function(what)
        function = numbered(function) if function.kind == "text" else function
        function = self.rows.as_number(function) if function.kind == "truth" else function
        if not function.reads:
            raise QuestionError(f"{text_of(what)!r} does not use the table; name a column in it")
        function.span()  # refused here if it has no value for some rows
        return Aggregate(DISTINCT, of=function)

    def _count(self, node: Any) -> Aggregate:
        only(node, "this")
        if isinstance(argument(node, "this"), exp.Star):
            only(node.this)
            return Aggregate("COUNT")
        if isinstance(node.this, exp.Distinct):
            return self._distinct(node.this)
        if is_constant(node.this):
            constant(node.this)  # but NULL is not
            return Aggregate("COUNT")
        if is_column(node.this):
            return Aggregate("COUNT", self.schema.find(column_name(node.this, self.table))[0])
        function = self.rows.complete(node.this)
        if function.kind == "text":
            return Aggregate("COUNT", filter=negation(function.absent()))
        if isinstance(function, Choice) and function.otherwise == NOTHING and len(function.cases) == 1:
            [(kept, value)] = function.cases
            if value.absent() == FALSE:
                return Aggregate("COUNT", filter=kept)
        if not function.reads:  # it has one value or none
            return Aggregate("COUNT", filter=negation(function.absent()))
        return Aggregate("COUNT", of=function)

    def _simple(self, name: str, node: Any) -> Expression:
        if self._scale(node):
            return self._about(Aggregate(name), node, name)
        function = self.rows.function(node)
        if function.kind == "truth":
            return self._of_truth(name, self.rows.as_number(function), node)
        if (kept := indicated(function)) is not None and name in ("SUM", "AVG"):
            return self._of_indicator(name, kept)
        return self._function(Aggregate(name), function, node, name)

    def _scale(self, node: Any) -> bool:
        """Whether it is a private column of numbers or dates."""
        return is_column(node) and isinstance(self.schema.find(column_name(node, self.table))[1], Scale)

    def _of_truth(self, name: str, function: Function, node: Any) -> Expression:
        """SUM of a truth value counts where it is true; AVG is a share of the rows where it is known."""
        if name not in ("SUM", "AVG"):
            return self._function(Aggregate(name), function, node, name)
        true = self.rows.condition(node)
        known = TRUE if function.absent() == FALSE else some([true, negation(true)])
        counted = Aggregate("COUNT", filter=true)
        return counted if name == "SUM" else Arithmetic("/", counted, Aggregate("COUNT", filter=known))

    @staticmethod
    def _of_indicator(name: str, kept: Condition) -> Expression:
        counted = Aggregate("COUNT", filter=kept)
        return counted if name == "SUM" else Arithmetic("/", counted, Aggregate("COUNT"))

    def _quantile(self, node: Any) -> Expression:
        parts = ("this", "quantile") if isinstance(node, exp.Quantile) else ("this", "expression")
        only(node, *parts)
        name = CONTINUOUS if isinstance(node, exp.PercentileCont) else "QUANTILE"
        return self._share(argument(node, parts[1]), node.this, name)

    def _share(self, share: Any, node: Any, name: str) -> Expression:
        found = constant(share)
        if not isinstance(found, Fraction) or not 0 <= found <= 1:
            raise QuestionError(f"{name}(column, p) needs a number p from 0 to 1, such as 0.9")
        if name == CONTINUOUS and 0 < found < 1:  # the ends are MIN and MAX
            return self._about(Aggregate(CONTINUOUS, share=found), node, name)
        return self._about(Aggregate("ORDER", share=found), node, name)

    @staticmethod
    def _ordered(node: Any) -> Any:
        """What WITHIN GROUP (ORDER BY …) orders by."""
        order = node.expression
        if not isinstance(order, exp.Order) or len(order.expressions) != 1 or order.expressions[0].args.get("desc"):
            raise QuestionError(f"{text_of(node)!r} needs one ascending ORDER BY; write WITHIN GROUP (ORDER BY x)")
        return order.expressions[0].this

    def _about(self, aggregate: Aggregate, node: Any, name: str) -> Aggregate:
        """The aggregate of a column, or of a function of the row."""
        return self._function(aggregate, self.rows.function(node), node, name)

    def _function(self, aggregate: Aggregate, function: Function, node: Any, name: str) -> Aggregate:
        if function.kind == "truth":
            function = self.rows.as_number(function)
        self._check_kind(function, aggregate, name, node)
        if not function.reads:
            raise QuestionError(f"{text_of(node)!r} does not use the table; name a column in it, or write COUNT(*)")
        if isinstance(function, ColumnOf) and isinstance(function.column, Scale):
            return replace(aggregate, column=function.name)
        function.span()  # refused here if it has no value for some rows
        return replace(aggregate, of=function)

    @staticmethod
    def _check_kind(function: Function, aggregate: Aggregate, name: str, node: Any) -> None:
        if function.kind == "number" or (function.kind == "date" and aggregate.function == "ORDER"):
            return
        what = f"{text_of(node)!r} is a {function.kind}"
        raise QuestionError(f"{name} needs numbers, and {what}; use a column of numbers, or COUNT")


def filtered(expression: Expression, kept: Condition) -> Expression:
    """An aggregate over the rows that a filter also keeps. For a share, both counts are filtered."""
    match expression:
        case Aggregate():
            return replace(expression, filter=every([expression.filter, kept]))
        case Arithmetic():
            left, right = filtered(expression.left, kept), filtered(expression.right, kept)
            return Arithmetic(expression.operation, left, right)
    return expression


def numbered(function: Function) -> Function:
    """A number for every text that a function can be, so that different ones can be counted."""
    values = [value for value in possible_values(function) if value is not None]
    cases: list[tuple[Condition, Function]] = [
        (compared("=", function, Constant(value, "text")), Constant(Fraction(place)))
        for place, value in enumerate(values)
    ]
    otherwise = cases[-1][1] if function.absent() == FALSE else NOTHING
    return choice(cases, otherwise, columns_in(function))


def indicated(function: Function) -> Condition | None:
    """The condition of a function that is 1 where it holds and 0 elsewhere."""
    if isinstance(function, Choice) and function.otherwise == ZERO and len(function.cases) == 1:
        [(kept, value)] = function.cases
        return kept if value == ONE else None
    return None
