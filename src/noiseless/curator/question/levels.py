"""Which numbers of a question are given at the finest stable level."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from fractions import Fraction

from noiseless.curator.question.line import Asked, Known, Line
from noiseless.curator.question.past import Past
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.stable_level import StableLevel

MOST_COARSER = Fraction(1, 2)
"""If an order statistic is more likely than this to come at a coarser level, equal bins are used to keep the error."""


def at_stable_levels(lines: Iterable[Line], levels: Collection[Release]) -> tuple[Line, ...]:
    """The same lines, with some releases given at the finest stable level."""
    if not levels:
        return tuple(lines)

    made: dict[int, Release] = {}  # the cells of a table share one object

    def given(release: Release) -> Release:
        if id(release) not in made:
            made[id(release)] = StableLevel(release) if release in levels else release
        return made[id(release)]

    def number(source: Known | Asked) -> Known | Asked:
        if isinstance(source, Known):
            return source
        return replace(source, release=given(source.release), beside=source.beside and tuple(map(given, source.beside)))

    return tuple(
        Line(line.keys, line.group, {key: number(each) for key, each in line.numbers.items()}, line.select)
        for line in lines
    )


def preferring_levels(numbers: Iterable[tuple[Asked, Fraction | None]], past: Past) -> set[Release]:
    """Order statistics that are likely to be stable, unless they are known in equal bins that keep the error."""
    found: set[Release] = set()
    for each, error in numbers:
        release = each.release
        if error is None or not release.prefers_level or release in found:
            continue
        width = release.width_within(each.own_error(error), each.function)
        chance = release.unsteady(width) if width < release.widest else None
        known = any(isinstance(bins, int) and bins <= width for bins in past.bins(release))
        if chance is not None and chance <= MOST_COARSER and not known:
            found.add(release)
    return found
