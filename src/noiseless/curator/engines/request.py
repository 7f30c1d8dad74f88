"""The request to open a source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noiseless.curator.plan.person import PerPerson
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.layout import PLAIN, Layout
from noiseless.curator.schema.plain import why_no_path, why_not
from noiseless.curator.schema.schema import Schema
from noiseless.errors import BudgetError, SchemaError, SourceError
from noiseless.exact.number import Number


def is_path(table: str) -> bool:
    """Whether a table is a file or a folder instead of a name in a catalog."""
    return "/" in table or table.endswith(".parquet")


def called(table: str) -> str:
    """The name of a table in questions.

    >>> called("health.people"), called("/data/people.parquet"), called("people")
    ('people', 'people', 'people')
    """
    return Path(table).name.split(".")[0] if is_path(table) else table.split(".")[-1].strip("`")


def _blocked(path: Path) -> bool:
    """Whether the path of a file is a folder, or the path of its folder is a file."""
    try:
        return path.is_dir() or (path.parent.exists() and not path.parent.is_dir())
    except OSError:
        return True


@dataclass(frozen=True, slots=True)
class Request:
    """A source, its declaration, and where its codes and ledger are kept."""

    source: Any
    schema: Schema | None = None
    budget: Number | None = None
    table: str | None = None
    store: str | Path | None = None
    ledger: str | Path | None = None
    version: str | None = None
    quotas: Mapping[str, Number] | None = None
    prepare: bool | None = None
    memory: str | None = None
    new: bool = False
    policy: Mapping[str, Any] | None = None
    public: Mapping[str, Any] | None = None
    """Public tables that questions can join: for each its source and its key."""
    layout: Layout | None = None
    """The layout of a text file."""

    per_person: Mapping[str, Any] | None = None
    """Views with one row for each person, each with its columns."""
    shares: Mapping[str, Number] | None = None
    """The bits of the budget that are for questions about each view."""
    grants: Any = tuple
    """Reads the quotas that are granted while the dataset is open: see `ledger/grants.py`."""
    view: PerPerson | None = None
    """The view to open instead of the table, if given."""

    def __post_init__(self) -> None:
        """Refuse texts that files and ledgers cannot hold."""
        for name in ("store", "ledger"):
            given = getattr(self, name)
            if given is not None and (wrong := why_no_path(given)):
                raise SourceError(f"{name}= {wrong}; name a file")
            elsewhere = "://" in str(given) or (name == "store" and not self.from_file)
            if given is not None and not elsewhere and _blocked(Path(given)):
                raise SourceError(f"{name}={str(given)!r} is a folder or is inside a file; name a file in a folder")
        for name in ("table", "version", "memory"):
            given = getattr(self, name)
            if given is not None and (wrong := why_not(given)):
                raise SourceError(f"{name}= {wrong}; use a plain text")
        if isinstance(self.source, (str, Path)) and (wrong := why_no_path(self.source)):
            raise SourceError(f"the source {wrong}; name a file, or a database by its URL")
        if not isinstance(self.quotas, (Mapping, type(None))) or any(map(why_not, self.quotas or ())):
            raise BudgetError("quotas= must map names of analysts to bits, with '*' for all others; write {'alice': 4}")

    def declared(self) -> Request:
        """Add what the TOML file says, if the source is one. The ledger, and the codes of files, are kept beside it."""
        if not isinstance(self.source, (str, Path)) or not str(self.source).lower().endswith(".toml"):
            return self
        file, said = Path(self.source), Declaration.read(self.source)
        if said.source is None:
            raise SchemaError("the schema file names no source; add source = 'people.parquet'")
        if said.from_database and said.layout != PLAIN:
            raise SchemaError("delimiter, names and header are for .csv, .tsv and .data files; remove them")
        prepare = said.prepare if self.prepare is None else self.prepare
        beside = None if said.from_database or prepare is False else file.with_suffix(".codes.duckdb")
        return Request(
            said.source,
            self.schema or said.schema,
            said.budget if self.budget is None else self.budget,
            self.table or said.table,
            self.store or beside,
            self.ledger or (file.with_suffix(".ledger.sqlite") if said.ledger is None else _beside(file, said.ledger)),
            self.version or said.version,
            said.quotas if self.quotas is None else self.quotas,
            prepare,
            self.memory or said.memory,
            self.new,
            said.policy if self.policy is None else self.policy,
            said.public if self.public is None else self.public,
            said.layout if self.layout is None else self.layout,
            said.per_person if self.per_person is None else self.per_person,
            said.shares if self.shares is None else self.shares,
            self.grants,
        )

    @property
    def from_file(self) -> bool:
        """Whether the source is a file; then `store` is a file too, not a table in a database."""
        source = str(self.source) if isinstance(self.source, (str, Path)) else "://"
        return "://" not in source and not source.startswith("local")

    @property
    def name(self) -> str:
        """The name of the dataset in the ledger and in questions. It does not depend on where the table is.

        So a table that moves keeps its budget. Two tables of one name in a ledger share a budget, which is safe.
        """
        if self.view is not None:
            return self.view.name
        if self.table is not None:
            return called(self.table)
        return Path(self.source).name.split(".")[0] if isinstance(self.source, (str, Path)) else "data"

    def one_table(self) -> str:
        """The table. In a database it must be named."""
        if not self.table:
            raise SourceError("a database holds many tables; name one with table='people' or table='health.people'")
        return self.table

    def kept_as(self, otherwise: str) -> str | None:
        """The table of prepared codes in a database; None for codes in flight."""
        kept = self._kept_as(otherwise)
        return kept if kept is None or self.view is None else f"{kept}_of_{self.view.name}"

    def _kept_as(self, otherwise: str) -> str | None:
        if not self.prepare:
            if self.store is not None:
                raise SourceError("store= names the table of prepared codes in a database; add prepare=True")
            return None
        if self.ledger is None:
            raise SourceError(
                "prepared codes in a database outlast this process, and so must the ledger; name a file with ledger="
            )
        return otherwise if self.store is None else str(self.store)


def _beside(file: Path, ledger: str) -> str:
    """A URL as it is, and a path relative to the schema file."""
    return ledger if "://" in ledger else str(file.absolute().parent / ledger)
