"""Private dates, counted in days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from math import ceil, floor
from typing import Any

from noiseless.curator.schema.scale import Absent, Scale, grid_of_whole_steps
from noiseless.errors import SchemaError
from noiseless.exact.number import Number, exact_number, shown

EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Date(Scale):
    """A private date from low to high; `step` is in days.

    >>> Date("2024-01-01", "2024-12-31").values
    366
    """

    def __init__(
        self,
        low: date | str,
        high: date | str,
        step: Number = 1,
        missing: date | str | None = "never",
        on_grid: bool | None = None,
    ) -> None:
        absent: Fraction | Absent = "apart" if missing == "apart" else "never"
        if missing not in (None, "apart", "never"):
            absent = days(missing)
        width = exact_number(step, "step")
        if width.denominator != 1:
            raise SchemaError(
                f"step={step} of a Date is not a whole number of days; use 1 for single days or 7 for weeks"
            )
        Scale.__init__(self, days(low), days(high), width, absent, grid_of_whole_steps(width, on_grid))

    def literal(self, value: object) -> Fraction:
        """The day that a constant in a question stands for."""
        return days(value)

    def show(self, number: Fraction) -> str:
        """A day in ISO 8601."""
        return _date(floor(number)).isoformat()

    def present(self, low: Fraction, high: Fraction) -> tuple[Any, Any]:
        """The ends of an interval, rounded outward to whole days."""
        return _date(floor(low)), _date(ceil(high))


def days(given: object) -> Fraction:
    """Days since 1970-01-01."""
    if isinstance(given, str):
        try:
            given = date.fromisoformat(given)
        except ValueError:
            raise SchemaError(f"{shown(given)} is not a date; write it as '2024-12-31'") from None
    if not isinstance(given, date) or isinstance(given, datetime):
        raise SchemaError(f"{shown(given)} is not a date; write it as '2024-12-31'")
    return Fraction((given - EPOCH).days)


def _date(number: int) -> date:
    """A day; beyond the calendar, its first or last day."""
    first, last = (date.min - EPOCH).days, (date.max - EPOCH).days
    return EPOCH + timedelta(days=min(max(number, first), last))
