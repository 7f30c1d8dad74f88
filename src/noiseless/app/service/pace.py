"""Answers at fixed intervals, against those who measure how long an answer takes."""

from __future__ import annotations

import asyncio
from math import ceil
from time import monotonic

from starlette.types import ASGIApp, Message, Receive, Scope, Send

AT_ONCE = ("/health", "/ready", "/docs", "/openapi.json", "/console/static/")
"""Paths that never wait for an answer. All others may, even a preview or a page: for an answer to somebody else."""


class Pace:
    """Holds every response back until a multiple of the interval has passed since its request arrived."""

    def __init__(self, app: ASGIApp, interval: float) -> None:
        self._app, self._interval = app, interval

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and its response in time."""
        if scope["type"] != "http" or scope["path"].startswith(AT_ONCE):
            return await self._app(scope, receive, send)
        arrived = monotonic()

        async def later(message: Message) -> None:
            if message["type"] == "http.response.start":
                await asyncio.sleep(wait(monotonic() - arrived, self._interval))
            await send(message)

        return await self._app(scope, receive, later)


def wait(passed: float, interval: float) -> float:
    """The seconds until the next multiple of the interval, for the seconds that have passed.

    >>> wait(0.5, 2.0), wait(2.0, 2.0), wait(3.0, 2.0)
    (1.5, 0.0, 1.0)
    """
    return max(1, ceil(passed / interval)) * interval - passed
