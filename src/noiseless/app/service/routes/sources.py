"""From a table to a served dataset: the tables of a folder, their columns, what a budget would buy, and serving one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from noiseless.app.service.caller import Caller
from noiseless.app.service.declaring import ToDeclare, bought, declared, write
from noiseless.app.service.parameters import Custodian, Running
from noiseless.app.service.running import Service
from noiseless.app.service.served import FOREVER, Served
from noiseless.app.service.sources import Seen, file_of, files_of, seen
from noiseless.app.service.tokens import Tokens
from noiseless.curator.engines.request import Request
from noiseless.errors import NoiselessError, SchemaError

router = APIRouter(tags=["sources"])


class Columns(BaseModel):
    """A table that is not declared yet. No value of it is shown."""

    rows: int
    columns: dict[str, str] = Field(description="by name, the kind that the name and the type suggest; it may be empty")
    people: list[str] = Field(description="columns that may identify a person")
    orders: list[str] = Field(description="columns that may order the rows of a person")


class Bought(BaseModel):
    """What a declaration says, and what its budget buys."""

    toml: str
    sentences: list[str]
    numbers: list[tuple[str, dict[str, str]]] = Field(description="for numbers, the error at some bits")


class NewDataset(BaseModel):
    """A dataset that is served from now on, and a custodian's token for it alone. The token is never shown again."""

    name: str
    token: str


@router.get("/sources")
async def listed(caller: Custodian, service: Running) -> list[str]:
    """The tables that can be declared: files of the folder that `noiseless serve --tables` names."""
    return files_of(service.settings.tables)


@router.get("/sources/columns")
async def columns(caller: Custodian, service: Running, file: Annotated[str, Query(max_length=300)]) -> Columns:
    """The names of the columns of a table, and its number of rows. No value is read, except a text's first line."""
    found = await looked_at(service, file)
    return Columns(rows=found.rows, columns=found.columns, people=found.people, orders=found.orders)


@router.post("/sources/plan")
async def plan(caller: Custodian, service: Running, given: ToDeclare) -> Bought:
    """What the budget would buy on this schema. No value of the table is read."""
    return await planned(service, given)


@router.post("/sources/declare", status_code=201)
async def declare(caller: Custodian, service: Running, given: ToDeclare) -> NewDataset:
    """Write the schema file beside the table, open the dataset, and serve it from now on."""
    served, token = await declared_now(caller, service, given)
    return NewDataset(name=served.name, token=token)


async def looked_at(service: Service, name: str) -> Seen:
    """The columns of a listed table."""
    file = file_of(service.settings.tables, name)
    return await service.audits.run(lambda: seen(file), FOREVER)


async def planned(service: Service, given: ToDeclare) -> Bought:
    """What the budget would buy."""
    found = await looked_at(service, given.file)

    def work() -> Bought:
        declaration = declared(given, found)
        sentences, numbers = bought(declaration, found.rows)
        return Bought(toml=declaration.write(), sentences=sentences, numbers=numbers)

    return await service.audits.run(work, FOREVER)


async def declared_now(caller: Caller, service: Service, given: ToDeclare) -> tuple[Served, str]:
    """The dataset that is served now, and a token for it."""
    file = file_of(service.settings.tables, given.file)
    declaration = declared(given, await looked_at(service, given.file))
    service.datasets.check_new(Request(str(file)).name)
    for each in service.datasets:  # otherwise the same people would have a second budget
        source = Request(each.file).declared().source
        if isinstance(source, (str, Path)) and Path(source).absolute().resolve() == file.resolve():
            raise SchemaError(
                f"{given.file!r} is already served as {each.name!r}, and a second budget would add to the first; use "
                f"that dataset"
            )
    written = write(declaration, file)
    try:
        served = await service.datasets.declare(str(written))
    except NoiselessError:
        written.unlink(missing_ok=True)
        raise
    text, _ = Tokens(served.state).add(caller.name, "custodian", [served.name])
    return served, text
