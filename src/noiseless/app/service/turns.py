"""Turns of callers: each waits for one piece of work of every other caller, however much the others sent."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from contextvars import ContextVar

AHEAD = 2
"""Pieces of work that are handed on at once, so that the next one is there when the first is done."""
_caller: ContextVar[str] = ContextVar("_caller", default="")


def calls(name: str) -> None:
    """From here on, this request is somebody's."""
    _caller.set(name)


class Turns:
    """Who goes next. Of `most` that wait, a single caller can be three quarters, so that others still get in."""

    def __init__(self, most: int) -> None:
        self._most, self._each, self._taken = most, most - most // 4, 0
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def full(self) -> bool:
        """Whether nobody else may wait, or not this caller."""
        waiting = sum(map(len, self._waiting.values())) + self._taken
        return waiting >= self._most or len(self._waiting.get(_caller.get(), ())) >= self._each

    async def take(self) -> None:
        """Wait for a turn. It must be given back."""
        if self._taken < AHEAD:
            self._taken += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(_caller.get(), deque()).append(turn)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self.give_back()
            raise

    def give_back(self) -> None:
        """The next caller's turn."""
        while self._waiting:
            name, own = self._waiting.popitem(last=False)
            turn = own.popleft()
            if own:
                self._waiting[name] = own
            if not turn.done():  # whoever waited for it is still there
                turn.set_result(None)
                return
        self._taken -= 1
