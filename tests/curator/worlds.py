"""Many small tables, coded by one statement: to open each by itself would take a thousand times as long as to ask it.

The tables are put below each other with one more public column, the world that a row is in. What is computed of a
world is computed of its rows only.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import pyarrow as pa

import noiseless as nl
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.dataset.snapshot import new_id
from noiseless.curator.engines.kept import Kept
from noiseless.curator.schema.declaration import Declaration

WORLD = "world"


def worlds(tables: Sequence[pa.Table], schema: nl.Schema) -> list[Dataset]:
    """A dataset of each table, as if it had been opened alone under the name t."""
    numbers = [place for place, table in enumerate(tables) for _ in range(table.num_rows)]
    table = pa.concat_tables(tables).append_column(WORLD, pa.array(numbers, pa.int64()))
    terms = {"unit": schema.unit, "rows": schema.rows, "order_by": schema.order_by}
    if schema.unit is not None:  # nobody is in two worlds
        units = [f"{number} {unit}" for number, unit in zip(numbers, table[schema.unit].to_pylist(), strict=True)]
        table = table.set_column(table.column_names.index(schema.unit), schema.unit, pa.array(units))
    wide = nl.Schema({**schema.columns, WORLD: nl.Public(*range(len(tables)))}, **terms)
    whole = nl.Curator.open(table, wide, budget=9, table="t", store=":memory:")._dataset
    return [_world(whole, place, schema) for place in range(len(tables))]


def _world(whole: Dataset, place: int, schema: nl.Schema) -> Dataset:
    own = f'(SELECT * FROM "codes" WHERE {whole.field(WORLD)} = {place}) AS codes'
    engine = copy(whole.engine)
    vars(engine).update(kept=Kept(), codes_for=lambda *parts: own)
    here = [(cell[:-1], size) for cell, size in zip(whole.cells, whole.sizes, strict=True) if cell[-1] == place]
    cells, sizes = tuple(cell for cell, _ in here), tuple(size for _, size in here)
    snapshot = replace(whole.snapshot, id=new_id(), schema=Declaration(schema).write(), rows=sum(sizes))
    return Dataset(snapshot, schema, engine, cells, sizes)
