"""Functions of one row in a question: from the parse tree to a closed tree over columns and rationals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlglot import exp

from noiseless.curator.plan.compare import compared
from noiseless.curator.plan.condition import FALSE, TRUE, Condition, columns_read, every, may_be_unknown, negation
from noiseless.curator.plan.functions.arithmetic import added, divided, multiplied, negative, subtracted
from noiseless.curator.plan.functions.calendar import PARTS, UNITS, calendar, day_of, months_later
from noiseless.curator.plan.functions.choice import Choice, choice, first_known, without_0
from noiseless.curator.plan.functions.curve import curve
from noiseless.curator.plan.functions.extremes import absolute, extreme
from noiseless.curator.plan.functions.function import Function, Kind
from noiseless.curator.plan.functions.leaves import NOTHING, ColumnOf, Constant, columns_in
from noiseless.curator.plan.functions.rounding import modulo, rounded_to
from noiseless.curator.plan.functions.texts import text_function
from noiseless.curator.schema.dates import days
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.constants import column_name, constant
from noiseless.curator.sql.domains import never_0, not_below_0
from noiseless.curator.sql.refusal import argument, only, text_of, unknown_error, unsupported_error
from noiseless.errors import QuestionError, SchemaError

ONE, ZERO, NO_TEXT = Constant(Fraction(1)), Constant(Fraction(0)), Constant("", "text")
TWO_NUMBERS: dict[type, Callable[[Function, Function], Function]] = {
    exp.Add: added,
    exp.Sub: subtracted,
    exp.DateAdd: added,
    exp.DateSub: subtracted,
    exp.Mul: multiplied,
    exp.Mod: modulo,
}
DATE_PARTS: dict[type, str] = {
    exp.Year: "year",
    exp.Quarter: "quarter",
    exp.Month: "month",
    exp.Day: "day",
    exp.DayOfMonth: "day",
    exp.DayOfYear: "doy",
    exp.DayOfWeek: "dow",
    exp.DayOfWeekIso: "isodow",
}
MONTHS = {"month": 1, "quarter": 3, "year": 12}
SPELLED = {"dayofweek": "dow", "weekday": "dow", "dayofyear": "doy", "dayofmonth": "day", "isoweekday": "isodow"}
TEXTS: dict[type, tuple[str, tuple[str, ...]]] = {
    exp.Lower: ("LOWER", ("this",)),
    exp.Upper: ("UPPER", ("this",)),
    exp.Length: ("LENGTH", ("this",)),
    exp.Substring: ("SUBSTRING", ("this", "start", "length")),
    exp.Left: ("LEFT", ("this", "expression")),
    exp.Right: ("RIGHT", ("this", "expression")),
    exp.Replace: ("REPLACE", ("this", "expression", "replacement")),
    exp.DPipe: ("CONCAT", ("this", "expression")),
}
"""Functions of texts, with the parts of the parse tree that are their arguments."""
WHOLE = ("int", "integer", "bigint", "smallint", "tinyint", "hugeint")
REAL = ("double", "float", "real", "decimal", "numeric")
MOST_POWER = 8
FUNCTION = "function of the row"
"""Where a node of the parse tree that stands for a function keeps it: see `sql/joins.py`."""


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads functions of one row of the table of a question."""

    schema: Schema
    table: str
    kept: Condition = TRUE
    """The condition of all rows that count: a divisor that is never 0 there may be 0 elsewhere."""

    def number(self, node: Any) -> Function:
        """A function that must be a number."""
        found = self.function(node)
        if found.kind == "truth":
            return self.as_number(found)
        if found.kind != "number":
            raise QuestionError(f"{text_of(node)!r} is a {found.kind}, and a number is needed here; use a number")
        return found

    def function(self, node: Any) -> Function:
        """A column, a constant, or what is calculated from them."""
        match node:
            case exp.Paren():
                return self.function(node.this)
            case exp.Var() if FUNCTION in node.meta:
                found: Function = node.meta[FUNCTION]
                return found
            case exp.Column():
                return self.column(column_name(node, self.table))
            case exp.Null() | exp.Boolean() | exp.Literal():
                return _fixed(node)
            case exp.Neg():
                return negative(self.number(node.this))
            case exp.Add() | exp.Sub() | exp.DateAdd() | exp.DateSub():
                return self._sum(node)
            case exp.Div() | exp.IntDiv():
                return self._quotient(node)
            case exp.Predicate() | exp.Connector() | exp.Not() | exp.StartsWith() | exp.EndsWith() | exp.Contains():
                return self.truth(self.condition(node))
        if type(node) in TWO_NUMBERS:
            return TWO_NUMBERS[type(node)](self.number(node.this), self.number(node.expression))
        return self._named(node)

    def complete(self, node: Any) -> Function:
        """A function on its own.

        Refused if it cannot be computed for some rows, for example because a divisor may be 0.
        """
        found = self.function(node)
        if found.kind in ("number", "date"):
            found.span()
        return found

    def column(self, name: str) -> ColumnOf:
        """A declared column."""
        known, column = self.schema.find(name)
        if isinstance(column, Public) and not column.keys:
            raise QuestionError(f"{known!r} only orders rows and has no declared keys; leave it out of functions")
        return ColumnOf(known, column)

    def condition(self, node: Any) -> Condition:
        """A condition inside a function."""
        from noiseless.curator.sql.conditions import condition

        return condition(node, self.schema, self.table, self.kept)

    def _named(self, node: Any) -> Function:
        """A function with a name."""
        for kinds, read in (
            ((exp.Case, exp.If, exp.Coalesce, exp.Nullif), self._choice),
            ((exp.Cast,), self._cast),
            ((exp.Greatest, exp.Least), self._extreme),
            ((exp.Round, exp.Floor, exp.Ceil, exp.Trunc), self._rounded),
            ((exp.Abs, exp.Sign, exp.Sqrt, exp.Ln, exp.Exp, exp.Log, exp.Pow), self._of_number),
            ((exp.Extract, exp.TimestampTrunc, exp.DateTrunc, exp.DateDiff, exp.Anonymous), self._of_dates),
            (tuple(DATE_PARTS), self._date_part),
            ((*TEXTS, exp.Trim, exp.Concat), self._text),
            ((exp.WidthBucket,), self._bucket),
        ):
            if isinstance(node, kinds):
                return read(node)
        raise unknown_error(node)

    def _of_number(self, node: Any) -> Function:
        match node:
            case exp.Log():
                return self._logarithm(node)
            case exp.Pow():
                return self._power(self.number(node.this), self.function(node.expression))
        only(node, "this")
        part = self.number(argument(node, "this"))
        if isinstance(node, exp.Abs):
            return absolute(part)
        if isinstance(node, exp.Sign):
            return self._sign(part)
        if not isinstance(node, exp.Exp):
            part = not_below_0(part, self.kept, or_0=isinstance(node, exp.Ln))
        return curve(type(node).__name__.upper(), part)

    def _quotient(self, node: Any) -> Function:
        found = divided(self.number(node.this), never_0(self.number(node.expression), self.kept))
        return rounded_to("TRUNC", found, Fraction(1)) if isinstance(node, exp.IntDiv) else found

    def _date_part(self, node: Any) -> Function:
        only(node, "this")
        return calendar(DATE_PARTS[type(node)], self._date(node.this), starts=False)

    def _sum(self, node: Any) -> Function:
        only(node, "this", "expression")
        left = self.function(node.this)
        if isinstance(node.expression, exp.Interval):
            if (found := self._by_months(node, left)) is not None:
                return found
            right: Function = self._days(node.expression)
        else:
            right = self.function(node.expression)
        left, right = self._as_date(left, right), self._as_date(right, left)
        kinds = [self._summand(each) for each in (left, right)]
        if kinds == ["date", "date"] and TWO_NUMBERS[type(node)] is added:
            raise QuestionError(f"{text_of(node)!r} adds two dates; subtract them, which gives a number of days")
        if kinds == ["number", "date"] and TWO_NUMBERS[type(node)] is subtracted:
            raise QuestionError(f"{text_of(node)!r} takes a date from a number; take a number of days from a date")
        numbers = [self.as_number(each) if each.kind == "truth" else each for each in (left, right)]
        return TWO_NUMBERS[type(node)](*numbers)

    def _summand(self, part: Function) -> str:
        if part.kind == "text":
            raise QuestionError(f"{part} is a text, and a number or a date is needed here; use a number or a date")
        return "date" if part.kind == "date" else "number"

    def _as_date(self, part: Function, other: Function) -> Function:
        """A text that stands beside a date, read as a date."""
        if other.kind == "date" and part.kind == "text" and isinstance(part, Constant):
            try:
                return Constant(days(part.fixed), "date")
            except SchemaError as wrong:
                raise QuestionError(str(wrong)) from None
        return part

    def _by_months(self, node: Any, day: Function) -> Function | None:
        """A constant day some months before or after another one."""
        unit, amount = self._interval(node.expression)
        if unit not in MONTHS or amount is None or amount.denominator > 1:
            return None
        if not isinstance(day, Constant) or day.kind != "date" or day.fixed is None:
            return None
        months = int(amount) * MONTHS[unit] * (1 if TWO_NUMBERS[type(node)] is added else -1)
        return Constant(days(months_later(day_of(day.number), months)), "date")

    def _interval(self, node: Any) -> tuple[str, Fraction | None]:
        """The unit of an interval, and how many of them if that is a constant."""
        unit = str(getattr(node.args.get("unit"), "name", "")).lower().rstrip("s")
        given = self.function(node.this) if node.args.get("this") is not None else NOTHING
        text = given.fixed if isinstance(given, Constant) else None
        amount = Fraction(text) if isinstance(text, str) and text.lstrip("-").isdecimal() else text
        return unit, amount if isinstance(amount, Fraction) else None

    def _days(self, node: Any) -> Function:
        unit, amount = self._interval(node)
        if unit not in ("day", "week") or amount is None:
            raise QuestionError(
                f"{text_of(node)!r} is not a number of days; write INTERVAL 30 DAY, add months to a constant date, or "
                f"use DATE_TRUNC"
            )
        return Constant(amount * (7 if unit == "week" else 1))

    def _choice(self, node: Any) -> Function:
        match node:
            case exp.Nullif():
                only(node, "this", "expression")
                part, other = self.alike([self.complete(node.this), self.complete(node.expression)])
                if other == ZERO and part.kind == "number":
                    return without_0(part)
                return choice([(compared("=", part, other), NOTHING)], part, columns_in(part, other))
            case exp.Coalesce():
                only(node, "this", "expressions", "is_null", "is_nvl")
                return first_known(self.alike([self.function(node.this), *map(self.function, node.expressions)]))
            case exp.If():
                only(node, "this", "true", "false")
                otherwise = node.args.get("false")
                values = [self.function(node.args["true"]), NOTHING if otherwise is None else self.function(otherwise)]
                yes, no = self.alike(values)
                condition = self.condition(node.this)
                return choice([(condition, yes)], no, self._columns([condition]))
        only(node, "this", "ifs", "default")
        subject, default = node.args.get("this"), node.args.get("default")
        tests: list[Condition] = []
        for each in node.args["ifs"]:  # only for the rows that earlier tests leave
            reader = replace(self, kept=every([self.kept, *map(negation, tests)]))
            tests.append(reader._case(subject, each.this))
        values = [self.function(argument(each, "true")) for each in node.args["ifs"]]
        *values, last = self.alike([*values, NOTHING if default is None else self.function(default)])
        return choice(zip(tests, values, strict=True), last, self._columns(tests))

    def _columns(self, conditions: Iterable[Condition]) -> tuple[ColumnOf, ...]:
        return tuple(self.column(name) for name in sorted({name for each in conditions for name in columns_read(each)}))

    def _case(self, subject: Any, test: Any) -> Condition:
        return self.condition(test if subject is None else exp.EQ(this=subject, expression=test))

    def alike(self, parts: list[Function]) -> list[Function]:
        """The parts in one kind: beside numbers truth values become numbers, and beside dates texts become dates."""
        kinds: set[Kind] = {part.kind for part in parts if part != NOTHING}
        if "date" in kinds:
            dated = next(part for part in parts if part.kind == "date")
            parts = [self._as_date(part, dated) for part in parts]
        elif kinds == {"number", "truth"}:
            parts = [self.as_number(part) if part.kind == "truth" else part for part in parts]
        if len({part.kind for part in parts if part != NOTHING}) > 1:
            raise QuestionError(
                f"{', '.join(map(str, parts))} are of different kinds; use only numbers, only dates or only texts"
            )
        return parts

    def as_number(self, part: Function) -> Function:
        """A truth value as a number: 1 for true, 0 for false."""
        if isinstance(part, Constant):
            return NOTHING if part.fixed is None else ONE if part.fixed else ZERO
        if isinstance(part, Choice):
            cases = [(condition, self.as_number(value)) for condition, value in part.cases]
            return choice(cases, self.as_number(part.otherwise), part.columns)
        true = compared("=", part, Constant(True, "truth"))
        if part.absent() == FALSE:
            return choice([(true, ONE)], ZERO, columns_in(part))
        return choice([(true, ONE), (negation(true), ZERO)], NOTHING, columns_in(part))

    def _cast(self, node: Any) -> Function:
        only(node, "this", "to")
        wanted = str(node.to.sql(dialect="duckdb")).lower().partition("(")[0]
        if wanted == "date" and isinstance(node.this, exp.Literal):
            return self._as_date(Constant(str(node.this.this), "text"), Constant(Fraction(0), "date"))
        part = self.function(node.this)
        if wanted == "date" and part.kind == "date":
            return part
        if wanted in WHOLE and part.kind in ("number", "truth"):
            return rounded_to("ROUND", self.number(node.this), Fraction(1))
        if wanted in REAL and part.kind in ("number", "truth") and not node.to.expressions:
            return self.number(node.this)
        if wanted in ("boolean", "bool") and part.kind == "truth":
            return part
        if wanted in ("varchar", "text") and part.kind == "text":
            return part
        raise QuestionError(
            f"{text_of(node)!r} cannot be converted exactly; CAST numbers to INTEGER, which rounds, or to DOUBLE, or "
            f"use ROUND"
        )

    def _extreme(self, node: Any) -> Function:
        only(node, "this", "expressions", "ignore_nulls")
        parts = self.alike([self.function(node.this), *map(self.function, node.expressions)])
        if parts[0].kind not in ("number", "date"):
            raise QuestionError(f"{text_of(node)!r} compares texts; use numbers or dates")
        return extreme(type(node).__name__.upper(), tuple(parts))

    def _rounded(self, node: Any) -> Function:
        only(node, "this", "decimals")
        digits = node.args.get("decimals")
        places = Fraction(0) if digits is None else self.function(digits)
        if isinstance(places, Constant):
            places = places.number
        if not isinstance(places, Fraction) or places.denominator != 1 or abs(places) > 20:
            raise QuestionError(f"{text_of(node)!r} needs a whole number of digits from -20 to 20; write ROUND(x, 2)")
        return rounded_to(type(node).__name__.upper(), self.number(node.this), Fraction(10) ** -int(places))

    def _bucket(self, node: Any) -> Function:
        """WIDTH_BUCKET(x, low, high, n): 1 to n between two numbers, 0 below, n + 1 from the upper one on."""
        only(node, "this", "min_value", "max_value", "num_buckets")
        part = self.number(node.this)
        ends = [self.function(argument(node, name)) for name in ("min_value", "max_value", "num_buckets")]
        low, high, number = (each.number if isinstance(each, Constant) else Fraction(0) for each in ends)
        if not low < high or number.denominator != 1 or number < 1:
            raise QuestionError(f"{text_of(node)!r} needs rising ends and a number of buckets, as in (x, 0, 100, 10)")
        inside = divided(subtracted(part, Constant(low)), Constant((high - low) / number))
        below, above = compared("<", part, Constant(low)), compared(">=", part, Constant(high))
        cases = [(part.absent(), NOTHING), (below, ZERO), (above, Constant(number + 1))]
        return choice(cases, added(rounded_to("FLOOR", inside, Fraction(1)), ONE), columns_in(part))

    @staticmethod
    def _sign(part: Function) -> Function:
        part.span()  # refused here if it cannot be computed for some rows
        cases = [(compared(">", part, ZERO), ONE), (compared("<", part, ZERO), Constant(Fraction(-1)))]
        return choice([*cases, (compared("=", part, ZERO), ZERO)], NOTHING, columns_in(part))

    def _logarithm(self, node: Any) -> Function:
        """LOG(x) is to the base of 10, and LOG(b, x) to the base of b."""
        only(node, "this", "expression")
        base, part = (
            self.function(each) for each in (node.this, node.args.get("expression") or exp.Literal.number(10))
        )
        if node.args.get("expression") is None:
            base, part = part, base
        if not isinstance(base, Constant) or base.number <= 0 or base.number == 1 or part.kind != "number":
            raise QuestionError(f"{text_of(node)!r} needs a base that is a number above 0 and not 1; write LOG(2, x)")
        return curve("LOG", not_below_0(part, self.kept, or_0=True), base.number)

    def _power(self, part: Function, exponent: Function) -> Function:
        if not isinstance(exponent, Constant) or not isinstance(exponent.fixed, Fraction):
            raise QuestionError(f"POWER({part}, {exponent}) needs an exponent that is a number; write POWER(x, 2)")
        power = exponent.fixed
        if power.denominator == 1 and abs(power) <= MOST_POWER:
            whole: Function = ONE
            for _ in range(abs(int(power))):
                whole = multiplied(whole, part) if whole != ONE else part
            return whole if power >= 0 else divided(ONE, whole)
        part = not_below_0(part, self.kept, or_0=power < 0)
        return curve("SQRT", part) if power == Fraction(1, 2) else curve("POWER", part, power)

    def _of_dates(self, node: Any) -> Function:
        match node:
            case exp.Extract():
                only(node, "this", "expression")
                return self._part(str(node.this.name), node.expression)
            case exp.TimestampTrunc() | exp.DateTrunc():
                only(node, "this", "unit", "zone")
                return self._start(str(getattr(node.args.get("unit"), "name", "")), node.this)
            case exp.DateDiff():
                only(node, "this", "expression", "unit", "date_part_boundary")
                unit = str(getattr(node.args.get("unit"), "name", "day")).lower()
                return self._difference(unit, node.expression, node.this)
            case exp.Anonymous() if str(node.this).upper() in ("DATE_PART", "DATEPART") and len(node.expressions) == 2:
                return self._part(str(node.expressions[0].name), node.expressions[1])
        raise unknown_error(node)

    def _date(self, node: Any) -> Function:
        found = self._as_date(self.function(node), Constant(Fraction(0), "date"))
        if found.kind != "date":
            raise QuestionError(f"{text_of(node)!r} is not a date; use a column of dates, or DATE '2024-12-31'")
        return found

    def _part(self, what: str, node: Any) -> Function:
        what = SPELLED.get(what.lower(), what.lower())
        if what not in PARTS:
            raise QuestionError(f"{what!r} is not a part of a date that is supported; use {', '.join(PARTS)}")
        return calendar(what, self._date(node), starts=False)

    def _start(self, unit: str, node: Any) -> Function:
        unit = unit.lower().partition("(")[0]
        if unit not in UNITS:
            raise QuestionError(f"DATE_TRUNC starts a {', '.join(UNITS)}, and not {unit!r}; use one of these")
        return calendar(unit, self._date(node), starts=True)

    def _difference(self, unit: str, first: Any, last: Any) -> Function:
        """How many times a unit begins between two dates, as in DuckDB."""
        one, two = self._date(first), self._date(last)
        if unit == "day":
            return subtracted(two, one)
        if unit == "week":  # weeks are counted whole, unlike all other units
            return rounded_to("TRUNC", divided(subtracted(two, one), Constant(Fraction(7))), Fraction(1))
        years = subtracted(calendar("year", two, False), calendar("year", one, False))
        if unit == "year":
            return years
        if unit in ("month", "quarter"):
            rest = subtracted(calendar(unit, two, False), calendar(unit, one, False))
            return added(multiplied(years, Constant(Fraction(12 if unit == "month" else 4))), rest)
        raise QuestionError(f"DATE_DIFF in {unit!r} is not supported; use day, week, month, quarter or year")

    def _text(self, node: Any) -> Function:
        if isinstance(node, exp.Concat):
            return self._concat(node)
        if isinstance(node, exp.Trim):
            only(node, "this", "position")
            side = str(node.args.get("position") or "")
            name = {"": "TRIM", "LEADING": "LTRIM", "TRAILING": "RTRIM"}.get(side)
            if name is None:
                raise unsupported_error(f"TRIM({side} …)")
            return text_function(name, self._texts([node.this]))
        name, parts = TEXTS[type(node)]
        only(node, *parts)
        given = [node.args[part] for part in parts if node.args.get(part) is not None]
        return text_function(name, self._texts(given, numbers=name in ("SUBSTRING", "LEFT", "RIGHT")))

    def _concat(self, node: Any) -> Function:
        """CONCAT, which leaves out what has no value, unlike ||."""
        if isinstance(node, exp.ConcatWs):
            raise QuestionError(f"CONCAT_WS in {text_of(node)!r} is not supported; write a || '-' || b")
        given = [each for each in node.expressions if not isinstance(each, exp.Null)]
        parts = [first_known([part, NO_TEXT]) for part in self._texts(given)]
        return text_function("CONCAT", tuple(parts)) if parts else NO_TEXT

    def _texts(self, nodes: Iterable[Any], numbers: bool = False) -> tuple[Function, ...]:
        parts = tuple(map(self.function, nodes))
        for place, (node, part) in enumerate(zip(nodes, parts, strict=True)):
            whole = isinstance(part, Constant) and isinstance(part.fixed, Fraction) and part.fixed.denominator == 1
            if not (whole if numbers and place else part.kind == "text"):
                wanted = "whole number" if numbers and place else "text"
                raise QuestionError(f"{text_of(node)!r} is not a {wanted}; a {wanted} is needed here")
        return parts

    def truth(self, condition: Condition) -> Function:
        """A condition as a truth value: no value where it is unknown."""
        yes, no, columns = Constant(True, "truth"), Constant(False, "truth"), self._columns([condition])
        if not may_be_unknown(condition, {each.name for each in columns if each.apart}):
            return choice([(condition, yes)], no, columns)
        return choice([(condition, yes), (negation(condition), no)], NOTHING, columns)


def _fixed(node: Any) -> Function:
    """The constant that a node writes."""
    if isinstance(node, exp.Null):
        return NOTHING
    value = constant(node)
    return Constant(value, "truth" if isinstance(value, bool) else "text" if isinstance(value, str) else "number")
