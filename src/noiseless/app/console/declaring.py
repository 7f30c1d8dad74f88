"""From a table to a served dataset: choose a file, say what its columns can be, see what the budget buys, serve it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import ValidationError

from noiseless.app.console.forms import form_of
from noiseless.app.console.rendering import page
from noiseless.app.service.declaring import KINDS, ToDeclare
from noiseless.app.service.parameters import Custodian, Running
from noiseless.app.service.problems import Problem
from noiseless.app.service.routes.sources import declared_now, looked_at, planned
from noiseless.app.service.running import Service
from noiseless.app.service.sources import files_of
from noiseless.errors import NoiselessError

router = APIRouter()
FIELDS = ("kind", "low", "high", "step", "values", "missing", "other")
"""What is declared about a column. The name of a form field is one of these and the number of the column."""
MOST = 20_000
"""Fields of the form: a table can have two thousand columns."""


@router.get("/new")
async def start(
    request: Request, caller: Custodian, service: Running, file: Annotated[str, Query(max_length=300)] = ""
) -> Response:
    """The tables of the folder, or the columns of one of them to fill in."""
    if not file:
        folder = service.settings.tables is not None
        return page(request, "new.html", files=files_of(service.settings.tables), folder=folder)
    return await _page(request, service, file, {})


@router.post("/new")
async def chosen(request: Request, caller: Custodian, service: Running) -> Response:
    """What the budget would buy, or the dataset itself. What was filled in stays."""
    form = await form_of(request, MOST)
    file = form.get("file", "")
    names = list((await looked_at(service, file)).columns)
    try:
        given = ToDeclare.model_validate(_said(form, names))
        if form.get("action") != "declare":
            return await _page(request, service, file, form, bought=await planned(service, given))
        served, token = await declared_now(caller, service, given)
    except ValidationError as wrong:
        return await _page(request, service, file, form, problem=_problem(wrong))
    except NoiselessError as refused:
        return await _page(request, service, file, form, problem=Problem.of(refused).fields())
    return page(request, "declared.html", name=served.name, token=token, files=len(service.settings.files))


def _said(form: dict[str, str], names: list[str]) -> dict[str, Any]:
    """What the form declares, without its empty fields."""
    columns = {}
    for place, name in enumerate(names):
        said = {field: text for field in FIELDS if (text := form.get(f"{field} {place}", "").strip())}
        if said.get("kind") in KINDS:
            listed = {"values": _listed(said["values"])} if "values" in said else {}
            columns[name] = {**said, **listed}
    unit = {name: form.get(f"unit {name}", "").strip() for name in ("column", "rows", "order_by")}
    whose = {"unit": unit} if unit["column"] else {}
    return {"file": form.get("file", ""), "columns": columns, "budget": form.get("budget", "").strip(), **whose}


def _listed(text: str) -> list[str]:
    """The values between commas or lines."""
    return [part.strip() for line in text.splitlines() for part in line.split(",") if part.strip()]


def _problem(wrong: ValidationError) -> dict[str, Any]:
    """The first field that is wrong, by its name. Its value is not repeated."""
    first = wrong.errors()[0]
    place = " ".join(str(part) for part in first["loc"])
    return Problem(422, "malformed", f"{place}: {first['msg']}", "fill it in, and try again").fields()


async def _page(request: Request, service: Service, file: str, form: dict[str, str], **shown: Any) -> Response:
    found = await looked_at(service, file)
    given = {"bought": None, "problem": None, **shown}
    return page(request, "declare.html", file=file, seen=found, typed=form, kinds=KINDS, **given)
