"""The budget over time, drawn on the server."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from noiseless.app.console.over_time import picture
from noiseless.app.console.rendering import page
from noiseless.app.service.parameters import OfDataset, Overseer, Running
from noiseless.app.service.served import FOREVER
from noiseless.curator.opening import spent_over_time

router = APIRouter()
MOST_LINES = 6
"""Public groups that have a line in the picture: those that spent most."""


@router.get("/d/{dataset}/spending")
async def spending(request: Request, caller: Overseer, of: OfDataset, service: Running) -> Response:
    """What was spent for every public group over time. The ledger is read in another thread than questions."""
    found = await service.audits.run(lambda: spent_over_time(of.file), FOREVER)
    last = found[-1].spent if found else {}
    groups = sorted(last, key=lambda name: -last[name])
    drawn = picture(found, groups[:MOST_LINES]) if found else None
    return page(request, "spending.html", drawn=drawn, last=found[-1] if found else None, groups=groups[:100])
