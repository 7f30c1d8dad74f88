"""The ledger: who asked what, when, and at what charge."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from noiseless.app.service import models
from noiseless.app.service.caller import Caller
from noiseless.app.service.finding import Sort, Wanted, find
from noiseless.app.service.parameters import Anyone, OfTable, Overseer, Running
from noiseless.app.service.served import FOREVER, Served
from noiseless.curator.ledger.asked import Asked
from noiseless.curator.ledger.verify import verify_ledger
from noiseless.curator.opening import ledger_of, spent_over_time
from noiseless.errors import LedgerError
from noiseless.exact.rounding import bits_up

router = APIRouter(tags=["ledger"])


class Integrity(BaseModel):
    """Whether the ledger is as it was written."""

    entries: int
    intact: bool
    detail: str


class Spent(BaseModel):
    """The bits that were spent until an entry, for each public group, rounded up, and the budget then."""

    entry: int
    time: str
    budget: float
    spent: dict[str, float]


@router.get("/datasets/{dataset}/ledger")
async def ledger(
    caller: Anyone,
    of: OfTable,
    before: Annotated[int | None, Query(ge=1, description="only questions before this number")] = None,
    most: Annotated[int, Query(ge=1, le=1000)] = 100,
    analyst: Annotated[str, Query(max_length=200, description="only questions of this analyst")] = "",
    text: Annotated[str, Query(max_length=1000, description="only questions that you see with this text")] = "",
    sort: Annotated[Sort | None, Query(description="only questions, batches, or copies")] = None,
) -> models.Page:
    """Questions and their charges, the latest first. Analysts do not see the texts of others.

    With a filter, a page can have few questions, or none, and still name a next page: each searches 2000 at most.
    """
    wanted = Wanted(analyst, text, sort)
    total, found, after = await of.run(
        lambda curator: find(curator, wanted, lambda each: may_read(caller, each, of), before, most)
    )
    return models.Page(
        total=total, questions=[_shown(each, may_read(caller, each, of)) for each in found], next_before=after
    )


def may_read(caller: Caller, asked: Asked, of: Served) -> bool:
    """Whether the caller may read the texts of a question."""
    return of.shares_questions or caller.role != "analyst" or asked.first.analyst == caller.name


@router.get("/datasets/{dataset}/spending")
async def spending(caller: Overseer, of: OfTable, service: Running) -> list[Spent]:
    """What was spent for every public group over time."""
    found = await service.audits.run(lambda: spent_over_time(of.file, of.view), FOREVER)
    return [Spent(entry=each.entry, time=each.time, budget=each.budget, spent=dict(each.spent)) for each in found]


@router.get("/datasets/{dataset}/ledger/verified")
async def verified(caller: Overseer, of: OfTable, service: Running) -> Integrity:
    """Check that no entry was changed, and that all charges add up. This reads the whole ledger."""

    def work() -> Integrity:
        entries, checkpoints, _ = ledger_of(of.file, of.view)
        try:
            return Integrity(entries=verify_ledger(entries, checkpoints), intact=True, detail="")
        except LedgerError as wrong:
            return Integrity(entries=len(entries), intact=False, detail=str(wrong))

    return await service.audits.run(work, FOREVER)


def _shown(asked: Asked, readable: bool) -> models.Asked:
    first, whole = asked.first, asked.charge.whole
    return models.Asked(
        number=asked.number,
        entry=first.number,
        kind=first.kind,
        time=first.time,
        analyst=first.analyst,
        questions=asked.texts if readable else None,
        factor=str(whole),
        cost=bits_up(whole),
        hash=first.hash,
    )
