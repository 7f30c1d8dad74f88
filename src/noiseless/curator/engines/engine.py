"""What the curator needs from a database, and what all databases that Ibis supports share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from secrets import token_hex
from typing import TYPE_CHECKING, Any, ClassVar

from noiseless.curator.engines.kept import Kept
from noiseless.curator.engines.templates import Templates, translated
from noiseless.curator.sources.quiet import quietly
from noiseless.errors import EngineError, SourceError

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from noiseless.curator.engines.in_flight import InFlight
    from noiseless.curator.engines.request import Request
    from noiseless.curator.plan.functions.term import Dialect
    from noiseless.curator.schema.schema import Schema
    from noiseless.curator.sources.source import Source


RECORDING = "recording what was prepared"
NONE: Mapping[str, str] = {}
Changed = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""A function that replaces some columns of a batch of rows."""


class Engine(ABC):
    """A database that reads the custodian's table and adds up codes.

    Codes are *prepared* (a table made once) or *in flight* (an expression over the custodian's table, recomputed for
    every question). The integers are the same, so analysts see no difference.
    """

    kept_elsewhere: ClassVar[bool] = True
    """Whether the source is in this database already, instead of being loaded into it."""
    prepares: bool = False
    complete: bool = False
    """Whether codes were prepared before."""
    dialect: ClassVar[Dialect]
    """How its SQL writes functions in whole numbers."""
    swift: bool = False
    """Whether codes in flight are grouped and added up faster as texts and doubles; texts must compare exactly."""
    _connection: Any
    """Ibis's."""

    def __init__(self) -> None:
        self._tables: dict[str, ir.Table] = {}
        self._codes: str | None = None
        self._defined: dict[str, Callable[[], ir.Table]] = {}
        self.in_flight: InFlight | None = None
        self.kept = Kept()
        self._small: dict[str, bytes] = {}

    # Different for each database.

    @classmethod
    @abstractmethod
    def opens(cls, source: Any) -> bool:
        """Whether this engine opens a source."""

    @classmethod
    @abstractmethod
    def open(cls, request: Request) -> Engine:
        """The engine for a source."""

    @abstractmethod
    def source(self, given: Any, table: str | None, schema: Schema | None = None) -> Source:
        """The custodian's table."""

    @abstractmethod
    def _rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement."""

    @abstractmethod
    def _create(self, name: str, statement: str, what: str) -> None:
        """Create a named table from a statement."""

    @abstractmethod
    def _find(self, name: str) -> ir.Table:
        """A table that `_create` made."""

    @abstractmethod
    def seal(self) -> None:
        """Stop writing for good."""

    @abstractmethod
    def close(self) -> None:
        """Close the database."""

    @abstractmethod
    def check_target(self, to: str, changed: bool) -> None:
        """Refuse a target that a copy cannot be written to: it exists, or its type is unknown.

        `changed` says that Python changes some columns.
        """

    @abstractmethod
    def _write(
        self, statement: str, to: str, what: str, changed: Changed | None, ordered: bool, different: int | None
    ) -> str:
        """Write the result of a statement; it appears only when complete. Return the SHA-256 of a single file."""

    def renewed(self) -> Engine:
        """An engine that prepares codes again, because the schema has new columns."""
        raise SourceError("the schema has new columns; drop the tables of prepared codes, then open it again")

    def awake(self, rows: int) -> None:  # noqa: B027 (an engine in this process always is)
        """Check that the source can be read, as far as possible, before anything is charged.

        A lost connection is made again; the number of rows must be the same as before.
        """

    def seen(self) -> str:
        """A label of the rows: constant for prepared codes, and new each time in flight, where rows may change."""
        return "" if self.prepares else token_hex(8)

    def keep_beside(self, name: str, data: bytes) -> None:
        """Keep a small file beside the codes. Here it lasts as long as this process."""
        self._small[name] = data

    def kept_beside(self, name: str) -> bytes | None:
        """A file that was kept beside the codes, if it is there."""
        return self._small.get(name)

    def double(self, number: Any) -> Any:
        """A column of numbers as the nearest doubles; no value may make it fail."""
        return number.cast("float64")

    def ordered(self, place: Any) -> Any:
        """A column to order rows by; texts are ordered by their bytes."""
        return place

    def in_order(self, rows: ir.Table) -> ir.Table:
        """Rows ordered by all of their columns, missing values last."""
        return rows.order_by([self.ordered(rows[name]) for name in rows.columns])

    # The same for all databases.

    def define(self, name: str, rows: Callable[[], ir.Table]) -> None:
        """Name an expression, made when it is needed; every statement that uses the name computes it."""
        self._defined[name] = rows

    def compute(
        self,
        rows: ir.Table,
        columns: Mapping[str, str],
        places: Mapping[str, Mapping[str, int]],
        derived: Mapping[str, str] = NONE,
    ) -> None:
        """Compute codes in flight from rows: see `InFlight`."""
        from noiseless.curator.engines.in_flight import InFlight

        self.in_flight = InFlight(quietly(lambda: self._sql(rows), unanswered_error), columns, places, derived)

    def with_columns(self, rows: ir.Table, columns: Mapping[str, str]) -> ir.Table:
        """Rows with more columns of whole numbers, which SQL of this engine computes from them."""
        import ibis

        made = ", ".join(f"{text} AS {name}" for name, text in columns.items())
        schema = ibis.schema({**dict(rows.schema().items()), **dict.fromkeys(columns, "int64")})
        return self._connection.sql(f"SELECT codes.*, {made} FROM ({self._sql(rows)}) AS codes", schema=schema)

    def create(
        self, name: str, rows: ir.Table, columns: list[str], what: str, derived: Mapping[str, str] = NONE
    ) -> None:
        """Name some columns of an expression and store them as a table now, with others `derived` from them."""

        def statement() -> str:
            chosen = f"SELECT {', '.join(columns)} FROM ({self._sql(rows)}) AS t0"
            made = "".join(f", {text} AS {own}" for own, text in derived.items())
            return f"SELECT codes.*{made} FROM ({chosen}) AS codes" if made else chosen

        self._create_quietly(name, statement, what)

    def _create_quietly(self, name: str, statement: Callable[[], str], what: str) -> None:
        quietly(
            lambda: self._create(name, statement(), what),
            lambda: EngineError(f"{what}: the table could not be read completely; check the source and the disk"),
        )

    def drop_columns(self, name: str, columns: list[str]) -> None:
        """Remove some columns of a table that was created. Only an engine that reads text files needs this."""
        raise NotImplementedError

    def templates(self, what: str) -> Templates:
        """Templates for statements about many columns. Translations are remembered under `what` they are for."""
        return Templates(self._sql, self.quoted, translated(type(self), what))

    def quoted(self, name: str) -> str:
        """The name of a column in a statement."""
        from sqlglot import exp

        return exp.to_identifier(name, quoted=True).sql(dialect=self._connection.dialect)

    def table(self, name: str) -> ir.Table:
        """The table of this name, defined now or earlier."""
        if name not in self._tables:
            found = self._defined.get(name, lambda: self._find(name))
            self._tables[name] = quietly(found, unanswered_error)
        return self._tables[name]

    def has(self, name: str) -> bool:
        """Whether a table of this name was defined, now or earlier."""
        try:
            self.table(name)
        except EngineError:
            return False
        return True

    def codes_for(self, *parts: str) -> str:
        """The codes that parts of a statement name, for its FROM clause."""
        if self.in_flight is not None:
            return self.in_flight.codes_for(*parts)
        if self._codes is None:
            self._codes = f"({quietly(lambda: self._sql(self.table('codes')), unanswered_error)}) AS codes"
        return self._codes

    def grouped(
        self, keys: list[str], numbers: list[str], where: str, more: list[str], functions: Mapping[str, str] = NONE
    ) -> list[tuple[Any, ...]]:
        """Keys, some more columns and numbers of all groups of rows.

        `functions` are columns that are computed from codes first, by their names.
        """
        if functions:
            return self._grouped([*keys, *more], numbers, where, functions)
        if self.prepares and not where and not more:
            return self.kept.grouped(keys, numbers, lambda: self._grouped(keys, numbers, where))
        flight = self.in_flight if self.swift else None
        if flight is None:
            return self._grouped([*keys, *more], numbers, where)
        found = self._grouped([*flight.as_texts(keys), *more], flight.as_doubles(numbers), where)
        if flight.rounded(found):
            return self._grouped([*keys, *more], numbers, where)
        return flight.as_codes(keys, found)

    def _grouped(
        self, groups: list[str], numbers: list[str], where: str, functions: Mapping[str, str] = NONE
    ) -> list[tuple[Any, ...]]:
        """Keys and numbers of all groups of rows, in SQL that every database has."""
        grouping = f" GROUP BY {', '.join(groups)}" if groups else ""
        source = self.codes_for(*groups, *numbers, where, *functions.values())
        if functions:
            made = ", ".join(f"{text} AS {name}" for name, text in functions.items())
            source, where = f"(SELECT codes.*, {made} FROM {source}{where}) AS computed", ""
        return self.run(f"SELECT {', '.join([*groups, *numbers])} FROM {source}{where}{grouping}")

    def everything_in(self, name: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and all rows of a small table that was created."""
        table = self.table(name)
        return list(table.columns), self.fetch(table)

    def fetch(self, rows: ir.Table) -> list[tuple[Any, ...]]:
        """The rows of a small result."""
        return self.run(quietly(lambda: self._sql(rows), unanswered_error))

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a small result of a generated statement."""
        return quietly(lambda: self._rows(statement), unanswered_error)

    def write(
        self,
        rows: ir.Table,
        to: str,
        what: str,
        changed: Changed | None = None,
        ordered: bool = False,
        different: int | None = None,
    ) -> str:
        """Write a copy. If that fails, nothing is left behind.

        `changed` replaces columns of each batch; `ordered` sorts rows by their written values. There are at most
        `different` different rows, if that is known.
        """
        statement = quietly(lambda: self._sql(self.in_order(rows) if ordered else rows), unanswered_error)
        return quietly(
            lambda: self._write(statement, to, what, changed, ordered, different),
            lambda: EngineError(f"{what}: the copy could not be written, and nothing was left behind; check the disk"),
        )

    def note(self, text: str) -> None:
        """Store a text with the prepared codes."""
        import ibis

        if self.prepares:
            self.create("noted", ibis.literal(text).name("text").as_table(), ["*"], RECORDING)

    def noted(self) -> str:
        """The text stored with the prepared codes."""
        [(text,)] = self.fetch(self.table("noted"))
        return str(text)

    def _sql(self, rows: ir.Table) -> str:
        return str(self._connection.compile(rows))


def asleep_error(what: str) -> SourceError:
    """The error for a source that cannot be reached."""
    return SourceError(f"{what}, so nothing was charged; ask again when it is back")


def exists_error(name: str) -> SourceError:
    """The error for an existing table with the name of the prepared codes."""
    return SourceError(
        f"{name!r} exists already but is incomplete: another process is preparing the codes, or was stopped; try again "
        f"later, drop the table, or name another with store="
    )


def only_files(changed: bool) -> None:
    """Refuse policies, which only the embedded database can apply."""
    if changed:
        raise SourceError("a policy runs in Python, not in a database; release from a file instead")


def unanswered_error() -> EngineError:
    """The error for any failure of the database."""
    return EngineError("the database could not answer; ask the custodian to check it directly")
