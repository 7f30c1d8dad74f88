"""How far one long statement is: a bar on a terminal, or reports to a program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from threading import Event, Thread
from time import monotonic

from noiseless.privacy.pictures.progress import PATIENCE, draw

OFTEN = 0.1
"""Seconds between two looks at the progress."""
Report = Callable[[float], None]
"""A function that is given the share that is done."""
_reporting: ContextVar[Report | None] = ContextVar("_reporting", default=None)


@contextmanager
def reporting(report: Report) -> Iterator[None]:
    """Call `report` ten times a second with the share that is done of a long statement in this block."""
    before = _reporting.set(report)
    try:
        yield
    finally:
        _reporting.reset(before)


@contextmanager
def watched(percent: Callable[[], float] | None, what: str) -> Iterator[None]:
    """Report the share, or draw it on a terminal; or the elapsed time if the database gives none."""
    report = _reporting.get()
    if report is None and not sys.stderr.isatty():
        yield
        return
    done = Event()
    watch = partial(_draw, percent, what, done) if report is None else partial(_report, percent, report, done)
    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _report(percent: Callable[[], float] | None, report: Report, done: Event) -> None:
    while not done.wait(OFTEN):
        report(0.0 if percent is None else _share(percent))


def _share(percent: Callable[[], float]) -> float:
    return min(max(percent(), 0.0), 100.0) / 100


def _draw(percent: Callable[[], float] | None, what: str, done: Event) -> None:
    started, shown = monotonic(), False
    while not done.wait(OFTEN):
        if monotonic() - started > PATIENCE:
            shown = True
            if percent is None:
                print(f"\r{what} … {monotonic() - started:.0f} s", end="", file=sys.stderr, flush=True)
            else:
                draw(what, _share(percent))
    if shown:
        if percent is not None:
            draw(what, 1.0)
        print(file=sys.stderr)
