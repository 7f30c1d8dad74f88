"""The ledger: who asked what, when, at what charge; filtered by analyst, text and kind."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from noiseless.app.console.rendering import page
from noiseless.app.service.caller import Caller
from noiseless.app.service.finding import SORTS, Wanted, find, sort_of
from noiseless.app.service.parameters import Anyone, OfDataset, OfTable
from noiseless.app.service.routes.ledger import may_read
from noiseless.app.service.served import Served
from noiseless.curator.curator import Curator
from noiseless.curator.ledger.asked import Asked
from noiseless.exact.rounding import bits_up

router = APIRouter()
PAGE = 50
"""Questions on one page of the ledger."""


@router.get("/d/{dataset}/ledger")
async def ledger(
    request: Request,
    caller: Anyone,
    whole: OfDataset,
    of: OfTable,
    before: Annotated[int | None, Query(ge=1)] = None,
    analyst: Annotated[str, Query(max_length=200)] = "",
    text: Annotated[str, Query(max_length=1000)] = "",
    sort: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Questions and charges, the latest first. Analysts see the texts of their own questions."""
    wanted = Wanted(analyst.strip(), text.strip(), next((each for each in SORTS if each == sort), None))

    def work(curator: Curator) -> dict[str, Any]:
        total, found, after = find(curator, wanted, lambda each: may_read(caller, each, of), before, PAGE)
        chosen = {"view": of.view or "", "analyst": wanted.analyst, "text": wanted.text, "sort": wanted.sort or ""}
        more = (
            None
            if after is None
            else urlencode({name: said for name, said in chosen.items() if said} | {"before": after})
        )
        rows = [_row(each, caller, of) for each in found]
        return {"total": total, "rows": rows, "more": more, "chosen": chosen, "filtered": not wanted.everything}

    views = await whole.run(lambda curator: list(curator.views))
    return page(request, "ledger.html", sorts=SORTS, views=views, **await of.run(work))


def _row(asked: Asked, caller: Caller, of: Served) -> dict[str, Any]:
    return {
        "number": asked.number,
        "analyst": asked.first.analyst,
        "time": asked.first.time,
        "cost": bits_up(asked.charge.whole),
        "texts": asked.texts if may_read(caller, asked, of) else None,
        "copied": sort_of(asked) == "copy",
    }
