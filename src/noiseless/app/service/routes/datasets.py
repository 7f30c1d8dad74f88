"""Datasets, and everything about them that is public."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from noiseless.app.service import models
from noiseless.app.service.parameters import Anyone, Custodian, OfDataset, OfTable, Running
from noiseless.app.service.quotas import Quotas
from noiseless.app.service.served import FOREVER
from noiseless.curator.curator import Curator

router = APIRouter(tags=["datasets"])


@router.get("/datasets")
async def datasets(caller: Anyone, service: Running) -> list[models.Dataset]:
    """The datasets that your token is for."""
    return [await each.run(_described) for each in service.datasets if caller.may_see(each.name)]


@router.get("/datasets/{dataset}")
async def dataset(caller: Anyone, of: OfTable) -> models.Dataset:
    """A dataset: its size, and what is left of its budget."""
    return await of.run(_described)


@router.get("/datasets/{dataset}/schema")
async def schema(caller: Anyone, of: OfTable) -> models.Schema:
    """The declared columns with their bounds, steps, values and keys."""
    return await of.run(_schema)


@router.get("/datasets/{dataset}/public")
async def public(caller: Anyone, of: OfTable) -> list[dict[str, Any]]:
    """Every combination of public keys that occurs, with its number of rows."""
    return await of.run(lambda curator: curator.public())


@router.get("/datasets/{dataset}/status")
async def status(caller: Anyone, of: OfTable) -> models.Status:
    """What is left of the budget of every public group, and of quotas. Analysts see their own quota."""
    fields = await of.run(lambda curator: curator.status().fields())
    own = {"all others", caller.name, *Quotas(of.state, of.name).names(caller.name)}
    shown = [each for each in fields["quotas"] if caller.role != "analyst" or each["name"] in own]
    return models.Status(**{**fields, "quotas": shown})


@router.get("/datasets/{dataset}/check")
async def check(caller: Custodian, of: OfDataset) -> dict[str, Any]:
    """How many values are missing, clamped or unknown. For the custodian only: never share it."""
    from dataclasses import asdict

    found = await of.run(lambda curator: curator.check(), planning=FOREVER)
    return {"verdict": found.verdict, **asdict(found)}


def _described(curator: Curator) -> models.Dataset:
    status = curator.status()
    return models.Dataset(
        name=curator.name, id=curator.dataset, rows=status.rows, remaining=status.remaining, views=list(curator.views)
    )


def _schema(curator: Curator) -> models.Schema:
    import json
    import tomllib

    from noiseless.curator.schema.declaration import Declaration

    schema = curator.schema
    text = Declaration(schema).write()
    columns = json.loads(json.dumps(tomllib.loads(text)["columns"], default=str))
    return models.Schema(toml=text, columns=columns, unit=schema.unit, rows=schema.rows, order_by=schema.order_by)
