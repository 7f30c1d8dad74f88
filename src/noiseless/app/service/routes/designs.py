"""Designs: what to release so that a whole workload of questions becomes free."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from noiseless.app.service import models
from noiseless.app.service.caller import Caller
from noiseless.app.service.jobs import Job
from noiseless.app.service.once import IdempotencyKey, name_of, once
from noiseless.app.service.parameters import Asker, OfDataset, Running
from noiseless.app.service.routes.jobs import JobState
from noiseless.app.service.running import Service
from noiseless.app.service.served import Served
from noiseless.app.service.written import Written, as_json

router = APIRouter(tags=["designs"])
LONGEST = 3600


class Wish(models.Given):
    """What a question is worth beside the others, and the error that is good enough."""

    weight: models.Number = 1
    error: models.Number = 0


class ToDesign(models.Given):
    """The questions of a workload, and what may be spent on them."""

    questions: list[str] | dict[str, Wish | models.Number] = Field(
        min_length=1, max_length=1000, description="a list, or for each question its weight, or its weight and error"
    )
    bits: models.Number | None = Field(None, description="what may be spent; by default all that are left")
    prior: dict[str, Any] | None = Field(None, description="what is expected of columns, from public knowledge")
    copy_rows: bool = Field(False, alias="copy", description="whether the base table is a copy of the rows")
    seconds: int = Field(60, ge=1, le=LONGEST, description="the most seconds that the search may take")


@router.post("/datasets/{dataset}/designs", response_model=JobState, status_code=202)
async def design(
    caller: Asker,
    of: OfDataset,
    service: Running,
    given: ToDesign,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Find what to release for a workload. Free: no private data are read. It is a job, whose result is the design."""

    async def begun() -> Written:
        job = begin_design(of, service, caller, given, name_of(request, of, caller, idempotency_key, given))
        return Written(as_json(job.fields()).body, status=202)

    return await once(request, of, caller, idempotency_key, given, begun)


def begin_design(of: Served, service: Service, caller: Caller, given: ToDesign, name: str | None = None) -> Job:
    """Begin to look for a design, once for each name."""
    wanted = given.model_dump(by_alias=True)
    said = {"kind": "design", "file": of.file, "key": None, "analyst": caller.name, "wanted": wanted, "to": ""}
    return service.jobs.begin(of.state, said, of.name, caller.name, name or service.jobs.new_name())
