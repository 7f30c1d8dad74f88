"""A thread that does one thing after another, each within a time limit for planning."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from noiseless.app.service.deadline import Deadline
from noiseless.app.service.problems import Problem

T = TypeVar("T")
OFTEN = 0.2
"""Seconds between two looks at how long some work has been going on."""


class Lane:
    """A thread, and those who wait for it."""

    def __init__(self, name: str, seconds: float, waiting: int) -> None:
        self._thread = ThreadPoolExecutor(1, name)
        self._seconds, self._most, self._waiting = seconds, waiting, 0

    async def run(self, work: Callable[[], T], seconds: float | None = None) -> T:
        """The result of `work`. Others wait meanwhile; if too many wait, it is refused at once."""
        if self._waiting >= self._most:
            raise Problem(503, "busy", f"more than {self._most} requests wait", "try again in a moment")
        deadline = Deadline(seconds or self._seconds)
        self._waiting += 1
        try:
            running = asyncio.get_running_loop().run_in_executor(self._thread, lambda: deadline.run(work))
            while not running.done():
                await asyncio.wait([running], timeout=OFTEN)
                deadline.check()
            return running.result()
        finally:
            self._waiting -= 1

    async def close(self, work: Callable[[], None] = lambda: None) -> None:
        """Finish what is being done, then `work`, and end."""
        await asyncio.get_running_loop().run_in_executor(self._thread, work)
        self._thread.shutdown()
