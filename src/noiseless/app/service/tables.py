"""Tables as parquet, csv or an Arrow stream."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from noiseless.app.service.written import ARROW, Written

PARQUET, CSV = "application/vnd.apache.parquet", "text/csv"
FORMATS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "the table",
        "content": {each: {"schema": {"type": "string", "format": "binary"}} for each in (PARQUET, ARROW, CSV)},
    }
}
SUFFIXES = {"parquet": PARQUET, "arrow": ARROW, "csv": CSV}
PIECE = 1 << 16
"""Bytes of a file, or rows of a table, that are sent at once."""


def in_format(table: Any, media: str) -> Written:
    """A small table, as a whole."""
    import pyarrow
    import pyarrow.parquet

    sink = pyarrow.BufferOutputStream()
    if media == PARQUET:
        pyarrow.parquet.write_table(table, sink)
    else:
        with writer(sink, table.schema, media) as out:
            out.write_table(table)
    return Written(sink.getvalue().to_pybytes(), media)


def writer(sink: Any, schema: Any, media: str) -> Any:
    """What writes batches as an Arrow stream or as csv."""
    import pyarrow.csv

    return pyarrow.ipc.new_stream(sink, schema) if media == ARROW else pyarrow.csv.CSVWriter(sink, schema)


def pieces(file: Path, media: str) -> Iterator[bytes]:
    """A parquet file in pieces, converted if another format is wanted."""
    import pyarrow
    import pyarrow.parquet

    if media == PARQUET:
        with file.open("rb") as opened:
            while piece := opened.read(PIECE):
                yield piece
        return
    sink = _Sink()
    with pyarrow.parquet.ParquetFile(file) as parquet:
        out = writer(pyarrow.PythonFile(sink, "w"), parquet.schema_arrow, media)
        yield sink.take()
        for batch in parquet.iter_batches(PIECE):
            out.write_batch(batch)
            yield sink.take()
        out.close()
    yield sink.take()


class _Sink:
    """Keeps what is written until it is taken."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: Any) -> int:
        self._parts.append(bytes(part))
        return len(self._parts[-1])

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def take(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken
