"""How a base table divides a column: a label for every value, and how that is written in a question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Private
from noiseless.curator.sql.example import written
from noiseless.exact.plural import plural

MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Division:
    """The cell of every value of a column: codes 0..M in order, then missing values if they are kept separate.

    >>> Division("age", (0, 0, 1, 1, 1, 2)).cells
    3
    """

    name: str
    labels: tuple[int, ...]

    @property
    def cells(self) -> int:
        """The number of cells."""
        return max(self.labels) + 1

    @property
    def whole(self) -> bool:
        """Whether every value has its own cell."""
        return self.cells == len(self.labels)

    def runs(self) -> list[tuple[int, int, int]]:
        """The label, first and last code of every run of codes with one label, in order."""
        found, start = [], 0
        for label, run in groupby(self.labels):
            end = start + len(list(run))
            found.append((label, start, end - 1))
            start = end
        return found

    def starts(self, column: Private) -> list[int] | None:
        """The first codes of its cells, if they are runs of codes without missing values. Otherwise None."""
        codes = self.labels[: column.top + 1]
        rising = all(two - one in (0, 1) for one, two in pairwise(codes))
        apart = not column.apart or self.labels[-1] not in codes
        if codes[0] != 0 or not rising or not apart:
            return None
        return [code for code in range(column.top + 1) if code == 0 or codes[code] != codes[code - 1]]

    def shown(self, column: Private) -> str:
        """The division in short.

        >>> from noiseless import Integer
        >>> Division("age", (0, 0, 1, 1, 1)).shown(Integer(16, 20))
        'age in 2 cells, from 16, 18'
        """
        if self.whole:
            return f"{self.name} ({plural(self.cells, 'value')})"
        if isinstance(column, Scale) and (starts := self.starts(column)) is not None:
            missing = ", and missing" if column.apart else ""
            return (
                f"{self.name} in {plural(self.cells, 'cell')}, from {', '.join(map(_number(column), starts))}{missing}"
            )
        return f"{self.name} in {plural(self.cells, 'cell')}: {'; '.join(self.words(column))}"

    def words(self, column: Private) -> list[str]:
        """What each cell holds, in words."""
        found: dict[int, list[str]] = {}
        for label, values in self._pieces(column):
            found.setdefault(label, []).append(values)
        return [", ".join(found[label]) for label in range(self.cells)]

    def _pieces(self, column: Private) -> Iterator[tuple[int, str]]:
        for label, first, last in self.runs():
            if isinstance(column, (Category, Boolean)):
                keys = [*map(str, column.keys), *([MISSING] if column.apart else [])]
                keys[-1] = MISSING if isinstance(column, Category) and column.own_missing else keys[-1]
                yield label, ", ".join(keys[first : last + 1])
                continue
            missing, end = column.apart and last == column.top + 1, min(last, column.top)
            if first <= column.top:
                shown = _number(column)
                yield label, shown(first) if first == end else f"{shown(first)} to {shown(end)}"
            if missing:
                yield label, MISSING

    def key(self, dataset: Dataset) -> tuple[str, str]:
        """The GROUP BY expression and its label. The cell of the most runs needs no test."""
        column, own = dataset.schema.private[self.name], written(self.name)
        if self.whole:
            return own, own
        words, tests = self.words(column), self._tests(column, own)
        rest = max(range(self.cells), key=lambda label: len(tests[label]))
        cases = [f"WHEN {' OR '.join(tests[each])} THEN {_text(words[each])}" for each in tests if each != rest]
        return f"CASE {' '.join(cases)} ELSE {_text(words[rest])} END", written(_free(f"{self.name} cell", dataset))

    def _tests(self, column: Private, own: str) -> Mapping[int, list[str]]:
        found: dict[int, list[str]] = {label: [] for label in range(self.cells)}
        for label, first, last in self.runs():
            if isinstance(column, Scale):
                end = min(last, column.top)
                above = [f"{own} >= {_literal(column, first)}"] if first else []
                below = [f"{own} < {_literal(column, end + 1)}"] if end < column.top else []
                if first <= column.top:
                    found[label].append(" AND ".join([*above, *below]) or f"{own} IS NOT NULL")
            else:
                absent = column.top if isinstance(column, Category) and column.own_missing else None
                named = [column.keys[code] for code in range(first, min(last, column.top) + 1) if code != absent]
                found[label] += [f"{own} IN ({', '.join(map(_text, named))})"] if named else []
                found[label] += [f"{own} IS NULL"] if absent is not None and first <= absent <= last else []
            if column.apart and last == column.top + 1:
                found[label].append(f"{own} IS NULL")
        return found


def _number(column: Scale):  # type: ignore[no-untyped-def]
    return lambda code: column.show(column.number(code))


def _literal(column: Scale, code: int) -> str:
    shown = column.show(column.number(code))
    return f"DATE '{shown}'" if isinstance(column, Date) else shown


def _text(value: object) -> str:
    if isinstance(value, (bool, int)):
        return str(value).upper()
    quoted = str(value).replace("'", "''")
    return f"'{quoted}'"


def _free(label: str, dataset: Dataset) -> str:
    """A label that no column has."""
    taken = {name.lower() for name in dataset.schema.columns}
    return label if label.lower() not in taken else _free(f"{label}_", dataset)
