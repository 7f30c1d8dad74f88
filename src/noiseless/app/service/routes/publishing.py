"""Publishing single answers: if the custodian and the asker both agree, anyone can open and verify an answer."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BaseModel, Field

from noiseless.app.fields import answer_fields
from noiseless.app.service import models
from noiseless.app.service.caller import Caller, no_token_needed
from noiseless.app.service.parameters import Anyone, Asker, OfDataset, Running
from noiseless.app.service.problems import MEDIA, Problem
from noiseless.app.service.publishing import Agreed, Publishing, published
from noiseless.app.service.routes.asking import seen_by, unknown_question_error
from noiseless.app.service.running import Service
from noiseless.app.service.served import Served
from noiseless.app.service.written import Written
from noiseless.curator.answer.answer import Answer
from noiseless.curator.certificate.certificate import DEDUCTION_FORMAT
from noiseless.curator.curator import Curator

router = APIRouter(tags=["publishing"])
UNKNOWN: dict[int | str, dict[str, Any]] = {
    404: {"description": "nothing is published here", "content": {MEDIA: {"schema": {"type": "object"}}}}
}
Which = Annotated[str, Path(max_length=100)]


class ToPublish(models.Given):
    """An answer of the ledger."""

    entry: int = Field(ge=1, lt=1 << 31, description="the number of the question in the ledger")
    place: int = Field(0, ge=0, lt=1 << 31, description="which question of a batch")


class Agreement(BaseModel):
    """Who agreed to publish an answer."""

    entry: int
    place: int
    custodian: str = Field(description="the custodian who agreed; empty if none did")
    asker: str = Field(description="who asked, if they agreed; otherwise empty")
    id: str | None = Field(description="its address, GET /published/{id}, once both agreed")


class Published(BaseModel):
    """An answer that anyone may see."""

    dataset: str
    entry: int
    question: str
    count: str
    bits: float
    rows: list[dict[str, Any]]
    certificate: models.Certificate


@router.get("/datasets/{dataset}/published")
async def listed(caller: Anyone, of: OfDataset) -> list[Agreement]:
    """What was agreed so far. Analysts see what is about their questions, and what is public."""
    return [agreement(each) for each in await agreements(caller, of)]


@router.post("/datasets/{dataset}/published")
async def publish(caller: Asker, of: OfDataset, given: ToPublish) -> Agreement:
    """Agree to publish an answer: as its asker, or as a custodian. It is public once both have agreed."""
    return agreement(await agree(caller, of, given.entry, given.place))


@router.delete("/datasets/{dataset}/published/{entry}")
async def unpublish(
    caller: Asker,
    of: OfDataset,
    entry: Annotated[int, Path(ge=1, lt=1 << 31)],
    place: Annotated[int, Query(ge=0, lt=1 << 31)] = 0,
) -> list[Agreement]:
    """Stop publishing an answer, as its asker or as a custodian. Others keep what they copied."""
    await end(caller, of, entry, place)
    return [agreement(each) for each in await agreements(caller, of)]


@router.get("/published/{which}", dependencies=[Depends(no_token_needed)], responses=UNKNOWN)
async def public(request: Request, service: Running, which: Which) -> Published:
    """A published answer with its certificate. No token is needed."""
    of, answer = await shown(request, service, which)
    fields = answer_fields(answer)
    return Published(dataset=of.name, **{name: fields[name] for name in Published.model_fields if name != "dataset"})


@router.get("/published/{which}/certificate", dependencies=[Depends(no_token_needed)], responses=UNKNOWN)
async def certificate(request: Request, service: Running, which: Which) -> models.Certificate:
    """The certificate of a published answer, as `noiseless verify` reads it. No token is needed."""
    _, answer = await shown(request, service, which)
    return Written(answer.certificate.to_json().encode()).response()  # type: ignore[return-value]  # the same, as it is


async def agree(caller: Caller, of: Served, entry: int, place: int) -> Agreed:
    """Record that the caller agrees: as the asker, as a custodian, or as both."""

    def work(curator: Curator) -> str:
        asker = _asker(curator, caller, entry)
        answer = curator.recall(entry, place)
        own = seen_by(curator, Caller(asker, "analyst", (of.name,)), False)
        if answer.certificate.content["format"] == DEDUCTION_FORMAT and not all(map(own, answer.facts)):
            raise Problem(
                422,
                "not-alone",
                f"the answer to question {entry} follows from questions of others, which its proof would publish",
                "publish an answer that was charged, and not deduced from others",
            )
        return asker

    asker = await of.run(work)
    custodian = caller.name if caller.role == "custodian" else ""
    return Publishing(of.state, of.name).agree(entry, place, custodian, asker if asker == caller.name else "")


async def end(caller: Caller, of: Served, entry: int, place: int) -> None:
    """Unpublish an answer. Its asker may, and every custodian."""
    await of.run(lambda curator: _asker(curator, caller, entry))
    Publishing(of.state, of.name).end(entry, place)


async def agreements(caller: Caller, of: Served) -> list[Agreed]:
    """The agreements that the caller may see."""
    found = Publishing(of.state, of.name).listed()

    def work(curator: Curator) -> list[Agreed]:
        mine = seen_by(curator, caller, of.shares_questions)
        return [each for each in found if each.public or mine(each.entry)]

    return await of.run(work)


def agreement(agreed: Agreed) -> Agreement:
    """An agreement as responses show it."""
    facts = {name: getattr(agreed, name) for name in ("entry", "place", "custodian", "asker")}
    return Agreement(**facts, id=agreed.id if agreed.public else None)


async def shown(request: Request, service: Service, which: str) -> tuple[Served, Answer]:
    """A published answer and its dataset, for anyone. Asking for it is free, and limited by address."""
    service.rate.take(f"published {request.client and request.client.host}")
    for state in service.datasets.states.values():
        agreed = published(state, which)
        of = None if agreed is None else service.datasets.get(agreed.dataset)
        if agreed is not None and of is not None and of.state is state:
            return of, await of.run(partial(_recalled, agreed))
    raise Problem(404, "not-published", "nothing is published at this address", "ask for the address again")


def _recalled(agreed: Agreed, curator: Curator) -> Answer:
    return curator.recall(agreed.entry, agreed.place)


def _asker(curator: Curator, caller: Caller, entry: int) -> str:
    """The asker of a question. Analysts learn this only about their own questions."""
    total, found = curator.asked(entry + 1, 1)
    name = found[0].first.analyst if found else ""
    if entry > total or (caller.role != "custodian" and name != caller.name):
        raise unknown_question_error(entry)
    return name
