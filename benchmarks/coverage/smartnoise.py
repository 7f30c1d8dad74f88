"""What SmartNoise SQL does with the questions about one schema. Runs in its own environment, and prints JSON.

The command names the folder that `tables.write` has filled. Tables are in SQLite, as when SmartNoise reads dataframes.
Names of tables are qualified, because it wants that; nothing else in the text is changed. Views with one row for each
person are tables of their own.
"""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import sys
import tomllib
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import snsql

SECONDS = 60
"""How long one question may take."""
KINDS = {"integer": "int", "real": "float", "boolean": "boolean", "date": "datetime"}
OF_VALUES = {"i": "int", "f": "float"}


def main(folder: Path) -> list[dict[str, Any]]:
    """For each question: how many rows came back, or the first line of the error."""
    declared = tomllib.loads((folder / "schema.toml").read_text(encoding="utf-8"))
    private = pd.read_parquet(folder / declared["source"])
    tables = {Path(declared["source"]).stem: private} | {
        name: pd.read_csv(folder / about["source"]) for name, about in declared.get("public", {}).items()
    }
    with sqlite3.connect(":memory:") as connection:
        connection.execute("ATTACH ':memory:' AS public")
        for name, rows in tables.items():
            _store(connection, name, rows)
        views = _views(connection, Path(declared["source"]).stem, declared)
        metadata = {name: _columns(rows, declared) for name, rows in tables.items()}
        metadata |= {name: _columns(rows, {"columns": declared["per_person"][name]}) for name, rows in views.items()}
        metadata = {"": {"public": metadata}}
        reader = snsql.from_connection(
            connection, engine="sqlite", privacy=snsql.Privacy(epsilon=1.0, delta=1e-6), metadata=metadata
        )
        questions = (folder / "questions.sql").read_text(encoding="utf-8").splitlines()
        return [_asked(partial(reader.execute, _qualified(sql, {*tables, *views}))) for sql in questions]


def _store(connection: sqlite3.Connection, name: str, rows: pd.DataFrame) -> None:
    connection.execute(f'CREATE TABLE public."{name}" ({", ".join(map(_quoted, rows.columns))})')
    marks = ", ".join("?" * len(rows.columns))
    values = rows.astype(object).where(rows.notna(), None).map(_plain).itertuples(index=False, name=None)
    connection.executemany(f'INSERT INTO public."{name}" VALUES ({marks})', values)


def _views(connection: sqlite3.Connection, table: str, declared: dict[str, Any]) -> dict[str, pd.DataFrame]:
    """The tables with one row for each person."""
    found = {}
    for name, columns in declared.get("per_person", {}).items():
        said = {label: each if isinstance(each, str) else each["expression"] for label, each in columns.items()}
        items = ", ".join(f"{expression} AS {label}" for label, expression in said.items())
        sql = f'SELECT {items} FROM public."{table}" GROUP BY {declared["unit"]["column"]}'
        found[name] = pd.read_sql_query(sql, connection)
        _store(connection, name, found[name])
    return found


def _columns(rows: pd.DataFrame, declared: dict[str, Any]) -> dict[str, Any]:
    """Metadata of a table: the declared columns with their bounds, the person's key, and the others as they are."""
    unit = declared.get("unit", {})
    about: dict[str, Any] = {"censor_dims": False, "row_privacy": not unit}
    if unit:
        about["max_ids"] = unit["rows"]
    for name in rows.columns:
        column = declared["columns"].get(name, {})
        column = {} if isinstance(column, str) else column
        kind = KINDS.get(column.get("kind", ""), OF_VALUES.get(rows[name].dtype.kind, "string"))
        about[name] = {"type": kind}
        if kind in ("int", "float"):
            known = {"low": rows[name].min().item(), "high": rows[name].max().item()} | column
            about[name] |= {"lower": known["low"], "upper": known["high"]}
        if name == unit.get("column"):
            about[name] = {"type": "string", "private_id": True}
    return about


def _quoted(name: str) -> str:
    return f'"{name}"'


def _plain(value: Any) -> Any:
    """A value as SQLite stores it."""
    return value.isoformat() if hasattr(value, "isoformat") else getattr(value, "item", lambda: value)()


def _qualified(sql: str, tables: set[str]) -> str:
    """The text with `public.` before the names of tables, and without the semicolon."""
    names = "|".join(map(re.escape, tables))
    return re.sub(rf"\b(FROM|JOIN)\s+({names})\b", r"\1 public.\2", sql.removesuffix(";"))


def _asked(ask: Callable[[], Any]) -> dict[str, Any]:
    signal.alarm(SECONDS)
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            rows = list(ask())
    except Exception as failure:  # whatever it raises is what its user sees
        return {"refused": f"{type(failure).__name__}: {failure}".splitlines()[0][:200]}
    finally:
        signal.alarm(0)
    return {"rows": len(rows) - 1}


def _too_long(*_: object) -> None:
    raise TimeoutError(f"more than {SECONDS} seconds")


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, _too_long)
    print(json.dumps({"version": version("smartnoise-sql"), "questions": main(Path(sys.argv[1]))}))
