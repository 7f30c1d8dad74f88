"""Asking: a question, what it would cost, what is known already, and its answer. It works without scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Query, Request, Response

from noiseless.app.console.building import Built, built
from noiseless.app.console.forms import form_of
from noiseless.app.console.rendering import page
from noiseless.app.service.caller import Caller
from noiseless.app.service.parameters import Anyone, Asker, OfDataset
from noiseless.app.service.problems import Problem
from noiseless.app.service.routes.asking import recalled
from noiseless.app.service.served import Served
from noiseless.curator.curator import Curator
from noiseless.errors import NoiselessError

router = APIRouter()
LONGEST = 100_000
PRECISIONS = ("error", "bits", "exact")
CONFIRM = 1.0
"""Above this price in bits, a question is asked for once more."""


@router.get("/d/{dataset}")
async def empty(request: Request, caller: Asker, of: OfDataset, sql: str = Query("", max_length=LONGEST)) -> Response:
    """The editor, perhaps with a question that the form has built."""
    return await _page(request, of, caller, {"sql": sql})


@router.get("/d/{dataset}/build")
async def build(request: Request, caller: Asker, of: OfDataset) -> Response:
    """The editor with the question that was put together by choosing."""
    given = dict(request.query_params)

    def work(curator: Curator) -> Built:
        return built(given, curator.schema, curator.name)

    found = await of.run(work)
    return await _page(request, of, caller, {"sql": found.sql, "chosen": found.chosen})


@router.post("/d/{dataset}")
async def asked(request: Request, caller: Asker, of: OfDataset) -> Response:
    """A preview, or an answer. What was typed stays, whatever comes out."""
    form = await form_of(request)
    action, sql = form.get("action", "preview"), form.get("sql", "").strip()
    terms = _terms(form)
    shown: dict[str, Any] = {"sql": sql, "precision": form.get("precision", "error"), "amount": form.get("amount", "")}

    def work(curator: Curator) -> dict[str, Any]:
        if action == "deduce":
            return {"answer": curator.deduce(sql)}
        told = curator.preview(sql, **terms)
        known = told.deduced
        if action == "preview" or (told.most > CONFIRM and form.get("confirmed") != f"{told.most}"):
            return {"price": told, "known": known, "confirm": action == "ask" and told.affordable}
        return {"answer": curator.ask(sql, **terms, analyst=caller.name), "price": told}

    try:
        shown |= await of.run(work)
    except NoiselessError as wrong:
        shown["problem"] = Problem.of(wrong).fields()
    except Problem as wrong:
        shown["problem"] = wrong.fields()
    return await _page(request, of, caller, shown)


@router.get("/d/{dataset}/answers/{entry}")
async def answer(request: Request, caller: Anyone, of: OfDataset, entry: int, place: int = 0) -> Response:
    """An answer of the ledger, again and for free."""
    work: Callable[[Curator], Any] = lambda curator: recalled(curator, caller, of.shares_questions, entry, place)  # noqa: E731
    return page(request, "answer.html", answer=await of.run(work), place=place)


def _terms(form: dict[str, str]) -> dict[str, Any]:
    """How precise the answer is wanted."""
    precision, amount = form.get("precision", "error"), form.get("amount", "").strip()
    return {precision: amount} if precision in ("error", "bits") and amount else {}


async def _page(request: Request, of: Served, caller: Caller, shown: dict[str, Any]) -> Response:
    def work(curator: Curator) -> dict[str, Any]:
        schema = curator.schema
        return {
            "columns": list(schema.columns),
            "numbers": [name for name, column in schema.columns.items() if hasattr(column, "step")],
            "groups": [name for name, column in schema.columns.items() if hasattr(column, "keys")],
            "left": curator.remaining,
            "budget": curator.status().budget,
            "example": f"SELECT COUNT(*) FROM {curator.name}",
        }

    blank = {"sql": "", "precision": "error", "amount": "", "chosen": {}, "confirm": False}
    blank |= dict.fromkeys(("price", "known", "answer", "problem"))
    return page(request, "ask.html", of=await of.run(work), confirm_above=CONFIRM, **{**blank, **shown})
