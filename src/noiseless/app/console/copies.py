"""Copies of the table: what one would cost and reveal, releasing it, its audit; and designs for a workload."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from noiseless.app.console.forms import form_of
from noiseless.app.console.rendering import page
from noiseless.app.service.caller import Caller
from noiseless.app.service.jobs import job_of, jobs
from noiseless.app.service.parameters import Custodian, OfDataset, Running
from noiseless.app.service.problems import Problem
from noiseless.app.service.routes.copies import ToCopy, begin_copy, file_of, is_copy
from noiseless.app.service.routes.designs import ToDesign, begin_design
from noiseless.app.service.running import Service
from noiseless.app.service.served import FOREVER, Served
from noiseless.curator.audit.audit import audit
from noiseless.curator.curator import Curator
from noiseless.curator.schema.scale import Scale
from noiseless.errors import InputError, NoiselessError, QuestionError

router = APIRouter()
WEIGHT, KEEP = "weight ", "keep "
"""How the names of form fields about one column begin."""


@router.get("/d/{dataset}/copies")
async def copies(request: Request, caller: Custodian, of: OfDataset) -> Response:
    """A form with sliders, and the copies and designs so far."""
    return await _page(request, of)


@router.post("/d/{dataset}/copies")
async def chosen(request: Request, caller: Custodian, of: OfDataset, service: Running) -> Response:
    """A preview, a comparison with the table for the custodian alone, or the release itself."""
    form = await form_of(request)
    try:
        return await _chosen(request, caller, of, service, form)
    except NoiselessError as wrong:
        return await _page(request, of, form, problem=Problem.of(wrong).fields())


async def _chosen(request: Request, caller: Caller, of: Served, service: Service, form: dict[str, str]) -> Response:
    wanted = _wanted(form).wanted(of)
    offer = await of.run(lambda curator: curator.preview_release(**wanted))
    match form.get("action"):
        case "release" if form.get("confirmed") == f"{offer.cost}":
            limit = {"max_bits": str(offer.cost)}
            job = await begin_copy(of, service, caller, {**wanted, **limit})
            return RedirectResponse(f"/console/d/{quote(of.name)}/jobs/{job.id}", 303)
        case "utility":
            found = await of.run(lambda curator: curator.utility(offer), FOREVER)
            return await _page(request, of, form, offer=offer, utility=found.fields())
    return await _page(request, of, form, offer=offer, confirm=form.get("action") == "release")


@router.post("/d/{dataset}/designs")
async def design(request: Request, caller: Custodian, of: OfDataset, service: Running) -> Response:
    """Find what to release so that a list of questions is then free. Nothing is spent."""
    form = await form_of(request)
    questions = [each.strip() for each in form.get("questions", "").split(";") if each.strip()]
    try:
        given = ToDesign.model_validate({"questions": questions, "bits": form.get("bits", "").strip() or None})
        await of.run(lambda curator: [curator.preview(each) for each in questions])  # refused here, not in the job
    except ValidationError:
        wrong = QuestionError("a design needs 1 to 1000 questions; write them with a semicolon between them")
        return await _page(request, of, form, problem=Problem.of(wrong).fields())
    except NoiselessError as refused:
        return await _page(request, of, form, problem=Problem.of(refused).fields())
    job = begin_design(of, service, caller, given)
    return RedirectResponse(f"/console/d/{quote(of.name)}/jobs/{job.id}", 303)


@router.get("/d/{dataset}/jobs/{job}")
async def work(request: Request, caller: Custodian, of: OfDataset, job: str) -> Response:
    """How far some long work is, or its result."""
    found = job_of(of.state, of.name, job)
    if found is None:
        raise Problem(404, "unknown-job", "this work does not exist", "go back to the copies")
    return page(request, "job.html", job=found)


@router.post("/d/{dataset}/copies/{copy}/audit")
async def audited(request: Request, caller: Custodian, of: OfDataset, service: Running, copy: str) -> Response:
    """What a released copy reveals to someone who knows some columns of a person. Only the copy is read."""
    form = await form_of(request)
    quasi, sensitive = ([each.strip() for each in form.get(name, "").split(",") if each.strip()] for name in ASKED)
    file = file_of(of, copy)
    try:
        found = await service.audits.run(lambda: audit(file, quasi, sensitive), FOREVER)
    except NoiselessError as wrong:
        return await _page(request, of, form, problem=Problem.of(wrong).fields())
    return await _page(request, of, form, audited=found)


ASKED = ("quasi", "sensitive")


def _wanted(form: dict[str, str]) -> ToCopy:
    """What the sliders and boxes say."""
    weights = {name.removeprefix(WEIGHT): text for name, text in form.items() if name.startswith(WEIGHT)}
    kept = [name.removeprefix(KEEP) for name in form if name.startswith(KEEP)]
    if not (bits := form.get("bits", "").strip()):
        raise InputError("the copy needs a total of bits; move the slider")
    own = {name: weight for name, weight in weights.items() if name in kept and weight != "1"}
    said = {"bits": bits, "columns": kept, "weights": own or None, "intervals": bool(form.get("intervals"))}
    return ToCopy.model_validate(said)


async def _page(request: Request, of: Served, form: dict[str, str] | None = None, **shown: Any) -> Response:
    typed = form or {}

    def work(curator: Curator) -> dict[str, Any]:
        private = curator.schema.private
        numbers = [name for name, column in private.items() if isinstance(column, Scale)]
        return {"left": curator.remaining, "private": list(private), "numbers": numbers}

    about = await of.run(work)
    listed = jobs(of.state, of.name)
    usual = dict.fromkeys(("offer", "utility", "problem", "audited"))
    given = {**usual, "confirm": False, **shown}
    done = [each for each in listed if is_copy(each)]
    return page(request, "copies.html", of=about, typed=typed, copies=done, jobs=listed[:20], **given)
