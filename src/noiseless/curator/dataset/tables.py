"""The tables of a dataset: its codes, and counts for the custodian, stored now or computed when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from noiseless.curator.engines.engine import Engine
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.schema.derived import DerivedColumn, is_derived
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sources.codes import (
    code,
    coded,
    coded_double,
    counted,
    flag,
    integer_type,
    kinds_counted,
)
from noiseless.curator.sources.keys import FEW
from noiseless.curator.sources.source import Source

PLACES = Fraction(0), Fraction(1), Fraction(1)
"""The grid of a function whose values are places in a list."""
KINDS = ((2**15 - 1, "SMALLINT"), (2**31 - 1, "INTEGER"), (2**63 - 1, "BIGINT"))
"""Integer types that every engine has under one name."""


def fields(schema: Schema) -> dict[str, str]:
    """The columns that have codes, with their names in the table of codes."""
    return {name: f"c{place}" for place, name in enumerate([*schema.private, *schema.public])}


def plain_fields(schema: Schema) -> dict[str, str]:
    """Public columns without keys, kept unchanged, with their names in the table of codes."""
    plain = [name for name, column in schema.columns.items() if isinstance(column, Public) and not column.keys]
    return {name: f"p{place}" for place, name in enumerate(plain)}


def define_tables(engine: Engine, source: Source, rows: Any, places: Mapping[str, str], schema: Schema) -> None:
    """Define the codes and the counts for the custodian, to be computed when they are asked for."""
    names, plain = fields(schema), plain_fields(schema)

    def given(name: str) -> tuple[Any, ...]:
        place = rows[places[name]] if name in places else None
        return schema.columns[name], rows[name], name in source.texts, engine.double, place

    computed = derived_codes(engine, schema)

    def codes() -> Any:
        coded_columns = [code(*given(name)).name(own) for name, own in names.items() if own not in computed]
        made = rows.select(*coded_columns, *(rows[name].name(own) for name, own in plain.items()))
        return engine.with_columns(made, computed) if computed else made

    def checks() -> Any:
        each = {name: counted(*given(name)) for name in schema.private if names[name] not in computed}
        return rows.aggregate(
            [found.name(f"{names[name]} {what}") for name in each for what, found in each[name].items()]
        )

    engine.define("codes", codes)
    engine.define("checks", checks)
    if schema.unit is not None:
        people_of = schema.unit
        engine.define("people", lambda: _people(source.table, people_of))
    swift, keyed = _swift(engine, source, rows, schema) if engine.swift else ({}, {})
    engine.compute(rows, _codes(engine, source, rows, places, schema) | swift, keyed, computed)


def _swift(
    engine: Engine, source: Source, rows: Any, schema: Schema
) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
    """What the engine can group by and add up faster than codes: codes as doubles, and texts of a few keys.

    Also the code of each text, if a code depends on nothing else.
    """
    found, keyed, kinds = {}, {}, rows.schema()
    made = engine.templates("doubles")
    for name, own in fields(schema).items():
        column, texts = schema.columns[name], name in source.texts
        if is_derived(column):
            continue
        if isinstance(column, Scale):

            def doubled(column: Any, value: Any, place: Any, read: bool = texts) -> Any:
                return {"double": coded_double(column, value, read, engine.double)}

            found[f"{own}_double"] = made.filled(name, column, kinds[name], doubled, texts)["double"]
        if not isinstance(column, Public) or not isinstance(column.keys[0], str) or column.other is not None:
            continue
        if len(column.keys) <= FEW and kinds[name].is_string() and not texts and name not in source.loose:
            found[f"{own}_text"] = engine.quoted(name)
            keyed[own] = {str(key): place for place, key in enumerate(column.keys)}
    return found, keyed


def _codes(engine: Engine, source: Source, rows: Any, places: Mapping[str, str], schema: Schema) -> dict[str, str]:
    """How each code is computed, in SQL, with public columns without keys unchanged."""
    made, kinds, codes = engine.templates("codes"), rows.schema(), {}
    for name, own in fields(schema).items():
        column, read = schema.columns[name], name in source.texts
        if is_derived(column):
            continue
        smallest = integer_type(column.top)

        def expressions(column: Any, value: Any, place: Any, read: bool = read, smallest: str = smallest) -> Any:
            return {"code": coded(column, value, read, engine.double, place, smallest)}

        found = made.filled(name, column, kinds[name], expressions, (read, smallest), places.get(name))
        codes[own] = found["code"]
    return codes | {own: engine.quoted(name) for name, own in plain_fields(schema).items()}


def derived_codes(engine: Engine, schema: Schema) -> dict[str, str]:
    """How the codes of derived columns are computed from other codes, in SQL, clamped to their grids."""
    names = fields(schema)
    found: dict[str, str] = {}
    for name, column in schema.private.items():
        if not isinstance(column, DerivedColumn):
            continue
        grid = (column.low, column.high, column.step) if isinstance(column, Scale) else PLACES
        text = Derived(column.function, grid, Fraction(0)).code(engine.dialect, names.__getitem__)
        absent = "NULL" if column.missing_code is None else str(column.missing_code)
        kind = next(kind for largest, kind in KINDS if column.top <= largest)
        found[names[name]] = (
            f"CAST(CASE WHEN {text} < 0 THEN 0 WHEN {text} > {column.top} THEN {column.top} WHEN {text} IS NULL "
            f"THEN {absent} ELSE {text} END AS {kind})"
        )
    return found


def prepare_tables(engine: Engine, source: Source, rows: Any, places: Mapping[str, str], schema: Schema) -> None:
    """Create the table of codes and the table of counts for the custodian, with one statement each.

    If the source can be read only once, each row gets flags for what is counted, and the flags are counted.
    """
    counts, kinds, names = engine.templates("counts"), rows.schema(), fields(schema)
    once = source.unread is not None
    checks, flags = [], []
    for name, column in schema.private.items():
        if is_derived(column):
            continue
        own, read = names[name], name in source.texts

        def counting(column: Any, value: Any, place: Any, read: bool = read) -> Any:
            asked = column, value, read, engine.double, place
            return {"flag": flag(*asked)} if once else counted(*asked)

        found = counts.filled(name, column, kinds[name], counting, (read, once), places.get(name))
        if once:
            flags.append(f"{found['flag']} AS {engine.quoted(f'{own} flag')}")
            each = enumerate(kinds_counted(column), 1)
            found = {kind: f"COUNT(CASE {engine.quoted(f'{own} flag')} WHEN {n} THEN 1 END)" for n, kind in each}
        checks += [f"{text} AS {engine.quoted(f'{own} {what}')}" for what, text in found.items()]
    codes = _codes(engine, source, rows, places, schema)
    made = [f"{text} AS {engine.quoted(own)}" for own, text in codes.items()]
    engine.create("codes", rows, [*made, *flags], "preparing codes", derived_codes(engine, schema))
    engine.create("checks", engine.table("codes") if once else rows, checks, "counting for the custodian")
    if once:
        engine.drop_columns(
            "codes", [f"{names[name]} flag" for name, each in schema.private.items() if not is_derived(each)]
        )
    if schema.unit is not None:
        engine.create("people", _people(source.table, schema.unit), ["*"], "counting people for the custodian")


def _people(table: Any, unit: str) -> Any:
    """The total number of rows, the number of people, and the most rows of one person."""
    each = table.group_by(unit=table[unit]).aggregate(n=lambda t: t.count())
    return each.aggregate(rows=each.n.sum(), people=each.count(), most=each.n.max())
