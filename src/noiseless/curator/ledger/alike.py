"""Very many groups and the ledger: whether it says the same about all groups of a kind, and what it says about each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from noiseless.curator.ledger.column import Column, column_of, written
from noiseless.curator.ledger.compact import PaidKey
from noiseless.curator.ledger.state import State
from noiseless.curator.question.groups import Groups
from noiseless.curator.releases.release import Integers, Paid, Release, Released, Width
from noiseless.curator.releases.written import canonical

Key = Callable[[Paid], PaidKey]
"""The name under which a release is paid for."""


def alike(state: State, groups: Groups, key: Key) -> Groups | None:
    """The groups.

    Those about which the ledger knows something get their own kinds. None if the others are not alike.
    """
    texts = set(_texts(state, groups, key))
    found = groups.separated(state.alone(texts))
    if any(found.differing(column.seen(found.cell)) for column in state.columns.about(texts)):
        return None
    return found if found is groups or found.few else None


def _texts(state: State, groups: Groups, key: Key) -> Iterable[str]:
    """The facts that the groups ask for, and those that follow from them."""
    for release in groups.stands_for:
        yield key((release, 1))[0]
        yield key((release, 2))[0]
        if release.row_count is not None:
            yield state.fact_of(release.row_count)[0]


def paid_columns(groups: Groups, unpaid: Iterable[Paid]) -> list[dict[str, Any]]:
    """The columns that an entry pays for: all groups that the samples stand for."""
    return _written(groups, ((release, width, None) for release, width in unpaid))


def released_columns(
    state: State, ask: int, groups: Groups, found: Iterable[tuple[Paid, Integers]]
) -> list[dict[str, Any]]:
    """The columns that an ask released: all groups that the samples stand for."""
    import numpy as np

    paid = {text: column for (number, text), column in state.columns.asked.items() if number == ask}
    return _written(groups, ((*pair, numbers.astype(np.int64)) for pair, numbers in found), paid)


def _written(
    groups: Groups, parts: Iterable[tuple[Release, Width, Integers | None]], paid: Mapping[str, Column] | None = None
) -> list[dict[str, Any]]:
    families: dict[str, tuple[Mapping[str, Any], list[tuple[Integers, Width, Integers | None]]]] = {}
    for release, width, out in parts:
        family, own = release.family(), groups.cell[groups.stands_for[release]]
        families.setdefault(canonical(family), (family, []))[1].append((own, width, out))
    found = []
    for text, (family, rows) in families.items():
        cells, widths, numbers = zip(*rows, strict=True)
        column = column_of(cells, widths, [each for each in numbers if each is not None])
        found.append(written(family, column, (paid or {}).get(text)))
    return found


def released_of_each(
    state: State, groups: Groups, paid: Paid, key: Key, one: Callable[[Release, Width], Released | None]
) -> Integers | None:
    """What was released about all groups that a sample stands for. None if that is not known."""
    import numpy as np

    release, width = paid
    cells = groups.cell[groups.stands_for[release]]
    text, _, _ = key(paid)
    _, wanted = state.fact_of(release, width)
    for column, rest in state.columns.released.get(text, ()):
        seen = column.seen(cells)
        if rest == wanted and (seen >= 0).all() and all(column.bins[which] == width for which in set(seen.tolist())):
            return column.of(cells)
    found = [one(release.in_cell(cell), width) for cell in cells.tolist()]
    return None if None in found else np.array(found, dtype=object).T
