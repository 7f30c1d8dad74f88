"""custody: what waits for the custodian, and what the custodian decides about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noiseless.app.cli.asking import Analyst, Json, Key, Schema, curator_of
from noiseless.app.cli.printing import show, show_json

if TYPE_CHECKING:
    from noiseless import Curator

custody = typer.Typer(
    help="Questions on hold, requests for more bits, a freeze: list them and decide.", no_args_is_help=True
)
Number = Annotated[int, typer.Argument(help="The number of the hold or request, as `noiseless custody list` shows it.")]
Reason = Annotated[str, typer.Argument(help="The reason. It is kept in the ledger, and the asker sees it.")]
By = Annotated[str | None, typer.Option(help="Who decides. Default: your user name.")]
View = Annotated[str | None, typer.Option(help="The view to use instead of the table itself.")]


@contextmanager
def _opened(schema: Path, who: str | None, view: str | None, key: Path | None = None) -> Iterator[Curator]:
    from noiseless.errors import QuestionError

    with curator_of(schema, who, key) as curator:
        if view is None:
            yield curator
        elif view in curator.views:
            yield curator.views[view]
        else:
            raise QuestionError(f"{view!r} is not a view; the views are {', '.join(curator.views) or 'none'}")


@custody.command("list")
def listed(schema: Schema, view: View = None, as_json: Json = False) -> None:
    """List the questions on hold and the requests, and say whether the dataset is frozen."""
    from rich.text import Text

    with _opened(schema, None, view) as curator:
        holds, requests, frozen = curator.holds(), curator.requests(), curator.frozen
        if as_json:
            show_json({"frozen": frozen, "holds": list(map(asdict, holds)), "requests": list(map(asdict, requests))})
            return
        for each in (*holds, *requests):
            show(Text(repr(each)))
        if frozen:
            typer.echo("the dataset is frozen")
        elif not holds and not requests:
            typer.echo("nothing is waiting")


@custody.command()
def approve(schema: Schema, number: Number, by: By = None, view: View = None) -> None:
    """Allow a question on hold. Its asker can then ask it again."""
    with _opened(schema, by, view) as curator:
        curator.approve(number)
        typer.echo(f"approved hold {number}")


@custody.command()
def refuse(schema: Schema, number: Number, reason: Reason, by: By = None, view: View = None) -> None:
    """Refuse a question on hold, or a request. The bits it reserved can be spent again."""
    with _opened(schema, by, view) as curator:
        curator.refuse(number, reason)
        typer.echo(f"refused {number}")


@custody.command()
def withdraw(schema: Schema, number: Number, analyst: Analyst = None, view: View = None) -> None:
    """Withdraw your own question on hold, or request. The bits it reserved can be spent again."""
    with _opened(schema, analyst, view) as curator:
        curator.withdraw(number)
        typer.echo(f"withdrew {number}")


@custody.command()
def collect(schema: Schema, number: Number, analyst: Analyst = None, key: Key = None, view: View = None) -> None:
    """Ask your approved question, on the terms you first asked it with."""
    with _opened(schema, analyst, view, key) as curator:
        show(curator.collect(number))


@custody.command()
def request(
    schema: Schema,
    bits: Annotated[str, typer.Argument(help="How many more bits.")],
    reason: Reason,
    budget: Annotated[bool, typer.Option("--budget", help="Ask for a larger budget for everybody.")] = False,
    analyst: Analyst = None,
    view: View = None,
) -> None:
    """Ask the custodian for more bits."""
    with _opened(schema, analyst, view) as curator:
        typer.echo(f"request {curator.request(bits, reason, 'budget' if budget else 'quota')}")


@custody.command()
def grant(
    schema: Schema,
    number: Number,
    bits: Annotated[str | None, typer.Option(help="Grant this many bits instead of those requested.")] = None,
    by: By = None,
    view: View = None,
) -> None:
    """Grant a request. A larger budget promises less to everybody in the table."""
    with _opened(schema, by, view) as curator:
        curator.grant(number, bits)
        typer.echo(f"granted request {number}")


@custody.command()
def freeze(schema: Schema, reason: Reason, by: By = None) -> None:
    """Freeze a dataset: until it is unfrozen, every process answers only what costs nothing."""
    with curator_of(schema, by) as curator:
        for each in (curator, *curator.views.values()):
            if not each.frozen:
                each.freeze(reason)
        typer.echo("frozen")


@custody.command()
def unfreeze(schema: Schema, by: By = None) -> None:
    """Unfreeze a dataset: all questions are answered again."""
    with curator_of(schema, by) as curator:
        for each in (curator, *curator.views.values()):
            if each.frozen:
                each.unfreeze()
        typer.echo("unfrozen")


def export(
    schema: Schema,
    to: Annotated[Path, typer.Argument(help="The file to write.")],
    key: Key = None,
    view: View = None,
    as_json: Json = False,
) -> None:
    """Write the ledger and all certificates into one file, which `noiseless verify` checks without the data."""
    with _opened(schema, None, view, key) as curator:
        made = curator.export(to)
        numbers = {"entries": len(made.entries), "certificates": len(made.certificates)}
        if as_json:
            show_json(numbers | {"to": str(to), "uncertified": made.uncertified, "signed": bool(made.key)})
        else:
            typer.echo(f"wrote {numbers['entries']} entries and {numbers['certificates']} certificates to {to}")
