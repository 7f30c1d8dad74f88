"""`noiseless`: the commands, each a thin face of the library."""

from __future__ import annotations

from typing import Annotated

import typer

import noiseless

app = typer.Typer(
    name="noiseless",
    help="Exact privacy without randomness: true answers that carry an integer guarantee.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"noiseless {noiseless.__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Exact privacy without randomness: true answers that carry an integer guarantee."""


@app.command()
def demo() -> None:
    """A short tour: what one uncertain variable tells about another, and what a channel carries without error."""
    from noiseless.app.tour import tour

    tour()
