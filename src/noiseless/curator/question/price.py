"""What a question costs: how many answers one person's data can cause, and how the ledger books it.

With one row per person everybody is in one public group. So groups do not multiply (rule E), and what is asked about
one group is one batch. With several rows a person can be in many groups, and the worst division of the rows counts.

Source: theory §6: docs/composition.md
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import prod
from typing import Any

from noiseless.curator.dataset.dataset import Dataset, keys_of
from noiseless.curator.plan.condition import columns_read
from noiseless.curator.plan.part import Part
from noiseless.curator.question.classes import Column
from noiseless.curator.question.signatures import Contribution, most_answers
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Release, is_guarded, is_weighed
from noiseless.curator.schema.schema import Schema
from noiseless.privacy.composition.guarded import GuardedRows
from noiseless.privacy.composition.questions import Counted, OtherQuestion, Together
from noiseless.privacy.composition.sequence import EVERYBODY
from noiseless.privacy.composition.several_rows import worst_division

Before = Callable[[Release], tuple[int, int]]
"""For the topic of a release, how often it was asked before, and how often it was loud."""
MOST_CELLS = 1000
"""With more public cells than this, the ledger keeps one account for everybody."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Releases that are charged together, by one outcome: of a public cell, or of cells that one person may share.

    `count` is how many joint answers one person's data can cause. `chance` is the chance of a loud outcome if the
    numbers may lie anywhere. `narrows` says that a plain sum confines everybody whom the account is about.
    """

    cells: tuple[int, ...]
    releases: tuple[Release, ...]
    count: int
    chance: Fraction
    narrows: bool


@dataclass(frozen=True, slots=True)
class Prices:
    """Counts the answers of questions about a dataset."""

    dataset: Dataset
    person_rows: int | None = None
    signatures: bool = True
    """Whether joint answers are also counted by signatures. The smaller count is taken."""

    @property
    def schema(self) -> Schema:
        """What was declared about the columns."""
        return self.dataset.schema

    @property
    def rows(self) -> int:
        """The most rows that one person has."""
        return self.person_rows or self.dataset.schema.rows

    @property
    def celled(self) -> bool:
        """Whether the ledger keeps an account for each public cell."""
        return self.rows == 1 and 0 < len(self.dataset.cells) <= MOST_CELLS

    def of_one_row(self) -> Prices:
        """The prices for a person with one row."""
        return replace(self, person_rows=1)

    def values(self) -> dict[str, int]:
        """How many values each private column has."""
        return self.dataset.schema.values

    def names(self) -> list[str]:
        """The accounts of the ledger: one for every public cell, or one for everybody."""
        return [self.cell(index) for index in range(len(self.dataset.cells))] if self.celled else [EVERYBODY]

    @property
    def declared(self) -> str:
        """The schema, as text."""
        return self.dataset.snapshot.schema

    def cell(self, index: int) -> str:
        """The name of a public cell in the ledger."""
        return _named(*keys_of(self.dataset, self.dataset.cells[index]).values())

    def count(self, widths: Widths) -> int:
        """The most answers to the whole question that one person's data can cause, if nothing was asked before."""
        needed = without_implied(widths)
        if not needed:
            return 1
        if self.rows == 1:
            fresh = self.values()
            asked = {self._asked(releases, needed) for releases in _met(needed)}
            return max(question.factor(fresh) for question in asked)
        groups = _groups(needed)
        shapes = _largest_of_each_shape(groups, needed)

        def answers(rows: int) -> int:
            return max(prod(release.answers(needed[release], rows) for release in group) for group in shapes)

        return worst_division(answers, self.rows, len(groups))

    def by_signatures(self, widths: Widths) -> bool:
        """Whether the whole question has fewer answers by signatures than without."""
        needed = without_implied(widths)
        if self.rows > 1 or not _has_signatures(needed) or (self.together(needed) == 1 and not _has_cells(needed)):
            return False
        return self.count(needed) < replace(self, signatures=False).count(needed)

    def joint(self, batch: Iterable[Widths]) -> int:
        """The count of several questions together: at most their product, and often less with one row per person."""
        each = list(batch)
        if self.rows > 1:
            return prod(map(self.count, each))
        whole, product = self.count(union(each)), 1
        for widths in each:
            product *= self.count(widths)
            if product >= whole:  # which soon happens in a long batch
                return whole
        return product

    def units(self, widths: Widths, before: Before = lambda _: (0, 0)) -> list[Unit]:
        """The releases of some questions that are charged by the answer, grouped by what is charged together.

        With one row per person, everybody is in one public cell. With several rows, one person may be in all cells that
        releases share.
        """
        guarded = {release: width for release, width in widths.items() if is_weighed(width)}
        if self.rows > 1:
            groups = [tuple(group) for group in _groups(guarded)]
            cells = [tuple(sorted({cell for r in group for cell in r.part.cells})) for group in groups]
            return [self._unit(*unit, guarded, before) for unit in zip(cells, groups, strict=True)]
        alike: dict[tuple[Release, ...], list[int]] = {}
        for index, releases in _by_cell(guarded).items():
            alike.setdefault(releases, []).append(index)
        return [self._unit(tuple(cells), releases, guarded, before) for releases, cells in alike.items()]

    def _unit(self, cells: tuple[int, ...], releases: tuple[Release, ...], widths: Widths, before: Before) -> Unit:
        moved = [release for release in releases if release.answers(widths[release], self.rows) > 1]
        if self.rows == 1:
            count = self._asked(releases, widths).factor(self.values())
        else:
            count = prod(release.answers(widths[release], self.rows) for release in releases)
        chances = (release.chance(widths[release], before(release)) for release in moved or releases)
        chance = 1 - prod((1 - each for each in chances), start=Fraction(1))
        narrows = self.celled or all(release.part.whole for release in releases)
        return Unit(cells, releases, count, chance, narrows)

    def together(self, releases: Iterable[Release]) -> int:
        """The largest number of releases that one person's data can change, if prices multiply."""
        widths = dict.fromkeys(releases, 1)
        groups = _by_cell(widths).values() if self.rows == 1 else _groups(widths)
        return sum(sorted(map(len, groups), reverse=True)[: self.rows])

    def questions(self, batch: list[Widths]) -> Mapping[str, Counted]:
        """What some questions together ask of every account of the ledger."""
        widths = union(batch)
        if not widths:
            return {}
        if self.celled:
            found = _by_cell(widths)
            each = {alike: self._asked(alike, widths) for alike in dict.fromkeys(found.values())}
            return {self.cell(index): each[releases] for index, releases in found.items()}
        if not all(release.part.whole for release in widths):
            read = tuple(sorted({column for release in widths for column in release.reads}))
            return {EVERYBODY: OtherQuestion(read, self.joint(map(_unrefined, batch)))}
        if self.rows == 1:
            return {EVERYBODY: self._asked(tuple(widths), widths)}
        asked = (release.question_of_everybody(width, self.rows) for release, width in widths.items())
        return {EVERYBODY: _together(asked)}

    def _asked(self, releases: tuple[Release, ...], widths: Widths) -> Counted:
        """Releases about one row of a person as one batch. Where there are conditions, signatures give a bound, too."""
        if not self.signatures or not _has_signatures(releases) or (len(releases) == 1 and not _has_cells(releases)):
            return _asked_together(releases, widths)
        return _together(self._bounded(linked, widths) for linked in _linked(releases))

    def _bounded(self, releases: list[Release], widths: Widths) -> Counted:
        """Releases that share columns. Other numbers than counts, sums and means multiply their joint answers."""
        asked, contributions, rest = _asked_together(releases, widths), [], []
        for release in releases:
            added = release.addends(widths[release])
            if added is None:
                rest.append(release)
            else:
                contributions.append(
                    Contribution(release.part.condition, added[0] if added else None, release.cells_of)
                )
        most = most_answers(contributions, self._columns()) if len(contributions) > 1 or _has_cells(releases) else None
        if most is None:
            return asked
        most *= _asked_together(rest, widths).factor(self.values()) if rest else 1
        return Together(asked.questions if isinstance(asked, Together) else (asked,), most)

    def _columns(self) -> Mapping[str, Column]:
        """All columns with codes."""
        private, public = self.dataset.schema.private, self.dataset.schema.public
        found = {name: Column(name, column.top, column.apart) for name, column in private.items()}
        return found | {name: Column(name, column.top, public=True) for name, column in public.items()}


@lru_cache(maxsize=MOST_CELLS, typed=True)
def _named(*keys: Any) -> str:
    return json.dumps(keys, ensure_ascii=False)


def _has_signatures(releases: Iterable[Release]) -> bool:
    """Whether rows differ in where they count."""
    return any(not release.part.plain or release.cells_of is not None for release in releases)


def _has_cells(releases: Iterable[Release]) -> bool:
    """Whether there are numbers of every cell of private groups."""
    return any(release.cells_of is not None for release in releases)


def _linked(releases: Iterable[Release]) -> list[list[Release]]:
    """Releases grouped by shared columns. Releases in different groups read no column in common."""
    groups: list[tuple[frozenset[str], list[Release]]] = []
    for release in releases:
        reads, members = columns_read(release.part.condition).union(release.reads), [release]
        others = []
        for group in groups:
            if group[0].isdisjoint(reads):
                others.append(group)
            else:
                reads, members = reads | group[0], group[1] + members
        groups = [*others, (reads, members)]
    return [members for _, members in groups]


def union(batch: Iterable[Widths]) -> Widths:
    """All releases of some questions. A release that is asked for twice counts as one if its bins are the same."""
    return {release: width for widths in batch for release, width in widths.items()}


def _unrefined(widths: Widths) -> Widths:
    """The releases as if nothing were known of them, for a ledger that keeps no account of their group."""
    return {release.unrefined: width for release, width in widths.items()}


def without_implied(widths: Widths) -> Widths:
    """Leave out counts that a mean of the same rows releases anyway."""
    if len(widths) == 1 or not any(release.is_count for release in widths):
        return dict(widths)
    implied = {release.row_count.identity for release in widths if release.row_count is not None}
    return {release: width for release, width in widths.items() if release.identity not in implied}


def _by_cell(widths: Widths) -> dict[int, tuple[Release, ...]]:
    """For every public cell, the releases about its people."""
    cells: dict[int, list[Release]] = {}
    for release in widths:
        for index in release.part.cells:
            cells.setdefault(index, []).append(release)
    return {index: tuple(releases) for index, releases in cells.items()}


def _met(widths: Widths) -> set[tuple[Release, ...]]:
    """The sets of releases that the data of some person can change."""
    same = len({release.part.cells for release in widths}) == 1
    return {tuple(widths)} if same else {*_by_cell(widths).values()}


def _groups(widths: Widths) -> list[list[Release]]:
    """Releases grouped by shared public cells. Releases in different groups share none."""
    groups: list[tuple[set[int], list[Release]]] = []
    for release in widths:
        cells, members = set(release.part.cells), [release]
        others = []
        for group in groups:
            if group[0].isdisjoint(cells):
                others.append(group)
            else:
                cells, members = cells | group[0], group[1] + members
        groups = [*others, (cells, members)]
    return [members for _, members in groups]


def _largest_of_each_shape(groups: list[list[Release]], widths: Widths) -> list[list[Release]]:
    """Leave out groups with the same releases as another group but no more rows: they have no more answers."""
    kept: dict[object, list[list[Release]]] = {}
    for group in groups:
        shape = tuple((_anywhere(release), widths[release]) for release in group)
        alike = kept.setdefault(shape, [])
        if not any(_covers(other, group) for other in alike):
            kept[shape] = [*(other for other in alike if not _covers(group, other)), group]
    return [group for alike in kept.values() for group in alike]


def _anywhere(release: Release) -> Release:
    """The same release without its cells, so that releases of different groups can be compared."""
    return release.of_rows(Part((), 0, release.part.condition))


def _covers(larger: list[Release], smaller: list[Release]) -> bool:
    return all(one.part.size >= two.part.size for one, two in zip(larger, smaller, strict=True))


def _asked_together(releases: Iterable[Release], widths: Widths) -> Counted:
    """Releases as one batch. Guarded counts and sums about the same rows are counted jointly."""
    rest, joint = list(releases), list[Counted]()
    if len(rest) == 1:
        return rest[0].question(widths[rest[0]])
    guarded = [release for release in rest if is_guarded(widths[release])]
    if not guarded:
        return _together([release.question(widths[release]) for release in rest])
    for count in [release for release in guarded if release.is_count]:
        sums = [release for release in guarded if release.counts_with(count) and release in rest]
        if sums:
            counts = [release for release in guarded if release.is_count and release.part == count.part]
            reads = sorted({name for release in sums for name in release.reads})
            joint.append(GuardedRows(tuple(reads), len(sums)))
            rest = [release for release in rest if release not in (*sums, *counts)]
    return _together([*(release.question(widths[release]) for release in rest), *joint])


def _together(questions: Iterable[Counted]) -> Counted:
    """One question unchanged, several as one batch."""
    asked = tuple(questions)
    if len(asked) == 1:
        return asked[0]
    parts = (each.questions if isinstance(each, Together) and each.most is None else (each,) for each in asked)
    return Together(tuple(chain.from_iterable(parts)))
