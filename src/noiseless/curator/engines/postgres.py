"""Postgres: the table stays where it is, and prepared codes are kept beside it."""

from __future__ import annotations

import re
import weakref
from contextlib import suppress
from secrets import token_hex
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from noiseless.curator.engines.dialects import InPostgres
from noiseless.curator.engines.engine import Changed, Engine, asleep_error, exists_error, only_files
from noiseless.curator.engines.watched import watched
from noiseless.curator.sources.quiet import quietly
from noiseless.curator.sources.source import Source, known_columns
from noiseless.errors import NoiselessError, SnapshotError, SourceError

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from noiseless.curator.engines.request import Request
    from noiseless.curator.schema.schema import Schema

SCHEMES = ("postgres://", "postgresql://")
LONGEST_NAME = 63
SETTINGS = (
    "SET idle_in_transaction_session_timeout = 0",  # one transaction while the dataset is open
    "SET datestyle = 'ISO, YMD'",
    "SET standard_conforming_strings = on",
)
SECONDS = 10
"""How many seconds to wait for a connection."""
SURELY_FINITE = 300
"""Decimals of at most this many digits are neither too large nor too small for a double."""
FIND = """SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid = to_regclass(%s)"""
VISIBLE = """SELECT concat_ws('.', nullif(table_schema, 'public'), table_name) FROM information_schema.tables
WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1"""
READABLE = """SELECT attname, typtype = 'e', NOT COALESCE(collisdeterministic, true)
FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid LEFT JOIN pg_collation ON pg_collation.oid = attcollation
WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped
AND has_column_privilege(attrelid, attnum, 'SELECT') ORDER BY attnum"""
"""The readable columns, whether each is an enum, which compares only with its own values, and whether different texts
may be equal in it."""


class Postgres(Engine):
    """One transaction, REPEATABLE READ and READ ONLY, while the dataset is open.

    So every question sees the table as it was when the dataset was opened, whatever is written to it meanwhile. Codes
    are also prepared in one transaction. It is committed only once the ledger has begun.
    """

    dialect = InPostgres()

    def __init__(self, url: str, table: str, store: str | None = None) -> None:
        super().__init__()
        self._url = url
        self._connect()
        self._role = self._native.info.user
        self.prepares = store is not None
        if store is not None:
            home = _parts(store)[:-1] or list((self._located(table) or ("public",))[:1])
            self._home, self._store = home[0], _parts(store)[-1]
            if len(f"{self._store}_checks".encode()) > LONGEST_NAME:
                raise SourceError(f"store={store!r} is too long a name for Postgres; use a shorter one")
            self.complete = self._located(f"{self._home}.{self._store}_noted") is not None
            if not self.complete:
                self._begin_to_write()

    @classmethod
    def opens(cls, source: Any) -> bool:
        """URLs of Postgres."""
        return isinstance(source, str) and source.startswith(SCHEMES)

    @classmethod
    def open(cls, request: Request) -> Postgres:
        """An engine with codes in flight, or in the tables that `store` names."""
        table = request.one_table()
        return cls(request.source, table, request.kept_as(f"{table}_codes"))

    def _connect(self) -> None:
        self._native, self._snapshot = _connected(self._url), token_hex(8)
        self._finalizer = weakref.finalize(self, self._native.close)
        self._connection = _ibis(self._native)
        self._begin(read_only=True)

    def awake(self, rows: int) -> None:
        """Connect again if the connection was lost. Its snapshot is lost too; the number of rows must be the same."""
        if self._answers():
            return
        self._finalizer()
        try:
            self._connect()
            [(found,)] = self.run(f"SELECT COUNT(*) FROM {self.codes_for()}")
        except NoiselessError:
            raise asleep_error("the connection to Postgres was lost and cannot be made again") from None
        if found != rows:
            self._finalizer()  # so that the next question checks again
            raise SnapshotError(
                f"the connection to Postgres was lost, and the table now has {found} rows instead of {rows}; a budget "
                f"belongs to one snapshot: restore the old table, or open this one as a new dataset"
            )

    def _answers(self) -> bool:
        with suppress(Exception):
            self._native.execute("SELECT 1")
            return True
        return False

    def _begin(self, read_only: bool) -> None:
        from psycopg import IsolationLevel

        self._native.rollback()
        self._native.isolation_level = IsolationLevel.REPEATABLE_READ
        self._native.read_only = read_only
        self._native.execute("SELECT 1")  # the first statement fixes the snapshot

    def _begin_to_write(self) -> None:
        allowed = self._native.execute("SELECT has_schema_privilege(%s, 'CREATE')", [self._home]).fetchone()
        if allowed != (True,):
            raise SourceError(
                f"role {self._role!r} may not create tables in schema {self._home!r}; "
                f"run GRANT CREATE ON SCHEMA …, or leave prepare=True out"
            )
        self._begin(read_only=False)

    def _located(self, table: str) -> tuple[str, str] | None:
        name = ".".join(map(_quoted, _parts(table)))
        found: tuple[str, str] | None = self._native.execute(FIND, [name]).fetchone()
        return found

    def source(self, given: Any, table: str | None, schema: Schema | None = None) -> Source:
        """A table or view, with the columns that the role may read."""
        assert table is not None
        found = self._located(table)
        if found is None:
            seen = [name for (name,) in self._rows(VISIBLE)]
            raise SourceError(f"role {self._role!r} finds no table {table!r}; use one of: {', '.join(seen) or 'none'}")
        home, name = found
        readable = self._native.execute(READABLE, [f"{_quoted(home)}.{_quoted(name)}"]).fetchall()
        if not readable:
            raise SourceError(f"role {self._role!r} may not read {table!r}; run GRANT SELECT ON {table} TO …")
        rows = self._connection.table(name, database=home)
        kept = rows.select([(_text(rows[n]) if is_enum else rows[n]).name(n) for n, is_enum, _ in readable])
        loose = frozenset(column for column, _, is_loose in readable if is_loose)
        return Source(name, kept, known_columns=known_columns(kept.columns, from_csv=False), loose=loose)

    def _create(self, name: str, statement: str, what: str) -> None:
        kept = f"{_quoted(self._home)}.{_quoted(self._kept(name))}"
        if self._located(f"{self._home}.{self._kept(name)}") is not None:
            raise exists_error(self._kept(name))
        with watched(None, what):
            self._native.execute(f"CREATE TABLE {kept} AS {statement}")

    def _find(self, name: str) -> ir.Table:
        return self._connection.table(self._kept(name), database=self._home)

    def _kept(self, name: str) -> str:
        return self._store if name == "codes" else f"{self._store}_{name}"

    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        with self._native.transaction():  # a savepoint, so that a failure does not end the snapshot
            found: list[tuple[Any, ...]] = self._native.execute(statement).fetchall()
            return found

    def double(self, number: Any) -> Any:
        """Clamp first: Postgres fails on a numeric too large for a double or too close to 0."""
        import ibis

        given = number.type()
        if not given.is_decimal() or (given.precision is not None and given.precision <= SURELY_FINITE):
            return number.cast("float64")
        infinite, huge, tiny = (ibis.literal(text).cast("decimal") for text in ("Infinity", "1e300", "1e-300"))
        inside = ibis.greatest(ibis.least(number, huge), -huge).cast("float64")
        return ibis.cases(
            ((number >= infinite) | (number <= -infinite), ibis.null("float64")),  # NaN is above infinity
            (number.abs() < tiny, 0.0),
            else_=inside,
        )

    def ordered(self, place: Any) -> Any:
        """Order texts by their bytes, not by the server's collation."""
        return _bytes(place) if place.type().is_string() else place

    def check_target(self, to: str, changed: bool) -> None:
        """Require a new table in a schema where the role may create one."""
        only_files(changed)
        parts = _parts(to)
        home = parts[0] if len(parts) == 2 else "public"
        if self._located(to) is not None:
            raise _in_the_way_error(to)
        if len(parts[-1].encode()) > LONGEST_NAME:
            raise SourceError(f"{to!r} is too long a name for Postgres; use a shorter one")
        if self._native.execute("SELECT to_regnamespace(%s)", [_quoted(home)]).fetchone() == (None,):
            raise SourceError(f"schema {home!r} does not exist; name another, or create it")
        if self._native.execute("SELECT has_schema_privilege(%s, 'CREATE')", [home]).fetchone() != (True,):
            raise SourceError(
                f"role {self._role!r} may not create tables in schema {home!r}; run GRANT CREATE ON SCHEMA …"
            )

    def _write(
        self, statement: str, to: str, what: str, changed: Changed | None, ordered: bool, different: int | None
    ) -> str:
        """Write in a second transaction on the same snapshot. It is committed as a whole or not at all."""
        from psycopg import IsolationLevel
        from psycopg.errors import DuplicateTable

        [(snapshot,)] = self._native.execute("SELECT pg_export_snapshot()").fetchall()
        native = _connected(self._url)
        try:
            native.isolation_level = IsolationLevel.REPEATABLE_READ
            native.execute("SET TIME ZONE 'UTC'")
            native.commit()
            native.execute(f"SET TRANSACTION SNAPSHOT '{snapshot}'")
            with watched(None, what):
                native.execute(f"CREATE TABLE {'.'.join(map(_quoted, _parts(to)))} AS {statement}")
            native.commit()
        except DuplicateTable:  # created after our snapshot was taken
            raise _in_the_way_error(to) from None
        finally:
            native.close()
        return ""

    def seen(self) -> str:
        """A label of this connection's snapshot."""
        return "" if self.prepares else self._snapshot

    def seal(self) -> None:
        """Commit what was prepared. From here on this connection only reads."""
        if self.prepares:
            self._native.commit()
            self._begin(read_only=True)

    def close(self) -> None:
        """Close the connection. What was not sealed is rolled back."""
        self._finalizer()


def _connected(url: str) -> Any:
    try:
        import psycopg
    except ImportError:
        raise SourceError("Postgres needs its driver; run pip install 'noiseless[postgres]'") from None
    at = quietly(lambda: urlsplit(url), _no_url_error)
    port = quietly(lambda: at.port, _no_url_error)
    where = f"{at.hostname or 'the local socket'}{f':{port}' if port else ''}"
    native = quietly(
        lambda: psycopg.connect(url, connect_timeout=SECONDS, application_name="noiseless"),
        lambda: SourceError(
            f"cannot connect to Postgres at {where}, database {_shown(at.path.lstrip('/'))}, role "
            f"{_shown(at.username)}; "
            f"check with psql that it runs there and that the password is right"
        ),
    )
    for setting in SETTINGS:
        native.execute(setting)
    native.commit()
    return native


def _shown(part: str | None) -> str:
    """Part of a URL, unless it looks odd enough to be something else, such as a password."""
    return repr(part) if re.fullmatch(r"[\w.-]*", part or "") else "as given"


def _no_url_error() -> SourceError:
    return SourceError(
        "this is not a Postgres URL; write postgres://role:password@host:5432/database, with %23 for a #"
    )


def _ibis(native: Any) -> Any:
    import ibis

    return ibis.postgres.from_connection(native)  # this sets its time zone to UTC


def _text(value: Any) -> Any:
    """A cast to text. Ibis would omit it, because it treats an enum as a text."""
    import ibis

    def text(value: Any) -> str:
        raise NotImplementedError  # Postgres provides it

    return ibis.udf.scalar.builtin(text, signature=((value.type(),), "string"))(value)


def _bytes(value: Any) -> Any:
    import ibis

    def convert_to(text: str, encoding: str) -> bytes:
        raise NotImplementedError  # Postgres provides it

    return ibis.udf.scalar.builtin(convert_to)(value, "UTF8")


def _in_the_way_error(to: str) -> SourceError:
    return SourceError(f"table {to!r} exists already; name another, or drop it")


def _parts(table: str) -> list[str]:
    parts = table.split(".")
    if len(parts) > 2 or not all(parts) or "\0" in table:
        raise SourceError(f"{table!r} is not a table name in Postgres; write it as 'people' or 'health.people'")
    return parts


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
