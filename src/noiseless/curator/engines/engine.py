"""What the curator wants of a database, and what is the same for all that Ibis speaks to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from secrets import token_hex
from typing import TYPE_CHECKING, Any, ClassVar

from noiseless.curator.engines.templates import Templates, translated
from noiseless.curator.sources.quiet import quietly
from noiseless.errors import EngineError, SourceError

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from noiseless.curator.engines.request import Request
    from noiseless.curator.schema.schema import Schema
    from noiseless.curator.sources.source import Source


Changed = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""What Python does to some columns of a batch of rows."""


class Engine(ABC):
    """A database that reads the custodian's table and adds up codes.

    Codes are *prepared*, a table that is made once, or *in flight*, an expression over the custodian's table that is
    computed anew for every question. Whoever asks cannot tell which: the integers are the same.
    """

    kept_elsewhere: ClassVar[bool] = True
    """Whether the source lives in this database, rather than being brought into it."""
    prepares: bool = False
    complete: bool = False
    """Whether codes were prepared before."""
    _connection: Any
    """Ibis's."""

    def __init__(self) -> None:
        self._tables: dict[str, ir.Table] = {}
        self._codes: str | None = None

    # What differs between databases.

    @classmethod
    @abstractmethod
    def opens(cls, source: Any) -> bool:
        """Whether a source is for this engine."""

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
        """Make a table of what a statement selects, to be found again by its name."""

    @abstractmethod
    def _find(self, name: str) -> ir.Table:
        """A table that was made."""

    @abstractmethod
    def seal(self) -> None:
        """From here on nothing is written."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

    @abstractmethod
    def check_target(self, to: str, changed: bool) -> None:
        """Whether a released copy can be written there: nothing is in the way, and the kind is known.

        `changed` says that Python changes some columns.
        """

    @abstractmethod
    def _write(self, statement: str, to: str, what: str, changed: Changed | None, ordered: bool) -> str:
        """Write what a statement selects, to appear only when it is complete; its SHA-256 where it is one file."""

    def renewed(self) -> Engine:
        """An engine that prepares codes anew, since the schema was added to."""
        raise SourceError("the schema was added to; drop the tables of prepared codes, then open it again")

    def awake(self, rows: int) -> None:  # noqa: B027 (an engine in this process always is)
        """That the source can be read, as far as that can be known; refused before anything is charged.

        A connection that was lost is made again; then there must be as many rows as before.
        """

    def seen(self) -> str:
        """What the rows are known by: where codes are kept, they are the same for ever; in flight, never surely."""
        return "" if self.prepares else token_hex(8)

    def double(self, number: Any) -> Any:
        """A column of numbers as the nearest doubles; no value may make it fail."""
        return number.cast("float64")

    def ordered(self, place: Any) -> Any:
        """A column that rows are ordered by; texts are ordered by their bytes."""
        return place

    def in_order(self, rows: ir.Table) -> ir.Table:
        """Rows ordered by all of their columns, missing values last."""
        return rows.order_by([self.ordered(rows[name]) for name in rows.columns])

    # What is the same for all.

    def define(self, name: str, rows: ir.Table) -> None:
        """Give rows a name: an expression for every statement that uses it."""
        self._tables[name] = rows

    def create(self, name: str, rows: ir.Table, columns: list[str], what: str) -> None:
        """Give some columns of rows a name: a table that is made now."""
        quietly(
            lambda: self._create(name, f"SELECT {', '.join(columns)} FROM ({self._sql(rows)}) AS t0", what),
            lambda: EngineError(f"{what}: the table could not be read to its end; check the source and the disk"),
        )

    def templates(self, what: str) -> Templates:
        """For statements about many columns; `what` they are for, by which translations are remembered."""
        return Templates(self._sql, self.quoted, translated(type(self), what))

    def quoted(self, name: str) -> str:
        """The name of a column in a statement."""
        from sqlglot import exp

        return exp.to_identifier(name, quoted=True).sql(dialect=self._connection.dialect)

    def table(self, name: str) -> ir.Table:
        """What was defined, now or before."""
        if name not in self._tables:
            self._tables[name] = quietly(lambda: self._find(name), unanswered)
        return self._tables[name]

    def has(self, name: str) -> bool:
        """Whether something was defined by this name, now or before."""
        try:
            self.table(name)
        except EngineError:
            return False
        return True

    @property
    def codes(self) -> str:
        """The codes, as something to select from."""
        if self._codes is None:
            self._codes = f"({quietly(lambda: self._sql(self.table('codes')), unanswered)}) AS codes"
        return self._codes

    def fetch(self, rows: ir.Table) -> list[tuple[Any, ...]]:
        """The rows of a small result."""
        return self.run(quietly(lambda: self._sql(rows), unanswered))

    def run(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a small result, of a statement that was generated."""
        return quietly(lambda: self._rows(statement), unanswered)

    def write(self, rows: ir.Table, to: str, what: str, changed: Changed | None = None, ordered: bool = False) -> str:
        """Write a released copy; nothing is left behind where that fails.

        `changed` gives columns of a batch anew; `ordered` says that rows are to be ordered by what is written of them.
        """
        statement = quietly(lambda: self._sql(self.in_order(rows) if ordered else rows), unanswered)
        return quietly(
            lambda: self._write(statement, to, what, changed, ordered),
            lambda: EngineError(f"{what}: it could not be written to its end, and nothing was left; check the disk"),
        )

    def note(self, text: str) -> None:
        """Keep a text with the prepared codes."""
        import ibis

        if self.prepares:
            self.create("noted", ibis.literal(text).name("text").as_table(), ["*"], "noting what was prepared")

    def noted(self) -> str:
        """The text that was kept."""
        [(text,)] = self.fetch(self.table("noted"))
        return str(text)

    def _sql(self, rows: ir.Table) -> str:
        return str(self._connection.compile(rows))


def asleep(what: str) -> SourceError:
    """The error for a source that is away."""
    return SourceError(f"{what}; nothing was charged: ask again when it is back")


def exists(name: str) -> SourceError:
    """The error for a table that is in the way of prepared codes."""
    return SourceError(
        f"{name!r} exists already and is no complete set of codes: another process is preparing them, or one was "
        f"stopped; open again, drop it, or name another with store="
    )


def only_files(changed: bool) -> None:
    """Refuse what only the embedded database does."""
    if changed:
        raise SourceError("a policy is applied where Python is: release from a file, not from a database")


def unanswered() -> EngineError:
    """The error for any failure of the database."""
    return EngineError("the database could not answer; the custodian can look into it directly")
