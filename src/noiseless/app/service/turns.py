"""Callers take turns: each waits for at most one piece of work of every other caller, however much the others sent."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from contextvars import ContextVar

AHEAD = 2
"""Pieces of work that are handed on at once, so that the next one is there when the first is done."""
_caller: ContextVar[str] = ContextVar("_caller", default="")


def calls(name: str) -> None:
    """Record who sent this request, for the turns that it waits for."""
    _caller.set(name)


class Turns:
    """Decides who is next. One caller can take three quarters of the `most` places, so that others still get in."""

    def __init__(self, most: int) -> None:
        self._most, self._each, self._taken = most, most - most // 4, 0
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def full(self) -> bool:
        """Whether there is no place to wait, for anyone or for this caller."""
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
        """End the turn, and begin that of the next caller."""
        while self._waiting:
            name, own = self._waiting.popitem(last=False)
            turn = own.popleft()
            if own:
                self._waiting[name] = own
            if not turn.done():  # the request that waited for it is still there
                turn.set_result(None)
                return
        self._taken -= 1
