"""The page for asking: a question, its price, what is already known, and its answer. It works without scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Query, Request, Response

from noiseless.app.console.answers import ready
from noiseless.app.console.building import FUNCTIONS, SIGNS, SPANS, Chosen, built
from noiseless.app.console.forms import LONGEST, form_of, lists_of, question_of, terms_of, typed
from noiseless.app.console.history import latest
from noiseless.app.console.prices import prices
from noiseless.app.console.rendering import page
from noiseless.app.console.suggested import refused
from noiseless.app.console.words import values_of, words_of
from noiseless.app.mock import mock_curator
from noiseless.app.service.caller import Caller
from noiseless.app.service.parameters import Asker, OfDataset, Running
from noiseless.app.service.problems import Problem
from noiseless.app.service.running import Service
from noiseless.app.service.served import Served
from noiseless.curator.answer.answer import Answer, Preview
from noiseless.curator.curator import Curator
from noiseless.errors import NoiselessError

router = APIRouter()
MOCK_ROWS = 1000
NOTHING: dict[str, Any] = {
    "price": None,
    "known": None,
    "answer": None,
    "problem": None,
    "steps": (),
    "mock": None,
    "confirm": False,
}


@dataclass(frozen=True, slots=True)
class Here:
    """Where a question is asked, and by whom."""

    caller: Caller
    of: Served
    service: Service


@router.get("/d/{dataset}")
async def empty(
    request: Request,
    caller: Asker,
    of: OfDataset,
    service: Running,
    sql: str = Query("", max_length=LONGEST),
) -> Response:
    """The editor, perhaps with a question."""
    return await _page(request, Here(caller, of, service), typed({"sql": sql}))


@router.get("/d/{dataset}/build")
async def build(request: Request, caller: Asker, of: OfDataset, service: Running) -> Response:
    """The editor with the question built in the form. The form keeps its choices, even if the question is refused."""
    given = lists_of(request.query_params.multi_items())
    shown: dict[str, Any] = {"problem": None, "building": True}
    try:
        shown["chosen"] = chosen = Chosen.of(given)
        shown["sql"] = await of.run(lambda curator: built(chosen, curator.schema, curator.name))
    except NoiselessError as wrong:
        shown["problem"] = refused(wrong)
    return await _page(request, Here(caller, of, service), typed({}) | shown)


@router.post("/d/{dataset}")
async def asked(request: Request, caller: Asker, of: OfDataset, service: Running) -> Response:
    """Do what a button says, such as a preview or an answer. The page keeps what was typed, even after a refusal."""
    form = await form_of(request)
    here = Here(caller, of, service)
    return await _page(request, here, typed(form) | await _done(here, form))


@router.post("/d/{dataset}/live")
async def live(request: Request, caller: Asker, of: OfDataset, service: Running) -> Response:
    """A part of the page, shown while somebody types: the price, or what is already known."""
    form = await form_of(request)
    action = "known" if form.get("action") == "known" else "price"
    found = await _done(Here(caller, of, service), {**form, "action": action})
    return page(request, "live.html", **(NOTHING | typed(form) | found))


async def _done(here: Here, form: Mapping[str, str]) -> dict[str, Any]:
    """The result of a button, or the reason why it is refused."""
    try:
        sql = question_of(form)
        match form.get("action"):
            case "mock":
                return await _tried(here, sql, terms_of(form))
            case "deduce":
                return {"answer": await here.of.run(lambda curator: ready(curator.deduce(sql)))}
            case "known":
                return {"known": await here.of.run(lambda curator: _priced(curator, here, sql, form).deduced)}
            case "prices":
                return await here.of.run(lambda curator: _at_other_errors(curator, here, sql, form))
            case "ask":
                return await here.of.run(lambda curator: _answered(curator, here, sql, form))
            case "price":
                return {"price": await here.of.run(lambda curator: _priced(curator, here, sql, form))}
            case _:
                price = await here.of.run(lambda curator: _priced(curator, here, sql, form))
                return {"price": price, "known": await _known(here, price)}
    except (NoiselessError, Problem) as wrong:
        return {"problem": refused(wrong)}


async def _known(here: Here, price: Preview) -> Answer | None:
    """What already follows from earlier answers. None if that takes too long to find; the price is shown anyway."""
    try:
        return await here.of.run(lambda _: price.deduced)
    except (NoiselessError, Problem):
        return None


def _answered(curator: Curator, here: Here, sql: str, form: Mapping[str, str]) -> dict[str, Any]:
    """The answer. If the question may cost much, ask for a confirmation first, and show what is already known."""
    limit, price = here.service.settings.confirm_above, _priced(curator, here, sql, form)
    if price.affordable and (price.most > limit or price.steps) and form.get("confirmed") != f"{price.most}":
        return {"price": price, "known": price.deduced, "confirm": True}
    most = None if price.steps or not price.affordable else max(limit, price.most)
    answer = curator.ask(sql, **terms_of(form), max_bits=most, analyst=here.caller.name)
    return {"answer": ready(answer), "view": curator.view_of(sql)}


def _priced(curator: Curator, here: Here, sql: str, form: Mapping[str, str]) -> Preview:
    """The price for this caller, whose quota may allow less than the budget."""
    return curator.preview(sql, **terms_of(form), analyst=here.caller.name)


def _at_other_errors(curator: Curator, here: Here, sql: str, form: Mapping[str, str]) -> dict[str, Any]:
    price = _priced(curator, here, sql, form)
    return {"price": price, "steps": prices(curator, sql, terms_of(form), price, here.caller.name)}


async def _tried(here: Here, sql: str, terms: Mapping[str, Any]) -> dict[str, Any]:
    """The question on made-up rows, which hold none of the data."""

    def work() -> Any:
        with mock_curator(here.of.file, MOCK_ROWS) as curator:
            return ready(curator.ask(sql, **terms))

    return {"answer": await here.service.aside.run(work), "mock": MOCK_ROWS}


async def _page(request: Request, here: Here, shown: Mapping[str, Any]) -> Response:
    def work(curator: Curator) -> dict[str, Any]:
        schema = curator.schema
        return {
            "columns": list(schema.columns),
            "groups": [
                name for name, column in schema.columns.items() if hasattr(column, "keys") or hasattr(column, "step")
            ],
            "words": words_of(schema, {name: list(view.schema.columns) for name, view in curator.views.items()}),
            "views": [
                {"name": name, "left": view.remaining, "budget": view.status().budget}
                for name, view in curator.views.items()
            ],
            "choices": values_of(schema),
            "left": curator.remaining,
            "budget": curator.status().budget,
            "example": f"SELECT COUNT(*) FROM {curator.name}",
            "latest": latest(curator, here.caller),
        }

    of, chosen = await here.of.run(work), shown.get("chosen", Chosen())
    form: dict[str, Any] = {"functions": FUNCTIONS, "signs": SIGNS, "spans": SPANS, "rows": chosen.rows}
    limit = here.service.settings.confirm_above
    return page(request, "ask.html", of=of, form=form, limit=limit, **{**NOTHING, "building": False, **shown})
