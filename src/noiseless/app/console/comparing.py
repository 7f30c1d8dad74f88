"""Comparing two published tables, for auditors: what does their difference reveal?"""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from noiseless.app.console.rendering import page
from noiseless.app.console.uploads import texts_and_files
from noiseless.app.service.parameters import Anyone, Running
from noiseless.app.service.problems import Problem
from noiseless.app.service.routes.comparing import Format, compared
from noiseless.errors import InputError, NoiselessError

router = APIRouter()
PARQUET = b"PAR1"


@router.get("/compare")
async def empty(request: Request, caller: Anyone) -> Response:
    """Two fields for files."""
    return page(request, "compare.html", found=None, problem=None, typed={"columns": "", "same_order": ""})


@router.post("/compare")
async def found(request: Request, caller: Anyone, service: Running) -> Response:
    """What the two tables reveal together, in words and numbers."""
    texts, files = await texts_and_files(request, "one", "two")
    typed = {"columns": texts.get("columns", "").strip(), "same_order": texts.get("same_order", "")}
    columns = [name.strip() for name in typed["columns"].split(",") if name.strip()]
    try:
        if not all(files.values()):
            raise InputError("two tables are needed; choose both files")
        tables = [(_format(content), content) for content in files.values()]
        difference = await service.aside.run(lambda: compared(tables, bool(typed["same_order"]), columns))
        return page(request, "compare.html", found=difference, problem=None, typed=typed)
    except NoiselessError as wrong:
        return page(request, "compare.html", found=None, problem=Problem.of(wrong).fields(), typed=typed)


def _format(content: bytes) -> Format:
    """The format of a file, from its content, because the name of a file can be wrong."""
    return "parquet" if content.startswith(PARQUET) else "csv"
