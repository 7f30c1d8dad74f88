"""Names and texts in statements for DuckDB."""

from __future__ import annotations

import re
from pathlib import Path


def identifier(name: str) -> str:
    """A column name, quoted for a statement."""
    return '"' + name.replace('"', '""') + '"'


def quoted(text: str) -> str:
    """A text, quoted for a statement."""
    return "'" + text.replace("'", "''") + "'"


def literal(path: Path) -> str:
    """A file name taken literally: DuckDB would read *, ? and [ as patterns.

    >>> literal(Path("m[1]*.parquet"))
    'm[[]1][*].parquet'
    """
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path))
