"""How every command prints errors and output.

Exit codes: 0 done; 1 the input is refused; 2 wrong usage of the command; 3 the budget or the custodian does not allow
it, or a certificate is unsigned; 4 a certificate or a ledger does not verify; 5 the database or the ledger failed.
"""

from __future__ import annotations

import codecs
import gc
import io
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from noiseless.exact.readable import in_ascii

INPUT, BUDGET, UNVERIFIED, FAILED = 1, 3, 4, 5
UNSIGNED = 3
OPTIONS = (
    *("bits", "error", "max_bits", "stable", "analyst", "key", "new"),
    *("table", "sort", "intervals", "constant", "columns"),
)
"""Arguments of the library that are options of the same name here."""


@contextmanager
def plainly(*also: str) -> Iterator[None]:
    """On an error, print one line instead of a traceback, and exit with a code. `also` names further options."""
    from noiseless.errors import (
        BudgetExceededError,
        CertificateError,
        FrozenError,
        HeldError,
        InputError,
        NoiselessError,
    )

    try:
        yield
    except NoiselessError as error:
        if isinstance(error, CertificateError):
            code = UNVERIFIED
        elif isinstance(error, (BudgetExceededError, HeldError, FrozenError)):
            code = BUDGET
        else:
            code = INPUT if isinstance(error, InputError) else FAILED
        typer.echo(f"noiseless: {as_options(str(error), *also)}", err=True)
        raise typer.Exit(code) from None
    except OSError as error:
        typer.echo(
            f"noiseless: {error.filename or 'a file'}: {error.strerror or 'cannot be used'}; check the path", err=True
        )
        raise typer.Exit(INPUT) from None


def as_options(message: str, *also: str) -> str:
    """A message with the options of the command line in place of the library's arguments.

    >>> as_options("give bits= (what it may cost) or error=0.5; confirm with new=True")
    'give --bits (what it may cost) or --error 0.5; confirm with --new'
    """

    def option(found: re.Match[str]) -> str:
        name = f"--{found[1].replace('_', '-')}"
        return name if found[2] in ("", "True") else f"{name} {found[2]}"

    return re.sub(rf"(?<![\w-])({'|'.join((*OPTIONS, *also))})=([\w.'/-]*(?<![.]))", option, message)


def check_place(path: Path | None, option: str) -> None:
    """Refuse a file that cannot be written, before anything is charged."""
    from noiseless.curator.schema.plain import why_no_path
    from noiseless.errors import SourceError

    if path is None:
        return
    if wrong := why_no_path(path):
        raise SourceError(f"{option} {wrong}; name another file")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise SourceError(
            f"{option} {str(path)!r} is a folder, or its folder does not exist; name a file in an existing folder"
        )


def show(thing: Any) -> None:
    """Print to the terminal, with colours and bars if the terminal has them."""
    from rich.console import Console

    Console().print(thing)


def show_json(fields: Any) -> None:
    """Print one JSON text, with exact numbers as texts; only ASCII if the output is not UTF-8."""
    utf_8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    typer.echo(json.dumps(fields, ensure_ascii=not utf_8, default=str))


def keep_imports() -> None:
    """Keep what was imported so far out of garbage collection, except DuckDB: its objects must be freed at the end."""
    if "duckdb" not in sys.modules:
        gc.freeze()


def any_terminal() -> None:
    """Replace or escape characters that a terminal cannot show, so that printing never fails."""
    codecs.register_error("in ASCII", in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="in ASCII")
