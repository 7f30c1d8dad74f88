"""Tables that are coded together are what they would be alone."""

from __future__ import annotations

from tests.curator.small import OTHERS, RAW, SCHEMA, fresh, opened, rows_of, shown, table
from tests.curator.worlds import worlds

EVERYTHING = (
    "SELECT g, k, COUNT(*), SUM(h), SUM(x), COUNT(x), SUM(a), MIN(d), MAX(d), MEDIAN(h) FROM t GROUP BY g, k",
    "SELECT s, b, COUNT(*), SUM(h * a) FROM t GROUP BY s, b",
)


def test_each_world_has_the_rows_of_its_table_only():
    rows = [row for column in RAW for row in rows_of(column)][::12]
    tables = [[row, *others] for row in rows for others in OTHERS[::3]]
    for each, dataset in zip(tables, worlds(list(map(table, tables)), SCHEMA), strict=True):
        with opened(each) as alone:
            assert (dataset.cells, dataset.sizes) == (alone._dataset.cells, alone._dataset.sizes)
            columns = [dataset.field(name) for name in SCHEMA.columns]
            engines = dataset.engine, alone._dataset.engine
            together, apart = (sorted(engine.grouped(columns, ["COUNT(*)"], "", []), key=str) for engine in engines)
            assert together == apart
            asked = fresh(type(alone)(dataset, None))
            for sql in EVERYTHING:
                assert shown(asked.ask(sql, bits=30)) == shown(alone.ask(sql, bits=30))
