"""The ledger: who asked what, when, and at what charge."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from noiseless.app.service import models
from noiseless.app.service.caller import Caller
from noiseless.app.service.parameters import Anyone, OfDataset, Overseer, Running
from noiseless.app.service.served import FOREVER
from noiseless.curator.ledger.asked import Asked
from noiseless.curator.ledger.verify import verify_ledger
from noiseless.curator.opening import ledger_of
from noiseless.errors import LedgerError
from noiseless.exact.rounding import bits_up

router = APIRouter(tags=["ledger"])


class Integrity(BaseModel):
    """Whether the ledger is as it was written."""

    entries: int
    intact: bool
    detail: str


@router.get("/datasets/{dataset}/ledger")
async def ledger(
    caller: Anyone,
    of: OfDataset,
    before: Annotated[int | None, Query(ge=1, description="only questions before this number")] = None,
    most: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> models.Page:
    """Questions and their charges, the latest first. Analysts do not see the texts of others."""
    total, found = await of.run(lambda curator: curator.asked(before, most))
    questions = [_shown(each, caller, of.shares_questions) for each in found]
    last = found[-1].number if found else 1
    return models.Page(total=total, questions=questions, next_before=last if last > 1 else None)


@router.get("/datasets/{dataset}/ledger/verified")
async def verified(caller: Overseer, of: OfDataset, service: Running) -> Integrity:
    """Check that no entry was changed, and that all charges add up. This reads the whole ledger."""

    def work() -> Integrity:
        entries, checkpoints, _ = ledger_of(of.file)
        try:
            return Integrity(entries=verify_ledger(entries, checkpoints), intact=True, detail="")
        except LedgerError as wrong:
            return Integrity(entries=len(entries), intact=False, detail=str(wrong))

    return await service.audits.run(work, FOREVER)


def _shown(asked: Asked, caller: Caller, shared: bool) -> models.Asked:
    first, whole = asked.first, asked.charge.whole
    mine = shared or caller.role != "analyst" or first.analyst == caller.name
    return models.Asked(
        number=asked.number,
        entry=first.number,
        kind=first.kind,
        time=first.time,
        analyst=first.analyst,
        questions=asked.texts if mine else None,
        factor=str(whole),
        cost=bits_up(whole),
        hash=first.hash,
    )
