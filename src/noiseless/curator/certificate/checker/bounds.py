"""The bounds of a function of a row, its grid, and how far it can be from the truth.

The function is computed from the numbers that codes stand for. The true values of columns that are not on their grids
are elsewhere, by at most the column's rounding. So there are two things to bound: what the function is for the codes
(`low` to `high`, in steps of `pitch`), and how far the function of the true values is from that (`slack`). The second
may lie outside the bounds of the first: 1.41421356 is rounded to 1.4142. So `truth` bounds it too. Which case of
CASE holds is decided by codes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import floor, gcd, lcm
from typing import Any

from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.curves import LARGEST, enclosed, nearest
from noiseless.curator.certificate.checker.function_values import ROUND, TEXTS, calendar, value_of
from noiseless.curator.certificate.checker.functions import NOTHING, ZERO, Columns, Function, is_constant
from noiseless.curator.certificate.checker.wrong import WrongCertificateError, require

Codes = Mapping[str, tuple[int, int]]
"""Codes of columns where a condition of CASE holds."""
ANYWHERE: Codes = {}
Test = tuple[Any, ...]
"""A condition."""
RECURRING = {"quarter": (1, 4), "month": (1, 12), "day": (1, 31), "doy": (1, 366), "dow": (0, 6), "isodow": (1, 7)}
ANY_CODE = 1 << 62
MOST_BITS = 20_000
NONE = Fraction(0)
Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Bounds:
    """Values are low plus whole numbers of pitches, up to high. A pitch of 0 is a constant, None any rational."""

    low: Fraction
    high: Fraction
    pitch: Fraction | None
    slack: Fraction = NONE
    nullable: bool = False
    nonzero: bool = False
    """Whether it is never 0, although 0 lies between the bounds."""
    truth: Ends | None = None
    """The bounds of the truth, if they are not low and high."""

    @property
    def ends(self) -> Ends:
        """Low and high."""
        return self.low, self.high

    @property
    def true(self) -> Ends:
        """The bounds of the truth."""
        return self.truth or self.ends

    @property
    def size(self) -> Fraction:
        """The largest size."""
        return max(map(abs, self.ends))

    @property
    def least(self) -> Fraction | None:
        """The smallest size, if it is above 0."""
        if self.low > 0 or self.high < 0:
            return min(map(abs, self.ends))
        if not self.nonzero or not self.pitch:
            return None
        above = self.low % self.pitch or self.pitch
        below = self.pitch - above or self.pitch
        return min((each for each in (above, -below) if self.low <= each <= self.high), key=abs, default=NONE) or None

    @property
    def least_true(self) -> Fraction | None:
        """The smallest size that the truth can have, if it is above 0."""
        least = self.least
        if self.low > 0:
            left = self.true[0]
        elif self.high < 0:
            left = -self.true[1]
        else:
            left = NONE if least is None else abs(least) - self.slack
        return left if left > 0 else None


def gathered(*pitches: Fraction | None) -> Fraction | None:
    """The coarsest grid that contains all."""
    known = [pitch for pitch in pitches if pitch is not None]
    if len(known) < len(pitches):
        return None
    bottom = lcm(*(pitch.denominator for pitch in known))
    return Fraction(gcd(*(pitch.numerator * (bottom // pitch.denominator) for pitch in known)), bottom)


def united(found: list[Bounds]) -> Bounds:
    """What holds for all of several functions."""
    first = found[0].low
    return _with_truth(
        (min(each.low for each in found), max(each.high for each in found)),
        gathered(*(each.pitch for each in found), *(abs(each.low - first) for each in found)),
        max(each.slack for each in found),
        (min(each.true[0] for each in found), max(each.true[1] for each in found)),
        any(each.nullable for each in found),
        all(each.least is not None for each in found),
    )


def bounds_of(function: Function, columns: Columns, codes: Codes = ANYWHERE) -> Bounds:
    """What is certain about a function that is a number or a date."""
    found = _bounds(function, columns, codes)
    for number in (*found.ends, *found.true, found.pitch or NONE, found.slack):
        size = abs(number.numerator).bit_length() + number.denominator.bit_length()
        require(size <= MOST_BITS, "a function calculates with numbers that are too long")
    return found


def _bounds(function: Function, columns: Columns, codes: Codes) -> Bounds:
    op = function.op
    if op == "column":
        return _of_column(columns[function.name], codes.get(function.name))
    if op == "constant":
        return Bounds(function.number, function.number, NONE, nullable=function.value is None)
    if op == "length":
        return _of_lengths(function, columns)
    require(op not in TEXTS, "a text is not a number")
    if op == "case":
        return _of_cases(function, columns, codes)
    parts = [bounds_of(part, columns, codes) for part in function.parts]
    if op in ("+", "-", "*", "/"):
        return _calculated(op, parts[0], parts[1], function.parts[0] == function.parts[1])
    if op in ("least", "greatest"):
        return _extremes(op, parts)
    return _of_one(op, function.fixed, parts[0])


def _calculated(op: str, one: Bounds, two: Bounds, same: bool) -> Bounds:
    match op:
        case "+":
            return _added(one, two)
        case "-":
            return _added(one, _turned(two))
        case "*":
            return _multiplied(one, two, same)
    return _divided(one, two)


def _of_one(op: str, fixed: tuple[Any, ...], part: Bounds) -> Bounds:
    """An operation on one number or date."""
    if op in ROUND:
        return _rounded(op, part, fixed[0])
    match op:
        case "abs":
            return _sizes(part)
        case "mod":
            return _remainders(part, fixed[0])
        case "extract" | "date_trunc":
            return _dates(op, fixed[0], part)
    return _curve(op, fixed[0] if len(fixed) == 2 else NONE, fixed[-1], part)


def _of_column(column: Column, codes: tuple[int, int] | None) -> Bounds:
    first, last = codes or (0, column.top)
    first, last = (first, min(last, column.top)) if first <= column.top else (0, column.top)  # else it is never reached
    if column.scale:
        low, high, off = column.low + column.step * first, column.low + column.step * last, column.rounding
        true = max(low - off, column.low), min(high + off, column.high)
        return Bounds(low, high, column.step, off, column.apart, truth=true)
    return _of_numbers([Fraction(key) for key in column.keys[first : last + 1]], column.apart)


def _of_numbers(numbers: list[Fraction], nullable: bool) -> Bounds:
    require(bool(numbers), "a function has no values")
    low = min(numbers)
    return Bounds(low, max(numbers), gathered(NONE, *(number - low for number in numbers)), nullable=nullable)


def _of_lengths(function: Function, columns: Columns) -> Bounds:
    require(len(function.reads) == 1, "the lengths of texts of several columns are not known")
    [name] = function.reads
    values = (value_of(function, {name: code}, columns) for code in range(columns[name].top + 1))
    return _of_numbers([value for value in values if isinstance(value, Fraction)], columns[name].apart)


def _of_cases(function: Function, columns: Columns, codes: Codes) -> Bounds:
    found = []
    for test, part in zip(function.tests, function.parts, strict=False):
        if part != NOTHING:
            found.append(bounds_of(part, columns, narrowed(test, codes)))
        codes = narrowed(_opposite(test), codes)
    if function.parts[-1] != NOTHING:
        found.append(bounds_of(function.parts[-1], columns, codes))
    every = united(found)
    nonzero = every.nonzero or _never_0(function, columns)
    return replace(every, nullable=every.nullable or NOTHING in function.parts, nonzero=nonzero)


def _never_0(function: Function, columns: Columns) -> bool:
    """Whether it is NULLIF(x, 0): no value where x is 0, and x elsewhere."""
    from noiseless.curator.certificate.checker.comparisons import compared

    if len(function.tests) != 1 or function.parts[0] != NOTHING or is_constant(function.parts[1]):
        return False
    return function.kind == "number" and function.tests[0] == compared("=", function.parts[1], ZERO, columns)


def _opposite(test: Test) -> Test:
    return test[1] if test[0] == "not" else ("not", test)


def narrowed(test: Test, codes: Codes) -> Codes:
    """The codes of columns where a condition holds, or is not known to fail, as far as that is plain."""
    match test:
        case "within", name, ((first, _), *_) as ranges:
            return _between(codes, name, first, ranges[-1][1])
        case "not", ("within", name, ((0, last), *_)):
            return _between(codes, name, last + 1, ANY_CODE)
        case "every", parts:
            for part in parts:
                codes = narrowed(part, codes)
        case "not", ("some", parts):
            for part in parts:
                codes = narrowed(_opposite(part), codes)
    return codes


def _between(codes: Codes, name: str, first: int, last: int) -> Codes:
    low, high = codes.get(name, (0, ANY_CODE))
    low, high = max(low, first), min(high, last)
    return {**codes, name: (low, high)} if low <= high else codes


def _turned(part: Bounds) -> Bounds:
    """The bounds of the number with the other sign."""
    return replace(part, low=-part.high, high=-part.low, truth=(-part.true[1], -part.true[0]))


def _added(one: Bounds, two: Bounds) -> Bounds:
    return Bounds(
        one.low + two.low,
        one.high + two.high,
        gathered(one.pitch, two.pitch),
        one.slack + two.slack,
        one.nullable or two.nullable,
        truth=(one.true[0] + two.true[0], one.true[1] + two.true[1]),
    )


def _multiplied(one: Bounds, two: Bounds, same: bool) -> Bounds:
    (low, high), true = _products(one.ends, two.ends, same), _products(one.true, two.true, same)
    pitch = None
    if one.pitch is not None and two.pitch is not None:
        pitch = gathered(abs(one.low) * two.pitch, abs(two.low) * one.pitch, one.pitch * two.pitch)
    if same and pitch and one.low < 0 < one.high:
        low = one.low**2 % pitch  # the first on the grid
    # with a and b for the codes, and a' and b' in truth: a'b' − ab = a'(b' − b) + (a' − a)b = a(b' − b) + (a' − a)b'
    moved = min(
        _size(one.true) * two.slack + two.size * one.slack,
        one.size * two.slack + _size(two.true) * one.slack,
    )
    return _with_truth((low, high), pitch, moved, true, one.nullable or two.nullable, one.nonzero and two.nonzero)


def _size(ends: Ends) -> Fraction:
    return max(map(abs, ends))


def _products(one: Ends, two: Ends, same: bool) -> Ends:
    found = [a * b for a, b in (zip(one, two, strict=True) if same else product(one, two))]
    return NONE if same and one[0] < 0 < one[1] else min(found), max(found)


def _with_truth(
    ends: Ends, pitch: Fraction | None, moved: Fraction | None, true: Ends, nullable: bool, nonzero: bool = False
) -> Bounds:
    """Bounds, where the truth lies between two numbers and is moved by no more than that."""
    low, high = ends
    distance = max(true[1] - low, high - true[0], NONE)
    slack = distance if moved is None else min(moved, distance)
    truth = min(low, max(true[0], low - slack)), max(high, min(true[1], high + slack))
    return Bounds(low, high, pitch, slack, nullable, nonzero, truth)


def _divided(one: Bounds, two: Bounds) -> Bounds:
    least, truly = two.least, two.least_true
    if least is None or truly is None:
        raise WrongCertificateError("a divisor may be 0, or as near to 0 as it likes")
    least = abs(least)
    pitch = one.pitch / abs(two.low) if two.low == two.high and one.pitch is not None else None
    # a'/b' − a/b = (a' − a)/b + a'(b − b')/bb' = (a' − a)/b' + a(b − b')/bb'
    moved = min(
        one.slack / least + _size(one.true) * two.slack / (least * truly),
        one.slack / truly + one.size * two.slack / (least * truly),
    )
    true = _quotients(one.true, two.true, truly)
    ends = _quotients(one.ends, two.ends, least)
    return _with_truth(ends, pitch, moved, true, one.nullable or two.nullable, one.nonzero)


def _quotients(tops: Ends, bottoms: Ends, least: Fraction) -> Ends:
    """The least and the largest quotient by divisors of at least some size."""
    first, last = bottoms
    divisors = [(max(first, least), last)] if last >= least else []
    divisors += [(first, min(last, -least))] if first <= -least else []
    found = [top / bottom for pair in divisors for top, bottom in product(tops, pair)]
    return min(found), max(found)


def _sizes(part: Bounds) -> Bounds:
    pitch = None if part.pitch is None else gathered(part.pitch, 2 * abs(part.low))
    if part.low >= 0 or part.high <= 0:
        ends, pitch = sorted(map(abs, part.ends)), part.pitch
    else:
        ends = [abs(part.least or NONE), part.size]
        if pitch:  # the first and the last value on the grid of both signs
            ends = [ends[0] + (part.low - ends[0]) % pitch, ends[1] - (ends[1] - part.low) % pitch]
    first, last = part.true
    true = min(abs(first), abs(last)) if first > 0 or last < 0 else NONE, _size(part.true)
    return _with_truth((ends[0], ends[1]), pitch, part.slack, true, part.nullable, part.nonzero)


def _extremes(op: str, parts: list[Bounds]) -> Bounds:
    """Bounds of LEAST or GREATEST.

    Parts without a value are left out, so only parts that always have one bound both ends.
    """
    every, sure = united(parts), [part for part in parts if not part.nullable]
    (low, high), (first, last) = every.ends, every.true
    if op == "greatest":
        low, first = max([low, *(part.low for part in sure)]), max([first, *(part.true[0] for part in sure)])
    else:
        high, last = min([high, *(part.high for part in sure)]), min([last, *(part.true[1] for part in sure)])
    return _with_truth((low, high), every.pitch, every.slack, (first, last), not sure, every.nonzero)


def _rounded(op: str, part: Bounds, unit: Fraction) -> Bounds:
    low, high, first, last = (ROUND[op](end / unit) * unit for end in (*part.ends, *part.true))
    moved = (floor(part.slack / unit) + 1) * unit if part.slack else NONE
    return _with_truth((low, high), unit if low < high else NONE, moved, (first, last), part.nullable)


def _remainders(part: Bounds, by: Fraction) -> Bounds:
    first, last = part.true
    if -by < first and last < by:
        return part
    pitch = None if part.pitch is None else gathered(part.pitch, by, abs(part.low))
    room = by if part.slack else by - (pitch or 0)  # the truth can be anything below the divisor
    low, high = (-room if first < 0 else NONE), (room if last > 0 else NONE)
    return Bounds(low, high, pitch, high - low if part.slack else NONE, part.nullable)


def _dates(op: str, what: str, part: Bounds) -> Bounds:
    ends = [calendar(op, what, end) for end in (*part.ends, *part.true)]
    if op == "extract" and what in RECURRING:
        first, last = (calendar("date_trunc", "month", end) for end in part.true)
        if first != last or what in ("dow", "isodow"):
            ends = [Fraction(end) for end in RECURRING[what]] * 2
    low, high, *true = ends
    moved = None if part.slack else NONE
    return _with_truth((low, high), Fraction(low < high), moved, (min(true), max(true)), part.nullable)


def _curve(op: str, exponent: Fraction, step: Fraction, part: Bounds) -> Bounds:
    """Bounds of a curve: the values at both ends, rounded to steps. The truth is not rounded."""
    first, last = part.ends
    if first == 0 and part.nonzero:
        first = part.least or first
    start, end = max(part.true[0], first - part.slack), part.true[1]
    if op == "sqrt" or (op == "power" and exponent > 0):
        start = max(start, NONE) if first >= 0 else start
    places = [nearest(op, exponent, number, step) * step for number in (first, last)]
    true = [each for number in (start, end) for each in _ends_at(op, exponent, number, step)]
    require(max(map(abs, true)) <= LARGEST, "a value is too large")
    moves = [max(true) - min(true)] if part.slack else [NONE]
    if part.slack:
        moves += [slope * part.slack for slope in _slope(op, exponent, start, end)]
        moves += [enclosed(op, exponent, part.slack)[1]] if op == "sqrt" else []
    low, high = min(places), max(places)
    pitch = step if low < high else NONE
    return _with_truth((low, high), pitch, min(moves) + step / 2, (min(true), max(true)), part.nullable)


def _ends_at(op: str, exponent: Fraction, number: Fraction, step: Fraction) -> Ends:
    """Two numbers between which a value lies.

    A value that is that near to a multiple of the step counts as the multiple.
    """
    low, high = enclosed(op, exponent, number)
    multiple = nearest(op, exponent, number, step) * step
    return (multiple, multiple) if low <= multiple <= high else (low, high)


def _slope(op: str, exponent: Fraction, *ends: Fraction) -> Iterator[Fraction]:
    """The largest slope between two numbers, which is at one of them. Nothing if it is infinite."""
    power = {"sqrt": Fraction(1, 2), "power": exponent}.get(op, NONE)
    if op == "exp":
        yield max(enclosed(op, exponent, end)[1] for end in ends)
    elif op in ("ln", "log"):
        base = min(map(abs, enclosed("ln", NONE, exponent))) if op == "log" else Fraction(1)
        yield 1 / (min(ends) * base)
    elif min(ends) > 0:
        yield max(abs(power) * enclosed("power", power - 1, end)[1] for end in ends)
    elif power > 1:
        yield power * enclosed("power", power - 1, max(ends))[1]
