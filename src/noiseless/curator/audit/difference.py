"""What two published tables reveal together: rows that came or went, and cells that cut each other.

Only the two tables are read. Anyone who has both can compute the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np

from noiseless.curator.audit.against import records
from noiseless.curator.audit.classes import Table, run_quietly
from noiseless.curator.sources.quoting import identifier
from noiseless.errors import InputError
from noiseless.exact.plural import plural

MOST_SHOWN = 20
LOWER, UPPER = "_lower", "_upper"
"""The ends of the interval of a number, as copies with intervals name them."""
Gap = tuple[float, float]
Edges = dict[Gap, int]
"""For every edge, the two numbers it lies between, and how many rows are below it."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A combination of values that has different numbers of rows in the two tables."""

    values: dict[str, str | None]
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Cut:
    """A column of intervals in both tables.

    If both are about the same people, the rows between two edges follow by subtraction. `smallest` are the fewest rows
    between two neighbouring edges, in each table and in both together.
    """

    name: str
    cells: tuple[int, int, int]
    smallest: tuple[int, int, int]
    consistent: bool
    """Whether the same people can be in both tables."""


@dataclass(frozen=True, slots=True)
class Joined:
    """For the same people in the same order: the fewest rows that are alike, and the unique rows."""

    k: tuple[int, int, int]
    unique: tuple[int, int, int]


@dataclass(frozen=True, slots=True, repr=False)
class Difference:
    """What two tables reveal together. Triples are about the first, the second, and both."""

    rows: tuple[int, int]
    columns: tuple[str, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]
    common: int
    """The rows that are in both, by their values in the columns that both have."""
    changed: int
    """Combinations of values that have different numbers of rows."""
    by_one: int
    """Combinations whose numbers of rows differ by one."""
    shown: tuple[Changed, ...]
    cuts: tuple[Cut, ...]
    joined: Joined | None

    @property
    def words(self) -> list[str]:
        """The difference in plain words."""
        return list(_words(self))

    def __repr__(self) -> str:
        return "\n".join(self.words)


def difference(one: Any, two: Any, *, same_order: bool = False, columns: Sequence[str] = ()) -> Difference:
    """Compare two published tables: parquet or csv files, or dataframes.

    `columns` are the ones to compare, by default all that both have. `same_order` says that row by row both tables are
    about the same people. Then it is also counted how many rows remain alike for someone who has both.

    >>> import pandas
    >>> first = pandas.DataFrame({"town": ["a", "a", "b"], "ill": ["no", "yes", "no"]})
    >>> found = difference(first, first.iloc[:2])
    >>> found.common, found.changed, found.by_one
    (2, 1, 1)
    """
    first, second = Table.open(one), Table.open(two)
    try:
        shared = [name for name in first.columns if name in second.columns]
        for table in (first, second):
            table.check(columns, "compared")
        wanted = list(columns) or shared
        if not wanted:
            raise InputError("the two tables have no column in common; give two versions or copies of one table")
        if same_order and first.rows != second.rows:
            raise InputError(
                f"the tables have {first.rows} and {second.rows} rows, so they are not the same people row by row; "
                f"leave out same_order"
            )
        only = (
            tuple(name for name in first.columns if name not in shared),
            tuple(name for name in second.columns if name not in shared),
        )
        common, changed, by_one, shown = _changes(first, second, wanted)
        cuts = tuple(cut for name in _intervals(first, shared) if (cut := _cut(first, second, name)) is not None)
        joined = _joined(first, second, columns) if same_order else None
        return Difference((first.rows, second.rows), tuple(wanted), only, common, changed, by_one, shown, cuts, joined)
    finally:
        first.close()
        second.close()


def _changes(first: Table, second: Table, names: Sequence[str]) -> tuple[int, int, int, tuple[Changed, ...]]:
    """Count both tables by the values of the columns, as numbers where both have numbers, and compare the counts."""
    first.connection.con.register("compared", second.arrow(names))
    keys = ", ".join(f"{_value(name, first, second)} AS k{place}" for place, name in enumerate(names))
    both = " UNION ALL ".join(f"SELECT {keys}, {n} AS one, {1 - n} AS two FROM {of}" for of, n in SIDES)
    own = ", ".join(f"k{place}" for place in range(len(names)))
    sums = "CAST(SUM(one) AS BIGINT) AS one, CAST(SUM(two) AS BIGINT) AS two"
    grouped = f"SELECT {own}, {sums} FROM ({both}) GROUP BY {own}"
    totals = "CAST(SUM(LEAST(one, two)) AS BIGINT), COUNT(*) FILTER (one <> two), COUNT(*) FILTER (ABS(one - two) = 1)"
    [(common, changed, by_one)] = run_quietly(first.connection, f"SELECT {totals} FROM ({grouped})")
    order = f"ABS(one - two), {own} LIMIT {MOST_SHOWN}"
    rows = run_quietly(first.connection, f"SELECT * FROM ({grouped}) WHERE one <> two ORDER BY {order}")
    shown = (Changed(dict(zip(names, map(_plain, row[:-2]), strict=True)), *row[-2:]) for row in rows)
    return int(common), int(changed), int(by_one), tuple(shown)


SIDES = (("audited", 1), ("compared", 0))


def _value(name: str, first: Table, second: Table) -> str:
    numbers = name in first.numeric and name in second.numeric
    return f"TRY_CAST({identifier(name)} AS DOUBLE)" if numbers else f"CAST({identifier(name)} AS VARCHAR)"


def _plain(value: Any) -> str | None:
    return None if value is None else f"{value:.15g}" if isinstance(value, float) else str(value)


def _intervals(table: Table, shared: Sequence[str]) -> Iterator[str]:
    """The columns whose intervals both tables have."""
    for name in shared:
        stem = name.removesuffix(LOWER)
        if stem != name and f"{stem}{UPPER}" in shared and {name, f"{stem}{UPPER}"} <= table.numeric:
            yield stem


def _cut(first: Table, second: Table, name: str) -> Cut | None:
    """Cut both tables at all edges. Each edge says how many rows lie below it, so the rows between two are known."""
    one, two = _edges(first, name), _edges(second, name)
    if one is None or two is None:
        return None
    known, consistent = dict(one), first.rows == second.rows
    for edge, below in two.items():
        same = next((other for other in one if _same(edge, other)), edge)
        consistent &= known.setdefault(same, below) == below
    alone = [_sizes(edges, table.rows) for edges, table in ((one, first), (two, second))]
    both = _sizes(known, first.rows)
    consistent &= min(both) >= 0
    least = min((size for size in both if size > 0), default=0) if consistent else 0
    cells = len(alone[0]), len(alone[1]), len(both) if consistent else 0
    return Cut(name, cells, (min(alone[0]), min(alone[1]), least), consistent)


def _edges(table: Table, name: str) -> Edges | None:
    """The rows below every edge, which is where an interval ends and the next begins. None if intervals overlap."""
    ends = [f"TRY_CAST({identifier(f'{name}{end}')} AS DOUBLE)" for end in (LOWER, UPPER)]
    counted = f"SELECT {ends[0]} AS low, {ends[1]} AS high, COUNT(*) FROM audited GROUP BY ALL"
    cells = run_quietly(table.connection, f"{counted} ORDER BY low NULLS FIRST, high NULLS FIRST")
    found, below = Edges(), 0
    for (low, high, rows), (following, last, _) in pairwise(cells):
        below += rows
        if low is None or high is None:  # missing values come first
            found[-inf, -inf] = below
        elif last is None or high - following > min(high - low, last - following) / 2:
            return None
        else:  # rounding may make neighbours overlap a little
            found[min(high, following), max(high, following)] = below
    return found


def _same(one: Gap, two: Gap) -> bool:
    """Whether two edges can be at the same place. Those that only touch, 4 to 5 and 5 to 6, are different."""
    low, high = max(one[0], two[0]), min(one[1], two[1])
    points = [edge for edge in (one, two) if edge[0] == edge[1]]
    inside = low == high and len(points) == 1 and one[0] != two[0] and one[1] != two[1]
    return one == two or low < high or inside


def _sizes(edges: Edges, rows: int) -> list[int]:
    belows = [0, *(below for _, below in sorted(edges.items())), rows]
    return [after - before for before, after in pairwise(belows)]


def _joined(first: Table, second: Table, columns: Sequence[str]) -> Joined:
    """The classes of rows that are alike in the first table, in the second, and in both."""
    parts = [records(table.arrow(list(columns) or table.columns)) for table in (first, second)]
    pairs = np.unique(np.stack(parts), axis=1, return_inverse=True)[1].reshape(-1)
    sizes = [np.unique(each, return_counts=True)[1] for each in (*parts, pairs)]
    k, alone = (tuple(int(measure(each)) for each in sizes) for measure in (np.min, lambda each: (each == 1).sum()))
    return Joined(k, alone)  # type: ignore[arg-type]  # three of each


def _words(found: Difference) -> Iterator[str]:
    rows = f"{plural(found.rows[0], 'row')} and {plural(found.rows[1], 'row')}"
    yield f"{rows}, compared by {', '.join(found.columns)}: {found.common} are in both."
    if not found.changed:
        yield "Both have the same rows. Together they reveal no more than one of them."
    else:
        verb = "has" if found.changed == 1 else "have"
        yield f"{plural(found.changed, 'combination')} of values {verb} another number of rows."
    if found.by_one:
        yield (
            f"{found.by_one} of them by a single row: anyone who knows that one person came, left or changed between "
            f"the two tables finds that row."
        )
    yield from map(_of_cut, found.cuts)
    if found.joined is not None:
        k, unique = found.joined.k, found.joined.unique
        yield (
            f"Row by row the same people: at least {k[0]} and {k[1]} rows are alike in each table, and {k[2]} for "
            f"anyone who has both. {unique[0]} and {unique[1]} rows are like no other; with both tables, {unique[2]}."
        )


def _of_cut(cut: Cut) -> str:
    if not cut.consistent:
        return f"{cut.name}: the two tables cannot be about the same people, so nothing follows from both intervals."
    one, two, both = cut.smallest
    return (
        f"{cut.name}: {cut.cells[0]} and {cut.cells[1]} intervals make {cut.cells[2]} together. If both tables are "
        f"about the same people, subtraction finds {plural(both, 'row')} alone between two edges; each table by itself "
        f"has at least {one} and {two}."
    )
