"""Released copies of the table: what one would cost, releasing it, and downloading it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from noiseless.app.service import models
from noiseless.app.service.caller import Caller
from noiseless.app.service.jobs import Job, job_of, jobs
from noiseless.app.service.once import IdempotencyKey, name_of, once
from noiseless.app.service.parameters import Anyone, Custodian, OfDataset, Running
from noiseless.app.service.problems import Problem
from noiseless.app.service.routes.jobs import JobState
from noiseless.app.service.running import Service
from noiseless.app.service.served import FOREVER, Served
from noiseless.app.service.tables import FORMATS, SUFFIXES, pieces
from noiseless.app.service.written import Written, as_json, preferred
from noiseless.curator.audit.audit import audit as look
from noiseless.curator.page import finite
from noiseless.curator.schema.declaration import Declaration

router = APIRouter(tags=["copies"])


class ToCopy(models.Given):
    """What a copy should be like. Whatever is not given here is taken from `[release]` of the schema file."""

    bits: models.Number | dict[str, models.Number] | None = Field(None, description="in total, or for each column")
    error: dict[str, models.Number] | None = None
    columns: list[str] | None = Field(None, description="the private columns to release; by default all")
    hierarchies: dict[str, dict[str, list[Any]]] | None = None
    levels: dict[str, int] | None = None
    grids: list[tuple[str, str]] | None = None
    together: list[list[str]] | None = None
    cuts: dict[str, list[Any]] | None = None
    intervals: bool | None = None
    sort: bool | None = None
    constant: bool | None = None
    prior: dict[str, Any] | None = Field(None, description="what is expected of columns, from public knowledge")
    weights: dict[str, models.Number] | None = Field(None, description="how a total of bits is divided")

    def wanted(self, of: Served) -> dict[str, Any]:
        """The arguments of the curator's methods."""
        said = dict(Declaration.read(of.file).release or {})
        return {**said, **self.model_dump(exclude_none=True)}


class ToRelease(ToCopy):
    """What a copy should be like, and a limit on its price."""

    max_bits: models.Number | None = models.MAX_BITS


class Copy(BaseModel):
    """A released copy. Everything about it is public."""

    id: str
    made: str
    rows: int
    entry: int
    count: str
    bits: float
    sha256: str = Field(description="the SHA-256 of the parquet file")
    columns: list[dict[str, Any]]


@router.post("/datasets/{dataset}/copies/preview")
async def preview(caller: Custodian, of: OfDataset, given: ToCopy) -> dict[str, Any]:
    """The counts, errors and price of a copy. Free: no private data are read."""
    wanted = given.wanted(of)
    return await of.run(lambda curator: curator.preview_release(**wanted).fields())


@router.post("/datasets/{dataset}/copies", response_model=JobState, status_code=202)
async def release(
    caller: Custodian,
    of: OfDataset,
    service: Running,
    given: ToRelease,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Release a copy of the table with coarser values. It is charged first, then written as a job."""
    wanted = given.wanted(of)

    async def begun() -> Written:
        name = name_of(request, of, caller, idempotency_key, given)
        return Written(as_json((await begin_copy(of, service, caller, wanted, name)).fields()).body, status=202)

    return await once(request, of, caller, idempotency_key, given, begun)


async def begin_copy(
    of: Served, service: Service, caller: Caller, wanted: dict[str, Any], name: str | None = None
) -> Job:
    """Begin to release a copy, once for each name. Refused at once if it is not possible."""
    limit = wanted.pop("max_bits", None)
    await of.run(lambda curator: curator.preview_release(**wanted))
    name = name or service.jobs.new_name()
    said: dict[str, Any] = {"kind": "copy", "file": of.file, "key": service.settings.key, "analyst": caller.name}
    said |= {"wanted": {**wanted, "max_bits": limit}, "to": str(_folder(of, new=True) / f"{name}.parquet")}
    return service.jobs.begin(of.state, said, of.name, caller.name, name)


@router.post("/datasets/{dataset}/copies/utility")
async def utility(caller: Custodian, of: OfDataset, given: ToCopy) -> dict[str, Any]:
    """How a copy would compare with the table: errors, means, unique rows. For the custodian only: never share it."""
    wanted = given.wanted(of)
    fields = await of.run(lambda curator: curator.utility(curator.preview_release(**wanted)).fields(), FOREVER)
    return {name: finite(value) for name, value in fields.items()}


@router.get("/datasets/{dataset}/copies")
async def copies(caller: Anyone, of: OfDataset) -> list[Copy]:
    """All released copies, the latest first."""
    return [_copy(job) for job in jobs(of.state, of.name) if is_copy(job)]


@router.get("/datasets/{dataset}/copies/{copy}", response_class=StreamingResponse, responses=FORMATS)
async def download(caller: Anyone, of: OfDataset, copy: str, request: Request) -> Response:
    """A released copy, as parquet, an Arrow stream or csv. The certificate is about the parquet file."""
    media = preferred(request, tuple(SUFFIXES.values()))
    suffix = next(name for name, each in SUFFIXES.items() if each == media)
    headers = {"Content-Disposition": f'attachment; filename="{copy}.{suffix}"'}
    return StreamingResponse(pieces(file_of(of, copy), media), headers=headers, media_type=media)


@router.get("/datasets/{dataset}/copies/{copy}/certificate")
async def certificate(caller: Anyone, of: OfDataset, copy: str) -> models.Certificate:
    """The certificate of a released copy."""
    file = file_of(of, copy)
    text = file.with_name(f"{file.name}.certificate.json").read_text(encoding="utf-8")
    return models.Certificate(**json.loads(text))


class ToAudit(models.Given):
    """Who might look at a copy: what they know of a person, and what they want to learn."""

    quasi: list[str] = Field(min_length=1, max_length=1000)
    sensitive: list[str] = Field(default=[], max_length=1000)


@router.post("/datasets/{dataset}/copies/{copy}/audit")
async def audit(caller: Anyone, of: OfDataset, service: Running, copy: str, given: ToAudit) -> dict[str, Any]:
    """What a released copy reveals: k, l, t, and the classes that reveal a value. Only the copy is read."""
    file = file_of(of, copy)
    seen: dict[str, Any] = await service.audits.run(lambda: look(file, given.quasi, given.sensitive).fields(), FOREVER)
    return {name: finite(value) for name, value in seen.items()}


def _folder(of: Served, new: bool = False) -> Path:
    """Where the copies of a dataset are: beside its schema file."""
    folder = Path(of.file).with_suffix(".copies")
    if new:
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def file_of(of: Served, which: str) -> Path:
    """The file of a released copy. Refused if the copy is not one of this dataset."""
    job = job_of(of.state, of.name, which)
    file = _folder(of) / f"{which}.parquet"
    if job is None or not is_copy(job) or not file.is_file():
        raise Problem(404, "unknown-copy", f"copy {which[:40]!r} does not exist", "GET …/copies lists all")
    return file


def is_copy(job: Job) -> bool:
    """Whether the job has released a copy."""
    return job.kind == "copy" and job.state == "done"


def _copy(job: Job) -> Copy:
    assert job.result is not None
    return Copy(
        id=job.id, made=job.made, **{name: job.result[name] for name in Copy.model_fields if name in job.result}
    )
