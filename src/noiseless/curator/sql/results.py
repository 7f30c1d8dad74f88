"""Expressions about the rows of a result: arithmetic, CASE, ROUND and so on, and windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.after import Call, Expression, Frame, Nothing, Window
from noiseless.curator.plan.plan import Constant
from noiseless.curator.schema.dates import EPOCH, days
from noiseless.curator.sql.conditions import COMPARISONS
from noiseless.curator.sql.constants import constant, is_constant
from noiseless.curator.sql.known_numbers import NAME, is_known_number
from noiseless.curator.sql.ordered import directions
from noiseless.curator.sql.ranks import FOLLOWING, MOST_TILES, tiles
from noiseless.curator.sql.refusal import argument, only, text_of, unknown_error, unsupported_error
from noiseless.errors import QuestionError

ARITHMETIC: dict[type, str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}
LOGIC: dict[type, str] = {exp.And: "AND", exp.Or: "OR"}
ROUNDING: dict[type, str] = {
    exp.Round: "ROUND",
    exp.Floor: "FLOOR",
    exp.Ceil: "CEIL",
    exp.Trunc: "TRUNC",
    exp.Abs: "ABS",
}
SEVERAL: dict[type, str] = {exp.Coalesce: "COALESCE", exp.Greatest: "GREATEST", exp.Least: "LEAST"}
GATHERED: dict[type, str] = {
    exp.Sum: "SUM",
    exp.Avg: "AVG",
    exp.Min: "MIN",
    exp.Max: "MAX",
    exp.Median: "MEDIAN",
    exp.Count: "COUNT",
}
RANKS: dict[type, str] = {exp.Rank: "RANK", exp.DenseRank: "DENSE_RANK", exp.RowNumber: "ROW_NUMBER"}
BESIDE: dict[type, str] = {exp.Lag: "LAG", exp.Lead: "LEAD"}
WHOLE = ("int", "bigint", "smallint", "tinyint")
REAL = ("double", "float")
COMPUTED = (exp.Case, exp.If, exp.Cast, exp.Nullif, exp.Is, exp.In, exp.Mod, exp.Sqrt, exp.Pow)
AFTER = (exp.Window, *COMPUTED, *ROUNDING, *SEVERAL)
"""Nodes that SELECT, HAVING and ORDER BY can have only about the rows of the result."""
MOST_DIGITS, MOST_POWER, FURTHEST = 12, 8, 1000
NULL = "NULL"
"""The kind of NULL by itself."""


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression with its kind, number, date, text or truth, and whether it depends on released numbers."""

    node: Expression
    kind: str
    released: bool = True


@dataclass(frozen=True, slots=True)
class ResultReader:
    """Reads expressions about rows.

    `leaf` reads the nodes that are columns of the rows, and gives None for others.
    """

    leaf: Callable[[Any], Typed | None]

    def read(self, node: Any) -> Typed:
        """An expression of any kind."""
        if not isinstance(node, exp.Expr):  # the parser accepts COUNT() OVER ()
            raise QuestionError("a function has no argument where it needs one; write it, or COUNT(*)")
        if (found := self.leaf(node)) is not None:
            return found
        if isinstance(node, exp.Paren):
            return self.read(node.this)
        if isinstance(node, exp.Null):
            return Typed(Nothing(), NULL, released=False)
        if is_constant(node) and not (isinstance(node, exp.Cast) and not node.to.is_type("date")):
            day = isinstance(node, exp.Cast)
            return Typed(Constant(_date(constant(node))), "date", False) if day else _constant(constant(node))
        if is_known_number(node):
            return self._known(node)
        for kinds, read in self._readers():
            if isinstance(node, kinds):
                return read(node)
        raise unknown_error(node)

    def _readers(self) -> tuple[tuple[tuple[type, ...], Callable[[Any], Typed]], ...]:
        return (
            (tuple(ARITHMETIC), self._arithmetic),
            (tuple(COMPARISONS), self._comparison),
            ((*LOGIC, exp.Not), self._logic),
            (tuple(ROUNDING), self._rounded),
            (tuple(SEVERAL), self._several),
            ((exp.Neg,), lambda node: self._call("-", [_constant(Fraction(0)), self.read(node.this)], "number")),
            ((exp.Between,), self._between),
            ((exp.Is,), self._is),
            ((exp.In,), self._in),
            ((exp.Case, exp.If), self._case),
            ((exp.Nullif,), self._null_if),
            ((exp.Mod,), self._rest),
            ((exp.Sqrt,), lambda node: self._call("SQRT", [self.read(node.this)], "number", "number")),
            ((exp.Pow,), self._power),
            ((exp.Cast,), self._cast),
            ((exp.Window,), self._window),
        )

    def _known(self, node: Any) -> Typed:
        """REPORTED(value, lower, upper): a number that lies somewhere between its ends."""
        constants = all(map(is_constant, node.expressions))
        ends = [self.read(part) for part in node.expressions] if constants else []
        kind = ends[0].kind if ends else NULL
        if len(ends) != 3 or kind not in ("number", "date") or any(end.kind != kind for end in ends):
            raise QuestionError(f"{text_of(node)!r} needs three numbers or dates: a value, and two ends around it")
        value, lower, upper = (end.node.value for end in ends if isinstance(end.node, Constant))
        if not lower <= value <= upper:  # type: ignore[operator]
            raise QuestionError(f"{text_of(node)!r} has a value that is not between its ends; write them in order")
        return Typed(Call(NAME, tuple(end.node for end in ends)), kind)

    def _sides(self, node: Any) -> list[Typed]:
        return [self.read(node.this), self.read(argument(node, "expression"))]

    def _arithmetic(self, node: Any) -> Typed:
        return self._call(ARITHMETIC[type(node)], self._sides(node), "number")

    def _comparison(self, node: Any) -> Typed:
        return self._compared(COMPARISONS[type(node)], *self._sides(node))

    def _logic(self, node: Any) -> Typed:
        if isinstance(node, exp.Not):
            return self._call("NOT", [self.read(node.this)], "truth", "truth")
        return self._call(LOGIC[type(node)], self._sides(node), "truth", "truth")

    def _several(self, node: Any) -> Typed:
        alike = self._alike([self.read(part) for part in (node.this, *node.expressions)], node)
        if not isinstance(node, exp.Coalesce):
            _check("number", alike, node)
        return self._call(SEVERAL[type(node)], alike, _kind(alike))

    def _between(self, node: Any) -> Typed:
        only(node, "this", "low", "high")
        value, low, high = (self.read(argument(node, part)) for part in ("this", "low", "high"))
        both = [self._compared(">=", value, low), self._compared("<=", value, high)]
        return self._call("AND", both, "truth", "truth")

    def _null_if(self, node: Any) -> Typed:
        alike = self._alike(self._sides(node), node)
        return self._call("NULLIF", alike, _kind(alike))

    def _rest(self, node: Any) -> Typed:
        """The remainder of a division of whole numbers, with the sign of the dividend."""
        sides = self._sides(node)
        whole = self._call("TRUNC", [self._call("/", sides, "number")], "number")
        return self._call("-", [sides[0], self._call("*", [sides[1], whole], "number")], "number")

    def _power(self, node: Any) -> Typed:
        """A whole power, as a product. Even ones are at least 0."""
        power = constant(argument(node, "expression")) if is_constant(argument(node, "expression")) else None
        if not isinstance(power, Fraction) or power.denominator != 1 or not 1 <= power <= MOST_POWER:
            raise QuestionError(f"{text_of(node)!r} needs a whole number from 1 to {MOST_POWER} as its power")
        base = self.read(node.this)
        found = base if power % 2 else self._call("ABS", [base], "number")
        base = found
        for _ in range(int(power) - 1):
            found = self._call("*", [found, base], "number")
        return found if power > 1 else self._call("+", [found, _constant(Fraction(0))], "number")

    def test(self, node: Any) -> Expression:
        """A truth value, for WHERE and HAVING."""
        found = self.read(node)
        if found.kind != "truth":
            raise QuestionError(f"{text_of(node)!r} is a {found.kind}, not a condition; compare it with something")
        return found.node

    def _call(self, operation: str, parts: Sequence[Typed], kind: str, of: str | None = None) -> Typed:
        """An operation. Its parts must be numbers if its result is one, unless it needs another kind."""
        needed = of or ("number" if operation in (*ARITHMETIC.values(), *ROUNDING.values()) else None)
        if needed is not None and (wrong := [part.kind for part in parts if part.kind not in (needed, NULL)]):
            raise QuestionError(f"{operation} needs a {needed}, and there is a {wrong[0]}; change that side")
        return Typed(Call(operation, tuple(part.node for part in parts)), kind, any(part.released for part in parts))

    def _compared(self, sign: str, left: Typed, right: Typed) -> Typed:
        left, right = _dated(left, right), _dated(right, left)
        if left.kind != right.kind:
            raise QuestionError(
                f"a {left.kind} and a {right.kind} are compared with {sign}; compare values of one kind"
            )
        return self._call(sign, [left, right], "truth")

    def _alike(self, parts: Sequence[Typed], node: Any) -> list[Typed]:
        """Parts of one kind."""
        kind = _kind(parts)
        if kind == NULL:
            raise QuestionError(f"{text_of(node)!r} is always NULL; name a column in it")
        _check(kind, parts, node)
        return list(parts)

    def _is(self, node: Any) -> Typed:
        only(node, "this", "expression")
        value = self.read(node.this)
        if isinstance(node.expression, exp.Null):
            return self._call("IS NULL", [value], "truth")
        if isinstance(node.expression, exp.Boolean):
            true = self._call("COALESCE", [value, Typed(Constant(False), "truth", released=False)], "truth", "truth")
            both = [value, Typed(Constant(True), "truth", released=False)]
            false = self._call("COALESCE", both, "truth", "truth")
            return true if node.expression.this else self._call("NOT", [false], "truth")
        raise unknown_error(node)

    def _in(self, node: Any) -> Typed:
        only(node, "this", "expressions")
        value = self.read(node.this)
        found = [self._compared("=", value, self.read(part)) for part in node.expressions]
        if not found:
            raise unknown_error(node)
        return found[0] if len(found) == 1 else self._call("OR", found, "truth", "truth")

    def _case(self, node: Any) -> Typed:
        single = isinstance(node, exp.If)
        only(node, *(("this", "true", "false") if single else ("this", "ifs", "default")))
        cases = [node] if single else node.args["ifs"]
        subject = None if single or node.this is None else self.read(node.this)
        tests, values = list[Typed](), list[Typed]()
        for case in cases:
            test = self.read(case.this)
            tests.append(test if subject is None else self._compared("=", subject, test))
            values.append(self.read(case.args["true"]))
        otherwise = node.args.get("false" if single else "default")
        values.append(Typed(Nothing(), NULL, released=False) if otherwise is None else self.read(otherwise))
        _check("truth", tests, node)
        values = self._alike(values, node)
        parts = [part for pair in zip(tests, values, strict=False) for part in pair]
        return self._call("CASE", [*parts, values[-1]], _kind(values))

    def _rounded(self, node: Any) -> Typed:
        only(node, "this", "decimals", "to")
        operation, given = ROUNDING[type(node)], node.args.get("decimals")
        value = self.read(node.this)
        if given is None:
            return self._call(operation, [value], "number")
        digits = constant(given)
        if (
            operation != "ROUND"
            or not isinstance(digits, Fraction)
            or abs(digits) > MOST_DIGITS
            or digits.denominator > 1
        ):
            raise QuestionError(
                f"{text_of(node)!r} needs a whole number of digits up to {MOST_DIGITS}, such as ROUND(x, 2)"
            )
        return self._call(operation, [value, Typed(Constant(digits), "number", released=False)], "number")

    def _cast(self, node: Any) -> Typed:
        only(node, "this", "to", "_type")
        value, to = self.read(node.this), node.to
        if to.is_type(*WHOLE):
            return self._call("ROUND", [value], "number")
        if to.is_type(*REAL):
            _check("number", [value], node)
            return value
        if to.is_type("decimal") and len(to.expressions) == 2:
            digits = Typed(Constant(constant(to.expressions[1].this)), "number", released=False)
            return self._call("ROUND", [value, digits], "number")
        raise unsupported_error(f"CAST to {to.sql(dialect='duckdb')}")

    def _window(self, node: Any) -> Typed:
        only(node, "this", "partition_by", "order", "spec", "over")
        function, kind = node.this, type(node.this)
        partition = [self.read(part) for part in node.args.get("partition_by") or ()]
        if any(part.released for part in partition):
            raise QuestionError(f"PARTITION BY in {text_of(node)!r} needs keys of the groups; order by numbers instead")
        order = tuple((self.read(each).node, falls) for each, falls in directions(node.args.get("order")))
        frame = _frame_of(node, kind, bool(order))
        named: str | None
        parts: list[Typed]
        if kind in RANKS or kind in FOLLOWING:
            only(function)
            named, parts, result = RANKS.get(kind, "RANK"), [], "number"
        elif kind is exp.Ntile:
            only(function, "this")
            named, parts, result = "ROW_NUMBER", [], "number"
        elif kind is exp.FirstValue:
            only(function, "this")
            named, parts = "FIRST_VALUE", [self.read(argument(function, "this"))]
            result = _kind(self._alike(parts, function))
        elif kind in BESIDE:
            named, parts = BESIDE[kind], self._beside(function)
            result = parts[0].kind
        elif kind in GATHERED:
            named, parts = GATHERED[kind], self._argument(function)
            result = "number" if named != "MIN" and named != "MAX" else parts[0].kind
        else:
            raise unsupported_error(f"OVER in {text_of(node)!r}")
        if not order and (kind not in GATHERED or frame is not None):
            raise QuestionError(f"{text_of(node)!r} needs ORDER BY inside OVER (…)")
        if frame is not None and kind not in GATHERED:
            raise unsupported_error(f"ROWS BETWEEN in {text_of(node)!r}")
        window = Window(named, tuple(part.node for part in parts), tuple(part.node for part in partition), order, frame)
        if kind in FOLLOWING:
            return Typed(FOLLOWING[kind](window), result)
        return Typed(tiles(window, _tiles(function)) if kind is exp.Ntile else window, result)

    def _argument(self, function: Any) -> list[Typed]:
        """The argument of SUM and the like. COUNT(*) has none."""
        only(function, "this")
        if isinstance(function, exp.Count) and isinstance(function.this, exp.Star):
            return []
        value = self.read(function.this)
        if not isinstance(function, exp.Count):
            kinds = ("number", "date") if isinstance(function, (exp.Min, exp.Max)) else ("number",)
            if value.kind not in kinds:
                raise QuestionError(f"{text_of(function)!r} is about a {value.kind}; it needs a number")
        return [value]

    def _beside(self, function: Any) -> list[Typed]:
        """LAG(x, offset, default)."""
        only(function, "this", "offset", "default")
        offset = Fraction(1) if function.args.get("offset") is None else constant(function.args["offset"])
        if not isinstance(offset, Fraction) or offset.denominator != 1 or not 1 <= offset <= FURTHEST:
            raise QuestionError(f"{text_of(function)!r} needs a whole number of rows from 1 to {FURTHEST}")
        parts = [self.read(function.this), Typed(Constant(offset), "number", released=False)]
        if (default := function.args.get("default")) is not None:
            parts.append(self._alike([parts[0], self.read(default)], function)[1])
        return parts


def _tiles(function: Any) -> int:
    number = constant(argument(function, "this"))
    if not isinstance(number, Fraction) or number.denominator != 1 or not 1 <= number <= MOST_TILES:
        raise QuestionError(f"{text_of(function)!r} needs a whole number of parts from 1 to {MOST_TILES}")
    return int(number)


def _check(kind: str, parts: Sequence[Typed], node: Any) -> None:
    if wrong := [part.kind for part in parts if part.kind not in (kind, NULL)]:
        raise QuestionError(f"{text_of(node)!r} has a {wrong[0]} where it needs a {kind}; use values of one kind")


def _kind(parts: Sequence[Typed]) -> str:
    return next((part.kind for part in parts if part.kind != NULL), NULL)


def _constant(value: str | Fraction | bool) -> Typed:
    kind = "truth" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"
    return Typed(Constant(value), kind, released=False)


def _dated(side: Typed, other: Typed) -> Typed:
    """A side of a comparison. A text that is compared with a date becomes a date."""
    if other.kind == "date" and side.kind == "text" and isinstance(side.node, Constant):
        return Typed(Constant(_date(side.node.value)), "date", released=False)
    return side


def _date(value: object) -> date:
    from datetime import timedelta

    return EPOCH + timedelta(days=int(days(value)))


def _frame_of(node: Any, kind: type, ordered: bool) -> Frame | None:
    """The frame of a window. As in SQL, ranks, LAG and LEAD ignore a written frame; Ibis writes one of all rows."""
    if node.args.get("spec") is None:
        return None
    frame = _frame(node.args["spec"])
    if frame is None or frame.before is not None:
        return frame
    first = kind is exp.FirstValue
    every = frame.after is None and (kind not in GATHERED or not ordered)
    return None if first or every else frame


def _frame(spec: Any) -> Frame | None:
    """The frame of ROWS BETWEEN …, or the frame of RANGE that SQL takes if none is written."""
    only(spec, "kind", "start", "start_side", "end", "end_side")
    start, end = _bound(spec, "start", "PRECEDING"), _bound(spec, "end", "FOLLOWING")
    if spec.args.get("kind") == "RANGE" and (start, end) == (None, 0):
        return None
    if spec.args.get("kind") != "ROWS":
        raise unsupported_error(f"{text_of(spec)!r}")
    if start is not None and end is not None and -start > end:
        raise QuestionError(f"{text_of(spec)!r} ends before it begins; exchange both")
    return Frame(start, end)


def _bound(spec: Any, part: str, outward: str) -> int | None:
    """How many rows a frame reaches in its direction. None for all."""
    given, side = spec.args.get(part), str(spec.args.get(f"{part}_side") or "").upper()
    if given is None or given == "CURRENT ROW":
        return 0
    if given == "UNBOUNDED":
        if side == outward:
            return None
    elif isinstance(number := constant(given), Fraction) and number.denominator == 1 and 0 <= number <= FURTHEST:
        return int(number) if side == outward else -int(number)
    raise unsupported_error(f"{text_of(spec)!r}")
