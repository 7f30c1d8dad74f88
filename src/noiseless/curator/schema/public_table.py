"""A public table: what everyone may know about the values of a column."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from hashlib import sha256

from noiseless.errors import UnknownVariableError

Cell = Fraction | str | bool | None
"""A value of a public table; a date is a number of days since 1970-01-01."""


@dataclass(frozen=True, slots=True)
class PublicColumn:
    """The values of a column in the order of the rows. They are numbers, dates, texts or truth values."""

    kind: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class PublicTable:
    """A table with a unique key. Nothing in it is secret."""

    name: str
    key: str
    columns: Mapping[str, PublicColumn]
    keys: Mapping[str, Mapping[Cell, int]] = field(compare=False, repr=False)
    """The row of every key, for each kind that the key can have: a text file does not say which kind it is."""
    digest: str = field(init=False, compare=False, repr=False)
    """The SHA-256 of key and content. Entries of the ledger and certificates name the table by it."""

    def __post_init__(self) -> None:
        listed = sorted(self.columns.items())
        columns = {name: [column.kind, [_written(cell) for cell in column.cells]] for name, column in listed}
        text = json.dumps([self.key, columns], ensure_ascii=False, separators=(",", ":"))
        object.__setattr__(self, "digest", sha256(text.encode()).hexdigest())

    def find(self, name: str) -> tuple[str, PublicColumn]:
        """A column by its name, in upper or lower case."""
        for known, column in self.columns.items():
            if known.lower() == name.lower():
                return known, column
        near = get_close_matches(name, self.columns, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"its columns are {', '.join(self.columns)}"
        raise UnknownVariableError(f"public table {self.name!r} has no column {name!r}; {hint}")

    def has(self, name: str) -> bool:
        """Whether it has a column of this name, in upper or lower case."""
        return any(known.lower() == name.lower() for known in self.columns)


def _written(cell: Cell) -> str | bool | None:
    return str(cell) if isinstance(cell, Fraction) else cell
