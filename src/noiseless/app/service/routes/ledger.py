"""The ledger: who asked what, when, and at what charge."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from noiseless.app.service import models
from noiseless.app.service.caller import Caller
from noiseless.app.service.parameters import Anyone, OfDataset
from noiseless.curator.ledger.asked import Asked
from noiseless.exact.rounding import bits_up

router = APIRouter(tags=["ledger"])


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
