"""What every command does with errors and with output for machines.

Exit codes: 0 done; 1 what was given cannot be accepted; 2 wrong use of the command; 3 the budget does not allow it, or
a certificate is unsigned; 4 a certificate or a ledger does not verify; 5 the database or the ledger failed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

INPUT, BUDGET, UNVERIFIED, FAILED = 1, 3, 4, 5
UNSIGNED = 3


@contextmanager
def plainly() -> Iterator[None]:
    """One line on standard error and an exit code in place of a traceback."""
    from noiseless.errors import BudgetExceededError, CertificateError, InputError, NoiselessError

    try:
        yield
    except NoiselessError as error:
        if isinstance(error, CertificateError):
            code = UNVERIFIED
        elif isinstance(error, BudgetExceededError):
            code = BUDGET
        else:
            code = INPUT if isinstance(error, InputError) else FAILED
        typer.echo(f"noiseless: {error}", err=True)
        raise typer.Exit(code) from None
    except OSError as error:
        typer.echo(f"noiseless: {error.filename or 'a file'}: {error.strerror or 'cannot be used'}", err=True)
        raise typer.Exit(INPUT) from None


def show(thing: Any) -> None:
    """On the terminal, with colours and bars where it has them."""
    from rich.console import Console

    Console().print(thing)


def show_json(fields: Any) -> None:
    """For machines: one JSON text; exact numbers as texts."""
    typer.echo(json.dumps(fields, ensure_ascii=False, default=str))
