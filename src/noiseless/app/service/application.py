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
from noiseless.app.service.problems import SEE, Problem
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
    """The application of a worker process, with the settings that the first process put into the environment."""
    return application(Settings.parse(os.environ[ENVIRONMENT]))


async def _problem(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, Problem)
    return problem.response()


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, NoiselessError)
    return Problem.of(error).response()


async def _malformed(request: Request, error: Exception) -> Response:
    """Refuse a request that does not fit its model, without repeating what was sent."""
    assert isinstance(error, RequestValidationError)
    wrong = error.errors()[0]
    if wrong["loc"] == ("body",) and not _is_json(request):
        return not_json_error(415, "the header Content-Type does not say that the body is JSON").response()
    if wrong["type"] == "json_invalid":
        return not_json_error(422, "the body is not JSON").response()
    place = ".".join(str(each) for each in wrong["loc"] if each != "body") or "the body"
    return Problem(422, "malformed", f"{place}: {wrong['msg']}", SEE, about=place).response()


async def _unknown(request: Request, error: Exception) -> Response:
    """Refuse a request that the framework refused before it reached a route."""
    assert isinstance(error, HTTPException)
    paths, path, headers = "see /docs for all paths", request.url.path[:100], dict(error.headers or {})
    match error.status_code:
        case 404:
            problem = Problem(404, "unknown-path", "this path does not exist", paths, about=f"path {path!r}")
        case 405:
            rule = f"the path takes {headers.get('Allow', 'other methods')} only"
            problem = Problem(405, "method-not-allowed", rule, paths, headers, about=f"method {request.method[:20]!r}")
        case 400:
            problem = not_json_error(400, "the body is not JSON that can be read")
        case status:
            problem = Problem(status, "refused", "the request cannot be handled", paths, headers)
    return problem.response()


def not_json_error(status: int, rule: str) -> Problem:
    """The problem of a body that is not JSON."""
    step = "send JSON that is not compressed, with the header Content-Type: application/json"
    return Problem(status, "malformed", rule, step, about="the body")


def _is_json(request: Request) -> bool:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return media == "application/json" or (media.startswith("application/") and media.endswith("+json"))
