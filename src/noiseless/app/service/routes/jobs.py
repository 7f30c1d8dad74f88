"""Long work: how far it is, its progress as it happens, and its end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any, Literal

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from noiseless.app.service.caller import Caller
from noiseless.app.service.jobs import OFTEN, Job, cancel, job_of, jobs
from noiseless.app.service.parameters import Asker, OfDataset, Running
from noiseless.app.service.problems import Problem, ProblemDetails
from noiseless.app.service.served import Served

router = APIRouter(tags=["jobs"])
ALIVE = 15.0
"""After this many seconds without an event, a comment is sent, because proxies close silent connections."""
MOST_WATCHED = 20
"""The most event streams of one caller in a process, because each reads its job again and again."""
AT_ONCE = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "an event for every change", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
}


class JobState(BaseModel):
    """Some long work, and how far it is. Cancelling it refunds nothing."""

    id: str
    dataset: str
    owner: str
    kind: str
    made: str
    state: Literal["waiting", "running", "cancelling", "done", "failed", "cancelled"]
    share: float
    result: dict[str, Any] | None
    problem: ProblemDetails | None


@router.get("/datasets/{dataset}/jobs")
async def listed(caller: Asker, of: OfDataset) -> list[JobState]:
    """Your jobs, the latest first; the custodian sees all."""
    return [JobState(**job.fields()) for job in jobs(of.state, of.name) if _may_see(caller, job)]


@router.get("/datasets/{dataset}/jobs/{job}")
async def one(caller: Asker, of: OfDataset, job: str) -> JobState:
    """How far some work is."""
    return JobState(**_found(caller, of, job).fields())


@router.get("/datasets/{dataset}/jobs/{job}/events", response_class=StreamingResponse, responses=EVENTS)
async def events(caller: Asker, of: OfDataset, service: Running, job: str) -> StreamingResponse:
    """The same as it changes, as server-sent events. The last one is the end of the work."""
    found, watching = _found(caller, of, job), service.jobs.watching
    if watching[caller.name] >= MOST_WATCHED:
        rule, step = f"you watch {MOST_WATCHED} jobs at once", "close a connection, or GET …/jobs/ID again and again"
        raise Problem(429, "too-many-streams", rule, step, headers={"Retry-After": "10"}, about="your event streams")

    async def watched() -> AsyncIterator[bytes]:
        watching[caller.name] += 1
        try:
            async for event in _events(of, found):
                yield event
        finally:
            watching[caller.name] -= 1

    return StreamingResponse(watched(), headers=AT_ONCE, media_type="text/event-stream")


@router.delete("/datasets/{dataset}/jobs/{job}", status_code=202)
async def end(caller: Asker, of: OfDataset, job: str) -> JobState:
    """Cancel some work. What was charged stays charged."""
    cancel(of.state, _found(caller, of, job))
    return JobState(**_found(caller, of, job).fields())


async def _events(of: Served, job: Job) -> AsyncIterator[bytes]:
    said: dict[str, Any] = {}
    last = monotonic()
    while True:
        if (fields := job.fields()) != said:
            said, last = fields, monotonic()
            yield f"event: {job.state}\ndata: {json.dumps(fields)}\n\n".encode()
        elif monotonic() - last > ALIVE:
            last = monotonic()
            yield b":\n\n"
        if not job.under_way:
            return
        await asyncio.sleep(OFTEN)
        job = job_of(of.state, of.name, job.id) or job


def _may_see(caller: Caller, job: Job) -> bool:
    return caller.role == "custodian" or job.owner == caller.name


def _found(caller: Caller, of: Served, which: str) -> Job:
    found = job_of(of.state, of.name, which)
    if found is None or not _may_see(caller, found):
        raise Problem(
            404, "unknown-job", f"job {which[:40]!r} does not exist, or is not yours", "GET …/jobs lists yours"
        )
    return found
