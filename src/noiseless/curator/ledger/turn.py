"""A lock that lets one thread work at a time."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import TypeVar

T = TypeVar("T")


class Turn:
    """Lets threads take turns. A thread may take another turn within its own.

    Even if a turn fails, the next thread can go on.
    """

    def __init__(self) -> None:
        self._lock = RLock()

    def take(self, run: Callable[[], T]) -> T:
        """Run `run` while no other thread has a turn, and return its result."""
        nested = self._lock._is_owned()  # type: ignore[attr-defined]
        try:
            with self._lock:
                return run()
        finally:
            # an exception may come just as the lock is being released
            while not nested and self._lock._is_owned():  # type: ignore[attr-defined]
                self._lock.release()
