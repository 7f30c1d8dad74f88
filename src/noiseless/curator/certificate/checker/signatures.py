"""Joint answers by signatures (rule H of theory §6), deliberately counted a second time: by a row of each kind.

Claim: let some numbers each be a count, a sum or a mean of the rows for which a condition holds. With all other data
fixed, one person's row causes at most Σ J(σ) joint answers, over the signatures σ: which conditions hold for it.
Proof: within a signature every count is fixed, and so is every sum whose condition does not hold. The others rise with
the code of the row, each meeting ⌈span/w⌉ + 1 bins, so those of one column change together at most Σ⌈span/w⌉ times.
Different columns, or functions of the row, give at most the product.

Between two cuts of a column nothing but its code changes, so one code of each piece is tried. A comparison of functions
over too many rows is taken as free to come out in any way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import prod
from typing import Any

from noiseless.curator.certificate.checker.bins import Bins, Ladder
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
from noiseless.curator.certificate.checker.ranges import Columns
from noiseless.curator.certificate.checker.releases import Computed, Release

MOST_CLASSES, MOST_TRUTHS = 200_000, 10_000_000
"""Twice what a curator lists, so that its counts are followed where it may cut in fewer places."""
LISTED = 4096
SUMS = {"total", "function total", "filtered total", "filtered mean", "centred total", "centred squares", "histogram"}
OPPOSITE = {">=": "<", ">": "<=", "<>": "="}
Piece = tuple[int | None, int, int]
"""A code of the piece, and its first and its last code. A missing value comes after the last code of the column."""


def counted(release: Release, bins: Bins | Ladder) -> bool:
    """Whether the rule is about such a number."""
    return not isinstance(bins, Ladder) and (release.kind == "head count" or release.kind in SUMS)


def by_signatures(widths: Mapping[Release, Bins], most: Mapping[Release, int], columns: Columns) -> int | None:
    """Σ J(σ), if there are not too many kinds of rows. Every number has `most` answers by itself."""
    for listed in (LISTED, 0):
        found = _counted(widths, most, columns, listed)
        if found is not None:
            return found
    return None


def _counted(widths: Mapping[Release, Bins], most: Mapping[Release, int], columns: Columns, listed: int) -> int | None:
    conditions = dict.fromkeys(release.part.condition for release in widths)
    freed = {each: _freed(each, columns, listed) for each in conditions}
    names = {name for each in freed.values() for name in _named(each)} | {n for r in widths for n in r.reads}
    pieces = {name: _pieces(name, list(freed.values()), columns) for name in sorted(names, key=str)}
    size = prod(map(len, pieces.values()))
    if size > MOST_CLASSES or size * len(widths) > MOST_TRUTHS:
        return None
    public = [place for place, name in enumerate(pieces) if isinstance(name, str) and columns[name].public]
    met: dict[tuple[Piece, ...], dict[tuple[bool, ...], list[set[Piece]]]] = {}
    for row, truths in _rows(pieces, list(freed.values()), columns):
        spans = met.setdefault(tuple(row[place] for place in public), {})
        for own, piece in zip(spans.setdefault(truths, [set() for _ in row]), row, strict=True):
            own.add(piece)
    totals = []
    for signatures in met.values():
        total = 0
        for truths, found in signatures.items():
            true = {condition for condition, truth in zip(conditions, truths, strict=True) if truth}
            taken = [r for r in widths if r.part.condition in true and r.kind in SUMS]
            total += _moved(taken, widths, most, dict(zip(pieces, found, strict=True)), columns) if taken else 1
        totals.append(total)
    return max(totals)


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
        met = min(-(-unit * span // wide) + 1, codes, most[release])
        changes[of], values[of] = changes.get(of, 0) + met - 1, codes
    together = prod(min(values[of], 1 + changed) for of, changed in changes.items())
    return min(together, prod(number[name] for name in {name for release in taken for name in _own(release)}))


def _own(release: Release) -> tuple[str, ...]:
    """The columns of what is summed."""
    return release.name.reads if isinstance(release.name, Computed) else (release.name or "",)


def _pieces(name: Any, conditions: Sequence[Condition], columns: Columns) -> list[Piece]:
    """The codes of a column between its cuts, and missing values. A comparison that is free is true, false, unknown."""
    if not isinstance(name, str):
        return [(0, 0, 0), (1, 1, 1), *([(None, 2, 2)] if _unknown(name, columns) else [])]
    column = columns[name]
    cut = {cut for condition in conditions for cut in _cuts(condition, name, columns)}
    places = [*sorted({0, *(each for each in cut if 0 < each <= column.top)}), column.top + 1]
    found: list[Piece] = [(first, first, after - 1) for first, after in pairwise(places)]
    return [*found, (None, column.top + 1, column.top + 1)] if column.apart else found


def _cuts(condition: Condition, name: str, columns: Columns) -> Iterator[int]:
    """Where a condition may change, as the code of a column rises. At every code if functions of it are compared."""
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
