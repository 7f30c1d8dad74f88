"""From released integers to reported intervals, and which integers are possible."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from noiseless.curator.certificate.checker.bins import Bins, Ladder
from noiseless.curator.certificate.checker.columns import Column, date_of
from noiseless.curator.certificate.checker.intervals import Interval, exactly, halfway
from noiseless.curator.certificate.checker.ranges import (
    SUMS_OF_GROUPS,
    Columns,
    ends,
    far_of,
    largest,
    middle_of,
    parts_of,
)
from noiseless.curator.certificate.checker.releases import Release
from noiseless.curator.certificate.checker.spreads import spread, variance_of_codes
from noiseless.curator.certificate.checker.wrong import require


def check_released(release: Release, bins: Bins | Ladder, released: Sequence[int], columns: Columns) -> None:
    """Refuse integers that no table could give."""
    if isinstance(bins, Ladder):
        require(len(released) > 0 and 0 <= released[0] < bins.levels, "a level is impossible")
        if released[0] == len(bins.widths):
            require(len(released) == 1, "nothing is released at the last level")
            return
        require(min(released) >= 0, "nobody's rows are never stable")
        bins, released = Bins(bins.widths[released[0]]), released[1:]
    possible(release, bins, released, columns)
    width = bins.wide
    if release.kind in ("filtered mean", "filtered variance"):
        people, place, *squares = released
        column = columns[release.name or ""]
        require(place * width <= people * column.top, "a sum is too large for its number of rows")
        far = far_of(column)
        fits = all(each * width * far <= people * far**2 for each in squares)
        require(fits, "a sum of squares is too large for its number of rows")
    if release.kind in SUMS_OF_GROUPS:
        _check_cells(release, width, released, columns)
    if release.kind in ("histogram", "cross table"):
        total, n = sum(released), release.part.rows
        most = sum(number * width + width - 1 for number in released)
        require(total * width <= n and (n <= most or not release.plain), "the counts of a histogram do not add up")


def _check_cells(release: Release, width: int, released: Sequence[int], columns: Columns) -> None:
    """Check the counts of all cells, the bins of their sums, and the bins of their squares if there are any."""
    groups, n, column = release.groups, release.part.rows, columns[release.name or ""]
    assert groups is not None
    counts, *sums = (released[start : start + groups.cells] for start in range(0, len(released), groups.cells))
    for places, most in zip(sums, (column.top, far_of(column)), strict=False):
        fits = all(place * width <= count * most for count, place in zip(counts, places, strict=True))
        require(fits, "a sum is too large for its rows")
    total = sum(counts)
    require(total <= n and (total == n or not release.plain), "the counts of the groups do not add up")


def possible(release: Release, bins: Bins, released: Sequence[int], columns: Columns) -> None:
    """Check that a release has the right number of integers, each in its range."""
    limits = _limits(release, bins, columns)
    require(len(limits) == len(released), f"a {release.kind} has another number of integers")
    inside = all(low <= number <= high for number, (low, high) in zip(released, limits, strict=True))
    require(inside, f"what was released of a {release.kind} is impossible")


def _limits(release: Release, bins: Bins, columns: Columns) -> list[tuple[int, int]]:
    first, last = bins.place(0), bins.place(largest(release, columns))
    if release.groups is not None:
        counts, cells = [(0, release.part.rows)] * release.groups.cells, release.groups.cells
        if release.kind == "cross table":
            return [(first, last)] * cells
        squares = (0, release.part.rows * far_of(columns[release.name or ""]) // bins.wide)
        return [*counts, *[(first, last)] * cells, *([squares] * cells if release.kind != "sums of groups" else [])]
    match release.kind:
        case "histogram":
            return [(first, last)] * columns[release.name or ""].values
        case "filtered mean":
            return [(0, release.part.rows), (first, last)]
        case "filtered variance":
            column = columns[release.name or ""]
            far = far_of(column)
            sums = release.part.rows * column.top // bins.wide, release.part.rows * far // bins.wide
            return [(0, release.part.rows), (first, sums[0]), (first, sums[1])]
        case "order statistic" | "interpolated quantile" if not release.plain:
            return [(-1, last)]
    return [(first, last)]


def at_level(
    release: Release, bins: Bins | Ladder, released: Sequence[int], columns: Columns
) -> tuple[Bins, Sequence[int]]:
    """The bins of the level that came out, and the place in them. The last level is one bin."""
    if not isinstance(bins, Ladder):
        return bins, released
    if released[0] < len(bins.widths):
        return Bins(bins.widths[released[0]]), released[1:]
    if release.groups is not None:
        return Bins(largest(release, columns) + 1), [0] * release.groups.cells
    return Bins(largest(release, columns) + 1), [0] * columns[release.name or ""].values if release.name else [0]


def of_place(
    release: Release, bins: Bins | Ladder, released: Sequence[int], columns: Columns, place: int
) -> tuple[Bins, Sequence[int], int]:
    """The bins of the level that came out, and the place of the number. Nothing is copied for the cells of a table."""
    if not isinstance(bins, Ladder) or release.kind not in ("histogram", "cross table"):
        return *at_level(release, bins, released, columns), place
    if released[0] < len(bins.widths):
        return Bins(bins.widths[released[0]]), released, place + 1
    return Bins(largest(release, columns) + 1), [0], 0


def report(
    release: Release, bins: Bins | Ladder, released: Sequence[int], columns: Columns, function: str, place: int
) -> Interval | None:
    """What is reported for a release. None over zero rows. At the last level, the range holds if there are any."""
    bins, released, place = of_place(release, bins, released, columns, place)
    n, first, last = release.part.rows, *bins.ends(released[place])
    first, last = max(first, 0), min(last, largest(release, columns))
    if release.kind in ("head count", "histogram", "cross table", "distinct count"):
        return halfway(Fraction(first), Fraction(last))
    if release.groups is not None:
        own = released[place :: release.groups.cells]
        return _of_cell(columns[release.name or ""], bins.wide, own, function)
    column = columns[release.name or ""]
    match release.kind:
        case "total" | "function total":
            return _total(n, column, first, last, function)
        case "filtered total":
            return _filtered_total(n, column, first, last)
        case "filtered mean":
            return _filtered_mean(column, bins.wide, *released)
        case "order statistic":
            return None if released[0] < 0 else _order_statistic(column, first, last)
        case "interpolated quantile":
            return None if released[0] < 0 else _interpolated(column, parts_of(release), first, last)
        case "filtered variance":
            return _filtered_variance(column, bins.wide, released, function)
    return _variance(n, column, first, last, function)


def _of_cell(column: Column, width: int, own: Sequence[int], function: str) -> Interval | None:
    """A number of one cell, from its count, the bin of its sum and perhaps that of its squares."""
    people, place = own[0], own[1]
    if function == "count":
        return exactly(people)
    if function not in ("sum", "avg"):
        return _filtered_variance(column, width, own, function)
    mean = _filtered_mean(column, width, people, place)
    if function == "avg":
        return mean
    if mean is None:
        return exactly(0)
    return halfway(Fraction(str(mean.lower)) * people, Fraction(str(mean.upper)) * people)


def _total(n: int, column: Column, first: int, last: int, function: str) -> Interval:
    low = max(n * (column.low - column.rounding) + column.step * first, n * column.low)
    high = min(n * (column.low + column.rounding) + column.step * last, n * column.high)
    return halfway(low, high) if function == "sum" else halfway(low / n, high / n)


def _filtered_total(n: int, column: Column, first: int, last: int) -> Interval:
    unit = column.step / (column.low / column.step).denominator
    least, most = ends(column)
    low = max((first + n * least) * unit - n * column.rounding, n * least * unit)
    return halfway(low, min((last + n * least) * unit + n * column.rounding, n * most * unit))


def _filtered_mean(column: Column, width: int, people: int, place: int) -> Interval | None:
    if not people:
        return None
    first, last = place * width, min(place * width + width - 1, people * column.top)
    low = max(column.low + column.step * Fraction(first, people) - column.rounding, column.low)
    return halfway(low, min(column.low + column.step * Fraction(last, people) + column.rounding, column.high))


def _order_statistic(column: Column, first: int, last: int) -> Interval:
    low = max(column.low + column.step * first - column.rounding, column.low)
    high = min(column.low + column.step * last + column.rounding, column.high)
    if column.kind != "date":
        return halfway(low, high)
    return Interval(date_of(floor((low + high) / 2)), date_of(floor(low)), date_of(ceil(high)))


def _variance(n: int, column: Column, first: int, last: int, function: str) -> Interval | None:
    return spread(Fraction(first, n**2), Fraction(last, n**2), column, function, n, n)


def _filtered_variance(column: Column, width: int, released: Sequence[int], function: str) -> Interval | None:
    """From the number of rows, and the bins of the sum of codes and of the squares about the middle."""
    people, *places = released
    if not people:
        return None
    centre, far = middle_of(column), far_of(column)
    ends = [
        (Fraction(place * wide), Fraction(min(place * wide + wide - 1, people * most)))
        for place, wide, most in zip(places, (width, width * far), (column.top, far**2), strict=True)
    ]
    mean = ends[0][0] / people, ends[0][1] / people
    low, high = variance_of_codes(mean, ends[1], centre, column.top, people, people)
    return spread(low, high, column, function, people, people)


def _interpolated(column: Column, parts: int, first: int, last: int) -> Interval:
    low = column.low + column.step * Fraction(first, parts) - column.rounding
    high = column.low + column.step * Fraction(last, parts) + column.rounding
    return halfway(max(low, column.low), min(high, column.high))
