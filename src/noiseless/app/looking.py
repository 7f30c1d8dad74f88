"""What is public about a source before it is declared: the names and types of its columns, and its layout."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noiseless.curator.engines.choose import engine_of
from noiseless.curator.engines.request import Request
from noiseless.curator.schema.layout import PLAIN, Layout
from noiseless.curator.sources.source import TEXTS
from noiseless.errors import SourceError

if TYPE_CHECKING:
    from noiseless.curator.engines.engine import Engine
    from noiseless.curator.sources.source import Source

NUMBER = r"\s*[+-]?[0-9][0-9.,]*([eE][+-]?[0-9]+)?\s*"
LONGEST_LINE = 1 << 16


@dataclass(frozen=True, slots=True)
class Looked:
    """An opened source and its columns. The type of a column is None if it holds texts that could mean anything."""

    engine: Engine
    source: Source
    layout: Layout
    elsewhere: bool
    """Whether it is in a database."""

    @property
    def columns(self) -> dict[str, Any]:
        """The names of the columns, with their types."""
        kinds = self.source.table.schema()
        return {name: None if name in self.source.texts else kind for name, kind in kinds.items()}


@contextmanager
def looked(source: str, table: str | None, layout: Layout) -> Iterator[Looked]:
    """The source, opened to look at its columns."""
    request = Request(source, table=table, prepare=False)
    kind = engine_of(request)
    if kind.kept_elsewhere and layout != PLAIN:
        raise SourceError("--delimiter, --names and --header are for .csv, .tsv and .data files; leave them out")
    if not kind.kept_elsewhere:
        layout = _laid_out(Path(source), layout)
        request = replace(request, prepare=None, store=":memory:", layout=layout)
    engine = kind.open(request)
    try:
        found = Looked(engine, engine.source(source, table), layout, kind.kept_elsewhere)
        if source.lower().endswith(TEXTS) and not layout.says_names:
            _check_named(Path(source), list(found.columns))
        yield found
    finally:
        engine.close()


def _laid_out(path: Path, layout: Layout) -> Layout:
    """The layout, with the delimiter found in the line of names if none was given."""
    if not path.name.lower().endswith(TEXTS) or not path.is_file():
        return layout
    if ".data" in path.name.lower() and not layout.says_names:
        raise SourceError(
            f"{path.name!r}: the first line of a .data file may be data; give --names age,pay,… for all its columns "
            f"from left to right, or --header if the first line holds their names"
        )
    if layout.delimiter is not None or layout.first_is_data:
        return layout
    usual = layout.delimiter_of(path.name)
    line = _first_line(path)
    found = usual if usual in line else max((usual, ";", "\t", "|", ","), key=line.count)
    spaced = line.count(found) and line.count(found) == line.count(f"{found} ")
    found += " " * bool(spaced)
    return layout if found == usual else replace(layout, delimiter=found)


def _first_line(path: Path) -> str:
    try:
        with gzip.open(path, "rb") if path.suffix.lower() == ".gz" else path.open("rb") as file:
            return bytes(file.readline(LONGEST_LINE)).decode("utf-8-sig", errors="replace").strip("\r\n")
    except (OSError, EOFError):
        return ""


def _check_named(path: Path, names: list[str]) -> None:
    """Refuse a first line with a number in it: it is probably a person's data, and would end up in the schema."""
    places = [place for place, name in enumerate(names, 1) if re.fullmatch(NUMBER, name)]
    if places:
        raise SourceError(
            f"{path.name!r}, line 1: column {places[0]} is a number, so this line may be data; give --names age,pay,… "
            f"for all columns from left to right, or --header if it does hold their names"
        )


def layout_of(delimiter: str | None, names: str | None, header: bool) -> Layout:
    """The layout that the options of a command declare; a tab may be written as \\t.

    >>> layout_of("\\\\t", "age, pay", False)
    Layout(delimiter='\\t', names=('age', 'pay'), header=None)
    """
    mark = None if delimiter is None else delimiter.replace("\\t", "\t")
    listed = None if names is None else tuple(name.strip() for name in names.split(","))
    return replace(PLAIN, delimiter=mark, names=listed, header=True if header else None)
