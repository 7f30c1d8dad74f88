"""What the budget buys."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from noiseless.app.purchases import by_the_answer, purchases
from noiseless.app.service.parameters import Asker, OfDataset
from noiseless.app.worth import worth
from noiseless.curator.curator import Curator

router = APIRouter(tags=["questions"])


class Bought(BaseModel):
    """A number, and its error at some prices."""

    number: str
    errors: dict[str, str] = Field(description="the error for each number of bits")
    by_the_answer: list[dict[str, Any]] = Field(description="the same below one bit: quiet and loud prices")


class Plan(BaseModel):
    """What the budget buys, from previews of questions about every column."""

    numbers: list[Bought]
    sentences: list[str]


@router.get("/datasets/{dataset}/plan")
async def plan(caller: Asker, of: OfDataset) -> Plan:
    """What the budget buys: the error of each number for one bit, two bits, and so on. Free."""

    def work(curator: Curator) -> Plan:
        cheap = by_the_answer(curator)
        numbers = [Bought(number=what, errors=errors, by_the_answer=cheap[what]) for what, errors in purchases(curator)]
        return Plan(numbers=numbers, sentences=worth(curator))

    return await of.run(work)
