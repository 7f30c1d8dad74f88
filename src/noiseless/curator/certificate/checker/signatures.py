"""Joint answers by signatures (rule H of theory §6), deliberately counted a second time: by a row of each kind.

Claim: let some numbers each be a count, a sum or a mean of the rows for which a condition holds. With all other data
fixed, one person's row causes at most Σ J(σ) joint answers, over the signatures σ: which conditions hold for it.
Proof: within a signature every count is fixed, and so is every sum whose condition does not hold. The others rise with
the code of the row, each meeting ⌈span/w⌉ + 1 bins, so those of one column change together at most Σ⌈span/w⌉ times.
Different columns, or functions of the row, give at most the product. Squares beside a sum fall and rise with its code.

Numbers of every cell of private groups are counts and sums of the rows of one cell: the cell of a row in which it is
counted belongs to its signature. It is found for rows of all codes of the groups' columns, or a row may be in any.

Between two cuts of a column nothing but its code changes, so one code of each piece is tried. A comparison of functions
over too many rows is taken as free to come out in any way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import prod
from typing import Any

from noiseless.curator.certificate.checker.bins import Bins, Ladder
from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.conditions import (
    FALSE,
    Condition,
    columns_read,
    functions_of,
    holds_for,
    joined,
    negation,
    parts_of,
)
from noiseless.curator.certificate.checker.function_values import value_of
from noiseless.curator.certificate.checker.groups import Group, columns_of
from noiseless.curator.certificate.checker.ranges import Columns, far_of, middle_of
from noiseless.curator.certificate.checker.releases import Computed, Grouped, Release

MOST_CLASSES, MOST_TRUTHS = 200_000, 10_000_000
"""Twice what a curator lists, because a curator may cut columns in fewer places."""
LISTED, MOST_LISTED = 4096, 20_000
SPREADS = {"filtered variance", "variances of groups"}
"""Sums of codes with those of their squares."""
SUMS = {"total", "function total", "filtered total", "filtered mean", "centred total", "centred squares", "histogram"}
SUMS |= {"sums of groups", *SPREADS}
COUNTS = {"head count", "cross table"}
OPPOSITE = {">=": "<", ">": "<=", "<>": "="}
Piece = tuple[int | None, int, int]
"""A code of the piece, and its first and its last code. A missing value comes after the last code of the column."""


def counted(release: Release, bins: Bins | Ladder) -> bool:
    """Whether the rule is about such a number."""
    return not isinstance(bins, Ladder) and release.kind in COUNTS | SUMS


def by_signatures(widths: Mapping[Release, Bins], most: Mapping[Release, int], columns: Columns) -> int | None:
    """Σ J(σ). None if there are too many kinds of rows. Each number has `most` answers by itself."""
    groups = next((release.groups for release in widths if release.groups is not None), None)
    named = {name for release in widths for name in columns_read(release.part.condition)}
    named |= {name for release in widths if release.kind in SUMS for name in _own(release)}
    read = columns_of(groups.groups) if groups is not None else frozenset()
    rows = prod(columns[name].values for name in read)
    alike = groups is None or (rows == groups.cells and not any(columns[name].public for name in read))
    ways = [(LISTED, True), (0, True)] if rows <= MOST_LISTED and (read & named or not alike) else []
    for listed, cells in [*ways, (LISTED, False), (0, False)]:
        found = _counted(widths, most, columns, listed, groups, cells)
        if found is not None:
            return found
    return None


def _counted(
    widths: Mapping[Release, Bins],
    most: Mapping[Release, int],
    columns: Columns,
    listed: int,
    groups: Grouped | None,
    cells: bool,
) -> int | None:
    """Σ J(σ), with rows of all `cells`, or rows that may be in any cell.

    Comparisons over `listed` rows or fewer are tried.
    """
    conditions = dict.fromkeys(release.part.condition for release in widths)
    freed = {each: _freed(each, columns, listed) for each in conditions}
    names = {name for each in freed.values() for name in _named(each)}
    names |= {name for release in widths if release.kind in SUMS for name in _own(release)}
    apart = columns_of(groups.groups) if groups is not None and cells else frozenset()
    pieces = {
        name: _pieces(name, list(freed.values()), columns, name in apart) for name in sorted(names | apart, key=str)
    }
    size = prod(map(len, pieces.values()))
    if size > MOST_CLASSES or size * len(widths) > MOST_TRUTHS:
        return None
    public = [place for place, name in enumerate(pieces) if isinstance(name, str) and columns[name].public]
    shown = {release.part.condition for release in widths if release.groups is not None}
    cell_of = _Cells(groups.groups if groups is not None and cells else (), list(pieces), columns)
    met: dict[tuple[Piece, ...], dict[tuple[tuple[bool, ...], int], list[set[Piece]]]] = {}
    for row, truths in _rows(pieces, list(freed.values()), columns):
        spans = met.setdefault(tuple(row[place] for place in public), {})
        seen = any(truth and each in shown for truth, each in zip(truths, conditions, strict=True))
        key = truths, cell_of(row) if seen else -1
        for own, piece in zip(spans.setdefault(key, [set() for _ in row]), row, strict=True):
            own.add(piece)
    totals = []
    for signatures in met.values():
        total = 0
        for (truths, cell), found in signatures.items():
            true = {condition for condition, truth in zip(conditions, truths, strict=True) if truth}
            taken = [r for r in widths if r.part.condition in true and r.kind in SUMS]
            alike = 1 if cell < 0 or cells or groups is None else groups.cells
            moved = _moved(taken, widths, most, dict(zip(pieces, found, strict=True)), columns) if taken else 1
            total += alike * moved
        totals.append(total)
    return max(totals)


class _Cells:
    """Finds the cell of a row of private groups: its values as digits, the last group fastest."""

    def __init__(self, groups: Sequence[Group], names: Sequence[Any], columns: Columns) -> None:
        self.groups, self.columns, self.known = groups, columns, dict[tuple[Piece, ...], int]()
        self.names = sorted(columns_of(groups))
        self.own = [names.index(name) for name in self.names]
        self.places = [{value: place for place, value in enumerate(each.values)} for each in groups]

    def __call__(self, row: Sequence[Piece]) -> int:
        pieces = tuple([row[place] for place in self.own])
        if pieces not in self.known:
            codes = {name: piece[0] for name, piece in zip(self.names, pieces, strict=True)}
            number = 0
            for group, places in zip(self.groups, self.places, strict=True):
                number = number * len(places) + places[value_of(group.function, codes, self.columns)]
            self.known[pieces] = number
        return self.known[pieces]


def _rows(
    pieces: Mapping[Any, Sequence[Piece]], conditions: Sequence[Condition], columns: Columns
) -> Iterator[tuple[tuple[Piece, ...], tuple[bool, ...]]]:
    """One row of every kind, and which conditions hold for it. Each is tried on the columns that it reads."""
    names, tables = list(pieces), []
    for condition in conditions:
        read = [place for place, name in enumerate(names) if name in _named(condition)]
        table = {}
        for own in product(*(pieces[names[place]] for place in read)):
            codes = {names[place]: piece[0] for place, piece in zip(read, own, strict=True)}
            table[own] = holds_for(condition, codes, columns) is True
        tables.append((read, table))
    for row in product(*pieces.values()):
        yield row, tuple([table[tuple([row[place] for place in read])] for read, table in tables])


def _moved(
    taken: Sequence[Release],
    widths: Mapping[Release, Bins],
    most: Mapping[Release, int],
    found: Mapping[Any, set[Piece]],
    columns: Columns,
) -> int:
    """J(σ): the joint answers of the sums in which rows with these codes take part."""
    number = {name: sum(last - first + 1 for _, first, last in own) for name, own in found.items()}
    changes: dict[Any, int] = {}
    values: dict[Any, int] = {}
    for release in taken:
        own = _own(release)
        column, bins = columns[release.name or ""], widths[release]
        of: Any = release.name if release.kind != "centred squares" else ("squares", release.name)
        codes = prod(number[name] for name in own)
        if of in found:
            span = max(last for _, _, last in found[of]) - min(first for _, first, _ in found[of])
        else:
            span = max((column.top + 1) // 2, column.top // 2) ** 2 if release.kind == "centred squares" else column.top
            codes = min(codes, span + 1)
        unit = (column.low / column.step).denominator if release.kind == "filtered total" else 1
        wide = 1 if bins.guard or release.kind == "histogram" else bins.wide
        bins_met = min(-(-unit * span // wide) + 1, _bins(release, bins, most, columns))
        met = min(bins_met + _squares(release, column, wide), codes)
        changes[of], values[of] = changes.get(of, 0) + met - 1, codes
    together = prod(min(values[of], 1 + changed) for of, changed in changes.items())
    return min(together, prod(number[name] for name in {name for release in taken for name in _own(release)}))


def _bins(release: Release, bins: Bins, most: Mapping[Release, int], columns: Columns) -> int:
    """The number of all bins of the sum."""
    if release.groups is None:
        return most[release]
    return release.part.rows * columns[release.name or ""].top // bins.wide + 1


def _squares(release: Release, column: Column, wide: int) -> int:
    """How often the bins of the squares change as a code falls to the middle, and rises from it."""
    if release.kind not in SPREADS:
        return 0
    sides = middle_of(column), column.top - middle_of(column)
    return sum(-(-(side**2) // (wide * far_of(column))) for side in sides)


def _own(release: Release) -> tuple[str, ...]:
    """The columns that the summed column or function reads."""
    return release.name.reads if isinstance(release.name, Computed) else (release.name or "",)


def _pieces(name: Any, conditions: Sequence[Condition], columns: Columns, apart: bool) -> list[Piece]:
    """The codes of a column between its cuts, and missing values. A comparison that is free is true, false, unknown.

    If `apart`, the column is cut at every code.
    """
    if not isinstance(name, str):
        return [(0, 0, 0), (1, 1, 1), *([(None, 2, 2)] if _unknown(name, columns) else [])]
    column = columns[name]
    cut = {cut for condition in conditions for cut in _cuts(condition, name, columns)}
    cut |= {*range(column.top + 1)} if apart else set()
    places = [*sorted({0, *(each for each in cut if 0 < each <= column.top)}), column.top + 1]
    found: list[Piece] = [(first, first, after - 1) for first, after in pairwise(places)]
    return [*found, (None, column.top + 1, column.top + 1)] if column.apart else found


def _cuts(condition: Condition, name: str, columns: Columns) -> Iterator[int]:
    """The codes of a column at which a condition may change. These are all codes if functions of it are compared."""
    if condition[0] == "within" and condition[1] == name:
        yield from (end for first, last in condition[2] for end in (first, last + 1))
    if functions_of(condition) and name in columns_read(condition):
        yield from range(columns[name].top + 1)
    for part in parts_of(condition):
        yield from _cuts(part, name, columns)


def _freed(condition: Condition, columns: Columns, listed: int) -> Condition:
    """The condition in which comparisons over too many rows become columns: 0 where true, 1 where false."""
    match condition[0]:
        case "not":
            return negation(_freed(condition[1], columns, listed))
        case "every" | "some":
            return joined(condition[0], (_freed(part, columns, listed) for part in condition[1]))
        case "compared" | "absent" if prod(columns[name].values for name in columns_read(condition)) > listed:
            if condition[0] == "compared" and condition[1] in OPPOSITE:
                return "not", ("within", ("compared", OPPOSITE[condition[1]], *condition[2:]), ((0, 0),))
            return "within", condition, ((0, 0),)
    return condition


def _named(condition: Condition) -> set[Any]:
    """The columns of a condition, and the comparisons that are free."""
    if condition[0] == "within":
        return {condition[1]}
    if not parts_of(condition):
        return set(columns_read(condition))
    return {name for part in parts_of(condition) for name in _named(part)}


def _unknown(condition: Condition, columns: Columns) -> bool:
    """Whether a comparison may be neither true nor false."""
    from noiseless.curator.certificate.checker.comparisons import absent

    return condition[0] == "compared" and any(absent(side, columns) != FALSE for side in condition[2:])
