"""Spark, for tables too large for one machine. The table stays where it is; prepared codes become a table too."""

from __future__ import annotations

import os
import shutil
import socket
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from logging import getLogger
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from noiseless.curator.engines.dialects import InSpark
from noiseless.curator.engines.engine import Changed, Engine, asleep_error, exists_error, only_files
from noiseless.curator.engines.request import called, is_path
from noiseless.curator.engines.watched import watched
from noiseless.curator.sources.quiet import quietly
from noiseless.curator.sources.source import Source, known_columns
from noiseless.errors import SourceError

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from noiseless.curator.engines.request import Request
    from noiseless.curator.schema.schema import Schema

BYTES = "UTF8_BINARY"
SECONDS = 10
"""How many seconds to wait for a master."""
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",  # so that a time falls on the same day everywhere
    "spark.sql.ansi.enabled": "true",
    "spark.sql.variable.substitute": "false",  # texts are texts
    "spark.sql.parser.escapedStringLiterals": "false",
}
"""Settings for our statements only; a session that is passed in keeps its own."""
LOCAL = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}


class Spark(Engine):
    """A session, with tables of its catalog, folders of parquet files, and dataframes.

    The source is looked up once, so files added to it later are not seen. A session that is passed in keeps its
    settings and stays open when the curator is closed. It may be one of Spark Connect, which has no JVM here.
    """

    dialect = InSpark()

    def __init__(self, session: Any, store: str | None = None) -> None:
        super().__init__()
        for name in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
            getLogger(name).disabled = True  # they log database messages, which may quote data
        self._session = session
        self._remote = type(session).__module__.startswith("pyspark.sql.connect")
        self._connection = _ibis(session)
        self._views: list[str] = []
        self.prepares, self._store = store is not None, store or ""
        self.swift = not self.prepares
        self._made: list[str] = []
        self.complete = self.prepares and self._there("noted")

    @classmethod
    def opens(cls, source: Any) -> bool:
        """URLs of Spark, sessions and dataframes."""
        if isinstance(source, str):
            return source.startswith(("spark://", "local[")) or source == "local"
        return type(source).__module__.split(".")[0] == "pyspark"

    @classmethod
    def open(cls, request: Request) -> Spark:
        """An engine with codes in flight, or in the tables or folder that `store` names."""
        source = request.source
        if isinstance(source, str):
            session = _started(source)
        else:
            session = source.sparkSession if hasattr(source, "sparkSession") else source
        if hasattr(source, "sparkSession"):
            return cls(session, request.kept_as(f"{request.table or 'data'}_codes"))
        table = request.one_table()
        beside = f"{table.removesuffix('.parquet')}.codes" if is_path(table) else f"{table}_codes"
        return cls(session, request.kept_as(beside))

    def source(self, given: Any, table: str | None, schema: Schema | None = None) -> Source:
        """A dataframe, a folder or file of parquet, or a table of the catalog."""
        if hasattr(given, "sparkSession"):
            return self._typed(table or "data", given)
        assert table is not None
        found = quietly(
            lambda: self._read(table),
            lambda: SourceError(
                f"Spark finds no table or parquet folder {table!r}; name one that spark.table or spark.read can open"
            ),
        )
        return self._typed(called(table), found)

    def _typed(self, name: str, rows: Any) -> Source:
        """Treat columns without a type as texts: all of their values are missing."""
        untyped = [field.name for field in rows.schema.fields if field.dataType.typeName() == "void"]
        for field in untyped:
            rows = rows.withColumn(field, rows[field].cast("string"))
        padded = frozenset(field.name for field in rows.schema.fields if "char" in str(field.metadata).lower())
        return Source(name, self._view(rows), frozenset(untyped), known_columns(rows.columns, from_csv=False), padded)

    def _read(self, table: str) -> Any:
        if is_path(table):
            return self._session.read.parquet(table)
        found = self._session.table(table)
        with suppress(Exception):  # a view has no cache to clear
            self._session.catalog.refreshTable(table)  # so that other writers do not refresh what was found
        return found

    def _view(self, rows: Any) -> ir.Table:
        """Name what was found, so that it is not looked up again; compare texts by their bytes."""
        name = f"noiseless_{token_hex(8)}"
        for field in rows.schema.fields:
            if getattr(field.dataType, "collation", BYTES) != BYTES:
                rows = rows.withColumn(field.name, rows[field.name].cast(f"string collate {BYTES}"))
        rows.createTempView(name)
        self._views.append(name)
        return self._connection.table(name)

    def _kept(self, name: str) -> str:
        if is_path(self._store):
            return f"{self._store}/{name}"
        return self._store if name == "codes" else f"{self._store}_{name}"

    def _there(self, name: str) -> bool:
        with suppress(Exception):
            return self._read(self._kept(name)).schema is not None  # Spark Connect looks only now
        return False

    def _create(self, name: str, statement: str, what: str) -> None:
        kept = self._kept(name)
        if self._there(name):
            raise exists_error(kept)
        with watched(None if self._remote else self._percent, what), self._settled():
            rows = self._session.sql(statement)
            rows.write.parquet(kept) if is_path(kept) else rows.write.saveAsTable(kept, format="parquet")
        self._made.append(kept)  # remove only what is certainly ours

    def _percent(self) -> float:
        tracker = self._session.sparkContext.statusTracker()
        stages = [stage for number in tracker.getActiveStageIds() if (stage := tracker.getStageInfo(number))]
        done, all_tasks = (sum(getattr(each, f"num{what}") for each in stages) for what in ("CompletedTasks", "Tasks"))
        return 100.0 * float(done / max(1, all_tasks))

    def _remove(self, kept: str) -> None:
        if not is_path(kept):
            self._session.sql(f"DROP TABLE IF EXISTS {kept}")
            return
        path, files = self._files(kept)
        files.delete(path, True)

    def _find(self, name: str) -> ir.Table:
        return self._view(self._read(self._kept(name)))

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        with self._settled():
            return [tuple(row) for row in self._session.sql(statement).collect()]

    @contextmanager
    def _settled(self) -> Iterator[None]:
        """Run with our settings, so that statements do not depend on the session's."""
        before = {name: self._session.conf.get(name) for name in SETTINGS}
        other = {name: value for name, value in SETTINGS.items() if before[name] != value}  # each costs a round trip
        _set(self._session, other)
        try:
            yield
        finally:
            _set(self._session, {name: before[name] for name in other})

    def check_target(self, to: str, changed: bool) -> None:
        """Require a new folder for parquet, or a new table of the catalog."""
        only_files(changed)
        if self._remote and is_path(to):
            raise SourceError(f"Spark Connect cannot give the folder {to!r} its final name; name a table instead")
        if self._exists(to):
            raise SourceError(f"{to!r} exists already; name another, or remove it")

    def _exists(self, to: str) -> bool:
        if not is_path(to):
            return bool(self._session.catalog.tableExists(to))
        path, files = self._files(to)
        return bool(files.exists(path))

    def _files(self, to: str) -> tuple[Any, Any]:
        path = self._session._jvm.org.apache.hadoop.fs.Path(to)
        return path, path.getFileSystem(self._session.sparkContext._jsc.hadoopConfiguration())

    def _write(
        self, statement: str, to: str, what: str, changed: Changed | None, ordered: bool, different: int | None
    ) -> str:
        """Write a folder. It gets its name when it is complete."""
        part = f"{to.rstrip('/')}.{token_hex(4)}.part" if is_path(to) else to
        try:
            with watched(None if self._remote else self._percent, what), self._settled():
                rows = self._session.sql(statement)
                rows = rows.coalesce(1) if ordered else rows  # otherwise the split into files would depend on samples
                rows.write.parquet(part) if is_path(to) else rows.write.saveAsTable(to, format="parquet")
            if is_path(to):
                path, files = self._files(part)
                if not files.rename(path, self._files(to)[0]):
                    raise SourceError(f"{to!r} exists already; name another, or remove it")
        except BaseException:
            if is_path(to):
                with suppress(Exception):
                    self._remove(part)
            raise
        return ""

    def awake(self, rows: int) -> None:
        """Refuse if the session was stopped."""
        if quietly(self._stopped, lambda: asleep_error("the connection to Spark was lost")):
            raise asleep_error("the Spark session was stopped")

    def _stopped(self) -> bool:
        if not self._remote:
            return bool(self._session.sparkContext._jsc.sc().isStopped())
        return bool(self._session.is_stopped or not self._session.version)  # the server is asked for its version

    def seal(self) -> None:
        """Nothing to do: Spark has no locks. The table `noted` is written last and marks the codes as complete."""
        self._made = []

    def close(self) -> None:
        """Remove what was not sealed. The session stays open, because others may use it."""
        for kept in self._made:
            with suppress(Exception):
                self._remove(kept)
        for name in self._views:
            self._session.catalog.dropTempView(name)


def _started(url: str) -> Any:
    at = quietly(lambda: urlsplit(url), _no_url_error)
    port = quietly(lambda: at.port, _no_url_error) or 7077
    if at.hostname is not None:
        quietly(
            lambda: socket.create_connection((at.hostname, port), timeout=SECONDS).close(),
            lambda: SourceError(f"cannot connect to Spark at {at.hostname}:{port}; check that its master runs there"),
        )
    if shutil.which("java") is None and not Path(os.environ.get("JAVA_HOME", "."), "bin", "java").exists():
        raise SourceError("Spark needs Java 17 or newer, and no Java was found; install it, or set JAVA_HOME")
    with _without_warnings():
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise SourceError("Spark needs its library; run pip install 'noiseless[spark]'") from None
    if at.hostname is None:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.appName("noiseless").master(url)
    for name, value in {**QUIET, **(LOCAL if at.hostname is None else {})}.items():
        builder = builder.config(name, value)
    with _without_warnings():
        return quietly(
            builder.getOrCreate,
            lambda: SourceError("Spark does not start; it needs Java 17 or newer, so check java -version"),
        )


def _no_url_error() -> SourceError:
    return SourceError("this is not a Spark URL; write spark://host:7077 or local[*]")


def _set(session: Any, settings: Mapping[str, str]) -> None:
    with _without_warnings():
        for name, value in settings.items():
            session.conf.set(name, value)


def _ibis(session: Any) -> Any:
    """Ibis's connection. Ibis changes two settings of the session, and they are restored."""
    import ibis

    changed = ("spark.sql.session.timeZone", "spark.sql.mapKeyDedupPolicy")
    before = {name: session.conf.get(name) for name in changed}
    with _without_warnings():
        connection = ibis.pyspark.connect(session)
    _set(session, before)
    return connection


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Silence Spark's warnings about pandas 3, whose dataframes it never gets here, and about old settings."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The SQL config", UserWarning)
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield
