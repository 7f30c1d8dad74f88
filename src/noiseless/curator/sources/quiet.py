"""What a database says when it fails may quote data, so it is not passed on, not even as the cause."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from noiseless.errors import NoiselessError

T = TypeVar("T")
INTERRUPTED = "Query interrupted"
"""What DuckDB makes of Ctrl-C, which is not a failure of the database."""


def quietly(run: Callable[[], T], otherwise: Callable[[], NoiselessError]) -> T:
    """The result, or an error of our own that keeps nothing of the database's.

    The new error is raised after the old one was let go, so that neither cause nor context leads back to it.
    """
    stopped = False
    try:
        return run()
    except NoiselessError:
        raise
    except Exception as error:  # whatever it was, it stays here
        stopped = isinstance(error, RuntimeError) and str(error) == INTERRUPTED
    if stopped:
        raise KeyboardInterrupt
    raise otherwise()
