"""How many joint answers counts, sums and means under conditions, and by private groups, have: rule H.

The signature of a row is the truth values of the conditions on it, and the cells of private groups in which it is
counted. With everybody else's data fixed, counts follow from the signature of a person's row, and a sum under a
condition moves with the row only if the condition is true. So there are at most Σ J(σ) joint answers, where J(σ) counts
those of the sums in which rows of signature σ take part: the jumps of sums of one column add, others multiply.

Source: theory §6, rule H: docs/composition.md
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from math import prod
from typing import NamedTuple

from noiseless.curator.plan.condition import Condition, columns_read
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.question.classes import Classes, Codes, Column, classes_of_rows
from noiseless.curator.releases.addend import Addend

Groups = tuple[Derived, int]
"""Private groups: the number of a row's cell, and the number of cells."""
Kind = tuple[tuple[int, ...], tuple[Codes, ...]]
"""The places of the sums in which rows of a signature take part, and the codes that these rows have in columns."""
NOTHING = ((), ())
"""The kind of rows that take part in no sum."""
MOST_LISTED = 20_000
"""Cells of private groups are found for every row of their columns if there are at most this number."""


class Contribution(NamedTuple):
    """What a row contributes to a release: whether it counts, what it adds to a sum, and in which cell of groups."""

    condition: Condition
    added: Addend | None = None
    groups: Groups | None = None


def most_answers(contributions: Sequence[Contribution], columns: Mapping[str, Column]) -> int | None:
    """The most joint answers, if one person's row may be any. None if there are too many classes of rows.

    >>> from noiseless.curator.plan.condition import Within
    >>> colours = {"colour": Column("colour", top=9)}
    >>> most_answers([Contribution(Within("colour", ((code, code),))) for code in (0, 1, 2)], colours)
    4
    """
    addends = [each.added for each in contributions if each.added is not None]
    reads = tuple(dict.fromkeys(name for added in addends for name in added.reads))
    conditions = dict.fromkeys(each.condition for each in contributions)
    named = {*reads, *(name for condition in conditions for name in columns_read(condition))}
    groups = list(dict.fromkeys(each.groups for each in contributions if each.groups is not None))
    cut = frozenset[str]().union(*(number.function.reads for number, _ in groups))
    if groups and _differ(groups, named, [columns[name] for name in cut]):
        found = most_of_rows(tuple(contributions), reads, tuple([columns[name] for name in sorted(named | cut)]), True)
        if found is not None:
            return found
    return most_of_rows(tuple(contributions), reads, tuple([columns[name] for name in sorted(named)]), False)


def _differ(groups: Sequence[Groups], named: Set[str], read: Sequence[Column]) -> bool:
    """Whether rows in different cells can differ in the `named` columns, or some cells can have none.

    Not if there are too many rows to find their cells.
    """
    rows = prod(column.values for column in read)
    own = any(column.public or column.name in named for column in read)
    return rows <= MOST_LISTED and (own or len(groups) > 1 or groups[0][1] != rows)


@lru_cache(maxsize=256)
def most_of_rows(
    contributions: tuple[Contribution, ...], reads: tuple[str, ...], columns: tuple[Column, ...], listed: bool
) -> int | None:
    """As `most_answers`, remembered for all public cells with the same releases.

    If cells of private groups are not `listed`, a row may be in any of them.
    """
    found = kinds_of_rows(
        tuple([each.condition for each in contributions]),
        tuple([place for place, each in enumerate(contributions) if each.added is not None]),
        tuple([each.groups for each in contributions]),
        reads,
        columns,
        listed,
    )
    if found is None:
        return None
    sums = [each.added for each in contributions if each.added is not None]
    same = {added: added for added in sums}
    addends = [same[added] for added in sums]
    return max(sum(times * _moved(kind, addends, reads) for kind, times in group) for group in found)


def _moved(kind: Kind, addends: Sequence[Addend], reads: Sequence[str]) -> int:
    """J: the joint answers of the sums in which rows of a kind take part. Equal addends are one object."""
    if kind == NOTHING:
        return 1
    taken, codes = [addends[place] for place in kind[0]], dict(zip(reads, kind[1], strict=True))
    often, different = Counter(map(id, taken)), {id(added): added for added in taken}
    jumps: dict[tuple[bool, str], int] = {}
    values: dict[tuple[bool, str], int] = {}
    for which, added in different.items():
        span, number = added.top, min(added.top + 1, prod(codes[name].number for name in added.reads))
        if added.own:
            span, number = codes[added.name].span, codes[added.name].number
        of = added.own, added.name
        jumps[of], values[of] = jumps.get(of, 0) + often[which] * added.jumps(span, number), number
    together = prod(min(values[of], 1 + times) for of, times in jumps.items())
    read = {name for added in different.values() for name in added.reads}
    return min(together, prod(codes[name].number for name in read))


@lru_cache(maxsize=256)
def kinds_of_rows(
    conditions: tuple[Condition, ...],
    sums: tuple[int, ...],
    groups: tuple[Groups | None, ...],
    reads: tuple[str, ...],
    columns: tuple[Column, ...],
    listed: bool,
) -> tuple[tuple[tuple[Kind, int], ...], ...] | None:
    """For the combinations of public keys, how many signatures there are of each kind. None if there are too many.

    `sums` are the places of the conditions under which something is summed that `reads` these columns.
    """
    shown = {
        each: [place for place, own in enumerate(groups) if own == each]
        for each in dict.fromkeys(groups)
        if each is not None
    }
    classes = classes_of_rows(conditions, columns, _cuts(shown, columns) if listed else {})
    if classes is None:
        return None
    kinds: dict[tuple[int, ...], Counter[Kind]] = {}
    for (group, signature, _), codes in _signatures(classes, conditions, reads, shown if listed else {}).items():
        taken = tuple([each for each, place in enumerate(sums) if signature[place]])
        kind = (taken, codes) if taken else NOTHING
        seen = [cells for (_, cells), places in shown.items() if any(signature[place] for place in places)]
        kinds.setdefault(group, Counter())[kind] += 1 if listed else prod(seen)
    return tuple(tuple(group.items()) for group in kinds.values())


def _cuts(groups: Iterable[Groups], columns: Iterable[Column]) -> Mapping[str, Iterable[int]]:
    """Where cells of rows may change: at every code of their columns."""
    read = frozenset[str]().union(*(number.function.reads for number, _ in groups))
    return {column.name: range(column.top + 1) for column in columns if column.name in read}


def _signatures(
    classes: Classes, conditions: Sequence[Condition], reads: Sequence[str], shown: Mapping[Groups, Sequence[int]]
) -> dict[tuple[tuple[int, ...], tuple[bool, ...], tuple[int, ...]], tuple[Codes, ...]]:
    """The signatures of every combination of public pieces, with the codes that their rows have in some columns.

    The cells of groups are part of a signature if a condition under which these cells are `shown` is true.
    """
    own = [classes.place(name) for name in reads]
    public = [place for place, axis in enumerate(classes.axes) if axis.public]
    numbers = [(_numbers(classes, number), places) for (number, _), places in shown.items()]
    met: dict[tuple[tuple[int, ...], tuple[bool, ...], tuple[int, ...]], set[tuple[int, ...]]] = {}
    for pieces, signature in zip(classes.pieces(), classes.truths(conditions), strict=True):
        cells = tuple(
            [
                found[tuple([pieces[axis] for axis in axes])] if any(signature[place] for place in places) else -1
                for (axes, found), places in numbers
            ]
        )
        key = tuple([pieces[axis] for axis in public]), signature, cells
        met.setdefault(key, set()).add(tuple([pieces[axis] for axis in own]))
    return {
        key: tuple(classes.axes[axis].codes(set(met)) for axis, met in zip(own, zip(*found, strict=True), strict=True))
        for key, found in met.items()
    }


def _numbers(classes: Classes, number: Derived) -> tuple[list[int], dict[tuple[int, ...], int]]:
    """The axes of private groups, and the cell of every combination of their pieces."""
    names = sorted(number.function.reads)
    found = {pieces: int(number.function.value(row)) for pieces, row in classes.rows_of(names)}  # type: ignore[arg-type]
    return [classes.place(name) for name in names], found
