"""A connection to DuckDB. Ibis is loaded only to translate expressions, because that takes longer than an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from noiseless.curator.engines.folder import spill

MEMORY = ":memory:"


class Embedded:
    """DuckDB's own connection as `con`; everything else is Ibis's, over the same connection."""

    def __init__(self, path: str = MEMORY, **settings: Any) -> None:
        import duckdb

        file = path if path == MEMORY else str(Path(path).absolute())
        self.con = duckdb.connect(file, config={"temp_directory": spill()}, **settings)
        self.con.execute("SET TimeZone = 'UTC'")
        self.con.execute("SET python_enable_replacements = false")  # a table is never a variable of that name
        self.con.execute("SET enable_progress_bar_print = false")  # DuckDB would draw into the output
        self._translator: Any = None

    def __getattr__(self, name: str) -> Any:
        """Attributes that only Ibis's connection has, such as `compile` and `table`."""
        if name.startswith("__"):
            raise AttributeError(name)
        if self._translator is None:
            from noiseless.curator.engines.translator import Translator

            self._translator = Translator.from_connection(self.con)
        return getattr(self._translator, name)

    def disconnect(self) -> None:
        """Close the connection."""
        self.con.close()
