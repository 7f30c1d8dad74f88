"""Other data put into the cells of a released copy, for example to test a model that was fitted on the copy."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np

from noiseless.curator.engines.duckdb import DuckDB
from noiseless.curator.microdata.plan import CopyPlan
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sources.codes import code
from noiseless.curator.sources.quiet import quietly
from noiseless.errors import SchemaError, SourceError


def encode_rows(plan: CopyPlan, data: Any) -> Any:
    """A table of the same type as `data`, row by row, with the columns that `data` and the copy share."""
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        raise SourceError(f"a {type(data).__name__} cannot be encoded; give a pandas, polars or pyarrow table")
    columns = [column for column in plan.columns if column.name in frame.columns]
    policies = [each for each in plan.policies if all(name in frame.columns for name in each.columns)]
    names = {column.name for column in columns} | {name for each in policies for name in each.columns}
    if not names & set(plan.released):
        raise SchemaError(
            f"the data have no private column of the copy; give at least one of {', '.join(plan.released)}"
        )
    schema = Schema({name: column for name, column in plan.schema.columns.items() if name in names})
    engine = DuckDB(prepares=False)
    try:
        source = engine.source(data, "data", schema)
        made: dict[str, Any] = {}
        for column in columns:
            made |= column.outputs(_value(engine, source, schema, column.name), plan.intervals)
        for each in policies:
            made |= each.outputs({name: _value(engine, source, schema, name) for name in each.columns})
        table = quietly(lambda: engine.arrow(source.table.select(**made)), _unreadable_error)
    finally:
        engine.close()
    for each in policies:
        batch = {name: table.column(name).to_numpy() for name in each.columns}
        for name, values in each.apply(batch).items():
            table = table.set_column(table.schema.get_field_index(name), name, [np.asarray(values)])
    return nw.from_arrow(table, backend=frame.implementation).to_native()


def _value(engine: DuckDB, source: Any, schema: Schema, name: str) -> Any:
    """The code of a column. Public columns without keys stay unchanged."""
    column, value = schema.columns[name], source.table[name]
    if isinstance(column, Public) and not column.keys:
        return value
    return code(column, value, name in source.texts, engine.double)


def _unreadable_error() -> SourceError:
    return SourceError(
        "the data cannot be encoded: a column has another type than the schema declares; convert it first"
    )
