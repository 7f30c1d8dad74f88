"""Who a person is: from the options, or asked on the terminal."""

from __future__ import annotations

import sys
from typing import Any

import typer

from noiseless.app.cli.template import Unit, Whose
from noiseless.app.guesses import orders, people_keys
from noiseless.app.names import shown_name
from noiseless.curator.schema.schema import MOST_ROWS
from noiseless.errors import SchemaError

NOBODY = "none"
"""The value of --unit if each row is a different person."""


def whose_rows(columns: dict[str, Any], unit: str | None, rows: int | None, order_by: str | None) -> Whose:
    """Who a person is, from the options if any is given. Otherwise ask, if there is a terminal."""
    if unit is None and rows is None and order_by is None:
        return _asked(columns) if _somebody_is_there() else "not said"
    if unit == NOBODY and rows is None and order_by is None:
        return "each row"
    if unit is None or unit == NOBODY or rows is None or order_by is None:
        raise SchemaError(
            "--unit COLUMN, --rows and --order-by belong together: the column that identifies a person, the most rows "
            "kept for one person, and the public column that orders them; give all three, or --unit none if each row "
            "is a different person"
        )
    for option, name in (("--unit", unit), ("--order-by", order_by)):
        if name not in columns:
            raise SchemaError(f"{option} {name!r} is not a column of the table; name one of its columns")
    if unit == order_by:
        raise SchemaError("--unit and --order-by must be different columns; change one of them")
    if not 1 <= rows <= MOST_ROWS:
        raise SchemaError(f"--rows {rows} is out of range; give a number from 1 to {MOST_ROWS}")
    return Unit(unit, rows, order_by)


def _somebody_is_there() -> bool:
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):  # no terminal, or it was closed
        return False


def _asked(columns: dict[str, Any]) -> Whose:
    keys, places = people_keys(columns), orders(columns)
    typer.echo("Who is a person? The promise holds for each person and all of their rows.")
    typer.echo(f"  {NOBODY}: each row is a different person")
    for name in keys:
        typer.echo(f"  {shown_name(name)}: all rows with the same {shown_name(name)} are one person")
    typer.echo("  or the name of another column")
    unit = _column("Person", columns, [NOBODY])
    if unit == NOBODY:
        return "each row"
    rows = 0
    while not 1 <= rows <= MOST_ROWS:
        rows = typer.prompt(f"The most rows kept for one person (1 to {MOST_ROWS})", type=int)
    likely = ", ".join(shown_name(name) for name in places if name != unit)
    typer.echo("Which public column orders the rows of a person? It must be different in every row of a person.")
    others = {name: given for name, given in columns.items() if name != unit}
    return Unit(unit, rows, _column(f"Order (such as {likely})" if likely else "Order", others, []))


def _column(question: str, columns: dict[str, Any], others: list[str]) -> str:
    """Ask until the reply is the name of a column."""
    while True:
        name = str(typer.prompt(question)).strip()
        if name in columns or name in others:
            return name
        typer.echo("This column cannot be chosen here. Try another name.")
