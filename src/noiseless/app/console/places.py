"""The datasets, and what everybody may know about each."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from noiseless.app.console.columns import in_words
from noiseless.app.console.rendering import page
from noiseless.app.service.parameters import Anyone, OfDataset, Running
from noiseless.curator.curator import Curator

router = APIRouter()
MOST_CELLS = 200
"""The most public groups that a page lists."""


@router.get("")
async def datasets(request: Request, caller: Anyone, service: Running) -> Response:
    """The datasets of the token, each with what is left of its budget."""
    found = [await each.run(_described) for each in service.datasets if caller.may_see(each.name)]
    return page(request, "datasets.html", datasets=found)


@router.get("/d/{dataset}/about")
async def about(request: Request, caller: Anyone, of: OfDataset) -> Response:
    """The columns in words, and the public groups with their numbers of rows."""

    def work(curator: Curator) -> dict[str, Any]:
        groups = curator.public()
        return {
            **_described(curator),
            "columns": _in_words(curator),
            "unit": curator.schema.unit,
            "most": curator.schema.rows,
            "groups": groups[:MOST_CELLS],
            "more": max(0, len(groups) - MOST_CELLS),
            "views": [_described(view) | {"columns": _in_words(view)} for view in curator.views.values()],
        }

    return page(request, "about.html", of=await of.run(work))


def _in_words(curator: Curator) -> list[tuple[str, str, str]]:
    return [(name, *in_words(column)) for name, column in curator.schema.columns.items()]


def _described(curator: Curator) -> dict[str, Any]:
    status = curator.status()
    return {
        "name": curator.name,
        "rows": status.rows,
        "left": status.remaining,
        "budget": status.budget,
        "columns": list(curator.schema.columns),
    }
