"""A thread that does one thing after another, each within a time limit for planning."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

from noiseless.app.service.deadline import Deadline
from noiseless.app.service.problems import Problem
from noiseless.app.service.turns import Turns

T = TypeVar("T")
OFTEN = 0.2
"""Seconds between two checks of how long some work has taken."""


@dataclass(slots=True)
class Waited:
    """The seconds that a request has waited for others, whose work may have read private data."""

    seconds: float = 0.0


_waited: ContextVar[Waited | None] = ContextVar("_waited", default=None)


def waiting() -> Waited:
    """Start to measure how long this request waits for others."""
    _waited.set(found := Waited())
    return found


class Lane:
    """A thread, and those who wait for it."""

    def __init__(self, name: str, seconds: float, waiting: int) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._seconds, self._most, self._turns = seconds, waiting, Turns(waiting)

    async def run(self, work: Callable[[], T], seconds: float | None = None) -> T:
        """The result of `work`. Others wait meanwhile; if too many wait, it is refused at once."""
        if self._turns.full:
            raise Problem(503, "busy", f"more than {self._most} requests wait", "try again in a moment")
        deadline, came = Deadline(seconds or self._seconds), monotonic()
        await self._turns.take()
        try:
            running = asyncio.get_running_loop().run_in_executor(self._thread, lambda: deadline.run(work))
            while not running.done():
                await asyncio.wait([running], timeout=OFTEN)
                deadline.check()
            return running.result()
        finally:
            self._turns.give_back()
            if (waited := _waited.get()) is not None:
                waited.seconds += deadline.began(came) - came

    async def close(self, work: Callable[[], None] = lambda: None) -> None:
        """Finish what is being done, then `work`, and end."""
        await asyncio.get_running_loop().run_in_executor(self._thread, work)
        self._thread.shutdown()
