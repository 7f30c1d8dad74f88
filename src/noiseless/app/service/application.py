"""The application: every route with its roles, the limits around them, and its OpenAPI document."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

import noiseless
from noiseless.app.service.bodies import WholeBody
from noiseless.app.service.log import Logged, write_lines
from noiseless.app.service.pace import Pace
from noiseless.app.service.problems import Problem
from noiseless.app.service.reference import document
from noiseless.app.service.routes import (
    asking,
    certificates,
    comparing,
    copies,
    custody,
    datasets,
    designs,
    health,
    jobs,
    ledger,
    mock,
    operations,
    plans,
    publishing,
    reference,
    sources,
    tokens,
)
from noiseless.app.service.running import Service
from noiseless.app.service.settings import ENVIRONMENT, Settings
from noiseless.errors import NoiselessError

ROUTES = (
    *(
        health,
        datasets,
        asking,
        plans,
        publishing,
        mock,
        ledger,
        certificates,
        comparing,
        copies,
        designs,
        jobs,
        custody,
        tokens,
        operations,
    ),
    sources,
    reference,
)
"""Every file of routes."""


def application(settings: Settings) -> FastAPI:
    """The application of a server with these settings."""
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        write_lines()
        try:
            await service.datasets.open()
        except Exception as error:  # whose traceback may quote data
            said = str(error) if isinstance(error, NoiselessError) else type(error).__name__
            raise SystemExit(f"noiseless: {said}") from None
        service.forget()
        counting = asyncio.create_task(service.keep_counts())
        yield
        counting.cancel()
        await service.close()

    app = FastAPI(
        title="noiseless",
        version=noiseless.__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        description="True answers about a private table, each with an integer guarantee.",
        redirect_slashes=False,
    )
    app.state.service = service
    for routes in ROUTES:
        app.include_router(routes.router)
    app.add_middleware(WholeBody, most=settings.largest_body, seconds=settings.patience, upload=service.upload)
    if settings.answer_every is not None:
        app.add_middleware(Pace, interval=settings.answer_every)
    app.add_middleware(Logged, metrics=service.metrics, questions=settings.log_questions)
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(NoiselessError, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _unknown)
    document(app, [each.router for each in ROUTES])
    return app


def from_environment() -> FastAPI:
    """The application of a worker process, whose settings the first process has left in the environment."""
    return application(Settings.parse(os.environ[ENVIRONMENT]))


async def _problem(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    return problem.response()


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, NoiselessError)
    return Problem.of(error).response()


async def _malformed(_: Request, error: Exception) -> Response:
    """A request that does not fit its model. What was sent is not repeated."""
    assert isinstance(error, RequestValidationError)
    wrong = error.errors()[0]
    place = ".".join(str(each) for each in wrong["loc"] if each != "body") or "the body"
    return Problem(422, "malformed", f"{place}: {wrong['msg']}", "see /docs for what may be sent").response()


async def _unknown(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {
        404: ("unknown-path", "this path does not exist"),
        405: ("method-not-allowed", "the path has no such method"),
    }
    kind, rule = words.get(error.status_code, ("refused", "the request cannot be handled"))
    return Problem(error.status_code, kind, rule, "see /docs for all paths", dict(error.headers or {})).response()
