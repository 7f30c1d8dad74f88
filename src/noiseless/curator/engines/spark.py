"""Spark: where one machine is outgrown. The table stays where it is; codes that are prepared become a table, too."""

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

from noiseless.curator.engines.engine import Changed, Engine, asleep, exists, only_files
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
"""How long a master may take to answer at all."""
SETTINGS = {
    "spark.sql.session.timeZone": "UTC",  # a time is on the same day everywhere
    "spark.sql.ansi.enabled": "true",
    "spark.sql.variable.substitute": "false",  # texts are texts
    "spark.sql.parser.escapedStringLiterals": "false",
}
"""For our statements only; a session that is given keeps its own."""
LOCAL = {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}


class Spark(Engine):
    """A session; tables of its catalog, folders of parquet files, and dataframes.

    The source is looked up once: files that are added to it later are not seen. A session that is given keeps its
    settings and goes on when the curator is closed.
    """

    def __init__(self, session: Any, store: str | None = None) -> None:
        super().__init__()
        for name in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
            getLogger(name).disabled = True  # they write what a database says, which may quote data
        self._session = session
        self._connection = _ibis(session)
        self._views: list[str] = []
        self.prepares, self._store = store is not None, store or ""
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
        """With codes in flight, or in tables or a folder that `store` names."""
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
                f"Spark finds no table or parquet {table!r}; name one that spark.table or spark.read finds"
            ),
        )
        return self._typed(called(table), found)

    def _typed(self, name: str, rows: Any) -> Source:
        """Columns that hold nothing but missing values may have no type at all; they are texts then."""
        untyped = [field.name for field in rows.schema.fields if field.dataType.typeName() == "void"]
        for field in untyped:
            rows = rows.withColumn(field, rows[field].cast("string"))
        return Source(name, self._view(rows), frozenset(untyped), known_columns(rows.columns, from_csv=False))

    def _read(self, table: str) -> Any:
        if is_path(table):
            return self._session.read.parquet(table)
        found = self._session.table(table)
        with suppress(Exception):  # of a view there is nothing to forget
            self._session.catalog.refreshTable(table)  # so that nobody else's writing refreshes what was found
        return found

    def _view(self, rows: Any) -> ir.Table:
        """A name for what was found, so that it is not looked up again; texts are compared by their bytes."""
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
            self._read(self._kept(name))
            return True
        return False

    def _create(self, name: str, statement: str, what: str) -> None:
        kept = self._kept(name)
        if self._there(name):
            raise exists(kept)
        with watched(self._percent, what), self._settled():
            rows = self._session.sql(statement)
            rows.write.parquet(kept) if is_path(kept) else rows.write.saveAsTable(kept, format="parquet")
        self._made.append(kept)  # only what is surely ours is ever removed

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
        """Statements mean the same whatever the session's settings."""
        before = {name: self._session.conf.get(name) for name in SETTINGS}
        _set(self._session, SETTINGS)
        try:
            yield
        finally:
            _set(self._session, before)

    def check_target(self, to: str, changed: bool) -> None:
        """A folder of parquet, or a table of the catalog, that is not there."""
        only_files(changed)
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

    def _write(self, statement: str, to: str, what: str, changed: Changed | None, ordered: bool) -> str:
        """A folder gets its name when it is complete."""
        part = f"{to.rstrip('/')}.{token_hex(4)}.part" if is_path(to) else to
        try:
            with watched(self._percent, what), self._settled():
                rows = self._session.sql(statement)
                rows = rows.coalesce(1) if ordered else rows  # where a file ends would depend on samples
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
        """A session that was stopped cannot be asked."""
        stopped = quietly(lambda: self._session.sparkContext._jsc.sc().isStopped(), lambda: asleep("Spark is gone"))
        if stopped:
            raise asleep("the Spark session was stopped")

    def seal(self) -> None:
        """Spark has nothing to lock: `noted` is written last, and says that all is there."""
        self._made = []

    def close(self) -> None:
        """What was not sealed is removed. The session goes on: others may be using it."""
        for kept in self._made:
            with suppress(Exception):
                self._remove(kept)
        for name in self._views:
            self._session.catalog.dropTempView(name)


def _started(url: str) -> Any:
    at = quietly(lambda: urlsplit(url), _no_url)
    port = quietly(lambda: at.port, _no_url) or 7077
    if at.hostname is not None:
        quietly(
            lambda: socket.create_connection((at.hostname, port), timeout=SECONDS).close(),
            lambda: SourceError(f"no Spark answers at {at.hostname}:{port}; check that its master runs there"),
        )
    if shutil.which("java") is None and not Path(os.environ.get("JAVA_HOME", "."), "bin", "java").exists():
        raise SourceError("Spark needs Java 17 or newer, and none is found; install one, or set JAVA_HOME")
    with _without_warnings():
        try:
            from pyspark.sql import SparkSession
        except ImportError:
            raise SourceError("Spark needs its library; install it with pip install 'noiseless[spark]'") from None
    if at.hostname is None:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.appName("noiseless").master(url)
    for name, value in {**QUIET, **(LOCAL if at.hostname is None else {})}.items():
        builder = builder.config(name, value)
    with _without_warnings():
        return quietly(
            builder.getOrCreate,
            lambda: SourceError("Spark does not start there; it needs Java 17 or newer, see what java -version says"),
        )


def _no_url() -> SourceError:
    return SourceError("this is no URL of Spark; write spark://host:7077 or local[*]")


def _set(session: Any, settings: Mapping[str, str]) -> None:
    for name, value in settings.items():
        session.conf.set(name, value)


def _ibis(session: Any) -> Any:
    """Ibis's connection, which changes two settings of the session; they are put back."""
    import ibis

    changed = ("spark.sql.session.timeZone", "spark.sql.mapKeyDedupPolicy")
    before = {name: session.conf.get(name) for name in changed}
    with _without_warnings():
        connection = ibis.pyspark.connect(session)
    _set(session, before)
    return connection


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Spark warns of pandas 3 when it is imported; no dataframe of pandas goes through it here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield
