"""Parts of dates: YEAR, MONTH and so on, and DATE_TRUNC."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from noiseless.curator.plan.functions.function import ANYWHERE, Function, Kind, Row, Tree, Value, Write, any_absent
from noiseless.curator.plan.functions.leaves import NOTHING, Constant
from noiseless.curator.plan.functions.span import Codes, Span
from noiseless.curator.plan.functions.term import Term, Writer, rounded
from noiseless.curator.schema.dates import EPOCH
from noiseless.errors import QuestionError

if TYPE_CHECKING:
    from noiseless.curator.plan.condition import Condition

RANGES = {"quarter": (1, 4), "month": (1, 12), "day": (1, 31), "doy": (1, 366), "dow": (0, 6), "isodow": (1, 7)}
"""Parts that come again, with their least and largest values. Sunday is 0 in `dow`, and 7 in `isodow`."""
UNITS = ("year", "quarter", "month", "week", "day")
"""What DATE_TRUNC can start."""
PARTS = ("year", *RANGES)
FIRST, LAST = (date.min - EPOCH).days, (date.max - EPOCH).days


def part_of(part: str, day: date) -> int:
    """A part of a date.

    >>> [part_of(part, date(2024, 12, 31)) for part in PARTS]
    [2024, 4, 12, 31, 366, 2, 2]
    """
    match part:
        case "quarter":
            return (day.month + 2) // 3
        case "doy":
            return day.timetuple().tm_yday
        case "dow":
            return day.isoweekday() % 7
        case "isodow":
            return day.isoweekday()
    return int(getattr(day, part))


def started(unit: str, day: date) -> date:
    """The first day of the year, quarter, month or week that a date is in. Weeks begin on Monday.

    >>> [str(started(unit, date(2024, 12, 31))) for unit in UNITS]
    ['2024-01-01', '2024-10-01', '2024-12-01', '2024-12-30', '2024-12-31']
    """
    match unit:
        case "year":
            return day.replace(month=1, day=1)
        case "quarter":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
        case "month":
            return day.replace(day=1)
        case "week":
            return day - timedelta(days=day.weekday()) if day.toordinal() > day.weekday() else day
    return day


def months_later(day: date, months: int) -> date:
    """The same day of the month some months later, or the last day of that month.

    >>> str(months_later(date(2024, 1, 31), 1)), str(months_later(date(2024, 2, 29), -12))
    ('2024-02-29', '2023-02-28')
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not date.min.year <= year <= date.max.year:
        raise QuestionError(f"{months} months after {day} is not a date from 0001 to 9999; write fewer months")
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def day_of(days: Fraction) -> date:
    """The day that a moment is in."""
    return EPOCH + timedelta(days=floor(days))


@dataclass(frozen=True, slots=True)
class Calendar(Function):
    """A part of a date as a whole number, or with `starts` the first day of its year, month and so on."""

    what: str
    part: Function
    starts: bool = False

    @property
    def kind(self) -> Kind:
        """A date if it is the start of a period, otherwise a number."""
        return "date" if self.starts else "number"

    @property
    def parts(self) -> tuple[Function, ...]:
        """The date."""
        return (self.part,)

    def given(self, keys: Mapping[str, int]) -> Function:
        """The part of what remains."""
        return calendar(self.what, self.part.given(keys), self.starts)

    def value(self, row: Row) -> Value:
        """The part."""
        value = self.part.value(row)
        return None if value is None else self.of(value)  # type: ignore[arg-type]

    def of(self, days: Fraction) -> Fraction:
        """The part of the date with a number."""
        day = day_of(days)
        return Fraction((started(self.what, day) - EPOCH).days if self.starts else part_of(self.what, day))

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """Years and first days rise with the date; other parts come again."""
        part = self.part.span(codes)
        check_calendar(self.part, part)
        first, last = part.true
        if self.starts or self.what == "year":
            low, high = self.of(first), self.of(last)
        else:
            low, high = map(Fraction, RANGES[self.what])
            if started("month", day_of(first)) == started("month", day_of(last)):
                low, high = (low, high) if self.what in ("dow", "isodow") else (self.of(first), self.of(last))
        slack = high - low if part.slack else Fraction(0)
        return Span(low, high, Fraction(1) if low < high else Fraction(0), slack, part.nullable)

    def term(self, writer: Writer) -> Term:
        """The part of the date, computed by the engine's calendar."""
        days = rounded(writer, self.part.term(writer), Fraction(0), Fraction(1), Fraction(0))
        span = self.span()
        what = f"start of {self.what}" if self.starts else self.what
        text = writer.dialect.calendar(what, days.sql)
        return Term(Fraction(0), Fraction(1), writer.made(text, int(span.low), int(span.high)))

    def absent(self) -> Condition:
        """Where the date has no value."""
        return any_absent(self)

    def tree(self, write: Write) -> Tree:
        """The part and the date."""
        return ["date_trunc" if self.starts else "extract", self.what, self.part.tree(write)]

    def __str__(self) -> str:
        if self.starts:
            return f"DATE_TRUNC('{self.what}', {self.part})"
        return f"EXTRACT({self.what.upper()} FROM {self.part})"


def check_calendar(part: Function, span: Span) -> None:
    """Refuse dates that cannot be shown."""
    first, last = span.true
    if first < FIRST or last > LAST:
        raise QuestionError(f"{part} may be outside the calendar; use dates from year 1 to 9999")


def calendar(what: str, part: Function, starts: bool) -> Function:
    """A part of a date; of a constant, a constant. The first day of a day is itself."""
    if starts and what == "day":
        return part
    made = Calendar(what, part, starts)
    if isinstance(part, Constant):
        return NOTHING if part.fixed is None else Constant(made.of(part.number), made.kind)
    return made
