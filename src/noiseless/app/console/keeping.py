"""The custodian's work: budget, quotas, tokens, a freeze, and the check of the table."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from noiseless.app.console.forms import form_of
from noiseless.app.console.rendering import page
from noiseless.app.service.parameters import Custodian, OfDataset
from noiseless.app.service.problems import Problem
from noiseless.app.service.roles import ROLES
from noiseless.app.service.routes.tokens import ToAllow, set_quotas
from noiseless.app.service.served import FOREVER, Served
from noiseless.app.service.tokens import Token, Tokens
from noiseless.curator.curator import Curator
from noiseless.errors import NoiselessError

router = APIRouter()
MOST_GROUPS = 100
LONGEST_NAME = 200


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


@router.post("/d/{dataset}/quotas")
async def allow(request: Request, caller: Custodian, of: OfDataset) -> Response:
    """Set the quota of an analyst, or of a project."""
    form = {name: text.strip() for name, text in (await form_of(request)).items() if text.strip()}
    try:
        set_quotas(of, ToAllow.model_validate({name: form[name] for name in ToAllow.model_fields if name in form}))
    except ValidationError:
        raise Problem(
            422, "malformed", "a quota needs a name, and bits or a project", "go back, and fill it in"
        ) from None
    return await _page(request, of)


@router.post("/d/{dataset}/freeze")
async def freeze(request: Request, caller: Custodian, of: OfDataset) -> Response:
    """Freeze the dataset, so that only what costs nothing is answered; or unfreeze it."""
    form = await form_of(request)

    def work(curator: Curator) -> None:
        for each in (curator, *curator.views.values()):
            if form.get("action") == "unfreeze":
                each.unfreeze(caller.name)
            else:
                each.freeze(form.get("reason", "").strip(), caller.name)

    try:
        await of.run(work)
    except NoiselessError as wrong:
        return await _page(request, of, problem=Problem.of(wrong).fields(), reason=form.get("reason", ""))
    return RedirectResponse(f"/console/d/{quote(of.name)}/keeping", 303)


@router.post("/d/{dataset}/check")
async def check(request: Request, caller: Custodian, of: OfDataset) -> Response:
    """Whether the table fits its schema. For the custodian only: it says how many values are missing or clamped."""
    found = await of.run(lambda curator: curator.check(), planning=FOREVER)
    return await _page(request, of, checked=repr(found), verdict=found.verdict)


def _tokens(of: Served) -> list[Token]:
    return [each for each in Tokens(of.state).listed() if of.name in each.datasets or "*" in each.datasets]


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
            "frozen": status.frozen,
            "held": status.held,
        }

    given = {**dict.fromkeys(("new", "made", "checked", "verdict", "problem")), "reason": "", **shown}
    return page(request, "keeping.html", of=await of.run(work), tokens=_tokens(of), roles=ROLES, **given)
