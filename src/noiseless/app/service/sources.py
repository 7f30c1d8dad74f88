"""Tables that custodians may declare: files of one folder, which the command line names. No other file is opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from noiseless.app.guesses import kind_of, orders, people_keys
from noiseless.app.looking import looked
from noiseless.app.service.problems import Problem
from noiseless.curator.schema.layout import PLAIN

SUFFIXES = (".parquet", ".csv", ".tsv", ".csv.gz")
MOST = 1000
"""The most files that are listed."""
KINDS = {"text": "category", "unknown": ""}
"""The kinds that have a different name in a declaration."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What may be known of a table before it is declared: its rows, and its columns with a guessed kind."""

    rows: int
    columns: dict[str, str]
    people: list[str]
    """Columns that may identify a person."""
    orders: list[str]
    """Columns that may order the rows of a person."""
    numbers: frozenset[str]
    """Columns that hold numbers by their type."""
    delimiter: str | None
    """The separator of a text file, if it is not the usual one."""


def files_of(folder: str | None) -> list[str]:
    """The names of the tables in the folder. Links, hidden files and folders are left out."""
    if folder is None:
        return []
    found = sorted(Path(folder).iterdir())[: 10 * MOST]
    return [each.name for each in found if _is_table(each)][:MOST]


def file_of(folder: str | None, name: str) -> Path:
    """The file with this name, if it is listed. All other names are refused."""
    if folder is None or name not in files_of(folder):
        raise Problem(404, "unknown-table", f"table {name[:100]!r} is not in the folder", "GET /sources lists all")
    return Path(folder) / name


def seen(file: Path) -> Seen:
    """The columns and the number of rows. No value is returned, and guesses come from names and types alone."""
    with looked(str(file), None, PLAIN) as found:
        columns = found.columns
        [(rows,)] = found.engine.fetch(found.source.table.aggregate(n=found.source.table.count()))
        kinds = {name: kind_of(name, given) for name, given in columns.items()}
        named = {name: KINDS.get(kind, kind) for name, kind in kinds.items()}
        numbers = frozenset(name for name, given in columns.items() if given is not None and given.is_numeric())
        return Seen(int(rows), named, people_keys(columns), orders(columns), numbers, found.layout.delimiter)


def _is_table(file: Path) -> bool:
    name = file.name
    plain = name.isprintable() and not name.startswith(".") and name.lower().endswith(SUFFIXES)
    return plain and not file.is_symlink() and file.is_file()
