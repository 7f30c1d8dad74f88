"""A time limit for the head of a request, so that silent connections do not stay open."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from noiseless.app.service.problems import MEDIA, Problem

PATIENCE = 10.0
"""Seconds for the head of a request to arrive."""


class Punctual(H11Protocol):
    """The protocol of uvicorn, with a time limit for the head of a request."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head."""
        super().connection_made(transport)
        send_at_once(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait until the head is complete. The time for the next head begins with its first bytes."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._late is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP in the same form as everything else."""
        problem = Problem(400, "malformed", "the request is not valid HTTP", "send it with a client for HTTP/1.1")
        headers = [(b"content-type", MEDIA.encode()), (b"connection", b"close")]
        said = (h11.Response(status_code=400, headers=headers), h11.Data(data=json.dumps(problem.fields()).encode()))
        for event in (*said, h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait(self) -> None:
        self._late = self.loop.call_later(PATIENCE, self.transport.close)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def send_at_once(transport: asyncio.BaseTransport) -> None:
    """Have the body of a response follow its head without waiting for the client's acknowledgement, up to 40 ms later.

    asyncio does so by itself only for sockets that name their protocol, and those that worker processes share do not.
    """
    with suppress(OSError, AttributeError):  # not TCP, or not a socket
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
