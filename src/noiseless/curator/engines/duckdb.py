"""The embedded database: files and dataframes, and codes in a DuckDB file of the curator's own."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from noiseless.curator.engines.engine import Changed, Engine, asleep
from noiseless.curator.engines.folder import PrivateFolder, spill
from noiseless.curator.engines.watched import watched
from noiseless.curator.sources.quiet import quietly
from noiseless.curator.sources.source import Source, literal, open_source, quoted
from noiseless.errors import SourceError

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from noiseless.curator.engines.request import Request
    from noiseless.curator.schema.layout import Layout
    from noiseless.curator.schema.schema import Schema

MEMORY = ":memory:"
BATCH = 1 << 20
"""Rows at a time, where Python changes some columns."""
COPIED = {".parquet": "FORMAT parquet", ".csv": "FORMAT csv, HEADER"}
"""Files that a copy can be released to."""
RELEASED = "memory.main.noiseless_released"
"""The rows of a copy before they are written."""
EXACT_DIGITS = 15
"""Decimals of so many digits are a whole double divided by a whole double, and so rounded once."""


class DuckDB(Engine):
    """A DuckDB file that is written once and only read from then on; in the memory if `path` says so.

    Without a path the file is a temporary one that goes when the curator goes. A named file appears under its name only
    when it is complete, so that a process that dies half-way leaves none behind that could be taken for one. Until then
    it is in a folder that nobody else can look into, and so is what DuckDB writes where the memory is too small.
    In flight nothing else is written.
    """

    kept_elsewhere: ClassVar[bool] = False

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
        path = MEMORY if not prepares else path
        made = path is None or (str(path) != MEMORY and not complete)
        self._folder = quietly(lambda: PrivateFolder(path), lambda: _unwritable(path)) if made else None
        self._path = str(path) if self._folder is None else self._folder.file("codes.duckdb")
        self._name = self._path if path is None else str(path)
        self._connection = self._connect(read_only=complete)
        self._files: list[str] = []
        self._given: tuple[Any, str | None, Schema | None, Layout | None] | None = None

    @classmethod
    def opens(cls, source: Any) -> bool:
        """Files and dataframes."""
        return "://" not in str(source) if isinstance(source, (str, Path)) else True

    @classmethod
    def open(cls, request: Request) -> DuckDB:
        """With codes in the file that `store` names, whether it is there already or not."""
        store = request.store
        if request.prepare is False:
            if store is not None:
                raise SourceError("store= is for prepared codes, and prepare=False keeps none; leave one of them out")
            return cls(prepares=False, memory=request.memory, layout=request.layout)
        there = store is not None and str(store) != MEMORY and Path(store).exists()
        if there and request.ledger is None:
            raise SourceError(f"store={str(store)!r} exists already; name another, or the ledger= it belongs to")
        return cls(store, complete=there, memory=request.memory, layout=request.layout)

    def _connect(self, read_only: bool) -> Any:
        connection = quietly(lambda: connect(self._path, read_only=read_only), lambda: _unwritable(self._name))
        self._limit(connection)
        if read_only:
            connection.con.execute("SET enable_external_access = false")
        return connection

    def _limit(self, connection: Any) -> None:
        connection.con.execute("SET TimeZone = 'UTC'")
        if (memory := self._memory) is not None:
            quietly(
                lambda: connection.con.execute(f"SET memory_limit = {quoted(memory)}"),
                lambda: SourceError(f"memory={memory!r} is no size; give one such as '4GB'"),
            )

    def source(self, given: Any, table: str | None, schema: Schema | None = None) -> Source:
        """The custodian's table, to be read once; in flight, for every question."""
        if isinstance(given, (str, Path)):
            self._files.append(str(given))
            if not self.prepares and literal(Path(given)) != str(given):
                raise SourceError(f"{str(given)!r} has *, ? or [ in its name; rename it, or leave prepare=False out")
        self._given = (given, table, schema, self._layout)
        return open_source(self._connection, *self._given)

    def _create(self, name: str, statement: str, what: str) -> None:
        native = self._connection.con
        native.execute("SET preserve_insertion_order = false")
        with watched(native.query_progress, what):
            native.execute(f'CREATE TABLE "{name}" AS {statement}')

    def _find(self, name: str) -> ir.Table:
        return self._connection.table(name)

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._connection.con.execute(statement).fetchall()
        return found

    def arrow(self, rows: ir.Table) -> Any:
        """All rows, in their order."""
        return self._connection.con.sql(self._sql(rows)).to_arrow_table()

    def double(self, number: Any) -> Any:
        """Long decimals by way of their text: DuckDB's own way rounds twice."""
        given = number.type()
        long = given.is_decimal() and (given.precision is None or given.precision > EXACT_DIGITS)
        return (number.cast("string") if long else number).cast("float64")

    def seal(self) -> None:
        """From here on nothing is written, and no file can be read but the source of codes in flight."""
        if self._path != MEMORY:
            self._connection.disconnect()
            os.chmod(self._path, 0o600)  # the codes are the data
            if self._path != self._name:
                _publish(self._path, self._name, self._replaces)
                self._remove_folder()
            self._path = self._name
            self._connection = self._connect(read_only=True)
            return
        if self.prepares:
            self._forget_source()
        else:
            self._connection.con.execute(f"SET allowed_paths = [{', '.join(map(quoted, self._files))}]")
        self._connection.con.execute("SET enable_external_access = false")

    def renewed(self) -> DuckDB:
        """Another file, which takes the place of this one once the ledger has noted what changed."""
        self.close()
        return type(self)(self._name, memory=self._memory, replaces=True, layout=self._layout)

    def awake(self, rows: int) -> None:
        """Files that are read in flight must be there."""
        if not self.prepares and not all(Path(file).is_file() for file in self._files):
            raise asleep("the file of the table is gone")

    def in_order(self, rows: ir.Table) -> ir.Table:
        """They are ordered when they are written: only then are columns as policies made them."""
        return rows

    def check_target(self, to: str, changed: bool) -> None:
        """A parquet or csv file that is not there, in a folder that is."""
        if not to.lower().endswith(tuple(COPIED)):
            raise SourceError(f"{to!r} is no kind of file to release to; name one that ends in {' or '.join(COPIED)}")
        if not Path(to).absolute().parent.is_dir():
            raise SourceError(f"{to!r}: there is no such folder; make it first")
        if Path(to).exists():
            raise SourceError(f"{to!r} exists already; name another file, or remove it")
        if self._name == MEMORY and self.prepares:
            raise SourceError("codes that are kept in memory cannot be released to a file; leave store=':memory:' out")

    def _write(self, statement: str, to: str, what: str, changed: Changed | None, ordered: bool) -> str:
        """From a connection beside the sealed one, which may write no file; it finds the same rows by name.

        The rows go into a table first: what DuckDB knows of the source, as that no value of it is missing, would get
        into a parquet file's bytes. What it knows of the table follows from the released rows.
        """
        folder = PrivateFolder(to)
        part, options = folder.file("part"), next(how for suffix, how in COPIED.items() if to.lower().endswith(suffix))
        connection = self._beside()
        try:
            connection.con.execute("SET preserve_insertion_order = true")
            with watched(connection.con.query_progress, what):
                if changed is None:
                    connection.con.execute(f"CREATE TABLE {RELEASED} AS {statement}")
                else:
                    _insert_batches(connection.con, statement, changed)
                _copy(connection.con, f"SELECT * FROM {RELEASED}{' ORDER BY ALL' if ordered else ''}", part, options)
            digest = _sha256(part)
            os.link(part, to)  # unlike a renaming it fails where somebody was faster
            return digest
        finally:
            connection.disconnect()
            folder.remove()

    def _beside(self) -> Any:
        connection = connect()
        self._limit(connection)
        if self.prepares:
            connection.con.execute(f"ATTACH {quoted(self._name)} AS noiseless_codes (READ_ONLY)")
            connection.con.execute("USE noiseless_codes")
        else:
            assert self._given is not None
            open_source(connection, *self._given)
        return connection

    def _forget_source(self) -> None:
        """In the memory nothing goes by itself."""
        self._connection.con.execute("DETACH DATABASE IF EXISTS noiseless_source")
        kinds = "SELECT table_type, table_name FROM information_schema.tables WHERE table_name LIKE 'noiseless%'"
        for kind, name in self._connection.con.execute(kinds).fetchall():
            self._connection.con.execute(f'DROP {"VIEW" if kind == "VIEW" else "TABLE"} "{name}"')

    def close(self) -> None:
        """Let go of the file, and remove it if it was a temporary one."""
        self._connection.disconnect()
        self._remove_folder()

    def _remove_folder(self) -> None:
        if self._folder is not None:
            self._folder.remove()


def connect(path: str = MEMORY, **settings: Any) -> Any:
    """An Ibis connection that writes what does not fit into the memory where nobody else can look."""
    import ibis

    connection = ibis.duckdb.connect(path, temp_directory=spill(), **settings)
    connection.con.execute("SET enable_progress_bar_print = false")  # DuckDB would draw among what is printed
    return connection


def _unwritable(store: str | Path | None) -> SourceError:
    return SourceError(f"store={str(store)!r} cannot be opened; name a file in a folder of your own")


def _publish(part: str, name: str, replaces: bool) -> None:
    """Give a complete file its name, unless another process was faster: then its file counts."""
    if replaces:
        os.replace(part, name)
        return
    with contextlib.suppress(FileExistsError):
        os.link(part, name)
    os.unlink(part)


def _insert_batches(native: Any, statement: str, changed: Changed) -> None:
    """Batch by batch through Python, where some columns are given anew."""
    import pyarrow

    native.execute(f"CREATE TABLE {RELEASED} AS {statement} LIMIT 0")
    beside, reader = native.cursor(), native.sql(statement).to_arrow_reader(BATCH)
    for batch in reader:
        columns = {name: batch.column(name).to_numpy(zero_copy_only=False) for name in batch.schema.names}
        anew = changed(columns)
        made = [pyarrow.array(anew[name]) if name in anew else batch.column(name) for name in batch.schema.names]
        beside.register("noiseless_batch", pyarrow.record_batch(made, schema=reader.schema))
        beside.execute(f"INSERT INTO {RELEASED} SELECT * FROM noiseless_batch")


def _copy(native: Any, rows: str, to: str, options: str) -> None:
    """Write a file; one thread alone can sort in less memory than several."""
    import duckdb

    try:
        native.execute(f"COPY ({rows}) TO {quoted(to)} ({options})")
    except duckdb.OutOfMemoryException:
        native.execute("SET threads = 1")
        native.execute(f"COPY ({rows}) TO {quoted(to)} ({options})")


def _sha256(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
