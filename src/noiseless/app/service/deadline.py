"""A time limit for planning, in the thread that plans.

Planning reads public facts alone, so a limit reveals nothing. It ends with the first charge: after that the data are
read, and how long that takes may depend on them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from threading import Lock, get_ident
from time import monotonic
from typing import TypeVar

from noiseless.curator.ledger.before_reading import before_reading
from noiseless.errors import TimeLimitError

T = TypeVar("T")


class Late(BaseException):
    """Raised in a thread whose time is up."""


class Deadline:
    """How long a thread may plan. `check` is called from another thread, again and again, and interrupts it."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._lock = seconds, Lock()
        self._thread: int | None = None
        self._since = 0.0

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
            if self._thread is not None and monotonic() - self._since > self._seconds:
                _raise_in(self._thread, Late)

    def _stop(self) -> None:
        """Interrupt nothing from here on, and take back an interruption that is on its way."""
        while self._thread is not None:
            try:
                with self._lock:
                    _raise_in(get_ident(), None)
                    self._thread = None
            except Late:
                continue


def _raise_in(thread: int, what: type[BaseException] | None) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if what is None else ctypes.py_object(what))
