"""Whether the server runs, and whether it can answer."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from pydantic import BaseModel

from noiseless.app.service.caller import no_token_needed
from noiseless.app.service.parameters import Running
from noiseless.app.service.problems import Problem

router = APIRouter(tags=["operations"], dependencies=[Depends(no_token_needed)])


class Health(BaseModel):
    """The server runs."""

    status: str


@router.get("/health")
async def health() -> Health:
    """Whether the server runs."""
    return Health(status="running")


@router.get("/ready")
async def ready(service: Running) -> Health:
    """Whether every dataset is open, and the state of the service can be read."""
    if not all(each.is_open for each in service.datasets):
        raise Problem(503, "not-ready", "not every dataset is open yet", "try again in a moment")
    for state in service.datasets.states.values():
        state.rows("SELECT 1")
    return Health(status="ready")
