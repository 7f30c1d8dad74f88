"""The embedded database: files and dataframes, and codes in a DuckDB file of the curator's own."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import weakref
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any, ClassVar

from noiseless.curator.engines.engine import Changed, Engine
from noiseless.curator.engines.quiet import quietly
from noiseless.curator.engines.watched import watched
from noiseless.curator.source import Source, literal, open_source, quoted
from noiseless.errors import SourceError

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from noiseless.curator.request import Request

MEMORY = ":memory:"
BATCH = 1 << 20
"""Rows at a time, where Python changes some columns."""
COPIED = {".parquet": "FORMAT parquet", ".csv": "FORMAT csv, HEADER"}
"""Files that a copy can be released to."""
EXACT_DIGITS = 15
"""Decimals of so many digits are a whole double divided by a whole double, and so rounded once."""


class DuckDB(Engine):
    """A DuckDB file that is written once and only read from then on; in the memory if `path` says so.

    Without a path the file is a temporary one that goes when the curator goes. A named file appears under its name only
    when it is complete, so that a process that dies half-way leaves none behind that could be taken for one.
    In flight nothing is written at all.
    """

    kept_elsewhere: ClassVar[bool] = False

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        complete: bool = False,
        prepares: bool = True,
        memory: str | None = None,
    ) -> None:
        super().__init__()
        self.prepares, self.complete, self._memory = prepares, complete, memory
        path = MEMORY if not prepares else path
        self._folder = None if path is not None else tempfile.mkdtemp(prefix="noiseless-")
        self._name = str(path) if self._folder is None else str(Path(self._folder) / "codes.duckdb")
        self._path = (
            self._name if complete or self._name == MEMORY else f"{self._name}.{os.getpid()}.{token_hex(4)}.part"
        )
        self._connection = self._connect(read_only=complete)
        if not complete and self._path != MEMORY:
            os.chmod(self._path, 0o600)  # the codes are the data
        self._files: list[str] = []
        self._given: tuple[Any, str | None] | None = None
        self._finalizer = weakref.finalize(self, _remove, self._folder, None if complete else self._path)

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
            return cls(prepares=False, memory=request.memory)
        there = store is not None and str(store) != MEMORY and Path(store).exists()
        if there and request.ledger is None:
            raise SourceError(f"store={str(store)!r} exists already; name another, or the ledger= it belongs to")
        return cls(store, complete=there, memory=request.memory)

    def _connect(self, read_only: bool) -> Any:
        import ibis

        connection = quietly(
            lambda: (
                ibis.duckdb.connect(self._path, read_only=True, enable_external_access=False)
                if read_only
                else ibis.duckdb.connect(self._path)
            ),
            lambda: SourceError(f"store={self._name!r} cannot be opened; name a file in a folder of your own"),
        )
        self._limit(connection)
        return connection

    def _limit(self, connection: Any) -> None:
        connection.con.execute("SET TimeZone = 'UTC'")
        if (memory := self._memory) is not None:
            quietly(
                lambda: connection.con.execute(f"SET memory_limit = {quoted(memory)}"),
                lambda: SourceError(f"memory={memory!r} is no size; give one such as '4GB'"),
            )

    def source(self, given: Any, table: str | None) -> Source:
        """The custodian's table, to be read once; in flight, for every question."""
        if isinstance(given, (str, Path)):
            self._files.append(str(given))
            if not self.prepares and literal(Path(given)) != str(given):
                raise SourceError(f"{str(given)!r} has *, ? or [ in its name; rename it, or leave prepare=False out")
        self._given = (given, table)
        return open_source(self._connection, given, table)

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

    def double(self, number: Any) -> Any:
        """Long decimals by way of their text: DuckDB's own way rounds twice."""
        given = number.type()
        long = given.is_decimal() and (given.precision is None or given.precision > EXACT_DIGITS)
        return (number.cast("string") if long else number).cast("float64")

    def seal(self) -> None:
        """From here on nothing is written, and no file can be read but the source of codes in flight."""
        if self._path != MEMORY:
            self._connection.disconnect()
            _publish(self._path, self._name)
            self._path = self._name
            self._connection = self._connect(read_only=True)
            return
        if self.prepares:
            self._forget_source()
        else:
            self._connection.con.execute(f"SET allowed_paths = [{', '.join(map(quoted, self._files))}]")
        self._connection.con.execute("SET enable_external_access = false")

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
        """From a connection beside the sealed one, which may write no file; it finds the same rows by name."""
        part = f"{to}.{os.getpid()}.{token_hex(4)}.part"
        options = next(how for suffix, how in COPIED.items() if to.lower().endswith(suffix))
        connection = self._beside()
        try:
            if changed is None:
                connection.con.execute(f"SET preserve_insertion_order = {str(ordered).lower()}")
                with watched(connection.con.query_progress, what):
                    connection.con.execute(f"COPY ({statement}) TO {quoted(part)} ({options})")
            else:
                with watched(None, what):
                    _write_batches(connection.con.sql(statement), part, to.lower().endswith(".csv"), changed)
            digest = _sha256(part)
            os.link(part, to)  # unlike a renaming it fails where somebody was faster
            return digest
        finally:
            connection.disconnect()
            Path(part).unlink(missing_ok=True)

    def _beside(self) -> Any:
        import ibis

        connection = ibis.duckdb.connect()
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
        self._finalizer()


def _publish(part: str, name: str) -> None:
    """Give a complete file its name, unless another process was faster: then its file counts."""
    with contextlib.suppress(FileExistsError):
        os.link(part, name)
    os.unlink(part)


def _write_batches(rows: Any, part: str, as_csv: bool, changed: Changed) -> None:
    """Batch by batch through Python, where some columns are given anew."""
    import pyarrow
    from pyarrow import csv, parquet

    reader = rows.to_arrow_reader(BATCH)
    with (csv.CSVWriter if as_csv else parquet.ParquetWriter)(part, reader.schema) as writer:
        for batch in reader:
            columns = {name: batch.column(name).to_numpy(zero_copy_only=False) for name in batch.schema.names}
            anew = changed(columns)
            made = [pyarrow.array(anew[name]) if name in anew else batch.column(name) for name in batch.schema.names]
            writer.write_batch(pyarrow.record_batch(made, schema=reader.schema))


def _sha256(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remove(folder: str | None, part: str | None) -> None:
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
    elif part is not None and part.endswith(".part"):
        for leftover in (part, f"{part}.wal"):
            Path(leftover).unlink(missing_ok=True)
