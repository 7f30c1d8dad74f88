"""Shows an earlier answer again for free, as a page or a file. It can also be narrowed, which is charged."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Query, Request, Response

from noiseless.app.console.forms import form_of
from noiseless.app.console.rendering import page
from noiseless.app.console.suggested import refused
from noiseless.app.service.parameters import Anyone, Asker, OfTable, Running
from noiseless.app.service.problems import Problem
from noiseless.app.service.routes.asking import recalled
from noiseless.app.service.written import as_arrow
from noiseless.curator.answer.answer import Answer
from noiseless.curator.curator import Curator
from noiseless.errors import NoiselessError

router = APIRouter()
Format = Literal["csv", "arrow", "json"]
MEDIA = {"csv": "text/csv; charset=utf-8", "arrow": "application/vnd.apache.arrow.stream", "json": "application/json"}
NAMES = {"csv": "answer-{0}.csv", "arrow": "answer-{0}.arrows", "json": "certificate-{0}.json"}


@router.get("/d/{dataset}/answers/{entry}")
async def answer(
    request: Request, caller: Anyone, of: OfTable, service: Running, entry: int, place: int = Query(0, ge=0)
) -> Response:
    """The answer, as it was given."""

    def work(curator: Curator) -> Answer:
        return ready(recalled(curator, caller, of.shares_questions, entry, place))

    return _page(request, service.settings.confirm_above, place, {"answer": await of.run(work)})


@router.get("/d/{dataset}/answers/{entry}/{form}")
async def download(caller: Anyone, of: OfTable, entry: int, form: Format, place: int = Query(0, ge=0)) -> Response:
    """The answer as csv or Arrow, or its certificate, as a file."""

    def work(curator: Curator) -> bytes:
        return written(recalled(curator, caller, of.shares_questions, entry, place), form)

    body, name = await of.run(work), NAMES[form].format(entry)
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(body, 200, {**headers, "X-Content-Type-Options": "nosniff"}, MEDIA[form])


@router.post("/d/{dataset}/answers/{entry}")
async def narrowed(
    request: Request, caller: Asker, of: OfTable, service: Running, entry: int, place: int = Query(0, ge=0)
) -> Response:
    """The same question with a smaller error. Only the difference is charged, and never more than the form allows."""
    form = await form_of(request)
    error, most = form.get("error", "").strip(), form.get("most", "").strip()

    def work(curator: Curator) -> dict[str, Any]:
        known = ready(recalled(curator, caller, of.shares_questions, entry, place))
        try:
            finer = curator.refine(known, error=error, max_bits=most or None, analyst=caller.name)
        except NoiselessError as wrong:
            return {"answer": known, "problem": refused(wrong)}
        return {"answer": ready(finer), "before": entry}

    try:
        found = await of.run(work)
    except Problem as wrong:
        if wrong.status in (403, 404):
            raise
        found = {"answer": None, "problem": refused(wrong)}
    return _page(request, service.settings.confirm_above, place, {"error": error, "most": most, **found})


def ready(answer: Answer) -> Answer:
    """The same answer, after its notes are computed. They would otherwise be computed while the page is rendered."""
    assert answer.notes is not None
    return answer


def written(answer: Answer, form: Format) -> bytes:
    """The bytes of a file: the rows, or the certificate."""
    import pyarrow as pa
    import pyarrow.csv as pc

    if form == "json":
        return answer.certificate.to_json().encode()
    if form == "arrow":
        return as_arrow(answer.to_arrow(), {"question": answer.question, "entry": answer.entry}).body
    sink = pa.BufferOutputStream()
    pc.write_csv(answer.to_arrow(), sink)
    return bytes(sink.getvalue().to_pybytes())


def _page(request: Request, limit: float, place: int, shown: dict[str, Any]) -> Response:
    blank: dict[str, Any] = {"problem": None, "before": None, "error": "", "most": f"{limit:g}", "mock": None}
    return page(request, "answer.html", place=place, **(blank | shown))
