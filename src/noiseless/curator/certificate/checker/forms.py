"""What rows add to a sum over all rows, and what releases say about such sums.

Everything that certificates deduce is about sums: of ones for a count, of codes for a sum, of both for a mean or an
order statistic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil
from typing import Any

from noiseless.curator.certificate.checker.bins import Bins, Ladder
from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.conditions import Condition, columns_read
from noiseless.curator.certificate.checker.functions import Function
from noiseless.curator.certificate.checker.groups import Group
from noiseless.curator.certificate.checker.numbers import rational
from noiseless.curator.certificate.checker.ranges import SUMS_OF_GROUPS, Columns, largest, middle_of, parts_of
from noiseless.curator.certificate.checker.releases import Computed, Release
from noiseless.curator.certificate.checker.reports import at_level

Name = str | Computed
Ends = tuple[Fraction | None, Fraction | None]
"""The least and the most of a sum; None if there is no such end."""
Segment = tuple[int | None, Fraction, Fraction]
"""The last code (None: all others), a multiple of the code, and what is added to it."""
ONE: tuple[Segment, ...] = ((None, Fraction(0), Fraction(1)),)
CODE: tuple[Segment, ...] = ((None, Fraction(1), Fraction(0)),)
MISSING = -1
"""Stands for missing values that are kept separate in a histogram."""


@dataclass(frozen=True, slots=True)
class Form:
    """What each row of some public cells adds if a condition holds: a function of the code of a column, in segments.

    For private groups it is about rows in one `place`, and for a histogram about rows with one `value`.
    """

    cells: frozenset[int]
    condition: Condition
    column: Name | None = None
    segments: tuple[Segment, ...] = ONE
    groups: tuple[Group, ...] = ()
    place: tuple[Any, ...] = ()
    value: int | None = None

    def reads(self, functions: Mapping[Computed, Function]) -> frozenset[str]:
        """The columns that it depends on."""
        read = columns_read(self.condition).union(*(each.function.reads for each in self.groups))
        if isinstance(self.column, Computed):
            return read | functions[self.column].reads
        return read if self.column is None else read | {self.column}


Piece = tuple[Form, Ends]


def up_to(code: int, within: Fraction, beyond: Fraction) -> tuple[Segment, ...]:
    """One number for codes up to this, and another one for all others."""
    return (code, Fraction(0), within), (None, Fraction(0), beyond)


def pieces(release: Release, bins: Bins | Ladder, released: Sequence[int], columns: Columns) -> list[Piece]:
    """What a release says about sums over rows. Empty if it says nothing about them."""
    bins, released = at_level(release, bins, released, columns)
    if release.groups is not None:
        return list(_of_groups(release, bins, released, columns))
    one = Form(frozenset(release.part.cells), release.part.condition)
    first, last = bins.ends(released[0])
    ends = Fraction(max(first, 0)), Fraction(min(last, largest(release, columns)))
    if release.kind == "head count":
        return [(one, ends)]
    if release.name is None:
        return []
    if release.kind == "histogram":
        return _of_values(release, bins, released, columns[release.name])
    if release.kind in ("order statistic", "interpolated quantile"):
        of = _of_order if release.kind == "order statistic" else _between_neighbours
        return of(release, int(ends[0]), int(ends[1])) if released[0] >= 0 else [(one, (Fraction(0),) * 2)]
    return _of_sums(release, bins, released, columns[release.name], ends)


def _of_values(release: Release, bins: Bins, released: Sequence[int], column: Column) -> list[Piece]:
    """The counts of all values of a column."""
    cells, part = frozenset(release.part.cells), release.part
    values = [*range(column.top + 1), *([MISSING] if column.apart else [])]
    return [
        (Form(cells, part.condition, release.name, value=value), _count(bins, place, part.rows))
        for value, place in zip(values, released, strict=True)
    ]


def _of_sums(
    release: Release, bins: Bins, released: Sequence[int], column: Column, ends: tuple[Fraction, Fraction]
) -> list[Piece]:
    """Sums of codes, of values, or of codes about a centre."""
    rows, n = Form(frozenset(release.part.cells), release.part.condition, release.name, CODE), release.part.rows
    match release.kind:
        case "total" | "function total":
            return [(rows, ends)]
        case "filtered total":
            least, unit = _least(column), column.step / (column.low / column.step).denominator
            low, high = ((end + n * least) * unit for end in ends)
            return [(replace(rows, segments=((None, column.step, column.low),)), (low, high))]
        case "filtered mean" | "filtered variance":
            people, place = released[:2]
            most = min(place * bins.wide + bins.wide - 1, people * column.top)
            counted = Form(rows.cells, rows.condition), (Fraction(people), Fraction(people))
            return [counted, (rows, (Fraction(place * bins.wide), Fraction(most)))]
        case "centred total":
            about = middle_of(column) if bins.centre is None else bins.centre
            low, high = (end - n * about for end in ends)
            return [(replace(rows, segments=((None, Fraction(1), Fraction(-about)),)), (low, high))]
    return []


def _count(bins: Bins, place: int, rows: int) -> Ends:
    first, last = bins.ends(place)
    return Fraction(max(first, 0)), Fraction(min(last, rows))


def _least(column: Column) -> int:
    """The least that a row can add to a filtered total, in its units."""
    return min((column.low / column.step).numerator, 0)


def _of_order(release: Release, first: int, last: int) -> list[Piece]:
    """How many rows have at most the last code of the bin, and how many have less than its first.

    It is the k-th smallest of m rows, k = max(1, ⌈p·m⌉). If m is private, both are compared with p·m instead of k:
    at least p·m rows have at most the last code, and fewer than p·m have less than the first.
    """
    part, share, some = release.part, rational(release.share), Fraction(1)
    cells, condition, name = frozenset(part.cells), part.condition, release.name

    def form(code: int, within: Fraction, beyond: Fraction) -> Form:
        return Form(cells, condition, name, up_to(code, within, beyond))

    if part.plain or not share:
        rank = Fraction(max(1, ceil(share * part.rows)))
        counts = form(last, some, Fraction(0)), form(first - 1, some, Fraction(0))
        return [(counts[0], (rank, Fraction(part.rows))), (counts[1], (Fraction(0), rank - 1))]
    strictly = -Fraction(1, share.denominator)
    return [
        (form(last, 1 - share, -share), (Fraction(0), None)),
        (form(first - 1, 1 - share, -share), (None, strictly)),
    ]


def _between_neighbours(release: Release, first: int, last: int) -> list[Piece]:
    """What an interpolated quantile says: it is at place p·(m − 1) of m rows, counted from 0, between two neighbours.

    More than p·(m − 1) rows have at most the last whole code, and fewer than p·(m − 1) + 1 have less than the first.
    """
    part, share, parts = release.part, rational(release.share), parts_of(release)

    def form(code: int) -> Form:
        return Form(frozenset(part.cells), part.condition, release.name, up_to(code, 1 - share, -share))

    little = Fraction(1, parts)
    return [(form(last // parts), (little - share, None)), (form(-(-first // parts) - 1), (None, 1 - share - little))]


def _of_groups(release: Release, bins: Bins, released: Sequence[int], columns: Columns) -> Iterator[Piece]:
    """The counts of all cells of private groups, and then the sums of their codes."""
    groups, part = release.groups, release.part
    assert groups is not None
    cells = frozenset(part.cells)
    places = list(product(*(each.values for each in groups.groups)))
    summed = release.kind in SUMS_OF_GROUPS
    for place, number in zip(places, released, strict=False):
        ends = (Fraction(number), Fraction(number)) if summed else _count(bins, number, part.rows)
        yield Form(cells, part.condition, groups=groups.groups, place=place), ends
    if not summed or release.name is None:
        return
    for place, people, number in zip(places, released, released[len(places) :], strict=False):
        most = min(number * bins.wide + bins.wide - 1, people * columns[release.name].top)
        form = Form(cells, part.condition, release.name, CODE, groups.groups, place)
        yield form, (Fraction(number * bins.wide), Fraction(most))
