"""The ways to have a table's codes added up, each with a real database: the same table, opened in all of them."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path

import psycopg
import pyarrow as pa
import pyarrow.parquet as pq

import noiseless as nl

NUMBER = count()
POSTGRES = {
    "double": "float8",
    "float": "float4",
    "bool": "boolean",
    "string": "text",
    "date32[day]": "date",
    "int8": "int2",
    "int16": "int2",
    "int32": "int4",
    "int64": "int8",
    "timestamp[us]": "timestamp",
    "timestamp[us, tz=UTC]": "timestamptz",
}


class Way:
    """How a table is brought to a database and opened there."""

    def __init__(self, folder: Path, prepare: bool) -> None:
        self.folder, self.prepare = folder, prepare

    def load(self, table: pa.Table) -> dict:
        """The arguments for `Curator.open`."""
        name = f"t{next(NUMBER)}"
        pq.write_table(table, self.folder / f"{name}.parquet")
        return {"source": self.folder / f"{name}.parquet", "table": "t"}

    def options(self, loaded: dict) -> dict:
        if not self.prepare:
            return {"prepare": False}
        home = self.folder / f"ledger{next(NUMBER)}"
        return {"prepare": True, "ledger": home.with_suffix(".sqlite")}

    def open(self, table: pa.Table, schema: nl.Schema, budget=9000) -> nl.Curator:
        loaded = self.load(table)
        return nl.Curator.open(schema=schema, budget=budget, **loaded, **self.options(loaded))


class DuckDB(Way):
    def options(self, loaded: dict) -> dict:
        options = super().options(loaded)
        return options | {"store": Path(loaded["source"]).with_suffix(".codes.duckdb")} if self.prepare else options


class Postgres(Way):
    def __init__(self, folder: Path, prepare: bool, url: str) -> None:
        super().__init__(folder, prepare)
        self.url = url

    def load(self, table: pa.Table) -> dict:
        schema = f"s{next(NUMBER)}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {schema}")
            columns = ", ".join(f'"{field.name}" {_postgres_type(field.type)}' for field in table.schema)
            connection.execute(f"CREATE TABLE {schema}.t ({columns})")
            with connection.cursor().copy(f"COPY {schema}.t FROM STDIN") as copy:
                for row in table.to_pylist():
                    copy.write_row(tuple(row.values()))
        return {"source": self.url, "table": f"{schema}.t"}


class Spark(Way):
    """In flight without generated code, which Spark does not use where it would be too long: the bits are the same."""

    def __init__(self, folder: Path, prepare: bool, session) -> None:
        super().__init__(folder, prepare)
        self.session = session
        session.conf.set("spark.sql.codegen.wholeStage", str(prepare).lower())
        session.conf.set("spark.sql.codegen.factoryMode", "FALLBACK" if prepare else "NO_CODEGEN")
        session.conf.set("spark.sql.adaptive.enabled", str(prepare).lower())

    def load(self, table: pa.Table) -> dict:
        folder = self.folder / f"spark{next(NUMBER)}" / "t.parquet"
        folder.mkdir(parents=True)
        half = len(table) // 2
        pq.write_table(table.slice(0, half), folder / "1.parquet")
        pq.write_table(table.slice(half), folder / "2.parquet")
        return {"source": self.session, "table": str(folder)}


def _postgres_type(given: pa.DataType) -> str:
    if pa.types.is_decimal(given):
        return f"numeric({given.precision}, {given.scale})"
    return POSTGRES[str(given)]


JAVA = shutil.which("java") is not None
"""The only thing that Spark cannot be installed with."""
