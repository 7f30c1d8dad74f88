"""What waits for the custodian, and what the custodian decides: holds, requests, a freeze, keys, an export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from fractions import Fraction
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from noiseless.app.service import models
from noiseless.app.service.caller import Caller
from noiseless.app.service.once import IdempotencyKey, once
from noiseless.app.service.parameters import Anyone, Asker, Custodian, OfDataset, OfTable, Overseer
from noiseless.app.service.routes.asking import ALSO_ARROW, OFFERED, seen_by, written
from noiseless.app.service.served import FOREVER
from noiseless.app.service.written import Written, as_json, preferred
from noiseless.curator.curator import Curator
from noiseless.exact.number import exact_number

router = APIRouter(tags=["custody"])
LINES = "application/jsonl"
EXPORTED: dict[int | str, dict[str, Any]] = {
    200: {"content": {LINES: {"schema": {"type": "string"}}}, "description": "one JSON object in each line"}
}


class Hold(BaseModel):
    """A question that waits for the custodian, or was approved. It reserves its bits meanwhile."""

    number: int
    analyst: str
    time: str
    what: Literal["ask", "batch", "refine"]
    questions: list[str]
    terms: dict[str, Any]
    bits: float
    expires: str
    approved: bool


class Wish(BaseModel):
    """A request for more bits that is not decided yet."""

    number: int
    analyst: str
    time: str
    about: Literal["quota", "budget"]
    bits: str
    reason: str


class ToRequest(models.Given):
    """How many bits more, and why."""

    bits: models.Number
    reason: str = Field(min_length=1, max_length=2000)
    about: Literal["quota", "budget"] = "quota"


class Numbered(BaseModel):
    """The number of a request."""

    number: int


class Empty(models.Given):
    """An empty request."""


class Reason(models.Given):
    """A reason, which the ledger keeps and the asker sees."""

    reason: str = Field(min_length=1, max_length=2000)


class ToGrant(models.Given):
    """The bits to grant. Without them, the bits that were requested are granted."""

    bits: models.Number | None = None


class Rotation(BaseModel):
    """How one signing key followed another, signed by both."""

    old: str
    new: str
    by_old: str
    by_new: str


class Done(BaseModel):
    """The decision is an entry of the ledger."""

    decided: str


@router.get("/datasets/{dataset}/holds")
async def holds(caller: Anyone, of: OfTable) -> list[Hold]:
    """The questions on hold. Analysts see their own."""
    return [Hold(**asdict(each)) for each in _seen(caller, await of.run(lambda curator: curator.holds()))]


@router.post("/datasets/{dataset}/holds/{number}/collect", response_model=models.Answer, responses=ALSO_ARROW)
async def collect(
    caller: Asker, of: OfTable, number: int, said: Empty, request: Request, idempotency_key: IdempotencyKey = None
) -> Response:
    """Ask your approved question, on the terms you first asked it with. A batch gives its answers."""
    media = preferred(request, OFFERED)

    def work(curator: Curator) -> Written:
        answer = curator.collect(number, analyst=caller.name)
        return written(answer, media, seen_by(curator, caller, of.shares_questions))

    return await once(request, of, caller, idempotency_key, said, lambda: of.run(work))


@router.get("/datasets/{dataset}/requests")
async def requests(caller: Anyone, of: OfTable) -> list[Wish]:
    """The requests that are not decided. Analysts see their own."""
    return [Wish(**asdict(each)) for each in _seen(caller, await of.run(lambda curator: curator.requests()))]


@router.post("/datasets/{dataset}/requests", response_model=Numbered)
async def request_more(
    caller: Asker, of: OfTable, said: ToRequest, request: Request, idempotency_key: IdempotencyKey = None
) -> Response:
    """Ask the custodian for more bits of your quota, or of the budget for everybody."""

    def work(curator: Curator) -> Written:
        number = None if idempotency_key is None else _same(curator, said, caller)
        return as_json({"number": number or curator.request(said.bits, said.reason, said.about, caller.name)})

    return await once(request, of, caller, idempotency_key, said, lambda: of.run(work))


@router.post("/datasets/{dataset}/decisions/{number}/withdraw", response_model=Done)
async def withdraw(
    caller: Asker, of: OfTable, number: int, said: Empty, request: Request, idempotency_key: IdempotencyKey = None
) -> Response:
    """Withdraw your question on hold, or your request. The bits it reserved can be spent again."""
    done = _decision("withdrawn", lambda curator: curator.withdraw(number, caller.name))
    return await once(request, of, caller, idempotency_key, said, lambda: of.run(done))


@router.post("/datasets/{dataset}/decisions/{number}/approve", response_model=Done)
async def approve(
    caller: Custodian, of: OfTable, number: int, said: Empty, request: Request, idempotency_key: IdempotencyKey = None
) -> Response:
    """Allow a question on hold. Its asker can then ask it, up to the price reserved."""
    done = _decision("approved", lambda curator: curator.approve(number, caller.name))
    return await once(request, of, caller, idempotency_key, said, lambda: of.run(done))


@router.post("/datasets/{dataset}/decisions/{number}/refuse", response_model=Done)
async def refuse(
    caller: Custodian,
    of: OfTable,
    number: int,
    said: Reason,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Refuse a question on hold, or a request, for a reason."""
    done = _decision("refused", lambda curator: curator.refuse(number, said.reason, caller.name))
    return await once(request, of, caller, idempotency_key, said, lambda: of.run(done))


@router.post("/datasets/{dataset}/decisions/{number}/grant", response_model=Done)
async def grant(
    caller: Custodian,
    of: OfTable,
    number: int,
    said: ToGrant,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Grant a request. A larger budget promises less to everybody in the table."""
    done = _decision("granted", lambda curator: curator.grant(number, said.bits, caller.name))
    return await once(request, of, caller, idempotency_key, said, lambda: of.run(done))


@router.post("/datasets/{dataset}/freeze", response_model=Done)
async def freeze(
    caller: Custodian, of: OfDataset, said: Reason, request: Request, idempotency_key: IdempotencyKey = None
) -> Response:
    """Freeze the dataset: until it is unfrozen, every server answers only what costs nothing."""

    def frozen(curator: Curator) -> None:
        for each in (curator, *curator.views.values()):
            each.freeze(said.reason, caller.name)

    return await once(request, of, caller, idempotency_key, said, lambda: of.run(_decision("frozen", frozen)))


@router.post("/datasets/{dataset}/unfreeze", response_model=Done)
async def unfreeze(
    caller: Custodian, of: OfDataset, said: Empty, request: Request, idempotency_key: IdempotencyKey = None
) -> Response:
    """Unfreeze the dataset: all questions are answered again."""

    def thawed(curator: Curator) -> None:
        for each in (curator, *curator.views.values()):
            each.unfreeze(caller.name)

    return await once(request, of, caller, idempotency_key, said, lambda: of.run(_decision("unfrozen", thawed)))


@router.get("/datasets/{dataset}/rotations")
async def rotations(caller: Anyone, of: OfTable) -> list[Rotation]:
    """How one signing key followed another: anyone who trusts the first one can trust the last."""
    return [Rotation(**each) for each in await of.run(lambda curator: curator.rotations())]


@router.get("/datasets/{dataset}/export", response_class=Response, responses=EXPORTED)
async def export(caller: Overseer, of: OfTable) -> Response:
    """The ledger and all certificates, as `noiseless verify` reads them. This reads the whole ledger."""

    def work(curator: Curator) -> Written:
        return Written("".join(f"{line}\n" for line in curator.export().write()).encode(), LINES)

    return (await of.run(work, FOREVER)).response()


def _same(curator: Curator, said: ToRequest, caller: Caller) -> int | None:
    """The number of an equal, undecided request: a process may have died, or lost a race, before it returned it."""
    bits = exact_number(said.bits, "bits")
    for each in curator.requests():
        if (each.analyst, each.about, each.reason, Fraction(each.bits)) == (caller.name, said.about, said.reason, bits):
            return each.number
    return None


def _seen(caller: Caller, listed: tuple[Any, ...]) -> Iterator[Any]:
    return (each for each in listed if caller.role != "analyst" or each.analyst == caller.name)


def _decision(word: str, decide: Callable[[Curator], None]) -> Callable[[Curator], Written]:
    def work(curator: Curator) -> Written:
        decide(curator)
        return as_json({"decided": word})

    return work
