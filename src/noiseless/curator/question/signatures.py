"""How many joint answers counts, sums and means under conditions have: rule H.

The truth values of the conditions on a row are its signature. With everybody else's data fixed, counts follow from the
signature of a person's row, and a sum under a condition moves with the row only if the condition is true. So there are
at most Σ J(σ) joint answers, where J(σ) counts those of the sums in which rows of signature σ take part: the jumps of
sums of one column add, others multiply.

Source: theory §6, rule H: docs/composition.md
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import prod

from noiseless.curator.plan.condition import Condition, columns_read
from noiseless.curator.question.classes import Classes, Codes, Column, classes_of_rows
from noiseless.curator.releases.addend import Addend

Told = tuple[Condition, Addend | None]
"""What a release says: who counts, and perhaps the sum of something."""
Kind = tuple[tuple[int, ...], tuple[Codes, ...]]
"""The sums in which rows of a signature take part, by their places, and the codes that these rows have in columns."""
NOTHING = ((), ())
"""Such rows take part in no sum."""


def most_answers(told: Sequence[Told], columns: Mapping[str, Column]) -> int | None:
    """The most joint answers, if one person's row may be any. None if there are too many classes of rows.

    >>> from noiseless.curator.plan.condition import Within
    >>> colours = {"colour": Column("colour", top=9)}
    >>> most_answers([(Within("colour", ((code, code),)), None) for code in (0, 1, 2)], colours)
    4
    """
    conditions = tuple([condition for condition, _ in told])
    sums = tuple([(place, added) for place, (_, added) in enumerate(told) if added is not None])
    reads = tuple(dict.fromkeys(name for _, added in sums for name in added.reads))
    names = sorted({*reads, *(name for condition in dict.fromkeys(conditions) for name in columns_read(condition))})
    return most_of_rows(conditions, sums, reads, tuple([columns[name] for name in names]))


@lru_cache(maxsize=256)
def most_of_rows(
    conditions: tuple[Condition, ...],
    sums: tuple[tuple[int, Addend], ...],
    reads: tuple[str, ...],
    columns: tuple[Column, ...],
) -> int | None:
    """The same for every public cell that is told the same."""
    groups = kinds_of_rows(conditions, tuple([place for place, _ in sums]), reads, columns)
    if groups is None:
        return None
    same = {added: added for _, added in sums}
    addends = [same[added] for _, added in sums]
    return max(sum(times * _moved(kind, addends, reads) for kind, times in group) for group in groups)


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
    conditions: tuple[Condition, ...], sums: tuple[int, ...], reads: tuple[str, ...], columns: tuple[Column, ...]
) -> tuple[tuple[tuple[Kind, int], ...], ...] | None:
    """For the combinations of public keys, how many signatures there are of each kind. None if there are too many.

    `sums` are the places of the conditions under which something is summed that `reads` these columns.
    """
    classes = classes_of_rows(conditions, columns)
    if classes is None:
        return None
    groups: dict[tuple[int, ...], Counter[Kind]] = {}
    for (group, signature), codes in _signatures(classes, conditions, reads).items():
        taken = tuple([each for each, place in enumerate(sums) if signature[place]])
        kind = (taken, codes) if taken else NOTHING
        groups.setdefault(group, Counter())[kind] += 1
    return tuple(tuple(group.items()) for group in groups.values())


def _signatures(
    classes: Classes, conditions: Sequence[Condition], reads: Sequence[str]
) -> dict[tuple[tuple[int, ...], tuple[bool, ...]], tuple[Codes, ...]]:
    """The signatures of every combination of public pieces, with the codes that their rows have in some columns."""
    own = [classes.place(name) for name in reads]
    public = [place for place, axis in enumerate(classes.axes) if axis.public]
    met: dict[tuple[tuple[int, ...], tuple[bool, ...]], set[tuple[int, ...]]] = {}
    for pieces, signature in zip(classes.pieces(), classes.truths(conditions), strict=True):
        key = tuple([pieces[axis] for axis in public]), signature
        met.setdefault(key, set()).add(tuple([pieces[axis] for axis in own]))
    return {
        key: tuple(classes.axes[axis].codes(set(met)) for axis, met in zip(own, zip(*found, strict=True), strict=True))
        for key, found in met.items()
    }
