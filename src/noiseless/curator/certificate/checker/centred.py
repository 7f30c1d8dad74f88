"""Means and variances from a number of rows and sums about a centre: the interval of all that is possible.

A sum about the centre c₀ is released as the sum of all codes in which rows that do not count have the code c₀. So with
n of N rows, Σ(x − c₀) = s − N·c₀, the mean is c₀ + Σ(x − c₀)/n, and the variance Σ(x − c₀)²/n − (mean − c₀)².
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from noiseless.curator.certificate.checker.bins import Bins, Ladder
from noiseless.curator.certificate.checker.intervals import Interval
from noiseless.curator.certificate.checker.ranges import Columns, largest, middle_of
from noiseless.curator.certificate.checker.releases import Release
from noiseless.curator.certificate.checker.reports import at_level, report
from noiseless.curator.certificate.checker.spreads import SAMPLES, spread, variance_of_codes

Range = tuple[Fraction, Fraction]


def report_centred(
    releases: Sequence[Release],
    widths: Mapping[Release, Bins | Ladder],
    integers: Mapping[Release, Sequence[int]],
    columns: Columns,
    function: str,
) -> Interval | None:
    """The mean, from a count and a sum, or the variance, from a count and two sums. None if certainly no row counts."""
    counted, total, *squares = releases
    people = report(counted, widths[counted], integers[counted], columns, "count", 0)
    assert people is not None
    fewest, most = Fraction(str(people.lower)), Fraction(str(people.upper))
    if most < (2 if function in SAMPLES else 1):
        return None
    fewest = max(Fraction(2 if function in SAMPLES else 1), fewest)
    column, n = columns[total.name or ""], total.part.rows
    centre = middle_of(column)
    bins, first, last = ends_of(total, widths, integers, columns)
    about = centre if bins.centre is None else bins.centre
    low, high = first - n * about, last - n * about
    ends = about + (low / most if low >= 0 else low / fewest), about + (high / fewest if high >= 0 else high / most)
    mean = max(Fraction(0), ends[0]), min(Fraction(column.top), ends[1])
    if not squares:
        lower = max(column.low + column.step * mean[0] - column.rounding, column.low)
        upper = min(column.low + column.step * mean[1] + column.rounding, column.high)
        return Interval((lower + upper) / 2, lower, upper)
    _, first, last = ends_of(squares[0], widths, integers, columns)
    lower, upper = variance_of_codes(mean, (first, last), centre, column.top, int(fewest), int(most))
    return spread(lower, upper, column, function, int(fewest), int(most))


def ends_of(
    release: Release,
    widths: Mapping[Release, Bins | Ladder],
    integers: Mapping[Release, Sequence[int]],
    columns: Columns,
) -> tuple[Bins, Fraction, Fraction]:
    """The bins of a sum, and the least and the most that it can be."""
    bins, released = at_level(release, widths[release], integers[release], columns)
    first, last = bins.ends(released[0])
    return bins, Fraction(max(first, 0)), Fraction(min(last, largest(release, columns)))
