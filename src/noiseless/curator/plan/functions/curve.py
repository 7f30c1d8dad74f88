"""SQRT, LN, EXP, POWER and LOG, rounded to a step, because their values are not rational.

The value is the multiple of the step nearest to the true one, halves up: a definition, the same on every engine. Where
the number under it has few values, the results are looked up. Otherwise the engine's own function, which may be off in
the last places, gives a first guess, and exact whole numbers, the smallest that reach each result, correct it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException
from fractions import Fraction
from functools import lru_cache
from math import floor, gcd
from typing import TYPE_CHECKING

from noiseless.curator.plan.functions.function import ANYWHERE, Function, Row, Tree, Value, Write, any_absent
from noiseless.curator.plan.functions.leaves import NOTHING, Constant, number_text
from noiseless.curator.plan.functions.reach import reached
from noiseless.curator.plan.functions.span import Codes, Span
from noiseless.curator.plan.functions.term import Term, Whole, Writer, fixed, ratio, rounded
from noiseless.errors import QuestionError

if TYPE_CHECKING:
    from noiseless.curator.plan.condition import Condition

LOOKED_UP = 10_000
"""The most results that are looked up."""
FINE, COARSE = 10**5, 4_000
"""The number of steps that a range is divided into, about."""
CONSTANT = 10**9
"""The number of steps that a constant is away from 0, about."""
SHORT = 10**6
"""The largest denominator of values that are exact."""
EXACTLY = Context(prec=60, Emax=10**9, Emin=-(10**9))
NEAR = Fraction(1, 10**40)
LARGEST = Fraction(10**15)
"""The largest value that is supported."""


@dataclass(frozen=True, slots=True)
class Curve(Function):
    """A rising or falling function of a number, in multiples of a step.

    `way` is SQRT, LN, EXP, POWER with an `exponent`, or LOG with its base as `exponent`.
    """

    way: str
    part: Function
    step: Fraction
    exponent: Fraction = Fraction(0)

    @property
    def parts(self) -> tuple[Function, ...]:
        """The number."""
        return (self.part,)

    def given(self, keys: Mapping[str, int]) -> Function:
        """The function of what remains, in the same step."""
        return curve(self.way, self.part.given(keys), self.exponent, self.step)

    def value(self, row: Row) -> Value:
        """The nearest multiple of the step."""
        value = self.part.value(row)
        return None if value is None else self.of(value)  # type: ignore[arg-type]

    def of(self, number: Fraction) -> Fraction:
        """The function of a number."""
        return self.place(number) * self.step

    def place(self, number: Fraction) -> int:
        """⌊f(x)/step + ½⌋."""
        return nearest_multiple(self.way, self.exponent, number, self.step)

    @property
    def falls(self) -> bool:
        """Whether it falls as the number rises."""
        return self.exponent < (1 if self.way == "LOG" else 0) and self.way in ("POWER", "LOG")

    @property
    def bends(self) -> bool:
        """Whether it is a root, whose slope has no bound at 0."""
        return self.way == "SQRT" or (self.way == "POWER" and 0 < self.exponent < 1)

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """Bounds: its values at both ends. It is off by half a step, and by what the slack of the number moves it."""
        part = self.part.span(codes)
        first, last = self._domain(part)
        low, high = sorted((self.of(first), self.of(last)))
        true_low, true_high = sorted(enclosed(self.way, self.exponent, end)[0] for end in (first, last))
        inside = part.inside and low <= true_low and true_high <= high
        pitch = self.step if low < high else Fraction(0)
        return Span(low, high, pitch, self._moved(part) + self.step / 2, part.nullable, inside=inside)

    def _moved(self, part: Span) -> Fraction:
        """How far it can be from the function of the true number, which is off by the slack."""
        if not part.slack:
            return Fraction(0)
        (first, last), power = part.true, Fraction(1, 2) if self.way == "SQRT" else self.exponent
        if part.low == 0 and part.nonzero:
            first = part.true_least or first
        if self.way == "EXP" or first > 0:
            steepest = max(self._slope(first), self._slope(last)) * part.slack
            return min([steepest, *([enclosed("POWER", power, part.slack)[1]] if self.bends else [])])
        if self.bends:
            return enclosed("POWER", power, part.slack)[1]  # |aᵖ − bᵖ| ≤ |a − b|ᵖ
        if self.way == "POWER" and not self.falls:
            return self._slope(last) * part.slack
        raise QuestionError(
            f"{self.part} may be 0 before its columns are rounded to their steps, so {self} has no bounds; write "
            f"{self.way}(GREATEST({self.part}, …)) with a number that is larger than the rounding"
        )

    def _domain(self, part: Span) -> tuple[Fraction, Fraction]:
        """The numbers that it is computed from. Refused if it has no value for some of them."""
        low = part.low
        if low == 0 and part.nonzero:
            low = part.least or low
        if self.way == "EXP":
            return low, part.high
        above = self.way in ("LN", "LOG") or self.falls
        if low < 0 or (low == 0 and above):
            least = "above 0" if above else "at least 0"
            raise QuestionError(
                f"{self.part} may be {number_text(part.low)}, and {self} needs a number {least}; "
                f"write GREATEST({self.part}, 1), or NULLIF where 0 means that there is no value"
            )
        return low, part.high

    def _slope(self, number: Fraction) -> Fraction:
        """An upper bound of how steep it is at a number, above 0 unless it is EXP."""
        if self.way == "EXP":
            return enclosed(self.way, self.exponent, number)[1]
        if self.way in ("LN", "LOG"):
            base = enclosed("LN", Fraction(0), self.exponent) if self.way == "LOG" else (Fraction(1), Fraction(1))
            return 1 / (number * min(map(abs, base)))
        power = self.exponent if self.way == "POWER" else Fraction(1, 2)
        return abs(power) * enclosed("POWER", power - 1, number)[1]

    def term(self, writer: Writer) -> Term:
        """A look-up, or a guess that is corrected."""
        if isinstance(self.part, Constant):
            return fixed(writer, self.of(self.part.number))
        part = self.part.span()
        first, _ = self._domain(part)
        term = self.part.term(writer)
        if term.under is None and part.steps is not None and part.steps < LOOKED_UP:
            return self._looked_up(writer, term, part, first)
        return self._corrected(writer, term, part)

    def _looked_up(self, writer: Writer, term: Term, part: Span, first: Fraction) -> Term:
        pitch = part.pitch or Fraction(1)
        place = rounded(writer, term, part.low, pitch, Fraction(0))
        numbers = [part.low + n * pitch for n in range((part.steps or 0) + 1)]
        found = [self.place(number) if number >= first else None for number in numbers]
        known = [each for each in found if each is not None]
        text = writer.dialect.element(found, place.sql)
        return Term(Fraction(0), self.step, writer.made(text, min(known), max(known)))

    def _corrected(self, writer: Writer, term: Term, part: Span) -> Term:
        """The place among the smallest whole numbers that reach each result."""
        first, last = self._domain(part)
        ends = self.place(first), self.place(last)
        low, high = min(ends), max(ends)
        if high - low > LOOKED_UP:
            raise QuestionError(f"{self} has too many different values; round it with ROUND({self}, …) to fewer digits")
        top, bottom = ratio(writer, term)
        if bottom.fixed is None:
            raise QuestionError(f"{self} of a quotient has too many values; round the quotient first, with ROUND")
        unit = bottom.fixed
        if self.way == "SQRT":
            return self._root(writer, top, unit, low, high, part)
        reach = reached(self, unit, first, last, low, high)
        guess = self._guess(writer, top.sql, unit, low, high)
        edge = [reach[0], *reach] if reach else [0]  # edge[i]: where the result low + i begins; edge[0]: any number
        after = [*reach, reach[-1]] if reach else [0]
        place = f"({guess})"
        begins, next_begins = writer.dialect.element(edge, place), writer.dialect.element(after, place)
        less, more = (">", "<=") if self.falls else ("<", ">=")
        nothing = f"WHEN {top.sql} IS NULL THEN NULL " if part.nullable else ""  # LEAST would leave NULL out
        text = (
            f"CASE {nothing}WHEN {place} > 0 AND {top.sql} {less} {begins} THEN {place} - 1 "
            f"WHEN {place} < {high - low} AND {top.sql} {more} {next_begins} THEN {place} + 1 ELSE {place} END"
        )
        found = writer.made(text, 0, high - low)
        return Term(low * self.step, self.step, found)

    def _root(self, writer: Writer, top: Whole, unit: int, low: int, high: int, part: Span) -> Term:
        """The largest p with (2p − 1)²·step² ≤ 4·top/unit."""
        guess = self._guess(writer, top.sql, unit, low, high)
        scale = 4 * self.step.denominator**2, self.step.numerator**2 * unit
        scale = scale[0] // gcd(*scale), scale[1] // gcd(*scale)
        number = writer.times(writer.whole(scale[0]), top)
        place = writer.made(f"({guess} + {low})" if low else f"({guess})", low, high + 1)

        def begins(more: int) -> str:
            odd = writer.plus(writer.times(writer.whole(2), place), writer.whole(2 * more - 1))
            return writer.times(writer.whole(scale[1]), writer.times(odd, odd)).sql

        nothing = f"WHEN {top.sql} IS NULL THEN NULL " if part.nullable else ""  # LEAST would leave NULL out
        text = (
            f"CASE {nothing}WHEN {place.sql} > {low} AND {number.sql} < {begins(0)} THEN {place.sql} - 1 "
            f"WHEN {place.sql} < {high} AND {number.sql} >= {begins(1)} THEN {place.sql} + 1 ELSE {place.sql} END"
        )
        return Term(Fraction(0), self.step, writer.made(text, low, high))

    def _guess(self, writer: Writer, top: str, unit: int, low: int, high: int) -> str:
        number = f"GREATEST(CAST({top} AS {writer.dialect.double}), 1e-300) / {unit}.0e0"
        if self.way == "EXP":
            number = f"CAST({top} AS {writer.dialect.double}) / {unit}.0e0"
        power = f", {float(self.exponent):.17e}" if self.way == "POWER" else ""
        scale = float(self.step) * (math.log(self.exponent) if self.way == "LOG" else 1)
        way = "LN" if self.way == "LOG" else self.way
        found = f"CAST(FLOOR({way}({number}{power}) / ({scale:.17e}) + 0.5e0) AS BIGINT) - ({low})"
        return f"LEAST(GREATEST({found}, 0), {high - low})"

    def absent(self) -> Condition:
        """Where the number has no value."""
        return any_absent(self)

    def tree(self, write: Write) -> Tree:
        """The number, the step and the exponent."""
        power = [str(self.exponent)] if self.way in ("POWER", "LOG") else []
        return [self.way.lower(), self.part.tree(write), *power, str(self.step)]

    def __str__(self) -> str:
        number = number_text(self.exponent)
        if self.way == "LOG":
            return f"LOG({number}, {self.part})"
        return f"{self.way}({self.part}{f', {number}' if self.way == 'POWER' else ''})"


def curve(way: str, part: Function, exponent: Fraction = Fraction(0), step: Fraction | None = None) -> Function:
    """The function in a step that divides its range finely enough, or in a given one; of constants, if it is exact."""
    if part == NOTHING:
        return NOTHING
    span = part.span()
    first, last = Curve(way, part, Fraction(1), exponent)._domain(span)
    try:
        ends = [enclosed(way, exponent, number)[1] for number in (first, last)]
    except DecimalException:
        ends = [LARGEST + 1]
    if max(ends) > LARGEST:
        raise QuestionError(f"{f'{way}({part})'[:60]} can be larger than 10^15; use a smaller range, or LN")
    if isinstance(part, Constant) and (known := exactly(way, exponent, part.number)) is not None:
        return Constant(known)
    few = span.steps is not None and span.steps < LOOKED_UP
    width, parts = abs(ends[0] - ends[1]), FINE if few else COARSE
    if isinstance(part, Constant):
        width, parts = abs(ends[0]), CONSTANT
    return Curve(way, part, step or chosen_step(width, parts), exponent)


def exactly(way: str, exponent: Fraction, number: Fraction) -> Fraction | None:
    """The value of a function, if it is a short rational number.

    >>> str(exactly("SQRT", Fraction(0), Fraction(9, 4))), exactly("SQRT", Fraction(0), Fraction(2))
    ('3/2', None)
    """
    if number < 0 or (number == 0 and way in ("LN", "LOG")):
        return Fraction(1) if way == "EXP" and not number else None
    near = enclosed(way, exponent, number)[1]
    value = near.limit_denominator(SHORT)
    match way:
        case "SQRT":
            same = value**2 == number
        case "LOG":
            same = value.denominator == 1 and abs(value) < 100 and exponent**value == number
        case "POWER":
            short = max(abs(exponent.numerator), exponent.denominator) < 100
            same = short and value**exponent.denominator == number**exponent.numerator
        case _:
            same = number == (1 if way == "LN" else 0)
    return value if same else None


def chosen_step(width: Fraction, parts: int) -> Fraction:
    """A power of ten, or 2 or 5 of them, that divides a width into this number of parts or up to 2.5 times as many.

    >>> chosen_step(Fraction(3), 1000), chosen_step(Fraction(250), 100_000), chosen_step(Fraction(0), 10)
    (Fraction(1, 500), Fraction(1, 500), Fraction(1, 10))
    """
    wanted = width / parts if width else Fraction(1, parts)
    power = Fraction(1)
    while power > wanted:
        power /= 10
    while power * 10 <= wanted:
        power *= 10
    return max(each * power for each in (1, 2, 5) if each * power <= wanted)


@lru_cache(maxsize=200_000)
def nearest_multiple(way: str, exponent: Fraction, number: Fraction, step: Fraction) -> int:
    """⌊f(x)/step + ½⌋, exactly."""
    if (quick := _nearest_by_double(way, exponent, number, step)) is not None:
        return quick
    low, high = (end / step + Fraction(1, 2) for end in enclosed(way, exponent, number))
    if floor(low) == floor(high):
        return floor(low)
    # the value is a multiple of step/2 up to 10^-40: it is one
    return floor(high)


def _nearest_by_double(way: str, exponent: Fraction, number: Fraction, step: Fraction) -> int | None:
    """The nearest multiple by doubles.

    None if that is too near to call: a library's functions are off by less than 10^-12.
    """
    try:
        given = float(number)
        match way:
            case "SQRT":
                value = math.sqrt(given)
            case "LN":
                value = math.log(given)
            case "EXP":
                value = math.exp(given)
            case "LOG":
                value = math.log(given) / math.log(exponent)
            case _:
                value = given ** float(exponent)
        place = value / float(step) + 0.5
    except (ArithmeticError, ValueError):
        return None
    steep = abs(given) if way == "EXP" else 1 / abs(math.log(exponent)) if way == "LOG" else 0
    off = 1e-12 * (1 + abs(value)) * (1 + steep) / float(step)
    return math.floor(place) if math.floor(place - off) == math.floor(place + off) and off < 1 else None


def enclosed(way: str, exponent: Fraction, number: Fraction) -> tuple[Fraction, Fraction]:
    """Two numbers between which the value lies, 10^-40 apart relative to its size."""
    if number == 0 and way in ("SQRT", "POWER"):
        return Fraction(0), Fraction(0)
    given = EXACTLY.divide(Decimal(number.numerator), Decimal(number.denominator))
    power = EXACTLY.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
    match way:
        case "SQRT":
            found = EXACTLY.sqrt(given)
        case "LN":
            found = EXACTLY.ln(given)
        case "EXP":
            found = EXACTLY.exp(given)
        case "LOG":
            found = EXACTLY.divide(EXACTLY.ln(given), EXACTLY.ln(power))
        case _:
            found = EXACTLY.power(given, power)
    value = Fraction(found)
    margin = NEAR * (abs(value) if abs(value) > 1 else Fraction(1))
    return value - margin, value + margin
