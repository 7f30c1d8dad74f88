"""Ibis's translation into DuckDB's SQL."""

from __future__ import annotations

import duckdb
from ibis.backends.duckdb import Backend


class Translator(Backend):  # type: ignore[misc]
    """Ibis's backend with a fixed version. Ibis would read the metadata of installed packages for each connection."""

    version = duckdb.__version__
