"""Equivalence classes: rows with equal quasi-identifiers, and the sensitive values in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.engines.embedded import Embedded
from noiseless.curator.sources.quiet import quietly
from noiseless.curator.sources.quoting import identifier
from noiseless.curator.sources.source import open_source
from noiseless.errors import EngineError, InputError, SourceError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Joint:
    """How often each sensitive value occurs in each class, sorted by class, then by value."""

    group: Ints
    value: Ints
    times: Ints
    ordered: bool
    """Whether the values are numbers, with distances between them."""

    @property
    def starts(self) -> Ints:
        """Where each class begins."""
        return np.flatnonzero(np.append(True, self.group[1:] != self.group[:-1]))

    @property
    def sizes(self) -> Ints:
        """The rows of each class."""
        return np.add.reduceat(self.times, self.starts)

    @property
    def distinct(self) -> Ints:
        """The number of different values in each class."""
        return np.diff(np.append(self.starts, len(self.group)))

    @property
    def entropies(self) -> Floats:
        """The entropy of the values in each class, in nats."""
        share = self.times / np.repeat(self.sizes, self.distinct)
        return -np.add.reduceat(share * np.log(share), self.starts)

    @property
    def distances(self) -> Floats:
        """The earth mover's distance of the values of each class from those of the whole table.

        The distance of two numbers is how many ranks lie between them; all names are equally distant.
        """
        overall = np.bincount(self.value, self.times)
        overall = overall / overall.sum()
        share = self.times / np.repeat(self.sizes, self.distinct)
        if not self.ordered:
            # ½ Σ|q − p|: for a value that no row of the class has, the term is p
            present = overall[self.value]
            return (np.add.reduceat(np.abs(share - present) - present, self.starts) + 1) / 2
        if len(overall) == 1:
            return np.zeros(len(self.starts))
        return self._moved(share, np.cumsum(overall)) / (len(overall) - 1)

    def _moved(self, share: Floats, below: Floats) -> Floats:
        """Σ over all values of |Q − P|, both cumulative: Q is constant between a class's values, and P never falls."""
        running = np.cumsum(share) - np.repeat(np.cumsum(share)[self.starts] - share[self.starts], self.distinct)
        lasts = np.append(self.starts[1:], len(self.group)) - 1
        running[lasts] = 1.0
        until = np.append(self.value[1:], 0)
        until[lasts] = len(below)
        sums = np.append(0.0, np.cumsum(below))
        crossed = np.clip(np.searchsorted(below, running), self.value, until)
        over = running * (crossed - self.value) - (sums[crossed] - sums[self.value])
        under = (sums[until] - sums[crossed]) - running * (until - crossed)
        first = sums[self.value[self.starts]]  # before the first value of a class, Q is 0
        moved: Floats = np.add.reduceat(over + under, self.starts) + first
        return moved


@dataclass(frozen=True)
class Table:
    """A published table in a separate database."""

    connection: Any
    name: str
    columns: tuple[str, ...]
    numeric: set[str]
    rows: int
    known_columns: str
    """Its columns, for an error message."""

    @classmethod
    def open(cls, given: Any) -> Table:
        """Open a file or a dataframe."""
        connection = Embedded()
        source = open_source(connection, given, None)
        rows, kinds = connection.compile(source.table), source.table.schema()
        [(number,)] = run_quietly(connection, f"SELECT COUNT(*) FROM ({rows})")
        if not number:
            raise SourceError("the table is empty; give one with rows")
        # texts count as numbers only for their order: as quasi-identifiers 1 and 01 are different
        read = _numbers_in(connection, rows, [name for name in kinds if name in source.texts])
        connection.con.execute(f"CREATE TEMP VIEW audited AS {rows}")
        numeric = read | {name for name, kind in kinds.items() if kind.is_numeric() and name not in source.texts}
        return cls(connection, source.name, tuple(kinds), numeric, int(number), source.known_columns)

    def check(self, names: Sequence[str], what: str) -> None:
        """Refuse columns that the table does not have."""
        for name in names:
            if name not in self.columns:
                raise InputError(f"{what} column {name!r} is not in the table; {self.known_columns}")

    def joint(self, quasi: Sequence[str], sensitive: str) -> Joint:
        """How often each value occurs in each class."""
        keys = ", ".join(f"q{place}" for place in range(len(quasi)))
        named = ", ".join(f"{identifier(name)} AS q{place}" for place, name in enumerate(quasi))
        named_value = _as_number(sensitive) if sensitive in self.numeric else identifier(sensitive)
        counted = f"SELECT {named}, {named_value} AS s, COUNT(*) AS n FROM audited GROUP BY ALL"
        ranked = (
            f"SELECT CAST(DENSE_RANK() OVER (ORDER BY {keys}) AS BIGINT) - 1 AS class, "
            f"CAST(DENSE_RANK() OVER (ORDER BY s) AS BIGINT) - 1 AS value, n AS times FROM ({counted})"
        )
        found = quietly(
            lambda: self.connection.con.execute(f"SELECT * FROM ({ranked}) ORDER BY class, value").fetchnumpy(),
            unread_error,
        )
        group, value, times = (np.asarray(found[name], dtype=np.int64) for name in ("class", "value", "times"))
        return Joint(group, value, times, sensitive in self.numeric)

    def classes(self, quasi: Sequence[str], wanted: Sequence[int]) -> list[dict[str, Any]]:
        """The keys of some classes, by their numbers."""
        keys = ", ".join(f"q{place}" for place in range(len(quasi)))
        named = ", ".join(f"{identifier(name)} AS q{place}" for place, name in enumerate(quasi))
        if not wanted:
            return []
        ranked = f"SELECT {keys}, DENSE_RANK() OVER (ORDER BY {keys}) - 1 AS class "
        ranked += f"FROM (SELECT DISTINCT {named} FROM audited)"
        listed = ", ".join(map(str, wanted)) or "NULL"
        rows = run_quietly(self.connection, f"SELECT * FROM ({ranked}) WHERE class IN ({listed})")
        by_number = {row[-1]: dict(zip(quasi, row[:-1], strict=True)) for row in rows}
        return [by_number[number] for number in wanted]

    def arrow(self, columns: Sequence[str]) -> Any:
        """Some columns, with rows in their order."""
        names = ", ".join(map(identifier, columns))
        return quietly(lambda: self.connection.con.sql(f"SELECT {names} FROM audited").to_arrow_table(), unread_error)

    def close(self) -> None:
        """Close the database."""
        self.connection.disconnect()


def _numbers_in(connection: Any, rows: str, texts: list[str]) -> set[str]:
    """The columns of texts, as in a csv file, in which every text is a number."""
    if not texts:
        return set()
    tests = ", ".join(f"COUNT({identifier(name)}) = COUNT({_as_number(name)})" for name in texts)
    [found] = run_quietly(connection, f"SELECT {tests} FROM ({rows})")
    return {name for name, all_numbers in zip(texts, found, strict=True) if all_numbers}


def _as_number(name: str) -> str:
    return f"TRY_CAST({identifier(name)} AS DOUBLE)"


def unread_error() -> EngineError:
    """The error for any failure of the database."""
    return EngineError("the table could not be read; open the file with another tool to check it")


def run_quietly(connection: Any, statement: str) -> list[tuple[Any, ...]]:
    """Run a statement. Its failure says nothing about the data."""
    found: list[tuple[Any, ...]] = quietly(lambda: connection.con.execute(statement).fetchall(), unread_error)
    return found
