"""The base table of a design: a cross table, or a copy, with the same cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.designing.division import Division
from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.scale import Scale
from noiseless.curator.sql.example import written
from noiseless.exact.plural import plural


@dataclass(frozen=True, slots=True, repr=False)
class Base:
    """How it divides the private columns, and the public columns that it groups by, which costs nothing."""

    divisions: tuple[Division, ...]
    public: tuple[str, ...] = ()

    def __repr__(self) -> str:
        columns = ", ".join(f"{each.name} in {plural(each.cells, 'cell')}" for each in self.divisions)
        groups = f", for every {', '.join(self.public)}" if self.public else ""
        return f"base table of {plural(self.cells, 'cell')}: {columns or 'no private column'}{groups}"

    @classmethod
    def of(cls, divisions: Sequence[Division], public: Sequence[str] = ()) -> Base:
        """A base table with these divisions. Columns that are not divided are left out."""
        return cls(tuple(each for each in divisions if each.cells > 1), tuple(public))

    @property
    def cells(self) -> int:
        """The number of cells in every public group."""
        return prod(each.cells for each in self.divisions)

    def text(self, dataset: Dataset) -> str:
        """The question for the cross table."""
        public = [written(name) for name in self.public]
        keys = [(name, name) for name in public] + [each.key(dataset) for each in self.divisions]
        listed = ", ".join(own if own == label else f"{own} AS {label}" for own, label in keys)
        groups = ", ".join(label for _, label in keys)
        return f"SELECT {listed}, COUNT(*) FROM {written(dataset.name)} GROUP BY {groups}"

    def copy(self, dataset: Dataset) -> dict[str, Any]:
        """The arguments of `release` for a copy with the same cells."""
        columns = {each.name: dataset.schema.private[each.name] for each in self.divisions}
        found: dict[str, Any] = {"columns": list(columns), "bits": {}, "cuts": {}, "hierarchies": {}, "levels": {}}
        for each in self.divisions:
            column = columns[each.name]
            if isinstance(column, Scale):
                starts = each.starts(column)
                assert starts is not None
                cuts = [column.show(column.number(start)) for start in starts[1:]]
                found["cuts"] |= {each.name: cuts} if cuts else {}
                found["bits"] |= {} if cuts else {each.name: 1}  # the cell says only whether the value is missing
            elif not each.whole:
                found["hierarchies"][each.name] = _groups(each, column)
                found["levels"][each.name] = 1
        return {name: given for name, given in found.items() if given}

    def shown(self, dataset: Dataset) -> list[str]:
        """Each division, in short."""
        return [each.shown(dataset.schema.private[each.name]) for each in self.divisions]


def _groups(division: Division, column: Category | Boolean) -> Mapping[Any, list[str]]:
    words = division.words(column)
    return {key: [words[label]] for key, label in zip(column.keys, division.labels, strict=False)}
