"""The custodian's table, wherever it is, in a form that a database can read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.layout import LONGEST_RECORD, PLAIN, Layout, same_names
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.schema import Column, Schema
from noiseless.curator.sources.quiet import quietly
from noiseless.curator.sources.quoting import identifier, literal, quoted
from noiseless.errors import SourceError

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from noiseless.curator.sources.csv_file import CsvFile

DUCKDB = (".duckdb", ".ddb", ".db")
TEXTS = tuple(f"{kind}{packed}" for kind in (".csv", ".tsv", ".data") for packed in ("", ".gz"))
BUFFER = 8 * LONGEST_RECORD
"""Bytes that each thread reads of a text file at a time; DuckDB's own choice does not fit into little memory."""
KNOWN = (
    "a .parquet, .csv, .tsv, .data, .xlsx or .duckdb file, a pandas, polars or pyarrow table, the URL of a database "
    "with table=, a Spark session or dataframe, or a .toml schema that names one"
)


@dataclass(frozen=True, slots=True)
class Source:
    """A table to be read once: its name in questions, and which of its columns are texts to be parsed.

    These are all columns of a csv file, and the columns of a dataframe or file without a plain type.
    """

    name: str
    table: ir.Table
    texts: frozenset[str] = frozenset()
    known_columns: str = ""
    """Its columns, for an error message."""
    loose: frozenset[str] = frozenset()
    """Columns in which different texts may be equal for the database, because of a collation or of padding."""
    unread: int | None = None
    """If a text file is to be read only once: how many rows it must have."""


def known_columns(columns: Sequence[str], *, from_csv: bool) -> str:
    """The columns of a table, for an error message. The first line of a csv file may be private: it is not quoted."""
    if from_csv:
        return "check the first line or row of the file, which names its columns"
    return f"use one of its columns: {', '.join(map(str, columns))}"


def unreadable_error(path: Path) -> SourceError:
    """The error for a file that does not match its extension."""
    return SourceError(
        f"{str(path)!r} cannot be read as the type its extension names; open it with another tool to check it"
    )


def open_source(
    connection: Any,
    source: Any,
    table: str | None,
    schema: Schema | None = None,
    layout: Layout | None = None,
    once: bool = False,
) -> Source:
    """The source as a table of an Ibis connection to DuckDB.

    With a schema, only declared columns are read. The layout is that of a text file. `once` says that the table is read
    only once, so that a text file need not be loaded first.
    """
    if layout not in (None, PLAIN) and not str(source).lower().endswith(TEXTS):
        raise SourceError("delimiter, names and header are for .csv, .tsv and .data files; remove them")
    if isinstance(source, (str, Path)):
        return _from_file(connection, Path(source), table, schema, layout or PLAIN, once)
    return _from_dataframe(connection, source, table or "data", schema)


def _from_file(
    connection: Any, path: Path, table: str | None, schema: Schema | None, layout: Layout, once: bool
) -> Source:
    if re.search(r"\b(host|dbname|password)=", str(path)):
        raise SourceError(
            "the source looks like database settings; give a URL instead, such as postgres://reader@db/hospital"
        )
    if not path.is_file():
        raise SourceError(f"file {str(path)!r} does not exist; give {KNOWN}")
    kind, name = path.name.lower(), path.name.split(".")[0]

    if kind.endswith(".parquet"):
        found = quietly(lambda: _parquet(connection, path), lambda: unreadable_error(path))
        return _typed(connection, table or name, found, schema)
    if kind.endswith(TEXTS):
        from noiseless.curator.sources.csv_file import read_csv_file  # numpy, which a store of codes does not need

        return quietly(
            lambda: _texts(connection, table or name, read_csv_file(path, layout), schema, once),
            lambda: unreadable_error(path),
        )
    if kind.endswith(DUCKDB):
        return _from_database(connection, path, table, schema)
    if kind.endswith(".xlsx"):
        return quietly(lambda: _from_excel(connection, path, table, schema), lambda: unreadable_error(path))
    if kind.endswith(".xls"):
        raise SourceError(f"{path.name!r} is in the old Excel format; save it as .xlsx")
    raise SourceError(f"{path.name!r} has an unsupported file type; give {KNOWN}")


def _typed(connection: Any, name: str, found: ir.Table, schema: Schema | None) -> Source:
    """Treat columns without a type as texts: they may hold nothing but missing values.

    Also parse texts stored in place of declared numbers or dates, if any of them can be parsed. A single odd value can
    turn a whole column into texts when a file is written.
    """
    kinds = found.schema()
    untyped = {column for column, kind in kinds.items() if "NULL" in str(kind)}
    table = found.mutate(**{column: found[column].cast("string") for column in untyped}) if untyped else found
    odd = [] if schema is None else [n for n, c in schema.columns.items() if n in kinds and _is_odd(c, kinds[n])]
    texts = {column for column in odd if _can_be_read(connection, found[column], schema)}
    return Source(name, table, frozenset(untyped | texts), known_columns(found.columns, from_csv=False))


def _is_odd(column: Column, kind: Any) -> bool:
    """Whether texts are stored where something else was declared."""
    named = isinstance(column, (Category, Public)) and (not column.keys or isinstance(column.keys[0], str))
    return bool(kind.is_string()) and not named


def _can_be_read(connection: Any, values: Any, schema: Schema | None) -> bool:
    column = None if schema is None else schema.columns[values.get_name()]
    kind = "date" if isinstance(column, Date) else "boolean" if isinstance(column, Boolean) else "float64"
    query = connection.compile(values.try_cast(kind).count().name("n").as_table())

    def unread_error() -> SourceError:
        return SourceError("the file cannot be read to its end; open it with another tool to check it")

    return bool(quietly(lambda: connection.con.execute(query).fetchall()[0][0], unread_error))


def _parquet(connection: Any, path: Path) -> ir.Table:
    """A parquet table that may hold NaN: the statistics of a parquet file ignore NaN, and DuckDB would trust them.

    Two columns of one name are refused, because DuckDB would rename the second.
    """
    from pyarrow import parquet

    if wrong := same_names(parquet.read_schema(path).names):
        raise SourceError(f"{path.name!r}: {wrong}; give every column a different name")
    found: ir.Table = connection.read_parquet(literal(path), table_name="noiseless_source", can_have_nan=True)
    return found


def _texts(connection: Any, name: str, file: CsvFile, schema: Schema | None, once: bool) -> Source:
    """Columns as texts, in one fixed dialect: a guessed one would depend on the content.

    DuckDB would push casts into its file reader, which then fails or drops rows. So the texts go into a table first, or
    it is forbidden to. Only a plain file is read by several threads: every line is a record, wherever they begin.
    """
    columns = ", ".join(f"{quoted(name)}: 'VARCHAR'" for name in file.names)
    wanted = [name for name in file.names if schema is None or name in schema.columns or name == schema.unit]
    header = "false" if file.first_is_data else "true"
    kept = not (once and _without_pushed_casts(connection))
    connection.con.execute(
        f"CREATE TEMP {'TABLE' if kept else 'VIEW'} noiseless_source AS "
        f"SELECT {', '.join(map(identifier, wanted)) or 'NULL AS nothing'} "
        f"FROM read_csv({quoted(literal(file.path))}, columns = {{{columns}}}, "
        f"auto_detect = false, header = {header}, delim = {quoted(file.delimiter)}, quote = '\"', escape = '\"', "
        f"comment = '', strict_mode = false, parallel = {'true' if file.plain else 'false'}, "
        f"buffer_size = {BUFFER})"
    )
    if kept and connection.con.execute("SELECT COUNT(*) FROM noiseless_source").fetchall() != [(file.rows,)]:
        raise unreadable_error(file.path)
    found = connection.table("noiseless_source")
    source = Source(name, found, frozenset(found.columns), known_columns([], from_csv=True))
    return source if kept else replace(source, unread=file.rows)


def _without_pushed_casts(connection: Any) -> bool:
    """Whether casts can be kept out of the file reader. DuckDB knows this optimization since version 2."""
    import duckdb

    try:
        connection.con.execute("SET disabled_optimizers = 'type_pushdown'")
    except duckdb.Error:
        return False
    return True


def _from_database(connection: Any, path: Path, table: str | None, schema: Schema | None) -> Source:
    quietly(
        lambda: connection.attach(str(path), name="noiseless_source", read_only=True),
        lambda: SourceError(
            f"{str(path)!r} is not a DuckDB file, or another process is writing to it; check the file, or try again"
        ),
    )
    listed = "SELECT table_name FROM information_schema.tables WHERE table_catalog = 'noiseless_source' ORDER BY 1"
    tables = [name for (name,) in connection.con.execute(listed).fetchall()]
    if table is None and len(tables) == 1:
        table = tables[0]
    if table is None or table not in tables:
        raise SourceError(f"table={table!r} is not in {path.name!r}; use one of: {', '.join(tables) or 'none'}")
    found = _typed(connection, table, connection.table(table, database=("noiseless_source", "main")), schema)
    return replace(found, loose=frozenset(found.table.columns)) if _may_collate(connection, table) else found


def _may_collate(connection: Any, table: str) -> bool:
    """Whether a column may have a collation, which DuckDB shows in the definition of its table only."""
    made = "SELECT sql FROM duckdb_tables() WHERE database_name = 'noiseless_source' AND table_name = ?"
    listed = connection.con.execute(made, [table]).fetchall()
    return not listed or any("COLLATE" in definition.upper() for (definition,) in listed)


def _from_excel(connection: Any, path: Path, table: str | None, schema: Schema | None) -> Source:
    import pyarrow

    from noiseless.curator.sources.dataframe import declared_objects
    from noiseless.curator.sources.excel_file import read_excel_file, text_of

    columns = read_excel_file(path, table)
    if schema is None:
        texts = frozenset(columns)
        read = {name: pyarrow.array(map(text_of, values), "string") for name, values in columns.items()}
        arrow = pyarrow.table(read)
    else:
        arrow, texts = declared_objects(columns, schema)
    connection.con.register("noiseless_source", arrow)
    name = table or path.name.split(".")[0]
    return Source(name, connection.table("noiseless_source"), texts, known_columns([], from_csv=True))


def _from_dataframe(connection: Any, data: Any, name: str, schema: Schema | None) -> Source:
    import narwhals as nw

    from noiseless.curator.sources.dataframe import declared_columns

    def unreadable_error() -> SourceError:
        return SourceError(
            "the dataframe cannot be read: two columns have the same name, or a column has mixed types or a type "
            "that the "
            "database lacks; give every column a different name and one plain type"
        )

    frame = quietly(lambda: nw.from_native(data, pass_through=True), unreadable_error)
    if isinstance(frame, nw.LazyFrame):
        frame = quietly(frame.collect, unreadable_error)
    if not isinstance(frame, nw.DataFrame):
        raise SourceError(f"a {type(data).__name__} is not a table; give {KNOWN}")
    if schema is None:
        arrow = quietly(frame.to_arrow, unreadable_error)
        texts = frozenset(field.name for field in arrow.schema if str(field.type) == "null")
        for untyped in texts:
            place = arrow.schema.get_field_index(untyped)
            arrow = arrow.set_column(place, untyped, arrow.column(place).cast("string"))
    else:
        arrow, texts = quietly(lambda: declared_columns(frame, schema), unreadable_error)

    def registered() -> Any:
        connection.con.register("noiseless_source", arrow)
        return connection.table("noiseless_source")

    return Source(name, quietly(registered, unreadable_error), texts, known_columns(frame.columns, from_csv=False))
