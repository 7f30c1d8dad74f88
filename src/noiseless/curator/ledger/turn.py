"""One thread at a time."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import TypeVar

T = TypeVar("T")


class Turn:
    """Threads take turns; within its own a thread may take another. However a turn ends, it ends for the others too."""

    def __init__(self) -> None:
        self._lock = RLock()

    def take(self, run: Callable[[], T]) -> T:
        """What `run` returns, while no other thread has a turn."""
        nested = self._lock._is_owned()  # type: ignore[attr-defined]
        try:
            with self._lock:
                return run()
        finally:
            # an exception may come just where the lock would be let go
            while not nested and self._lock._is_owned():  # type: ignore[attr-defined]
                self._lock.release()
