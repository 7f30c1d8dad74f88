"""The parameters that all routes about a dataset have in common."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query, Request

from noiseless.app.service.caller import Caller, allowed
from noiseless.app.service.running import Service
from noiseless.app.service.served import Served


def service_of(request: Request) -> Service:
    """The running server."""
    found: Service = request.app.state.service
    return found


def served(request: Request) -> Served:
    """The dataset in the path, for a caller who was admitted: `allowed` is the first parameter of every route."""
    assert request.state.caller is not None
    return service_of(request).dataset(request.path_params["dataset"])


def table(
    of: Annotated[Served, Depends(served)],
    view: Annotated[str | None, Query(max_length=200, description="one of its views, instead of the table")] = None,
) -> Served:
    """The dataset in the path, or one of its views: each has its own ledger, with its own numbers."""
    return of if view is None else of.of_view(view)


Running = Annotated[Service, Depends(service_of)]
OfDataset = Annotated[Served, Depends(served)]
OfTable = Annotated[Served, Depends(table)]
Anyone = Annotated[Caller, Depends(allowed())]
Asker = Annotated[Caller, Depends(allowed("analyst", "custodian"))]
Custodian = Annotated[Caller, Depends(allowed("custodian"))]
Overseer = Annotated[Caller, Depends(allowed("auditor", "custodian"))]
