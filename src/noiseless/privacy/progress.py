"""A progress bar for long work, on a terminal only, in plain text."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

WIDTH = 30
PATIENCE = 0.5
"""Seconds before anything is shown."""


def draw(what: str, share: float) -> None:
    """The bar, over whatever stood in its line before."""
    done = int(share * WIDTH)
    print(f"\r{what} [{'█' * done}{'·' * (WIDTH - done)}]", end="", file=sys.stderr, flush=True)


def progress(steps: Sequence[T], what: str) -> Iterator[T]:
    """The steps one by one, with a bar on standard error once they take longer than half a second."""
    started, shown = monotonic(), False
    for number, step in enumerate(steps):
        yield step
        if sys.stderr.isatty() and monotonic() - started > PATIENCE:
            draw(what, (number + 1) / len(steps))
            shown = True
    if shown:
        print(file=sys.stderr)
