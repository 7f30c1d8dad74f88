"""What two published tables reveal together. No data of this server are read."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from noiseless.app.service import models
from noiseless.app.service.parameters import Anyone, Running
from noiseless.app.service.problems import Problem
from noiseless.curator.audit.difference import Difference, difference
from noiseless.errors import NoiselessError

router = APIRouter(tags=["audits"])
Format = Literal["csv", "parquet"]
FORMATS: tuple[Format, ...] = ("csv", "parquet")


class Published(models.Given):
    """A published table, as a file."""

    format: Format
    base64: str = Field(min_length=1, description="the bytes of the file, in base64")


class ToCompare(models.Given):
    """Two published tables."""

    one: Published
    two: Published
    columns: list[str] = Field(default=[], max_length=1000, description="those to compare; by default all in both")
    same_order: bool = Field(False, description="whether both tables are about the same people row by row")


class Changed(BaseModel):
    """A combination of values that the two tables have in different numbers of rows."""

    values: dict[str, str | None]
    first: int
    second: int


class Cut(BaseModel):
    """A column of intervals in both tables. Lists are about the first, the second, and both."""

    name: str
    cells: list[int]
    smallest: list[int] = Field(description="the fewest rows between two neighbouring edges")
    consistent: bool = Field(description="whether both tables can be about the same people")


class Joined(BaseModel):
    """For the same people row by row. Lists are about the first, the second, and both."""

    k: list[int] = Field(description="the size of the smallest group of rows that are alike")
    unique: list[int] = Field(description="how many rows are unique")


class Compared(BaseModel):
    """What two tables reveal together."""

    rows: list[int]
    columns: list[str]
    only: list[list[str]] = Field(description="the columns that only one of them has")
    common: int = Field(description="rows that both have")
    changed: int = Field(description="combinations of values with different numbers of rows")
    by_one: int = Field(description="those that differ by a single row")
    shown: list[Changed]
    cuts: list[Cut]
    joined: Joined | None
    words: list[str]


@router.post("/compare")
async def compare(caller: Anyone, service: Running, given: ToCompare) -> Compared:
    """Compare two published tables: rows that came or went, and intervals that cut each other."""
    tables = [(each.format, _bytes(each.base64)) for each in (given.one, given.two)]
    found = await service.aside.run(lambda: compared(tables, given.same_order, given.columns))
    fields: dict[str, Any] = asdict(found)
    return Compared(**fields, words=found.words)


def compared(tables: list[tuple[Format, bytes]], same_order: bool, columns: list[str]) -> Difference:
    """The difference of two files, which are kept for as long as this takes."""
    with TemporaryDirectory(prefix="noiseless-") as folder:
        files = [Path(folder) / f"{name}.{suffix}" for name, (suffix, _) in zip(("one", "two"), tables, strict=True)]
        for file, (_, content) in zip(files, tables, strict=True):
            file.write_bytes(content)
        try:
            return difference(*files, same_order=same_order, columns=columns)
        except NoiselessError as wrong:  # without the folder, which the caller need not know
            raise type(wrong)(str(wrong).replace(f"{folder}/", "")) from None


def _bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        raise Problem(422, "malformed", "base64 is not valid base64", "encode the bytes of the file") from None
