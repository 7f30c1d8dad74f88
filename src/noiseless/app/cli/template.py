"""A schema to fill in, from the names and types of a table's columns; no value is looked at."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

BOUNDS = "# low =         known beforehand, never taken from the data\n# high =\n"
KINDS = {
    "real": f'kind = "real"\n{BOUNDS}# step =        what values are rounded to\n'
    "# on_grid = true if every value is low plus a number of steps\n",
    "integer": f'kind = "integer"\n{BOUNDS}',
    "date": f'kind = "date"\n{BOUNDS}',
    "boolean": 'kind = "boolean"\n',
    "text": 'kind = "category"\n# values = []   all that can occur; or kind = "public" with keys = []\n',
    "unknown": "# kind =        real, integer or date, with low = and high = (and step =), known beforehand; boolean;\n"
    "#               category, with values = ['a', 'b']; public, with keys = ['a', 'b']: docs/schema.md\n",
}
MISSING = "# missing =     'apart', or what missing values count as\n"


def template(source: str, table: str | None, target: Path) -> str:
    """The text of the schema file."""
    from noiseless.curator.engines.choose import engine_of
    from noiseless.curator.request import Request
    from noiseless.curator.schema.declaration import FORMAT

    request = Request(source, table=table, prepare=False)
    kind = engine_of(request)
    engine = kind.open(request)
    try:
        found = engine.source(source, table)
        columns = {name: _kind(kind, name in found.texts) for name, kind in found.table.schema().items()}
    finally:
        engine.close()
    beside = source if kind.kept_elsewhere else os.path.relpath(source, target.parent)
    head = [f"format = {FORMAT}", f"source = {json.dumps(beside)}"] + (
        [f"table = {json.dumps(table)}"] if table else []
    )
    head += ["# budget =      bits per person, for all questions that will ever be asked", ""]
    head += ["# Leave out columns that nobody shall ask about: what is not declared does not exist.", ""]
    body = [
        f"[columns.{json.dumps(name, ensure_ascii=False)}]\n{KINDS[kind]}{MISSING}" for name, kind in columns.items()
    ]
    return "\n".join([*head, *body])


def _kind(given: Any, text: bool) -> str:
    if text:
        return "unknown"
    if given.is_boolean():
        return "boolean"
    if given.is_integer():
        return "integer"
    if given.is_numeric():
        return "real"
    return "date" if given.is_date() or given.is_timestamp() else "text"
