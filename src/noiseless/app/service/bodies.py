"""The body of a request arrives whole, in time and within its limit, before anything else is done with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noiseless.app.service.problems import Problem

LINGER = 1 << 25
"""If a body is too large, this many more bytes of it are read and thrown away. If the connection were closed at once,
the sender, such as a proxy, would fail before it reads the reason."""


class WholeBody:
    """Reads bodies, and refuses those that are too large or too slow."""

    def __init__(self, app: ASGIApp, most: int, seconds: float, upload: Callable[[Scope], Awaitable[int]]) -> None:
        self._app, self._most, self._seconds, self._upload = app, most, seconds, upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its body."""
        headers = dict(scope.get("headers", ()))
        if scope["type"] != "http" or not {b"content-length", b"transfer-encoding"} & set(headers):
            return await self._app(scope, receive, send)
        if {b"content-length", b"transfer-encoding"} <= set(headers):  # a proxy might see the end elsewhere
            rule = "the headers Content-Length and Transfer-Encoding both say where the body ends"
            closed = {"Connection": "close"}
            return await Problem(400, "malformed", rule, "send one of them", closed).response()(scope, receive, send)
        try:
            most = max(self._most, await self._upload(scope))
            whole = await self._read(headers, receive, most)
        except Problem as problem:
            return await problem.response()(scope, receive, send)
        given = iter([whole])

        async def body() -> Message:
            return next(given, None) or await receive()

        return await self._app(scope, body, send)

    async def _read(self, headers: dict[bytes, bytes], receive: Receive, most: int) -> Message:
        said = int(given) if (given := headers.get(b"content-length", b"0")).isdigit() else 0
        if said > most + LINGER or (said > most and b"expect" in headers):
            raise self._large_error(most)
        parts, size, more = [], 0, True
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                while more and size <= most + LINGER:
                    message = await receive()
                    if message["type"] != "http.request":
                        return message
                    parts.append(message.get("body", b""))
                    size, more = size + len(parts[-1]), message.get("more_body", False)
                    if size > most:
                        parts.clear()
        if max(size, said) > most:
            raise self._large_error(most)
        if more:
            raise self._slow_error()
        return {"type": "http.request", "body": b"".join(parts), "more_body": False}

    def _large_error(self, most: int) -> Problem:
        return Problem(
            413,
            "too-large",
            f"the request has more than {most} bytes",
            "ask in parts, or have the custodian raise largest_body in [service], or largest_upload for files",
            headers={"Connection": "close"},
        )

    def _slow_error(self) -> Problem:
        return Problem(
            408,
            "too-slow",
            f"the request did not arrive within {self._seconds:g} seconds",
            "send it again",
            headers={"Connection": "close"},
        )
