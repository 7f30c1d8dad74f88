"""The embedded database for files and dataframes. It keeps codes in the curator's own DuckDB file."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from noiseless.curator.engines.beside import read_beside, write_beside
from noiseless.curator.engines.dialects import InDuckDB
from noiseless.curator.engines.embedded import MEMORY, Embedded
from noiseless.curator.engines.engine import RECORDING, Changed, Engine, asleep_error, unanswered_error
from noiseless.curator.engines.folder import PrivateFolder
from noiseless.curator.engines.watched import watched
from noiseless.curator.sources.quiet import quietly
from noiseless.curator.sources.quoting import identifier, literal, quoted
from noiseless.curator.sources.source import Source, open_source
from noiseless.errors import SourceError

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from noiseless.curator.engines.request import Request
    from noiseless.curator.schema.layout import Layout
    from noiseless.curator.schema.schema import Schema

BATCH = 1 << 20
"""Rows per batch, where Python changes some columns."""
COPIED = {".parquet": "FORMAT parquet", ".csv": "FORMAT csv, HEADER"}
"""File types a copy can be released to."""
PREPARED = "noiseless_codes"
"""The name of the attached file of codes."""
RELEASED = "memory.main.noiseless_released"
"""The rows of a copy before they are written."""
REPEATED, GROUPS, PIECE, FEW = 4, 100_000, 100_000, 1000
"""How often rows must occur on average to be sorted in groups, and the most groups: these fit into one part of a table,
which one thread reads in order. How often a row is repeated at once, and the most texts that are made into labels."""
EXACT_DIGITS = 15
"""Decimals of at most this many digits are one whole double divided by another, so they are rounded once."""


class DuckDB(Engine):
    """A DuckDB file that is written once and then only read, or a database in memory if `path` says so.

    Without a path the file is temporary and is removed with the curator. A named file gets its name only when it is
    complete, so a process that dies half-way leaves no incomplete file under that name. Until then it is in a folder
    that only its owner can read, and so is what DuckDB writes when memory runs out. In flight, nothing else is written.
    """

    kept_elsewhere: ClassVar[bool] = False
    dialect = InDuckDB()

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        complete: bool = False,
        prepares: bool = True,
        memory: str | None = None,
        replaces: bool = False,
        layout: Layout | None = None,
    ) -> None:
        super().__init__()
        self._layout = layout
        self.prepares, self.complete, self._memory, self._replaces = prepares, complete, memory, replaces
        self.swift = not prepares
        path = MEMORY if not prepares else path
        made = path is None or (str(path) != MEMORY and not complete)
        self._folder = quietly(lambda: PrivateFolder(path), lambda: _unwritable_error(path)) if made else None
        self._path = str(path) if self._folder is None else self._folder.file("codes.duckdb")
        self._name = self._path if path is None else str(path)
        self._connection = self._connect()
        self._files: list[str] = []
        self._given: tuple[Any, str | None, Schema | None, Layout | None] | None = None

    @classmethod
    def opens(cls, source: Any) -> bool:
        """Files and dataframes."""
        return "://" not in str(source) if isinstance(source, (str, Path)) else True

    @classmethod
    def open(cls, request: Request) -> DuckDB:
        """An engine with its codes in the file that `store` names, new or existing."""
        store = request.store
        if request.prepare is False:
            if store is not None:
                raise SourceError("store= keeps prepared codes, and prepare=False keeps none; leave one of them out")
            return cls(prepares=False, memory=request.memory, layout=request.layout)
        there = store is not None and str(store) != MEMORY and Path(store).exists()
        if there and request.ledger is None:
            raise SourceError(
                f"store={str(store)!r} exists already; name another file, or also give the ledger= it belongs to"
            )
        return cls(store, complete=there, memory=request.memory, layout=request.layout)

    def _connect(self) -> Any:
        """A database in memory. The file of new codes is attached to it, which is quicker than a second connection."""
        path = self._path if self.complete else MEMORY
        connection = quietly(lambda: Embedded(path, read_only=self.complete), lambda: _unwritable_error(self._name))
        self._limit(connection)
        if self.complete:
            connection.con.execute("SET enable_external_access = false")
        elif self._path != MEMORY:
            quietly(lambda: _attach(connection.con, self._path), lambda: _unwritable_error(self._name))
        return connection

    def _limit(self, connection: Any) -> None:
        if (memory := self._memory) is not None:
            quietly(
                lambda: connection.con.execute(f"SET memory_limit = {quoted(memory)}"),
                lambda: SourceError(f"memory={memory!r} is not a size; write it as '4GB'"),
            )

    def source(self, given: Any, table: str | None, schema: Schema | None = None) -> Source:
        """The custodian's table. It is read once, or for every question if codes are in flight."""
        if isinstance(given, (str, Path)):
            self._files.append(str(given))
            if not self.prepares and literal(Path(given)) != str(given):
                raise SourceError(
                    f"{str(given)!r} has *, ? or [ in its name, which prepare=False cannot read; rename it, or leave "
                    f"prepare=False out"
                )
        self._given = (given, table, schema, self._layout)
        return open_source(
            self._connection, *self._given, once=self.prepares and schema is not None and not schema.unit
        )

    def _create(self, name: str, statement: str, what: str) -> None:
        native = self._connection.con
        native.execute("SET preserve_insertion_order = false")
        with watched(native.query_progress, what):
            native.execute(f'CREATE TABLE "{name}" AS {statement}')

    def _find(self, name: str) -> ir.Table:
        return self._connection.table(name)

    def drop_columns(self, name: str, columns: list[str]) -> None:
        """Remove some columns of a table that was created."""
        for column in columns:
            self._connection.con.execute(f'ALTER TABLE "{name}" DROP COLUMN {self.quoted(column)}')
        del self._tables[name]

    def keep_beside(self, name: str, data: bytes) -> None:
        """Keep a file in a folder with the name of the store.

        If that cannot be written, it lasts as long as this process.
        """
        try:
            written = self._name != MEMORY and write_beside(self._name, name, data)
        except OSError:
            written = False
        if not written:
            super().keep_beside(name, data)

    def kept_beside(self, name: str) -> bytes | None:
        """A file that was kept in the folder of the store, if it is there."""
        found = None if self._name == MEMORY else read_beside(self._name, name)
        return super().kept_beside(name) if found is None else found

    def codes_for(self, *parts: str) -> str:
        """Prepared codes are a table. Codes in flight are an expression."""
        return '"codes"' if self.prepares else super().codes_for(*parts)

    def everything_in(self, name: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and all rows of a small table: Ibis would describe it first. In flight it is an expression."""
        if not self.prepares:
            return super().everything_in(name)

        def read() -> tuple[list[str], list[tuple[Any, ...]]]:
            found = self._connection.con.execute(f'SELECT * FROM "{name}"')
            return [column[0] for column in found.description], found.fetchall()

        return quietly(read, unanswered_error)

    def note(self, text: str) -> None:
        """Store a text with the prepared codes."""
        if self.prepares:
            self._create_quietly("noted", lambda: f"SELECT {quoted(text)} AS text", RECORDING)

    def noted(self) -> str:
        """The text stored with the prepared codes."""
        [(text,)] = self.run("SELECT text FROM noted")
        return str(text)

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._connection.con.execute(statement).fetchall()
        return found

    def arrow(self, rows: ir.Table) -> Any:
        """All rows, in their order."""
        return self._connection.con.sql(self._sql(rows)).to_arrow_table()

    def double(self, number: Any) -> Any:
        """Convert long decimals through text, because DuckDB's own cast rounds twice."""
        given = number.type()
        long = given.is_decimal() and (given.precision is None or given.precision > EXACT_DIGITS)
        return (number.cast("string") if long else number).cast("float64")

    def seal(self) -> None:
        """Stop writing. From here on, no file can be read except the source of codes in flight."""
        native = self._connection.con
        if self.prepares:
            self._forget_source()
        else:
            native.execute(f"SET allowed_paths = [{', '.join(map(quoted, self._files))}]")
        if self._path != MEMORY:
            native.execute("USE memory")
            native.execute(f"DETACH {PREPARED}")
            os.chmod(self._path, 0o600)  # the codes are the data
            if self._path != self._name:
                _publish(self._path, self._name, self._replaces)
                self._remove_folder()
            self._path = self._name
            quietly(lambda: _attach(native, self._path, " (READ_ONLY)"), lambda: _unwritable_error(self._name))
        native.execute("SET enable_external_access = false")

    def renewed(self) -> DuckDB:
        """An engine on a new file. It replaces this one once the ledger has recorded the change."""
        self.close()
        return type(self)(self._name, memory=self._memory, replaces=True, layout=self._layout)

    def awake(self, rows: int) -> None:
        """Refuse if a file that is read in flight is gone."""
        if not self.prepares and not all(Path(file).is_file() for file in self._files):
            raise asleep_error("the file of the table cannot be found")

    def in_order(self, rows: ir.Table) -> ir.Table:
        """The rows unchanged. They are sorted when written, after policies have changed their columns."""
        return rows

    def check_target(self, to: str, changed: bool) -> None:
        """Require a new parquet or csv file in an existing folder."""
        if not to.lower().endswith(tuple(COPIED)):
            raise SourceError(f"{to!r} has an unsupported file type; name a file that ends in {' or '.join(COPIED)}")
        if not Path(to).absolute().parent.is_dir():
            raise SourceError(f"{to!r} is in a folder that does not exist; make the folder first")
        if Path(to).exists():
            raise SourceError(f"{to!r} exists already; name another file, or remove it")
        if self._name == MEMORY and self.prepares:
            raise SourceError("codes kept in memory cannot be released to a file; leave store=':memory:' out")

    def _write(
        self, statement: str, to: str, what: str, changed: Changed | None, ordered: bool, different: int | None
    ) -> str:
        """Write through a second connection, because the sealed one may not write files. It finds the same rows.

        The rows go into a table first. Otherwise statistics of the source, such as "no value is missing", would get
        into the bytes of a parquet file. Statistics of the table follow from the released rows.
        """
        folder = PrivateFolder(to)
        part, options = folder.file("part"), next(how for suffix, how in COPIED.items() if to.lower().endswith(suffix))
        connection = self._beside()
        try:
            connection.con.execute("SET preserve_insertion_order = true")
            with watched(connection.con.query_progress, what):
                if changed is None and ordered and _repeat(connection.con, statement, different):
                    rows = _sorted_by_groups(connection.con, statement)
                else:
                    if changed is None:
                        connection.con.execute(f"CREATE TABLE {RELEASED} AS {statement}")
                    else:
                        _insert_batches(connection.con, statement, changed)
                    rows = f"SELECT * FROM {RELEASED}{_order(connection.con) if ordered else ''}"
                _copy(connection.con, rows, part, options)
            digest = _sha256(part)
            os.link(part, to)  # unlike a rename, it fails if another process was faster
            return digest
        finally:
            connection.disconnect()
            folder.remove()

    def _beside(self) -> Any:
        connection = Embedded()
        self._limit(connection)
        if self.prepares:
            _attach(connection.con, self._name, " (READ_ONLY)")
        else:
            assert self._given is not None
            open_source(connection, *self._given)
        return connection

    def _forget_source(self) -> None:
        """Drop the source, which would otherwise stay in memory, and the settings for reading it.

        Both kinds are tried, because looking up whether it is a view takes DuckDB longer than anything else here.
        """
        import duckdb

        native = self._connection.con
        native.unregister("noiseless_source")
        native.execute("DETACH DATABASE IF EXISTS noiseless_source")
        try:
            native.execute("DROP VIEW IF EXISTS noiseless_source")
        except duckdb.CatalogException:
            native.execute("DROP TABLE noiseless_source")
        for setting in ("preserve_insertion_order", "disabled_optimizers"):
            native.execute(f"RESET {setting}")

    def close(self) -> None:
        """Close the file, and remove it if it is temporary."""
        self._connection.disconnect()
        self._remove_folder()

    def _remove_folder(self) -> None:
        if self._folder is not None:
            self._folder.remove()


def _unwritable_error(store: str | Path | None) -> SourceError:
    return SourceError(f"store={str(store)!r} cannot be opened; name a file in a folder that you can write to")


def _attach(native: Any, path: str, how: str = "") -> None:
    """Find and make tables in a file, rather than in memory."""
    native.execute(f"ATTACH {quoted(path)} AS {PREPARED}{how}")
    native.execute(f"USE {PREPARED}")


def _publish(part: str, name: str, replaces: bool) -> None:
    """Give a complete file its name. If another process was faster, its file is used."""
    if replaces:
        os.replace(part, name)
        return
    with contextlib.suppress(FileExistsError):
        os.link(part, name)
    os.unlink(part)


def _insert_batches(native: Any, statement: str, changed: Changed) -> None:
    """Write batch by batch through Python, which replaces some columns."""
    import pyarrow

    native.execute(f"CREATE TABLE {RELEASED} AS {statement} LIMIT 0")
    beside, reader = native.cursor(), native.sql(statement).to_arrow_reader(BATCH)
    for batch in reader:
        columns = {name: batch.column(name).to_numpy(zero_copy_only=False) for name in batch.schema.names}
        anew = changed(columns)
        made = [pyarrow.array(anew[name]) if name in anew else batch.column(name) for name in batch.schema.names]
        beside.register("noiseless_batch", pyarrow.record_batch(made, schema=reader.schema))
        beside.execute(f"INSERT INTO {RELEASED} SELECT * FROM noiseless_batch")


def _repeat(native: Any, statement: str, most: int | None) -> bool:
    """Whether rows are equal to others so often that sorting groups of them is faster.

    Nothing is counted if at most this number of rows is different anyway.
    """
    [(rows,)] = native.execute(f"SELECT COUNT(*) FROM ({statement})").fetchall()
    if most is None or most > GROUPS or REPEATED * most > rows:
        guessed = f"SELECT approx_count_distinct(hash(each)) FROM ({statement}) AS each"
        [(most,)] = native.execute(guessed).fetchall()
    return bool(most <= GROUPS and REPEATED * most <= rows)


def _order(native: Any) -> str:
    """The ORDER BY clause: all columns. Columns with few different texts are compared by places, which is faster."""
    keys = []
    for place, (name, kind, *_) in enumerate(native.execute(f"DESCRIBE {RELEASED}").fetchall()):
        column, labels = identifier(name), f"memory.main.noiseless_labels_{place}"
        different = f"SELECT DISTINCT {column} FROM {RELEASED} WHERE {column} IS NOT NULL"
        if kind == "VARCHAR" and 0 < native.execute(f"SELECT COUNT(*) FROM ({different})").fetchall()[0][0] <= FEW:
            native.execute(f"CREATE TYPE {labels} AS ENUM ({different} ORDER BY 1)")
            keys.append(f"CAST({column} AS {labels})")
        else:
            keys.append(column)
    return f" ORDER BY {', '.join(keys)}"


def _sorted_by_groups(native: Any, statement: str) -> str:
    """The sorted rows: each different row once, in order, with how often it occurs, repeated this often.

    Zeros of both signs are equal, so the sign is kept in another column. A row is repeated in pieces that fit into
    memory.
    """
    described = native.execute(f"DESCRIBE {statement}").fetchall()
    names = [identifier(name) for name, *_ in described]
    signs = [f"signbit({identifier(name)})" for name, kind, *_ in described if kind in ("DOUBLE", "FLOAT")]
    listed, count = ", ".join(names), _unused("n", [name for name, *_ in described])
    native.execute(
        f"CREATE TABLE {RELEASED} AS SELECT {listed}, COUNT(*) AS {count} FROM ({statement}) "
        f"GROUP BY {', '.join([*names, *signs])} ORDER BY {', '.join([*names, *signs])}"
    )
    pieces = f"SELECT {listed}, {count} - unnest(range(0, {count}, {PIECE})) AS {count} FROM {RELEASED}"
    return f"SELECT {listed} FROM (SELECT {listed}, unnest(range(least({count}, {PIECE}))) FROM ({pieces}))"


def _unused(name: str, names: list[str]) -> str:
    return name if name.lower() not in (each.lower() for each in names) else _unused(f"{name}_", names)


def _copy(native: Any, rows: str, to: str, options: str) -> None:
    """Write a file. If memory runs out, try again with one thread, which sorts in less memory."""
    import duckdb

    try:
        native.execute(f"COPY ({rows}) TO {quoted(to)} ({options})")
    except duckdb.OutOfMemoryException:
        native.execute("SET threads = 1")
        native.execute(f"COPY ({rows}) TO {quoted(to)} ({options})")


def _sha256(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
