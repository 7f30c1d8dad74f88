"""From released integers to reported intervals, and which integers are possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import ceil, floor, isqrt

from noiseless.curator.certificate.checker.columns import MOST_ROWS, Column, date_of
from noiseless.curator.certificate.checker.counts import Columns, ends
from noiseless.curator.certificate.checker.releases import Release
from noiseless.curator.certificate.checker.wrong import require

PRECISION = 1 << 64
"""Square roots are rounded outward to 1/PRECISION of the unit."""
End = Fraction | date | float
"""The end of an interval. Floats are only used for infinity."""
MOST_ROUNDED = 10**9
"""The largest width of the bins in which a policy may report counts."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The true number lies between lower and upper."""

    value: Fraction | date
    lower: End
    upper: End


def exactly(number: int | Fraction) -> Interval:
    """A number that is known exactly."""
    return Interval(Fraction(number), Fraction(number), Fraction(number))


def check_released(release: Release, width: int, released: Sequence[int], columns: Columns) -> None:
    """Refuse bins that are wider than the whole range, and integers that no table could give."""
    require(1 <= width <= _widest(release, columns), f"the bins of a {release.kind} have an impossible width")
    possible(release, width, released, columns)
    if release.kind == "filtered mean":
        people, place = released
        require(place * width <= people * columns[release.name or ""].top, "a sum is too large for its number of rows")
    if release.kind == "histogram":
        total, n = sum(released), release.part.rows
        most = sum(number * width + width - 1 for number in released)
        require(total * width <= n and (n <= most or not release.plain), "the counts of a histogram do not add up")


def possible(release: Release, width: int, released: Sequence[int], columns: Columns) -> None:
    """Check that a release has the right number of integers, each in its range."""
    limits = _limits(release, width, columns)
    require(len(limits) == len(released), f"a {release.kind} has another number of integers")
    inside = all(low <= number <= high for number, (low, high) in zip(released, limits, strict=True))
    require(inside, f"what was released of a {release.kind} is impossible")


def _largest(release: Release, column: Column) -> int:
    """The largest integer possible before it is put into bins. The smallest is 0."""
    n, top = release.part.rows, column.top
    match release.kind:
        case "order statistic":
            return top
        case "variance":
            return n**2 // 4 * top**2
        case "filtered total":
            least, most = ends(column)
            return n * (most - least)
    return n * top


def _limits(release: Release, width: int, columns: Columns) -> list[tuple[int, int]]:
    n = release.part.rows
    if release.kind == "head count":
        return [(0, n // width)]
    column = columns[release.name or ""]
    match release.kind:
        case "histogram":
            return [(0, n // width)] * column.values
        case "filtered mean":
            return [(0, n), (0, n * column.top // width)]
        case "order statistic" if not release.plain:
            return [(-1, column.top // width)]
    return [(0, _largest(release, column) // width)]


def _widest(release: Release, columns: Columns) -> int:
    if release.kind in ("head count", "histogram"):
        return MOST_ROUNDED
    column = columns[release.name or ""]
    return MOST_ROWS * column.top if release.kind == "filtered mean" else _largest(release, column) + 1


def report(
    release: Release, width: int, released: Sequence[int], columns: Columns, function: str, place: int
) -> Interval | None:
    """What is reported for a release. None over zero rows."""
    if release.kind in ("head count", "histogram"):
        first = released[place] * width
        return _middle(Fraction(first), Fraction(min(first + width - 1, release.part.rows)))
    column = columns[release.name or ""]
    match release.kind:
        case "total":
            return _total(release.part.rows, column, width, released[0], function)
        case "filtered total":
            return _filtered_total(release.part.rows, column, width, released[0])
        case "filtered mean":
            return _filtered_mean(column, width, *released)
        case "order statistic":
            return _order_statistic(column, width, released[0])
    return _variance(release.part.rows, column, width, released[0], function)


def _middle(low: Fraction, high: Fraction) -> Interval:
    return Interval((low + high) / 2, low, high)


def _total(n: int, column: Column, width: int, place: int, function: str) -> Interval:
    first, last = place * width, min(place * width + width - 1, n * column.top)
    low = max(n * (column.low - column.rounding) + column.step * first, n * column.low)
    high = min(n * (column.low + column.rounding) + column.step * last, n * column.high)
    return _middle(low, high) if function == "sum" else _middle(low / n, high / n)


def _filtered_total(n: int, column: Column, width: int, place: int) -> Interval:
    unit = column.step / (column.low / column.step).denominator
    least, most = ends(column)
    first = place * width + n * least
    last = min(first + width - 1, n * most)
    low = max(first * unit - n * column.rounding, n * least * unit)
    return _middle(low, min(last * unit + n * column.rounding, n * most * unit))


def _filtered_mean(column: Column, width: int, people: int, place: int) -> Interval | None:
    if not people:
        return None
    first, last = place * width, min(place * width + width - 1, people * column.top)
    low = max(column.low + column.step * Fraction(first, people) - column.rounding, column.low)
    return _middle(low, min(column.low + column.step * Fraction(last, people) + column.rounding, column.high))


def _order_statistic(column: Column, width: int, place: int) -> Interval | None:
    if place < 0:
        return None
    first, last = place * width, min(place * width + width - 1, column.top)
    low = max(column.low + column.step * first - column.rounding, column.low)
    high = min(column.low + column.step * last + column.rounding, column.high)
    if column.kind != "date":
        return _middle(low, high)
    return Interval(date_of(floor((low + high) / 2)), date_of(floor(low)), date_of(ceil(high)))


def _variance(n: int, column: Column, width: int, place: int, function: str) -> Interval:
    largest = n**2 // 4 * column.top**2
    first, last = place * width, min(place * width + width - 1, largest)
    low, high = (Fraction(end) * column.step**2 / n**2 for end in (first, last))
    if column.rounding or function == "stddev_pop":
        low = max(_root(low, up=False) - column.rounding, Fraction(0))
        high = min(_root(high, up=True) + column.rounding, (column.high - column.low) / 2)
        low, high = (low**2, high**2) if function == "var_pop" else (low, high)
    return _middle(low, high)


def _root(number: Fraction, up: bool) -> Fraction:
    """The square root, rounded outward."""
    scaled = number * PRECISION**2
    below = isqrt(floor(scaled))
    return Fraction(below + 1 if up and below**2 != scaled else below, PRECISION)
