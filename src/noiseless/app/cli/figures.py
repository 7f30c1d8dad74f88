"""figures: every figure of the papers, beside the correct result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noiseless.app.cli.microdata import listed
from noiseless.app.cli.printing import plainly, show


def figures(
    out: Annotated[Path, typer.Option(help="The folder to write to. It is created if needed.")] = Path("figures"),
    only: Annotated[list[str] | None, typer.Option(help="Only these figures, such as nht8,np3.")] = None,
    data: Annotated[Path | None, typer.Option(help="The folder with the real data sets.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Use small synthetic data: takes under a minute.")] = False,
    names: Annotated[bool, typer.Option("--list", help="List the figures.")] = False,
) -> None:
    """Draw every figure of the papers as png and svg, and write its numbers as csv."""
    from rich.table import Table

    with plainly():
        if names:
            from noiseless.lab.figures.catalogue import FIGURES

            table = Table("name", "figure", "shows")
            for figure in FIGURES.values():
                table.add_row(figure.name, figure.paper, figure.title)
        else:
            from noiseless.lab.figures.write import figures as make

            table = Table("name", "files", "data", "seconds")
            wanted = [name for each in only for name in listed(each)] if only else None
            for made in make(out, wanted, data, quick):
                kinds = ", ".join(file.suffix.removeprefix(".") for file in made.files)
                table.add_row(made.name, kinds, made.data, f"{made.seconds:.1f}")
            table.caption = f"in {out}"
        show(table)
