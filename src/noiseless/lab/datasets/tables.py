"""Tables for adversaries that read published tables or ask a curator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noiseless.curator.curator import Curator
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.public import Public
from noiseless.curator.schema.scale import Real
from noiseless.curator.schema.schema import Schema
from noiseless.errors import InputError
from noiseless.exact.number import Number
from noiseless.lab.datasets.files import found, names_in, select
from noiseless.lab.datasets.panel import Panel, meters
from noiseless.lab.datasets.people import USUAL, WHERE_FROM
from noiseless.lab.datasets.twins import twin_meters, twin_survey

SURVEY_QUASI, SURVEY_SENSITIVE = ("Age", "Gender", "Height"), "Alcohol"
MOST_KWH = 100
"""The most kWh of a home in a day."""


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of people, with what an adversary knows and wants by default."""

    rows: Any
    origin: str
    quasi: tuple[str, ...] = ()
    sensitive: str = ""


def rows(path: Any) -> Rows:
    """A user's table, as a file or dataframe; or the survey: age, gender and height are known, drinking is wanted."""
    if path is not None and not isinstance(path, (str, Path)):
        return Rows(path, "a table")
    file = found(path, USUAL, WHERE_FROM)
    names_in(file)
    import pyarrow

    table = pyarrow.table({name: _plain(values) for name, values in select(file, "*").items()})
    known = (SURVEY_QUASI, SURVEY_SENSITIVE) if path is None else ((), "")
    return Rows(table, f"{file.name}: {len(table)} rows", *known)


def twin_rows() -> Rows:
    """Heights and weights of the survey's twin: the height is known, and the weight in tens of kg is wanted."""
    import pyarrow

    people = twin_survey()
    table = pyarrow.table({"height": people.height, "weight": people.weight // 10 * 10})
    return Rows(table, people.origin, ("height",), "weight")


def _plain(values: Any) -> list[Any]:
    """The values as numbers if every one of them is written as a number; otherwise unchanged."""
    listed: list[Any] = values.tolist()
    try:
        return [None if each in (None, "") else float(each) for each in listed]
    except (TypeError, ValueError):
        return listed


@dataclass(frozen=True, eq=False)
class Private:
    """A table that a curator keeps, with the person whom an adversary attacks by default."""

    opened: Callable[[Number], Curator]
    """Opens a curator with a budget and a temporary ledger."""
    origin: str
    column: str = ""
    where: str = ""


def private(path: str | Path | None) -> Private:
    """A user's table, by its TOML file; or the daily use of homes, one of which is alone in a public cell."""
    if path is None:
        return _homes(meters())
    if not isinstance(path, (str, Path)) or Path(path).suffix.lower() != ".toml":
        raise InputError(f"{str(path)!r} is not a schema file; write a .toml file for your table as in docs/schema.md")
    declared = Declaration.read(path)
    if declared.source is None:
        raise InputError(f"{str(path)!r} names no source; add source = 'people.parquet' or another source")

    def opened(budget: Number) -> Curator:
        return Curator.open(
            declared.source,
            declared.schema,
            budget,
            table=declared.table,
            prepare=declared.prepare,
            memory=declared.memory,
        )

    return Private(opened, str(path))


def twin_private() -> Private:
    """The daily use of synthetic homes."""
    return _homes(twin_meters(days=2))


def _homes(panel: Panel) -> Private:
    import pyarrow

    used = panel.daily().readings[:, 0]
    table = pyarrow.table({"kwh": used, "home": ["alone", *["others"] * (len(used) - 1)]})
    schema = Schema(kwh=Real(0, MOST_KWH, step="0.1"), home=Public("alone", "others"))
    return Private(
        lambda budget: Curator.open(table, schema, budget, table="homes"),
        f"{panel.origin}; use of the first day",
        "kwh",
        "home = 'alone'",
    )
