"""COVAR, CORR and REGR of two columns, from the number of rows and sums about public centres.

Everything is an exact bound over all numbers of rows n and sums that are possible. With sums S about the centres, C of
the products and Q of the squares, the covariance is C/n − S_y·S_x/n² and a variance Q/n − S²/n², so both are p·t − q·t²
for t = 1/n, with p and q in known intervals: the extremes are at the ends of t or where the parabola turns. The rest
follows by division. Roots are rounded outward. Values are in codes until the end, because CORR has no unit.

Source: theory §12, CORR: docs/sql.md
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

from noiseless.curator.releases.centred import CentredSquares, CentredTotal, Given, in_bins
from noiseless.curator.releases.centred_products import CentredProducts
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.spread import Range, root
from noiseless.curator.schema.scale import Scale

SQUARES_OF: Mapping[str, tuple[int, ...]] = {
    "COVAR_POP": (),
    "COVAR_SAMP": (),
    "CORR": (0, 1),
    "REGR_SLOPE": (1,),
    "REGR_INTERCEPT": (1,),
    "REGR_R2": (0, 1),
}
"""For every function of a pair (y, x), whose squares it needs: those of y, of x or of both."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two columns: its values are factor·x + shift, and within `rounding` of the number of the code."""

    name: str
    column: Scale
    rounding: Fraction
    factor: Fraction
    shift: Fraction

    @property
    def unit(self) -> Fraction:
        """What one code is worth in the unit of the question."""
        return self.factor * self.column.step

    @property
    def blurred(self) -> Fraction:
        """The rounding in codes."""
        return self.rounding / self.column.step

    def number(self, code: int | Fraction) -> Fraction:
        """The value that a code stands for, in the unit of the question."""
        return self.factor * self.column.number(code) + self.shift


@dataclass(frozen=True, slots=True)
class Pair:
    """A function of two columns, y and x."""

    function: str
    sides: tuple[Side, Side]

    def report(self, found: Sequence[Given], size: int) -> Reported | None:
        """The number, from a count if it is private, and the sums. None if it certainly does not exist."""
        people = size, size
        if found[0][0].itself.is_count:
            (counted, width, numbers), *found = found
            rows = counted.report(width, numbers, "COUNT")
            assert rows is not None
            people = int(rows.lower), int(rows.upper)
        fewest = 1 if self.function == "COVAR_POP" else 2
        if people[1] < fewest:
            return None
        return _Sums(self, found, (max(fewest, people[0]), people[1])).report()


class _Sums:
    """What is known of the sums, in codes about the centres, and of the number of rows."""

    def __init__(self, pair: Pair, found: Sequence[Given], people: tuple[int, int]) -> None:
        self.pair, self.sides, self.people = pair, pair.sides, people
        totals = [in_bins(CentredTotal, each) for each in found[:2]]
        self.sums = [_moved(*each[0].ends(*each[1:]), -each[0].centre(each[1]) * each[0].part.size) for each in totals]
        squares = [in_bins(CentredSquares, each) for each in found[2:-1]]
        self.squares = dict(
            zip(SQUARES_OF[pair.function], [_fractions(each[0].ends(*each[1:])) for each in squares], strict=True)
        )
        products, width, numbers = in_bins(CentredProducts, found[-1])
        self.products = _moved(*products.ends(width, numbers), products.least * products.part.size)

    def report(self) -> Reported | None:
        """The number in the unit of the question."""
        match self.pair.function:
            case "COVAR_POP" | "COVAR_SAMP":
                return _middle(self._covariance())
            case "CORR" | "REGR_R2":
                return self._correlation()
            case "REGR_SLOPE":
                return self._slope()
        return self._intercept()

    def _variance(self, side: int) -> Range:
        """The variance in codes. It is at most (M/2)² in any case."""
        most = Fraction(self.sides[side].column.top ** 2, 4)
        if side not in self.squares:
            return Fraction(0), most
        low, high = _parabola(self.squares[side], _square(self.sums[side]), self.people)
        return max(Fraction(0), low), min(most, high)

    def _deviation(self, side: int) -> Range:
        """The standard deviation in codes, which rounding every value by h moves by at most h."""
        low, high = self._variance(side)
        blurred = self.sides[side].blurred
        return max(Fraction(0), root(low, up=False) - blurred), root(high, up=True) + blurred

    def _codes(self) -> Range:
        """The covariance in codes, at most the product of the deviations."""
        low, high = _parabola(self.products, _times(*self.sums), self.people)
        most = root(self._variance(0)[1] * self._variance(1)[1], up=True)
        (one, two) = (each.blurred for each in self.sides)
        blurred = Fraction(0)
        if one or two:
            far = [root(self._variance(side)[1], up=True) for side in (0, 1)]
            blurred = one * far[1] + two * far[0] + one * two
        return max(low, -most) - blurred, min(high, most) + blurred

    def _covariance(self) -> Range:
        found = _times(self._codes(), (self.sides[0].unit * self.sides[1].unit,))
        if self.pair.function == "COVAR_POP":
            return found
        fewest, most = self.people
        return _times(found, (Fraction(fewest, fewest - 1), Fraction(most, most - 1)))

    def _correlation(self) -> Reported | None:
        (low_y, high_y), (low_x, high_x) = self._deviation(0), self._deviation(1)
        least, most = low_y * low_x, high_y * high_x
        if not most:  # REGR_R2 is 1 if all y are equal and the x are not
            return Reported(1, 1, 1) if high_x and self.pair.function == "REGR_R2" else None
        low, high = self._codes()
        ends = -_share(-low, least, most), _share(high, least, most)
        if self.sides[0].unit * self.sides[1].unit < 0:
            ends = -ends[1], -ends[0]
        if self.pair.function == "CORR":
            return _middle(ends)
        low, high = _square(ends)
        return _middle((low, high if least else Fraction(1)))

    def _slope(self) -> Reported | None:
        """The covariance over the variance of x. Unbounded if that may be 0."""
        low, high = self._variance(1)
        if self.sides[1].blurred:
            low, high = (each**2 for each in self._deviation(1))
        if not high:
            return None
        covariance, unit = self._codes(), self.sides[0].unit / self.sides[1].unit
        if not low:
            return Reported(sum(covariance) / (low + high) * unit, -inf, inf)
        return _middle(_times(covariance, (unit / low, unit / high)))

    def _intercept(self) -> Reported | None:
        slope, (y, x) = self._slope(), (self._mean(side) for side in (0, 1))
        if slope is None:
            return None
        if isinstance(slope.lower, float):
            return Reported(sum(y) / 2 - slope.value * sum(x) / 2, -inf, inf)
        low, high = _times((slope.lower, slope.upper), x)
        return _middle((y[0] - high, y[1] - low))

    def _mean(self, side: int) -> Range:
        """The mean in the unit of the question, widened by the rounding, within the bounds."""
        each = self.sides[side]
        low, high = _parabola(self.sums[side], (Fraction(0), Fraction(0)), self.people)
        centre, ends = (each.column.top + 1) // 2, sorted((each.number(0), each.number(each.column.top)))
        numbers = sorted((each.number(centre + low), each.number(centre + high)))
        wide = abs(each.factor) * each.rounding
        return max(ends[0], numbers[0] - wide), min(ends[1], numbers[1] + wide)


def _parabola(p: Range, q: Range, people: tuple[int, int]) -> Range:
    """The least and the most of p·t − q·t² for t from 1/most to 1/fewest."""
    first, last = Fraction(1, people[1]), Fraction(1, people[0])

    def ends(p: Fraction, q: Fraction) -> list[Fraction]:
        turn = p / (2 * q) if q else first
        return [p * t - q * t**2 for t in (first, last, *([turn] if first < turn < last else []))]

    return min(ends(p[0], q[1])), max(ends(p[1], q[0]))


def _times(one: Sequence[Any], two: Sequence[Any]) -> Range:
    corners = [a * b for a in one for b in two]
    return min(corners), max(corners)


def _square(ends: Range) -> Range:
    far = max(each**2 for each in ends)
    return (Fraction(0) if ends[0] <= 0 <= ends[1] else min(each**2 for each in ends)), far


def _share(high: Fraction, least: Fraction, most: Fraction) -> Fraction:
    """The most that a quotient can be: at most `high`, over a number from `least` to `most`. It is at most 1."""
    divisor = least if high > 0 else most
    return min(Fraction(1), high / divisor) if divisor else Fraction(1)


def _moved(first: int, last: int, by: int) -> Range:
    return Fraction(first + by), Fraction(last + by)


def _fractions(ends: tuple[int, int]) -> Range:
    return Fraction(ends[0]), Fraction(ends[1])


def _middle(ends: Range) -> Reported:
    return Reported((ends[0] + ends[1]) / 2, *ends)
