"""A declaration made of a custodian's choices, never of a free text, so it can name only one file of the folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from noiseless.app.mock import MOST_ROWS, mock_table
from noiseless.app.purchases import Purchases, purchases
from noiseless.app.service import models
from noiseless.app.service.sources import Seen
from noiseless.app.worth import worth
from noiseless.curator.curator import Curator
from noiseless.curator.schema.declaration import Declaration
from noiseless.errors import SchemaError

Kind = Literal["real", "integer", "date", "boolean", "category", "public"]
KINDS: tuple[Kind, ...] = ("real", "integer", "date", "boolean", "category", "public")
MOST_MADE = 200_000
"""The number of made-up rows on which previews show what a budget buys."""


class Column(models.Given):
    """One column: what it can be, from public knowledge."""

    kind: Kind
    low: models.Number | None = None
    high: models.Number | None = None
    step: models.Number | None = None
    values: list[str] | None = Field(None, max_length=100_000, description="of a category, or the keys of a public one")
    other: str | None = Field(None, description="what stands for values that are not listed")
    missing: str | None = Field(None, description="'apart', 'never', or what a missing value counts as")


class Unit(models.Given):
    """A person with several rows."""

    column: str
    rows: int = Field(ge=1)
    order_by: str


class ToDeclare(models.Given):
    """What a custodian declares about a table. Columns that are not named are left out."""

    file: str = Field(max_length=300)
    columns: dict[str, Column] = Field(min_length=1, max_length=2000)
    budget: models.Number = Field(description="bits for each person, for all questions that will ever be asked")
    unit: Unit | None = None


def declared(given: ToDeclare, seen: Seen) -> Declaration:
    """The declaration, read back from its text. A wrong one is refused with a list of everything that is wrong."""
    if unknown := [name for name in given.columns if name not in seen.columns]:
        raise SchemaError(f"column {unknown[0][:100]!r} is not in the table; name one of its columns")
    return Declaration.parse("\n".join(_lines(given, seen)))


def bought(declaration: Declaration, rows: int) -> tuple[list[str], Purchases]:
    """What the budget buys on this schema: found by previews about made-up rows, so no value of the table is read."""
    schema, budget = declaration.schema, declaration.budget
    made = min(rows, MOST_MADE, MOST_ROWS)
    with Curator.open(mock_table(schema, max(1, made)), schema, budget, table="data") as curator:
        return worth(curator), purchases(curator)


def _lines(given: ToDeclare, seen: Seen) -> Iterator[str]:
    yield f"source = {_text(given.file)}"
    yield f"budget = {_number(given.budget)}"
    if seen.delimiter is not None:
        yield f"delimiter = {_text(seen.delimiter)}"
    for name, column in given.columns.items():
        yield from _column(name, column, name in seen.numbers)
    if given.unit is not None:
        yield "[unit]"
        yield f"column = {_text(given.unit.column)}"
        yield f"rows = {given.unit.rows}"
        yield f"order_by = {_text(given.unit.order_by)}"


def _column(name: str, column: Column, numbers: bool) -> Iterator[str]:
    yield f"[columns.{_text(name)}]"
    yield f"kind = {_text(column.kind)}"
    for field in ("low", "high", "step"):
        if (value := getattr(column, field)) is not None:
            yield f"{field} = {_number(value)}"
    if column.values is not None:
        write_value = _number if numbers else _text
        yield f"{'keys' if column.kind == 'public' else 'values'} = [{', '.join(map(write_value, column.values))}]"
    for field in ("other", "missing"):
        if (value := getattr(column, field)) is not None:
            yield f"{field} = {_text(value)}"


def _number(value: Any) -> str:
    """A number as TOML. Anything else, such as a date, is written as a text."""
    text = str(value)
    return text if text.removeprefix("-").replace(".", "", 1).isdigit() and text.isascii() else _text(text)


def _text(value: str) -> str:
    """As JSON, which is also TOML except for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def write(declaration: Declaration, file: Path) -> Path:
    """Write the schema file beside the table. Another file is never overwritten."""
    path = file.parent / f"{file.name.split('.')[0]}.toml"
    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(declaration.write())
    except FileExistsError:
        raise SchemaError(f"{path.name!r} exists already; the custodian of the server can remove or serve it") from None
    except OSError:
        raise SchemaError("the folder of tables cannot be written; the custodian of the server can allow it") from None
    return path
