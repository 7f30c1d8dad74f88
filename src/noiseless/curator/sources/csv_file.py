"""A text file of fields, checked strictly before a database reads it: RFC 4180, with the declared delimiter.

How a lenient reader reads a malformed file depends on its content: an unclosed quote swallows rows. So the whole file
is checked once. A refusal names the line and the fault, and never quotes the content.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noiseless.curator.schema.layout import Layout, why_not_names
from noiseless.curator.sources.csv_block import Block, plain_records
from noiseless.errors import SourceError

PIECE = 1 << 17
"""Bytes checked at a time; they should fit into a processor's cache."""
MARK, UTF_16 = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")
"""The byte order mark that some programs write first."""


@dataclass(frozen=True, slots=True)
class CsvFile:
    """A well-formed file: its delimiter, column names and number of rows.

    If it is `plain`, without quotes and returns, every line is a record, wherever one begins to read.
    """

    path: Path
    delimiter: str
    names: tuple[str, ...]
    rows: int
    first_is_data: bool
    plain: bool


def read_csv_file(path: Path, layout: Layout) -> CsvFile:
    """Check the whole file. A refusal names the first line that is wrong."""
    scan, held = _Scan(path.name, layout), b""
    for piece, ends in _pieces(path):
        scan.take(piece)
        held = ends
    rows = scan.finish(held)
    assert scan.names is not None
    return CsvFile(path, scan.delimiter, scan.names, rows, layout.first_is_data, scan.plain and len(scan.names) > 1)


def _pieces(path: Path) -> Iterator[tuple[bytes, bytes]]:
    """The content in pieces, without the byte order mark; line ends at the end of a piece are held back."""
    with gzip.open(path, "rb") if path.suffix.lower() == ".gz" else path.open("rb") as file:
        piece, held = _read(file, path).removeprefix(MARK), b""
        while piece:
            content = held + piece
            body = content.rstrip(b"\r\n")
            held = content[len(body) :]
            yield body, held
            piece = _read(file, path)


def _read(file: Any, path: Path) -> bytes:
    try:
        return bytes(file.read(PIECE))
    except (EOFError, gzip.BadGzipFile, zlib.error):
        pass
    raise SourceError(f"{path.name!r} is not a complete gzip file; compress it again")


class _Scan:
    """The state of the check: what the records so far say, and the unfinished record at the end of a piece."""

    def __init__(self, file: str, layout: Layout) -> None:
        self.names, self.delimiter = layout.names, layout.delimiter_of(file)
        self._file, self._layout = file, layout
        self._fields = None if layout.names is None else len(layout.names)
        self._line, self._records, self._rest = 1, 0, b""
        self.plain = True

    def take(self, piece: bytes, last: bool = False) -> None:
        """Check the next piece."""
        whole = self._rest + piece
        if self.names is not None and (records := plain_records(whole, self.delimiter.encode(), len(self.names))):
            self._records, self._line = self._records + records, self._line + records
            self._rest = whole[whole.rfind(b"\n") + 1 :]
            return
        if not self._records and not self._rest and piece.startswith(UTF_16):
            raise self._error(1, "the file is in UTF-16; save it as UTF-8")
        block = Block(whole, self.delimiter.encode(), last)
        self.plain &= not any(mark in whole for mark in (b'"', b"\r"))
        if self._fields is None and len(block.ends):
            self._fields = block.first_fields
        problems = [*block.byte_problems(), *block.quote_problems(), *block.length_problems()]
        if self._fields is not None:
            problems += block.count_problems(self._fields, self._expected())
        if problems:
            _, began, what = min(problems, key=lambda problem: problem[0])
            raise self._error(self._line + block.content.count(b"\n", 0, began), what)
        if self.names is None and len(block.ends):
            self.names = self._named(block.first_record())
        self._records += len(block.ends)
        self._line += block.content.count(b"\n", 0, block.whole)
        self._rest = block.content[block.whole :]

    def finish(self, ends: bytes) -> int:
        """The number of rows, known at the end of the file; in a file of one column, empty lines there are rows."""
        if not self._rest:
            raise self._error(1, "the file is empty; use a file with rows")
        self.take(b"\n", last=True)
        if self._fields == 1:
            self.take(ends.removeprefix(b"\r").removeprefix(b"\n"), last=True)
        if not (rows := self._records - (not self._layout.first_is_data)):
            raise self._error(1, "there are no rows after the column names; use a file with rows")
        return rows

    def _expected(self) -> str:
        return "the first line has" if self._layout.names is None else "names declares"

    def _named(self, fields: list[bytes]) -> tuple[str, ...]:
        names = tuple(_unquoted(field.decode()) for field in fields)
        if wrong := why_not_names(names):
            raise self._error(
                1, f"{wrong}; give every column a different name, in this line or as names = ['age', …] in the schema"
            )
        return names

    def _error(self, line: int, what: str) -> SourceError:
        return SourceError(f"{self._file!r}, line {line}: {what}")


def _unquoted(field: str) -> str:
    return field[1:-1].replace('""', '"') if field.startswith('"') else field
