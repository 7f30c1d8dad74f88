"""A progress bar for one long statement, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic

from noiseless.privacy.pictures.progress import PATIENCE, draw


@contextmanager
def watched(percent: Callable[[], float] | None, what: str) -> Iterator[None]:
    """Draw the percentage while the statement runs, or the elapsed time if the database gives none."""
    if not sys.stderr.isatty():
        yield
        return
    done = Event()
    thread = Thread(target=_draw, args=(percent, what, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _draw(percent: Callable[[], float] | None, what: str, done: Event) -> None:
    started, shown = monotonic(), False
    while not done.wait(0.1):
        if monotonic() - started > PATIENCE:
            shown = True
            if percent is None:
                print(f"\r{what} … {monotonic() - started:.0f} s", end="", file=sys.stderr, flush=True)
            else:
                draw(what, min(max(percent(), 0.0), 100.0) / 100)
    if shown:
        if percent is not None:
            draw(what, 1.0)
        print(file=sys.stderr)
