"""The mock table: to try questions and programs for free."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from noiseless.app.fields import answer_fields
from noiseless.app.mock import mock_curator, mock_table
from noiseless.app.service import models
from noiseless.app.service.parameters import Asker, OfDataset, Running
from noiseless.app.service.tables import FORMATS, in_format
from noiseless.app.service.written import Written, as_json, preferred
from noiseless.curator.schema.declaration import Declaration

router = APIRouter(tags=["mock"])
ROWS = 1000
MOST = 100_000


class MockAnswer(models.Answer):
    """An answer about made-up rows: it says nothing about the data, and nothing was charged."""

    mock: Literal[True]


@router.get("/datasets/{dataset}/mock", response_class=Response, responses=FORMATS)
async def mock(
    caller: Asker,
    of: OfDataset,
    service: Running,
    request: Request,
    n: Annotated[int, Query(ge=1, le=MOST)] = ROWS,
    seed: Annotated[int, Query(ge=0, lt=1 << 32)] = 0,
) -> Response:
    """Rows made up from the schema alone, marked as such. They hold none of the data."""
    media = preferred(request, tuple(FORMATS[200]["content"]))

    def work() -> Written:
        return in_format(mock_table(Declaration.read(of.file).schema, n, seed), media)

    return (await service.aside.run(work)).response()


@router.post("/datasets/{dataset}/mock/ask", response_model=MockAnswer)
async def ask(caller: Asker, of: OfDataset, service: Running, asked: models.ToAsk) -> Response:
    """Try a question on the mock table, where nothing was asked before. Nothing is charged."""

    def work() -> Written:
        with mock_curator(of.file, ROWS) as curator:
            return as_json({**answer_fields(curator.ask(asked.sql, **asked.arguments()), asked.advice), "mock": True})

    return (await service.aside.run(work)).response()
