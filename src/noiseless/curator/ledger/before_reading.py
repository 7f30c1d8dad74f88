"""The moment at which planning ends, for callers that limit how long it may take.

Planning reads public facts alone. From the first charge on, how long anything takes may depend on private data, so no
limit may apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_run: ContextVar[Callable[[], None] | None] = ContextVar("_run", default=None)


@contextmanager
def before_reading(run: Callable[[], None]) -> Iterator[None]:
    """Have `run` called before anything is charged or read within."""
    before = _run.set(run)
    try:
        yield
    finally:
        _run.reset(before)


def planning_ends() -> None:
    """Say that from here on something may be charged or read."""
    if (run := _run.get()) is not None:
        run()
