"""COVAR, CORR and REGR from a number of rows and five sums about public centres: all that is possible.

With n rows, sums a and b of the distances of y and x from their centres, and sums of squares and of products, the
covariance is products/n − ab/n², and a variance squares/n − a²/n². Each is looked at as a parabola in 1/n. All numbers
are in codes until the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

from noiseless.curator.certificate.checker.about import About
from noiseless.curator.certificate.checker.bins import Bins, Ladder
from noiseless.curator.certificate.checker.centred import ends_of
from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.derive import Asked
from noiseless.curator.certificate.checker.intervals import Interval, halfway
from noiseless.curator.certificate.checker.ranges import Columns, middle_of, products_of_a_row
from noiseless.curator.certificate.checker.releases import Release
from noiseless.curator.certificate.checker.reports import report
from noiseless.curator.certificate.checker.spreads import root

Range = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of y and x: sums of distances, variances at most, of products, and numbers of rows."""

    columns: tuple[Column, Column]
    units: tuple[About, ...]
    sums: tuple[Range, Range]
    squares: Mapping[int, Range]
    products: Range
    rows: tuple[int, int]

    def variance(self, side: int) -> Range:
        """Squares/n − a²/n², from 0 to a quarter of the square of the range."""
        largest = Fraction(self.columns[side].top, 2) ** 2
        if side not in self.squares:
            return Fraction(0), largest
        low, high = over_rows(self.squares[side], squared(self.sums[side]), self.rows)
        return max(low, Fraction(0)), min(high, largest)

    def deviation(self, side: int) -> Range:
        """The root of the variance, widened by the rounding."""
        low, high = self.variance(side)
        return max(root(low, up=False) - self.rounded(side), Fraction(0)), root(high, up=True) + self.rounded(side)

    def covariance(self) -> Range:
        """Products/n − ab/n², at most the product of both deviations, widened by the rounding."""
        low, high = over_rows(self.products, between(self.sums[0], self.sums[1]), self.rows)
        y, x = self.variance(0)[1], self.variance(1)[1]
        bound = root(x * y, up=True)
        one, two = self.rounded(0), self.rounded(1)
        more = one * root(x, up=True) + two * root(y, up=True) + one * two if one + two else 0
        return max(low, -bound) - more, min(high, bound) + more

    def mean(self, side: int) -> Range:
        """The mean in the unit of the question, within the bounds."""
        column, unit = self.columns[side], self.units[side]
        lowest, highest = sorted(unit.factor * each + unit.shift for each in (column.low, column.high))
        ends = over_rows(self.sums[side], (Fraction(0), Fraction(0)), self.rows)
        values = sorted(
            unit.factor * (column.low + column.step * (middle_of(column) + end)) + unit.shift for end in ends
        )
        more = abs(unit.factor) * column.rounding
        return max(values[0] - more, lowest), min(values[1] + more, highest)

    def rounded(self, side: int) -> Fraction:
        """How far a value can be from its code, in codes."""
        return self.columns[side].rounding / self.columns[side].step

    def unit(self, side: int) -> Fraction:
        """What a code is worth in the question."""
        return self.units[side].factor * self.columns[side].step


def report_pair(
    function: str,
    asked: Asked,
    widths: Mapping[Release, Bins | Ladder],
    integers: Mapping[Release, Sequence[int]],
    columns: Columns,
) -> Interval | None:
    """What is reported. None if it certainly does not exist."""
    counted, *rest = asked.releases
    people = asked.release.part.rows, asked.release.part.rows
    if counted.kind == "head count":
        found = report(counted, widths[counted], integers[counted], columns, "count", 0)
        assert found is not None
        people = int(str(found.lower)), int(str(found.upper))
    else:
        rest = [counted, *rest]
    needed = 1 if function == "covar_pop" else 2
    if people[1] < needed:
        return None
    rows = max(people[0], needed), people[1]
    known = _found(asked, rest, widths, integers, columns, rows)
    match function:
        case "covar_pop" | "covar_samp":
            return _covariance(known, function)
        case "corr" | "regr_r2":
            return _correlation(known, function)
        case "regr_slope":
            return _slope(known)
    return _intercept(known)


def _found(
    asked: Asked, rest: Sequence[Release], widths: Any, integers: Any, columns: Columns, rows: tuple[int, int]
) -> Found:
    n, products = asked.release.part.rows, asked.release
    sides = columns[products.name or ""], columns[products.second or ""]
    ends = [ends_of(each, widths, integers, columns)[1:] for each in rest]
    centres = [middle_of(column) for column in sides]
    y, x = ((low - n * centre, high - n * centre) for (low, high), centre in zip(ends, centres, strict=False))
    squares = [each for each in rest if each.kind == "centred squares"]
    places = (0, 1) if len(squares) == 2 else (1,)
    least = n * products_of_a_row(products, columns)[0]
    return Found(
        sides,
        asked.sides,
        (y, x),
        dict(zip(places, ends[2:-1], strict=False)),
        (ends[-1][0] + least, ends[-1][1] + least),
        rows,
    )


def _covariance(known: Found, function: str) -> Interval:
    ends = [end * known.unit(0) * known.unit(1) for end in known.covariance()]
    if function == "covar_samp":
        ends = [end * Fraction(n, n - 1) for end in ends for n in known.rows]
    return halfway(min(ends), max(ends))


def _correlation(known: Found, function: str) -> Interval | None:
    y, x = known.deviation(0), known.deviation(1)
    least, most = y[0] * x[0], y[1] * x[1]
    if not most:
        return Interval(Fraction(1), Fraction(1), Fraction(1)) if x[1] and function == "regr_r2" else None
    low, high = known.covariance()
    one = Fraction(1)
    upper = high / most if high <= 0 else min(one, high / least) if least else one
    lower = low / most if low >= 0 else max(-one, low / least) if least else -one
    lower, upper = max(lower, -one) if low >= 0 else lower, upper
    upper, lower = min(one, upper), -min(one, -lower)
    if known.unit(0) * known.unit(1) < 0:
        lower, upper = -upper, -lower
    if function == "corr":
        return halfway(lower, upper)
    low, high = squared((lower, upper))
    return halfway(low, high if least else one)


def _slope(known: Found) -> Interval | None:
    low, high = known.variance(1)
    if known.rounded(1):
        low, high = (end**2 for end in known.deviation(1))
    if not high:
        return None
    ends, unit = known.covariance(), known.unit(0) / known.unit(1)
    if not low:
        return Interval((ends[0] + ends[1]) / (low + high) * unit, -inf, inf)
    corners = [end / variance * unit for end in ends for variance in (low, high)]
    return halfway(min(corners), max(corners))


def _intercept(known: Found) -> Interval | None:
    slope, y, x = _slope(known), known.mean(0), known.mean(1)
    if slope is None:
        return None
    if isinstance(slope.upper, float):
        middle = (y[0] + y[1]) / 2 - Fraction(str(slope.value)) * (x[0] + x[1]) / 2
        return Interval(middle, -inf, inf)
    low, high = between((Fraction(str(slope.lower)), Fraction(str(slope.upper))), x)
    return halfway(y[0] - high, y[1] - low)


def over_rows(once: Range, twice: Range, rows: tuple[int, int]) -> Range:
    """The extremes of p/n − q/n² for p in `once`, q in `twice`, and 1/n between those of the fewest and most rows."""

    def values(p: Fraction, q: Fraction) -> list[Fraction]:
        ends = [Fraction(1, rows[1]), Fraction(1, rows[0])]
        if q and ends[0] < p / (2 * q) < ends[1]:
            ends.append(p / (2 * q))
        return [p * end - q * end * end for end in ends]

    return min(values(once[0], twice[1])), max(values(once[1], twice[0]))


def squared(ends: Range) -> Range:
    """The squares of all numbers of an interval."""
    small, large = sorted(end * end for end in ends)
    return (Fraction(0), large) if ends[0] <= 0 <= ends[1] else (small, large)


def between(one: Range, two: Range) -> Range:
    """The products of all numbers of two intervals."""
    corners = [a * b for a, b in product(one, two)]
    return min(corners), max(corners)
