"""A database's error message may quote data, so it is never passed on, not even as the cause."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from noiseless.errors import NoiselessError

T = TypeVar("T")
INTERRUPTED = "Query interrupted"
"""DuckDB's message after Ctrl-C, which is not a failure of the database."""


def quietly(run: Callable[[], T], otherwise: Callable[[], NoiselessError]) -> T:
    """The result, or a new error that keeps nothing from the database's error.

    It is raised after the old error is gone, so neither its cause nor its context refers to it.
    """
    stopped = False
    try:
        return run()
    except NoiselessError:
        raise
    except Exception as error:  # any error is dropped here
        stopped = isinstance(error, RuntimeError) and str(error) == INTERRUPTED
    if stopped:
        raise KeyboardInterrupt
    raise otherwise()
