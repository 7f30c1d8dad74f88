"""The embedded database: codes in a DuckDB file of the curator's own."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noiseless.curator.engines.quiet import quietly
from noiseless.curator.engines.watched import watched
from noiseless.curator.source import Source, open_source
from noiseless.errors import EngineError, SourceError

if TYPE_CHECKING:
    import ibis.expr.types as ir

MEMORY = ":memory:"


class DuckDB:
    """A DuckDB file that is written once and only read from then on; in the memory if `path` says so.

    Without a path the file is a temporary one that goes when the curator goes. A named file appears under its name only
    when it is complete, so that a process that dies half-way leaves none behind that could be taken for one.
    """

    def __init__(self, path: str | Path | None = None, *, complete: bool = False) -> None:
        self._folder = None if path is not None else tempfile.mkdtemp(prefix="noiseless-")
        self._name = str(path) if self._folder is None else str(Path(self._folder) / "codes.duckdb")
        self._path = self._name if complete or self._name == MEMORY else f"{self._name}.{os.getpid()}.part"
        self._connection = self._connect(read_only=complete)
        if not complete and self._path != MEMORY:
            os.chmod(self._path, 0o600)  # the codes are the data
        self._tables: dict[str, ir.Table] = {}
        self._finalizer = weakref.finalize(self, _remove, self._folder, None if complete else self._path)

    def _connect(self, read_only: bool) -> Any:
        import ibis

        return quietly(
            lambda: (
                ibis.duckdb.connect(self._path, read_only=True, enable_external_access=False)
                if read_only
                else ibis.duckdb.connect(self._path)
            ),
            lambda: SourceError(f"store={self._name!r} cannot be opened; name a file in a folder of your own"),
        )

    def source(self, source: Any, table: str | None) -> Source:
        """The custodian's table, to be read once."""
        return open_source(self._connection, source, table)

    def create(self, name: str, rows: ir.Expr, what: str) -> None:
        """Compute a table once and keep it."""
        statement = f'CREATE TABLE "{name}" AS {self._connection.compile(rows)}'
        native = self._connection.con

        def run() -> None:
            native.execute("SET preserve_insertion_order = false")
            with watched(native.query_progress, what):
                native.execute(statement)

        quietly(run, lambda: EngineError(f"{what}: the table could not be read to its end; check file and disk"))

    def note(self, text: str) -> None:
        """Keep a text with the tables."""
        self._connection.con.execute("CREATE TABLE noted AS SELECT ?::VARCHAR AS text", [text])

    def noted(self) -> str:
        """The text that was kept."""
        run = quietly(lambda: self._connection.con.execute("SELECT text FROM noted").fetchall(), unanswered)
        return str(run[0][0])

    def seal(self) -> None:
        """From here on nothing is written, and neither the source nor any other file can be read."""
        if self._path == MEMORY:
            self._forget_source()
            self._connection.con.execute("SET enable_external_access = false")
        else:
            self._connection.disconnect()
            _publish(self._path, self._name)
            self._path = self._name
            self._connection = self._connect(read_only=True)

    def _forget_source(self) -> None:
        """In the memory nothing goes by itself."""
        self._connection.con.execute("DETACH DATABASE IF EXISTS noiseless_source")
        kinds = "SELECT table_type, table_name FROM information_schema.tables WHERE table_name LIKE 'noiseless%'"
        for kind, name in self._connection.con.execute(kinds).fetchall():
            self._connection.con.execute(f'DROP {"VIEW" if kind == "VIEW" else "TABLE"} "{name}"')

    def table(self, name: str) -> ir.Table:
        """A table that was created."""
        if name not in self._tables:
            self._tables[name] = quietly(lambda: self._connection.table(name), unanswered)
        return self._tables[name]

    def fetch(self, rows: ir.Expr) -> list[tuple[Any, ...]]:
        """The rows of a small result."""
        return self.run(quietly(lambda: self._connection.compile(rows), unanswered))

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a small result, of a statement that was generated."""
        found: list[tuple[Any, ...]] = quietly(lambda: self._connection.con.execute(statement).fetchall(), unanswered)
        return found

    def close(self) -> None:
        """Let go of the file, and remove it if it was a temporary one."""
        self._connection.disconnect()
        self._finalizer()


def unanswered() -> EngineError:
    """The error for any failure of the database."""
    return EngineError("the database could not answer; the custodian can look into it directly")


def _publish(part: str, name: str) -> None:
    """Give a complete file its name, unless another process was faster: then its file counts."""
    with contextlib.suppress(FileExistsError):
        os.link(part, name)
    os.unlink(part)


def _remove(folder: str | None, part: str | None) -> None:
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
    elif part is not None and part.endswith(".part"):
        for leftover in (part, f"{part}.wal"):
            Path(leftover).unlink(missing_ok=True)
