"""Private columns of numbers: `Real`, `Integer`, and what all ordered columns share.

A value x has the code ⌊(x − low)/step + ½⌋ of 0..M, after clamping to [low, high]; M = (high − low)/step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any, Literal

from noiseless.errors import SchemaError
from noiseless.exact.number import Number, exact_number, written

Absent = Literal["apart", "never"]
"""What missing= can be besides a value.

With "apart", missing values are kept separate, and sums and means leave them out, as in SQL. With "never" you promise
that none occur.
"""
ULP = Fraction(1, 1 << 50)
"""Eight units in the last place: more than the five roundings of the code expression can add up to."""
LARGEST = 10**300
"""Above this, differences of doubles may be infinite."""


@dataclass(frozen=True, slots=True, repr=False)
class Scale:
    """An ordered private column, in exact numbers. `missing` is what a missing value counts as, if it may occur.

    "never" is a promise that is verified before the ledger begins. If one occurs later, it counts as the lowest value.
    """

    low: Fraction
    high: Fraction
    step: Fraction
    missing: Fraction | Absent
    on_grid: bool
    """Whether every value is exactly the number of its code. Declared, never inferred: one person could change it."""
    top: int = field(init=False, compare=False, repr=False)
    """M, the largest code."""

    def __post_init__(self) -> None:
        if type(self.on_grid) is not bool:
            raise SchemaError(f"on_grid={self.on_grid!r} is not valid; use true or false")
        if not self.low < self.high:
            raise SchemaError(f"low={self.show(self.low)} is not below high={self.show(self.high)}; correct the bounds")
        if self.step <= 0:
            raise SchemaError(f"step={self.step} is not above 0; use a positive step")
        if (self.span / self.step).denominator != 1:
            raise SchemaError(
                f"step={_decimal(self.step)} does not divide high-low={_decimal(self.span)}; "
                f"use a step such as {' or '.join(map(_decimal, _steps_near(self.step, self.span)))}"
            )
        object.__setattr__(self, "top", int(self.span / self.step))
        beyond = max(abs(self.low), abs(self.high)) > LARGEST or self.step * LARGEST < 1
        if beyond or self._doubles >= self.step / 4:
            raise SchemaError(
                f"step={_decimal(self.step)} is too fine for a range from {_decimal(self.low)} to "
                f"{_decimal(self.high)}: doubles cannot represent the steps; use a larger step"
            )
        if isinstance(self.missing, Fraction) and self.position(self.missing) not in range(self.top + 1):
            raise SchemaError(
                f"missing={self.show(self.missing)} is not a value of the column; use low={self.show(self.low)} plus "
                f"a number "
                f"of steps, at most high={self.show(self.high)}, or 'apart' or 'never'"
            )

    def __repr__(self) -> str:
        words = [self.show(self.low), self.show(self.high), f"step={_decimal(self.step)}"]
        if self.missing != "never":
            words.append(f"missing={self.show(self.missing) if isinstance(self.missing, Fraction) else self.missing}")
        words += ["on_grid=True"] if self.on_grid and self.step != 1 else []
        return f"{type(self).__name__}({', '.join(words)})"

    @property
    def own(self) -> bool:
        """Whether it is a column of the table, and not computed for a question."""
        return True

    @property
    def full(self) -> bool:
        """Whether a value can have every code. Of an expression, the bounds may be wider than its values."""
        return True

    def sources(self, name: str) -> tuple[str, ...]:
        """The private columns that it depends on, if this is its name."""
        return (name,)

    @property
    def grid(self) -> dict[str, str]:
        """Its bounds and step as fields, if the schema does not declare them."""
        return {}

    @property
    def span(self) -> Fraction:
        """high − low."""
        return self.high - self.low

    @property
    def apart(self) -> bool:
        """Whether missing values have no code."""
        return type(self.missing) is str and self.missing == "apart"  # a Fraction takes long to differ from a text

    @property
    def values(self) -> int:
        """D, how many different values a person can have."""
        return self.top + 1 + self.apart

    @property
    def missing_code(self) -> int | None:
        """The code of a missing value, or None. If the promise is broken, the code of the lowest value."""
        if self.apart:
            return None
        return int(self.position(self.missing)) if isinstance(self.missing, Fraction) else 0

    def position(self, number: Fraction) -> Fraction:
        """The position of a number among the codes, before rounding."""
        return (number - self.low) / self.step

    def number(self, code: int | Fraction) -> Fraction:
        """The number that a code stands for."""
        return self.low + self.step * code

    @property
    def rounding(self) -> Fraction:
        """How far a clamped value can be from the number of its code."""
        return Fraction(0) if self.on_grid else self.step / 2 + self._doubles

    @property
    def _doubles(self) -> Fraction:
        """The largest rounding error of doubles in computing a code, in the unit of the column."""
        return ULP * (abs(self.low) + abs(self.high) + self.span + self.step)

    def literal(self, value: object) -> Fraction:
        """The number that a constant in a question stands for."""
        if isinstance(value, (str, bool)):
            kind = "text" if isinstance(value, str) else "truth value"
            raise SchemaError(f"{value!r} is a {kind}, and the column holds numbers; compare with a number")
        return exact_number(value)

    def show(self, number: Fraction) -> str:
        """A number of this column, as text."""
        return _decimal(number)

    def present(self, low: Fraction, high: Fraction) -> tuple[Any, Any]:
        """The ends of an interval as analysts see them."""
        return low, high


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Real(Scale):
    """A private real number. Bounds and step are exact decimals from public knowledge, never from the data.

    `missing` is "never" (a promise), "apart" (kept separate) or the value that a missing one counts as.
    `on_grid` says that every value is `low` plus a whole number of steps. Then intervals need no room for rounding.

    >>> Real(100, 250, step="0.1").values
    1501
    >>> Real(0, 1, step=0.3)
    Traceback (most recent call last):
    noiseless.errors.SchemaError: step=0.3 does not divide high-low=1; use a step such as 0.25 or 0.5
    """

    def __init__(
        self, low: Number, high: Number, step: Number, missing: Number | None = "never", on_grid: bool = False
    ) -> None:
        numbers = exact_number(low, "low"), exact_number(high, "high"), exact_number(step, "step")
        Scale.__init__(self, *numbers, _absent(missing), on_grid)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Integer(Scale):
    """A private whole number from low to high; a step of more than 1 rounds, unless declared `on_grid`.

    With a step of 1 values are rounded to whole numbers, however they are stored: 3.7 counts as 4.

    >>> Integer(0, 120).values
    121
    """

    def __init__(
        self,
        low: Number,
        high: Number,
        step: Number = 1,
        missing: Number | None = "never",
        on_grid: bool | None = None,
    ) -> None:
        numbers = exact_number(low, "low"), exact_number(high, "high"), exact_number(step, "step")
        if any(number.denominator != 1 for number in numbers):
            raise SchemaError(
                f"low={low}, high={high} and step={step} of an Integer must be whole; use whole numbers, or declare "
                f"a Real"
            )
        Scale.__init__(self, *numbers, _absent(missing), grid_of_whole_steps(numbers[2], on_grid))


def grid_of_whole_steps(step: Fraction, declared: bool | None) -> bool:
    """Whether whole numbers or days are on the grid: with a step of 1 always, otherwise if declared."""
    if step == 1 and declared is False:
        raise SchemaError(
            "on_grid=False contradicts step=1: every whole number or day is on that grid; leave on_grid out"
        )
    return step == 1 if declared is None else declared


def _absent(missing: Number | None) -> Fraction | Absent:
    if missing in ("apart", "never"):
        return missing  # type: ignore[return-value]
    return "never" if missing is None else exact_number(missing, "missing")


def _steps_near(step: Fraction, span: Fraction) -> list[Fraction]:
    """Short decimals that divide the span, just below and above the step. Equal parts if there are none.

    >>> [str(near) for near in _steps_near(Fraction(3, 10), Fraction(150))]
    ['1/4', '1/2']
    """
    size = Fraction(10) ** (len(str(floor(step))) if step >= 1 else -len(str(floor(1 / step))))
    round_ones = [size * tenth * Fraction(unit, 10) for tenth in (Fraction(1, 10), 1, 10) for unit in (10, 20, 25, 50)]
    dividing = sorted(each for each in round_ones if (span / each).denominator == 1)
    below, above = [e for e in dividing if e < step], [e for e in dividing if e > step]
    return [*below[-1:], *above[:1]] or [span / max(1, round(span / step))]


def codes_where(position: Fraction, comparison: str, top: int) -> tuple[int, int]:
    """The codes 0..top for which the comparison with a position holds, as first and last; empty if first > last.

    >>> codes_where(Fraction(5, 2), "<", 9), codes_where(Fraction(5), ">", 9), codes_where(Fraction(5, 2), "=", 9)
    ((0, 2), (6, 9), (3, 2))
    """
    match comparison:
        case "<":
            first, last = 0, ceil(position) - 1
        case "<=":
            first, last = 0, floor(position)
        case ">":
            first, last = floor(position) + 1, top
        case ">=":
            first, last = ceil(position), top
        case _:
            first, last = ceil(position), floor(position)
    return max(first, 0), min(last, top)


def _decimal(number: Fraction) -> str:
    """A short decimal if there is one, otherwise a fraction."""
    for digits in range(13):
        scaled = number * 10**digits
        if scaled.denominator == 1:
            text = f"{abs(int(scaled)):0{digits + 1}d}"
            sign = "-" if number < 0 else ""
            return sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else written(abs(int(number))))
    return str(number) if number.denominator < 10**12 else f"{float(number):.6g}"
