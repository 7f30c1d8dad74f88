"""A dataset: the codes of one snapshot, and its public facts, read once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as value
from fractions import Fraction
from pathlib import Path
from typing import Any

from noiseless.curator.dataset.per_person import per_person
from noiseless.curator.dataset.snapshot import Snapshot, new_id
from noiseless.curator.dataset.tables import define_tables, fields, plain_fields, prepare_tables
from noiseless.curator.engines.engine import Engine
from noiseless.curator.plan.person import PerPerson
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.derived import is_derived
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.public_table import PublicTable
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sources.codes import UNKNOWN, check_type
from noiseless.curator.sources.keys import looked_up
from noiseless.curator.sources.source import Source, unreadable_error
from noiseless.errors import SchemaError

LARGEST_SUM = 1 << 63
"""Sums of codes and of their squares stay below this, so that no engine's integers overflow."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """The codes on an engine, and the public cells with their sizes.

    A public cell is a combination of the codes of all public keys, in the order of the schema. Empty cells are left
    out.
    """

    snapshot: Snapshot
    schema: Schema
    engine: Engine
    cells: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    public_tables: Mapping[str, PublicTable] = value(default_factory=dict)
    """Tables that questions can join, by their names in lower case."""
    understood: dict[Any, Any] = value(default_factory=dict, init=False, repr=False, compare=False)
    """What recent questions mean, so that a repeat or a later step is not parsed again: see `question.reading`."""
    concluded: dict[Any, Any] = value(default_factory=dict, init=False, repr=False, compare=False)
    """What was computed from public facts for recent questions: see `question.reading`."""
    _fields: dict[str, str] = value(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_fields", {**fields(self.schema), **plain_fields(self.schema)})

    @property
    def name(self) -> str:
        """The name of the table in questions."""
        return self.snapshot.name

    def field(self, name: str) -> str:
        """The name of a column in the table of codes. The custodian's names appear in no statement."""
        return self._fields[name]

    def rounding(self, name: str) -> Fraction:
        """The largest distance of a value of a column from the number of its code."""
        column = self.schema.columns[name]
        return column.rounding if isinstance(column, Scale) else Fraction(0)

    @property
    def rows(self) -> int:
        """The number of rows. It is public."""
        return sum(self.sizes)


def prepare(engine: Engine, given: Any, schema: Schema, table: str | None, view: PerPerson | None = None) -> Dataset:
    """Define codes, prepared or in flight, and counts for the custodian; read what is public now."""
    source = engine.source(given, table, schema) if view is None else people_of(engine, given, view, table)
    _check_columns(source, schema)
    _check_order(engine, source, schema)
    rows, places = looked_up(_kept(engine, source, schema), schema, source.texts, source.loose, engine.double)
    (prepare_tables if engine.prepares else define_tables)(engine, source, rows, places, schema)
    cells, sizes = _public(engine, schema)
    if source.unread not in (None, sum(sizes)):
        raise unreadable_error(Path(given))
    _check_size(schema, sum(sizes))
    snapshot = Snapshot(new_id(), source.name, Declaration(schema).write(), sum(sizes))
    return Dataset(snapshot, schema, engine, cells, sizes)


def people_of(engine: Engine, given: Any, view: PerPerson, table: str | None) -> Source:
    """The rows of a view with one row for each person."""
    base = view.base
    source = engine.source(given, table, base)
    _check_columns(source, base)
    _check_order(engine, source, base)
    rows, places = looked_up(_kept(engine, source, base), base, source.texts, source.loose, engine.double)
    return per_person(engine, source, rows, places, view)


def people(dataset: Dataset) -> tuple[int, int, int] | None:
    """The number of people, the most rows of one person, and the rows left out; None if each row is a person.

    For the custodian only. Stores of earlier versions lack these numbers.
    """
    if dataset.schema.unit is None or not dataset.engine.has("people"):
        return None
    [(rows, count, most)] = dataset.engine.fetch(dataset.engine.table("people"))
    return int(count), int(most or 0), int(rows or 0) - dataset.rows


def seal_codes(dataset: Dataset, known: str) -> Dataset:
    """The dataset under its id in the ledger. Nothing more is written."""
    snapshot = replace(dataset.snapshot, id=known)
    dataset.engine.note(snapshot.write())
    dataset.engine.seal()
    return replace(dataset, snapshot=snapshot)


def load_codes(engine: Engine) -> Dataset:
    """A dataset whose codes were prepared earlier; the source is not needed."""
    snapshot = Snapshot.read(engine.noted())
    schema = Declaration.parse(snapshot.schema).schema
    cells, sizes = _public(engine, schema)
    return Dataset(snapshot, schema, engine, cells, sizes)


def _check_columns(source: Source, schema: Schema) -> None:
    present = source.table.schema()
    own = [name for name, column in schema.columns.items() if not is_derived(column)]
    wanted = [*own, *([schema.unit] if schema.unit is not None else [])]
    for name in wanted:
        if name not in present:
            raise SchemaError(f"the table has no column {name!r}; {source.known_columns}")
        if name in schema.columns:
            check_type(name, schema.columns[name], present[name], name in source.texts)


def _check_order(engine: Engine, source: Source, schema: Schema) -> None:
    """Refuse an order_by that leaves open which rows are kept: it must differ in every row of a person."""
    if schema.unit is None or schema.order_by is None:
        return
    place = source.table[schema.order_by]
    groups = source.table.group_by(unit=source.table[schema.unit], place=place).aggregate(n=lambda t: t.count())
    [(doubled, absent)] = engine.fetch(
        groups.aggregate(doubled=(groups.n > 1).sum(), absent=groups.place.isnull().sum())
    )
    if doubled or absent:
        raise SchemaError(
            f"order_by={schema.order_by!r} must order the rows of every {schema.unit!r}, but it has missing or "
            f"repeated "
            f"values; choose a public column that is different in every row of a {schema.unit!r}"
        )


def rows_now(engine: Engine, given: Any, schema: Schema, table: str | None, view: PerPerson | None = None) -> list[int]:
    """The numbers of rows that a source has now: the rows kept, and all rows. Both are public."""
    source = engine.source(given, table, schema) if view is None else people_of(engine, given, view, table)
    _check_columns(source, schema)
    tables = [_kept(engine, source, schema), source.table] if schema.unit is not None else [source.table]
    return [int(engine.fetch(rows.aggregate(n=rows.count()))[0][0]) for rows in tables]


def _kept(engine: Engine, source: Source, schema: Schema) -> Any:
    """All rows, or the first `rows` rows of every person."""
    import ibis

    if schema.unit is None or schema.order_by is None:
        return source.table
    column = source.table[schema.order_by]
    order = [engine.ordered(column)]
    if schema.order_by in source.texts:  # numbers in a text file are ordered as numbers, before all other texts
        order = [column.try_cast("float64").asc(nulls_first=False), *order]
    window = ibis.window(group_by=source.table[schema.unit], order_by=order)
    place = "noiseless_place"
    while place in source.table.columns:
        place += "_"
    numbered = source.table.mutate(**{place: ibis.row_number().over(window)})
    return numbered.filter(numbered[place] < schema.rows)


def _public(engine: Engine, schema: Schema) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    own = fields(schema)
    found = engine.grouped([own[name] for name in schema.public], ["COUNT(*)"], "", [])
    rows = sorted(row for row in found if row[-1])
    for place, name in enumerate(schema.public):
        if any(row[place] == UNKNOWN for row in rows):
            raise SchemaError(
                f"public column {name!r} has missing values or values that are not declared keys; declare them all, "
                f"or add "
                f"a key for the rest with other = 'other' (in a csv file a space after a comma belongs to the value)"
            )
    return tuple(row[:-1] for row in rows), tuple(row[-1] for row in rows)


def _check_size(schema: Schema, rows: int) -> None:
    for name, column in schema.private.items():
        if isinstance(column, Scale) and rows * column.top >= LARGEST_SUM:
            raise SchemaError(
                f"the step of {name!r} is too fine: {rows} rows of {column.top} steps exceed 2^63; use a larger step"
            )


def keys_of(dataset: Dataset, cell: tuple[int, ...]) -> dict[str, Any]:
    """The keys of a public cell."""
    public: dict[str, Public] = dataset.schema.public
    return {name: column.keys[key] for (name, column), key in zip(public.items(), cell, strict=True)}
