"""Structured logs: one line of JSON for each request. They hold no private value, and no question unless wanted.

How long an answer took may depend on the data, so durations are written only for routes that never read them, and
without the time that a request waited for others in its lane.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noiseless.app.service.lane import waiting
from noiseless.app.service.metrics import Metrics
from noiseless.app.service.problems import Problem

LOG = logging.getLogger("noiseless.service")
UNTIMED = (
    "/ask",
    "/collect",
    "/export",
    "/batch",
    "/refine",
    "/questions/{entry}",
    "/certificates/{entry}",
    "/check",
    "/events",
    "/utility",
    "/sources/declare",
    "/published",
    "/published/{which}",
    "/published/{which}/certificate",
)
"""Routes that may read private data, or recall what was read."""
PAGES = "/console/d/"
"""Pages of a dataset: one of them asks."""
METHODS = ("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH")
"""All other methods are counted as one, because a stranger could invent any number of them."""


class Lines(logging.Formatter):
    """A record as one line of JSON. Tracebacks are left out: they may quote data."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields = {"time": moment, "level": record.levelname.lower(), "message": record.getMessage()}
        return json.dumps({**fields, **getattr(record, "fields", {})}, ensure_ascii=False, default=str)


def write_lines() -> None:
    """Write the logs of this process to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    for name in ("noiseless", "uvicorn", "asyncio", "concurrent"):  # without a handler, tracebacks would be written
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO)


class Logged:
    """Logs and counts requests. An unexpected error gets a plain answer, and is logged without its message."""

    def __init__(self, app: ASGIApp, metrics: Metrics, questions: bool) -> None:
        self._app, self._metrics, self._questions = app, metrics, questions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        began, status = monotonic(), 0
        waited = waiting()

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        failed: dict[str, Any] = {}
        try:
            await self._app(scope, receive, noted)
        except Exception as error:  # its message and its traceback may quote data
            failed = {"failed": type(error).__name__}
            if not status:
                await unexpected_error().response()(scope, receive, noted)
        self._note(scope, status, monotonic() - began - waited.seconds, failed)
        return None

    def _note(self, scope: Scope, status: int, seconds: float, failed: dict[str, Any]) -> None:
        route, state = getattr(scope.get("route"), "path", "unknown"), scope.get("state", {})
        timed = None if route.endswith(UNTIMED) or scope["path"].startswith(PAGES) else seconds
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.count(method, route, status, timed)
        fields: dict[str, Any] = {"method": method, "route": route, "status": status, **failed}
        if (dataset := scope.get("path_params", {}).get("dataset")) is not None:
            fields["dataset"] = dataset
        if (caller := state.get("caller")) is not None:
            fields |= {"caller": caller.name, "role": caller.role}
        if self._questions and "questions" in state:
            fields["questions"] = state["questions"]
        if timed is not None:
            fields["seconds"] = round(timed, 4)
        LOG.log(logging.ERROR if failed else logging.INFO, "request", extra={"fields": fields})


def unexpected_error() -> Problem:
    """The answer to a request that failed for an unexpected reason."""
    return Problem(
        500,
        "unexpected",
        "the server failed",
        "ask again: what was charged stays charged, and asking again is free; tell the custodian, who has the log",
    )
