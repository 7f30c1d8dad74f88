"""What waits for the custodian: questions on hold, and requests for more bits."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from noiseless.app.console.forms import form_of
from noiseless.app.console.rendering import page
from noiseless.app.service.parameters import Custodian, OfDataset
from noiseless.app.service.problems import Problem
from noiseless.app.service.served import Served
from noiseless.curator.curator import Curator
from noiseless.errors import NoiselessError, QuestionError

router = APIRouter()
NOTHING = {"number": 0, "reason": "", "bits": ""}


@router.get("/d/{dataset}/waiting")
async def waiting(request: Request, caller: Custodian, of: OfDataset) -> Response:
    """Everything that waits for the custodian, the oldest first."""
    return await _page(request, of)


@router.post("/d/{dataset}/waiting/{number}")
async def decide(request: Request, caller: Custodian, of: OfDataset, number: int) -> Response:
    """Approve, refuse or grant. The decision is an entry of the ledger."""
    form = await form_of(request)
    action, reason, bits = (form.get(name, "").strip() for name in ("action", "reason", "bits"))

    def work(curator: Curator) -> None:
        match action:
            case "approve":
                curator.approve(number, caller.name)
            case "refuse":
                curator.refuse(number, reason, caller.name)
            case "grant":
                curator.grant(number, bits or None, caller.name)
            case _:
                raise QuestionError("this is not a decision; choose approve, refuse or grant")

    try:
        await of.run(work)
    except NoiselessError as wrong:
        return await _page(request, of, problem=Problem.of(wrong).fields(), typed={**NOTHING, **form, "number": number})
    return RedirectResponse(f"/console/d/{quote(of.name)}/waiting", 303)


async def _page(request: Request, of: Served, **shown: Any) -> Response:
    def work(curator: Curator) -> dict[str, Any]:
        return {"holds": curator.holds(), "requests": curator.requests(), "left": curator.remaining}

    return page(request, "waiting.html", **{"problem": None, "typed": NOTHING, **await of.run(work), **shown})
