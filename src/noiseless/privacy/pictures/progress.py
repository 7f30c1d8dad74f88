"""A progress bar for long work, on a terminal only, in plain text."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

WIDTH = 30
PATIENCE = 0.5
"""Seconds before anything is shown."""
_silent = ContextVar("_silent", default=False)


@contextmanager
def without_bars() -> Iterator[None]:
    """Show no bars inside this context, because the work around it already shows one."""
    before = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(before)


def draw(what: str, share: float) -> None:
    """Draw the bar over its previous state."""
    done = int(share * WIDTH)
    print(f"\r{what} [{'█' * done}{'·' * (WIDTH - done)}]", end="", file=sys.stderr, flush=True)


def progress(steps: Sequence[T], what: str) -> Iterator[T]:
    """The steps one by one, with a bar on standard error once they take longer than half a second."""
    started, shown = monotonic(), False
    for number, step in enumerate(steps):
        yield step
        if not _silent.get() and sys.stderr.isatty() and monotonic() - started > PATIENCE:
            draw(what, (number + 1) / len(steps))
            shown = True
    if shown:
        print(file=sys.stderr)
