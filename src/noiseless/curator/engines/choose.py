"""Chooses the engine that opens a source. A new engine is one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noiseless.curator.engines.duckdb import DuckDB
from noiseless.curator.engines.engine import Engine
from noiseless.curator.engines.postgres import Postgres
from noiseless.curator.engines.spark import Spark
from noiseless.errors import SourceError

if TYPE_CHECKING:
    from noiseless.curator.engines.request import Request

ENGINES: tuple[type[Engine], ...] = (Postgres, Spark, DuckDB)


def engine_of(request: Request) -> type[Engine]:
    """The first engine that opens the source."""
    found = next((engine for engine in ENGINES if engine.opens(request.source)), None)
    if found is None:
        scheme = str(request.source).split("://")[0]
        raise SourceError(
            f"{scheme}:// is not supported; use postgres:// or spark://, or add another database that Ibis supports, "
            f"as "
            f"CONTRIBUTING.md describes"
        )
    if found.kept_elsewhere and request.memory is not None:
        raise SourceError(
            "memory= is for files only; leave it out, and set the memory of a database in its own settings"
        )
    return found
