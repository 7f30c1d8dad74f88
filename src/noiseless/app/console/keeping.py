"""The ledger for everybody, and the custodian's work: budget, quotas, tokens, and the check of the table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from noiseless.app.console.forms import form_of
from noiseless.app.console.rendering import page
from noiseless.app.service.caller import Caller
from noiseless.app.service.parameters import Anyone, Custodian, OfDataset
from noiseless.app.service.problems import Problem
from noiseless.app.service.roles import ROLES
from noiseless.app.service.served import FOREVER, Served
from noiseless.app.service.tokens import Token, Tokens
from noiseless.curator.curator import Curator
from noiseless.exact.rounding import bits_up

router = APIRouter()
PAGE = 50
"""Questions on one page of the ledger."""
MOST_GROUPS = 100
LONGEST_NAME = 200


@router.get("/d/{dataset}/ledger")
async def ledger(
    request: Request, caller: Anyone, of: OfDataset, before: Annotated[int | None, Query(ge=1)] = None
) -> Response:
    """Questions and charges, the latest first. Analysts see the texts of their own questions."""

    def work(curator: Curator) -> dict[str, Any]:
        total, found = curator.asked(before, PAGE)
        rows = [
            {
                "number": each.number,
                "analyst": each.first.analyst,
                "time": each.first.time,
                "cost": bits_up(each.charge.whole),
                "texts": each.texts if _may_read(caller, each.first.analyst, of) else None,
                "copied": each.first.kind == "release",
            }
            for each in found
        ]
        last = found[-1].number if found else 1
        return {"total": total, "rows": rows, "next": last if last > 1 else None}

    return page(request, "ledger.html", **await of.run(work))


@router.get("/d/{dataset}/keeping")
async def keeping(request: Request, caller: Custodian, of: OfDataset) -> Response:
    """What is left for every public group and every quota, and who has a token."""
    return await _page(request, of)


@router.post("/d/{dataset}/tokens")
async def grant(request: Request, caller: Custodian, of: OfDataset) -> Response:
    """A new token for this dataset. It is shown once, on this page."""
    form = await form_of(request)
    name, role, days = form.get("name", "").strip(), form.get("role", "analyst"), form.get("days", "").strip()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or role not in ROLES:
        raise Problem(422, "malformed", "a token needs a name and a role", "go back, and fill in both")
    if days and not (days.isdecimal() and 0 < int(days) <= 3660):
        raise Problem(422, "malformed", "days is not a whole number from 1 to 3660", "go back, and correct it")
    until = datetime.now(UTC) + timedelta(days=int(days)) if days else None
    text, token = Tokens(of.state).add(name, role, [of.name], until)
    return await _page(request, of, new=text, made=token)


@router.post("/d/{dataset}/tokens/{token}/revoke")
async def revoke(request: Request, caller: Custodian, of: OfDataset, token: str) -> Response:
    """Revoke a token, at once and for ever. It must be for this dataset alone."""
    if token not in {each.id for each in _tokens(of) if each.datasets == (of.name,)}:
        raise Problem(404, "unknown-token", "no token for this dataset alone has this id", "go back, and choose one")
    Tokens(of.state).revoke(token)
    return await _page(request, of)


@router.post("/d/{dataset}/check")
async def check(request: Request, caller: Custodian, of: OfDataset) -> Response:
    """Whether the table fits its schema. For the custodian only: it says how many values are missing or clamped."""
    found = await of.run(lambda curator: curator.check(), planning=FOREVER)
    return await _page(request, of, checked=repr(found), verdict=found.verdict)


def _tokens(of: Served) -> list[Token]:
    return [each for each in Tokens(of.state).listed() if of.name in each.datasets or "*" in each.datasets]


def _may_read(caller: Caller, analyst: str, of: Served) -> bool:
    return of.shares_questions or caller.role != "analyst" or analyst == caller.name


async def _page(request: Request, of: Served, **shown: Any) -> Response:
    def work(curator: Curator) -> dict[str, Any]:
        status = curator.status()
        return {
            "left": status.remaining,
            "budget": status.budget,
            "questions": status.questions,
            "groups": status.groups[:MOST_GROUPS],
            "more": max(0, len(status.groups) - MOST_GROUPS),
            "quotas": status.quotas,
        }

    given = {"new": None, "made": None, "checked": None, "verdict": None, **shown}
    return page(request, "keeping.html", of=await of.run(work), tokens=_tokens(of), roles=ROLES, **given)
