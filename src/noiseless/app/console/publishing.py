"""Published answers: agreeing to publish one, and its page, which anyone can open."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import RedirectResponse

from noiseless.app.console.forms import form_of
from noiseless.app.console.rendering import page
from noiseless.app.service.caller import Caller, no_token_needed
from noiseless.app.service.parameters import Anyone, Asker, OfDataset, Running
from noiseless.app.service.problems import Problem
from noiseless.app.service.routes.publishing import agree, agreements, end, shown
from noiseless.app.service.served import Served
from noiseless.curator.certificate.verify import verify
from noiseless.errors import NoiselessError, QuestionError

router = APIRouter()


@router.get("/d/{dataset}/published")
async def listed(
    request: Request, caller: Anyone, of: OfDataset, entry: Annotated[str, Query(max_length=12)] = "", place: str = "0"
) -> Response:
    """The answers that somebody agreed to publish, and a form to agree to another."""
    return await _page(request, caller, of, entry=entry, place=place)


@router.post("/d/{dataset}/published")
async def agreed(request: Request, caller: Asker, of: OfDataset) -> Response:
    """Agree to publish an answer."""
    form = await form_of(request)
    entry, place = form.get("entry", "").strip(), form.get("place", "0").strip() or "0"
    try:
        await agree(caller, of, _number(entry, 1), _number(place, 0))
    except (NoiselessError, Problem) as wrong:
        problem = wrong if isinstance(wrong, Problem) else Problem.of(wrong)
        return await _page(request, caller, of, problem=problem.fields(), entry=entry, place=place)
    return RedirectResponse(f"/console/d/{quote(of.name)}/published", 303)


@router.post("/d/{dataset}/published/{entry}/end")
async def ended(request: Request, caller: Asker, of: OfDataset, entry: int) -> Response:
    """Stop publishing an answer."""
    form = await form_of(request)
    await end(caller, of, entry, _number(form.get("place", "0"), 0))
    return RedirectResponse(f"/console/d/{quote(of.name)}/published", 303)


@router.get("/published/{which}", dependencies=[Depends(no_token_needed)])
async def public(request: Request, service: Running, which: str) -> Response:
    """A published answer, and what a verification of its certificate finds now. No token is needed."""
    of, answer = await shown(request, service, which)
    found = await service.aside.run(lambda: verify(answer.certificate))
    return page(request, "public.html", answer=answer, found=found, name=of.name, which=which)


def _number(text: str, least: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) >= least):
        raise QuestionError("this is not the number of a question; look the number up in the ledger")
    return int(text)


async def _page(request: Request, caller: Caller, of: Served, **given: Any) -> Response:
    rows = await agreements(caller, of)
    return page(request, "published.html", rows=rows, **{"problem": None, "entry": "", "place": "0", **given})
