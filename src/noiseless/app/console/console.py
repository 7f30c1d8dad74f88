"""The console on top of the service: pages under /console, and a cookie as one more way to identify the caller.

There is no build step, and nothing is fetched from other servers. The server renders the pages. Its small scripts only
make them more convenient.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from noiseless.app.console import (
    answers,
    asking,
    basket,
    checking,
    comparing,
    copies,
    deciding,
    declaring,
    documents,
    keeping,
    ledger,
    organisation,
    places,
    publishing,
    session,
    spending,
)
from noiseless.app.console.kept import kept, page_of
from noiseless.app.console.rendering import page
from noiseless.app.service.application import application
from noiseless.app.service.problems import Problem
from noiseless.app.service.settings import ENVIRONMENT, Settings
from noiseless.errors import NoiselessError

HOME = "/console"
PAGES = (
    session,
    organisation,
    documents,
    places,
    checking,
    comparing,
    declaring,
    ledger,
    publishing,
    deciding,
    spending,
    copies,
    keeping,
    answers,
    basket,
    asking,
)
"""Every file of pages. Pages of a dataset come last, so that no dataset's name can hide another page."""


def with_console(settings: Settings) -> FastAPI:
    """The application of a server, with its console."""
    app = application(settings)
    app.state.service.ways.append(session.by_cookie)
    for each in PAGES:
        app.include_router(each.router, prefix=HOME, include_in_schema=False)
    app.mount(f"{HOME}/static", StaticFiles(directory=Path(__file__).parent / "static"))
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(NoiselessError, _refused)
    for kind in (RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _as_page(app.exception_handlers[kind]))

    @app.get("/", include_in_schema=False)
    async def home() -> Response:
        return RedirectResponse(HOME, 303)

    return app


def from_environment() -> FastAPI:
    """The application of a worker process, with the settings that the first process put into the environment."""
    return with_console(Settings.parse(os.environ[ENVIRONMENT]))


async def _problem(request: Request, problem: Exception) -> Response:
    """Show a problem as a page. People who are not signed in are asked for a token, and then return to their page."""
    assert isinstance(problem, Problem)
    if not request.url.path.startswith(HOME):
        return problem.response()
    if problem.status == 401:
        expired = session.NAME in request.cookies
        shown = {"back": page_of(request), "expired": expired, "kept": await kept(request)}
        return page(request, "sign_in.html", status=401, **shown)
    fields = problem.fields()
    if problem.status == 404:  # what to do next names paths of the API; the page has a link
        fields["next_step"] = None
    return page(request, "problem.html", status=problem.status, problem=fields)


def _as_page(handler: Any) -> Any:
    """The same refusal, but as a page if it happened on a page of the console."""

    async def shown(request: Request, error: Exception) -> Response:
        response: Response = await handler(request, error)
        if not request.url.path.startswith(f"{HOME}/") or request.url.path.startswith(f"{HOME}/static"):
            return response
        return page(request, "problem.html", status=response.status_code, problem=json.loads(bytes(response.body)))

    return shown


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, NoiselessError)
    return await _problem(request, Problem.of(error))
