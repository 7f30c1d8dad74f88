"""Sums that were computed before, per group, so that a finer answer or a coarser grouping needs no statement.

They are private, like the codes. They stay in this process, and only a question that is charged computes or uses them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

ADDITIVE = re.compile(r"SUM\(c[0-9]+\)|COUNT\((\*|c[0-9]+)\)").fullmatch
MOST_ROWS, MOST = 1000, 1000
"""The most groups of a sum that is kept, and the most sums."""

Row = tuple[Any, ...]
Groups = dict[Row, int]


class Kept:
    """Keeps, for each sum over frozen codes, the last grouping that did not follow from the grouping kept before."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[tuple[str, ...], Groups]] = {}

    def grouped(self, keys: list[str], numbers: list[str], compute: Callable[[], list[Row]]) -> list[Row]:
        """Keys and sums of all groups of rows, added up from finer groups if all are kept, or else computed."""
        sums = [self._coarser(keys, number) for number in numbers]
        known = [each for each in sums if each is not None]
        if sums and len(known) == len(sums):
            return [(*group, *(each[group] for each in known)) for group in known[0]]
        rows = compute()
        if len(rows) <= MOST_ROWS and all(map(ADDITIVE, numbers)):
            for place, number in enumerate(numbers, len(keys)):
                self._keep(keys, number, {row[: len(keys)]: int(row[place] or 0) for row in rows})
        return rows

    def _coarser(self, keys: list[str], number: str) -> Groups | None:
        finer, groups = self._sums.get(number, ((), {}))
        if number not in self._sums or not set(keys) <= set(finer):
            return None
        places, added = [finer.index(key) for key in keys], dict[Row, int]()
        for group, value in groups.items():
            coarser = tuple(group[place] for place in places)
            added[coarser] = added.get(coarser, 0) + value
        return added

    def _keep(self, keys: list[str], number: str, groups: Groups) -> None:
        if len(self._sums) >= MOST and number not in self._sums:
            self._sums.clear()
        if not set(keys) < set(self._sums.get(number, ((), {}))[0]):
            self._sums[number] = tuple(keys), groups
