"""`noiseless mock`: a table with the right types and ranges, and none of the data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noiseless.app.cli.asking import Schema
from noiseless.app.cli.printing import check_place, plainly


def mock(
    schema: Schema,
    rows: Annotated[int, typer.Option("-n", "--rows", help="The number of rows.")] = 1000,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The file to write. Default: a parquet file beside the schema.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same rows.", min=0)] = 0,
) -> None:
    """Write a mock table made from the schema alone, to try questions and programs on. It contains none of the data."""
    from noiseless.app.mock import MARK, write_mock
    from noiseless.curator.schema.declaration import Declaration
    from noiseless.errors import SourceError

    with plainly():
        target = out or schema.with_suffix(".mock.parquet")
        check_place(target, "--out")
        if target.exists():
            raise SourceError(f"{str(target)!r} exists already; name another file with --out")
        write_mock(Declaration.read(schema).schema, rows, str(target), seed)
        typer.echo(f"wrote {target}: {rows} made-up rows, marked in the column {MARK!r}; none of the data is in them")
