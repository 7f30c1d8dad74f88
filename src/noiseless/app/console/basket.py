"""A basket of questions: what asking them together saves, and their answers. None of it is kept on the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from noiseless.app.console.answers import ready
from noiseless.app.console.forms import LONGEST, form_of, question_of, terms_of, typed
from noiseless.app.console.rendering import page
from noiseless.app.console.suggested import refused
from noiseless.app.service.caller import Caller
from noiseless.app.service.parameters import Asker, OfDataset, Running
from noiseless.app.service.problems import Problem
from noiseless.curator.answer.ways import BATCH, ONE_BY_ONE, BatchPreview
from noiseless.curator.curator import Curator
from noiseless.curator.sql.statements import statements
from noiseless.errors import NoiselessError, QuestionError

router = APIRouter()
END = ";\n"


@router.get("/d/{dataset}/basket")
async def basket(request: Request, caller: Asker, of: OfDataset, service: Running) -> Response:
    """An empty basket. A script fills in the questions that this browser collected."""
    return await _page(request, typed({}), service.settings.confirm_above)


@router.post("/d/{dataset}/basket")
async def together(request: Request, caller: Asker, of: OfDataset, service: Running) -> Response:
    """What the questions cost together, or their answers. The page keeps what was typed, even after a refusal."""
    form, limit = await form_of(request), service.settings.confirm_above
    shown: dict[str, Any] = typed(form)
    try:
        if form.get("action") == "add":
            shown["basket"] = added(form)
        questions = in_basket(shown["basket"])
        shown |= await of.run(lambda curator: _done(curator, caller, questions, form, limit))
    except (NoiselessError, Problem) as wrong:
        shown["problem"] = refused(wrong)
    return await _page(request, shown, limit)


def in_basket(text: str) -> list[str]:
    """The questions of a basket, each ended by a semicolon."""
    if len(text) > LONGEST:
        raise QuestionError(f"the basket has {len(text)} characters; use at most {LONGEST}")
    found = [question for _, question in statements(text)]
    if not found:
        raise QuestionError("the basket is empty; write SELECT … and end each question with a semicolon")
    return found


def added(form: Mapping[str, str]) -> str:
    """The basket with the typed question added, unless it is already there."""
    sql, before = question_of(form).rstrip("; \n"), form.get("basket", "").strip()
    if not sql or sql in (each for _, each in statements(before)):
        return before
    return f"{before}{'' if not before or before.endswith(';') else ';'}{chr(10) if before else ''}{sql}{END}"


def _done(
    curator: Curator, caller: Caller, questions: list[str], form: Mapping[str, str], limit: float
) -> dict[str, Any]:
    terms = terms_of(form)
    ways = curator.preview_batch(questions, **terms, analyst=caller.name)
    if form.get("action") != "ask":
        return {"ways": ways, "saved": saved(ways)}
    most = ways[BATCH].most
    if most > limit and form.get("confirmed") != f"{most}":
        return {"ways": ways, "saved": saved(ways), "confirm": f"{most}"}
    found = curator.batch(questions, **terms, max_bits=max(limit, most), analyst=caller.name)
    return {"answers": [ready(each) for each in found], "asked": found, "view": curator.view_of(questions[0])}


def saved(ways: BatchPreview) -> float:
    """How many bits less one batch costs than the same questions one by one."""
    known = {way.name for way in ways.ways}
    return max(0.0, ways[ONE_BY_ONE].bits - ways[BATCH].bits) if {ONE_BY_ONE, BATCH} <= known else 0.0


async def _page(request: Request, shown: Mapping[str, Any], limit: float) -> Response:
    blank: dict[str, Any] = dict.fromkeys(("ways", "answers", "asked", "problem"), None)
    return page(request, "basket.html", limit=limit, **{**blank, "saved": 0.0, "confirm": "", **shown})
