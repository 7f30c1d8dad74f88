"""The body of a request arrives whole, in time and within its limit, before anything else is done with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noiseless.app.service.problems import Problem


class WholeBody:
    """Reads bodies, and refuses those that are too large or too slow."""

    def __init__(self, app: ASGIApp, most: int, seconds: float, upload: Callable[[Scope], Awaitable[int]]) -> None:
        self._app, self._most, self._seconds, self._upload = app, most, seconds, upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its body."""
        headers = dict(scope.get("headers", ()))
        if scope["type"] != "http" or not {b"content-length", b"transfer-encoding"} & set(headers):
            return await self._app(scope, receive, send)
        try:
            most = max(self._most, await self._upload(scope))
            whole = await asyncio.wait_for(self._read(headers, receive, most), self._seconds)
        except Problem as problem:
            return await problem.response()(scope, receive, send)
        except TimeoutError:
            return await self._slow_error().response()(scope, receive, send)
        given = iter([whole])

        async def body() -> Message:
            return next(given, None) or await receive()

        return await self._app(scope, body, send)

    async def _read(self, headers: dict[bytes, bytes], receive: Receive, most: int) -> Message:
        if (said := headers.get(b"content-length", b"0")).isdigit() and int(said) > most:
            raise self._large_error(most)
        parts, size, more = [], 0, True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return message
            parts.append(message.get("body", b""))
            size, more = size + len(parts[-1]), message.get("more_body", False)
            if size > most:
                raise self._large_error(most)
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
