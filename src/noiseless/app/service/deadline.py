"""A time limit for planning, in the thread that plans.

Planning reads public facts alone, so a limit reveals nothing. The limit ends with the first charge: after that, the
data are read, and how long that takes may depend on them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from threading import Lock, get_ident
from time import monotonic, sleep
from typing import TypeVar

from noiseless.curator.ledger.before_reading import before_reading
from noiseless.errors import TimeLimitError

T = TypeVar("T")


class Late(BaseException):
    """Raised in a thread whose time is up."""


class Deadline:
    """How long a thread may plan. `check` is called from another thread, again and again, and interrupts it once."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._lock = seconds, Lock()
        self._thread: int | None = None
        self._since, self._interrupted = 0.0, False

    def began(self, otherwise: float) -> float:
        """When the work began, or `otherwise` if it did not begin yet."""
        return self._since or otherwise

    def run(self, work: Callable[[], T]) -> T:
        """The result of `work`, which is interrupted if it plans for too long."""
        self._since, self._thread = monotonic(), get_ident()
        try:
            with before_reading(self._stop):
                try:
                    return work()
                finally:
                    self._stop()
        except Late:
            self._stop()
        raise TimeLimitError(
            f"the question took more than {self._seconds:g} seconds to plan; nothing was charged: ask a simpler "
            f"question, or ask its parts one by one"
        )

    def check(self) -> None:
        """Interrupt the work if its time is up."""
        with self._lock:
            if self._thread is None or self._interrupted or monotonic() - self._since <= self._seconds:
                return
            self._interrupted = True
            _raise_in(self._thread)

    def _stop(self) -> None:
        """Stop interrupting, and wait for an interruption that may be on its way.

        Taking an interruption back would leave Python's flag for it set, and Python would check for it at every step.
        """
        while self._thread is not None:
            try:
                with self._lock:
                    if not self._interrupted:
                        self._thread = None
                        return
                _raise_in(get_ident())  # in place of the one that may be on its way
                while True:
                    sleep(0)
            except Late:
                self._thread = None


def _raise_in(thread: int) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Late))
