"""`noiseless`: the commands, each a thin layer over the library."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.models import CommandInfo

import noiseless
from noiseless.app import granting, mocking, serving
from noiseless.app.cli import asking, attacking, certificates, custodian, custody, figures, microdata, publishing
from noiseless.app.cli.printing import any_terminal, keep_imports, plainly

OBJECTS = 200_000


class Commands(typer.Typer):
    """The commands, safe on any terminal."""

    def __call__(self, args: Sequence[str] | None = None, **kwargs: Any) -> Any:
        """Run the command that the arguments name. The default is the arguments of the process.

        Imports create many lasting objects, so the garbage collector runs less often, and skips them.
        """
        gc.set_threshold(OBJECTS, 20, 100)
        keep_imports()
        any_terminal()
        whole = self.registered_commands
        words = sys.argv[1:] if args is None else args
        named = next((word for word in words if not word.startswith("-")), "")
        self.registered_commands = [each if _name(each) == named else _listed(each) for each in whole]
        try:
            return super().__call__(args, **kwargs)
        finally:
            self.registered_commands = whole


def _name(command: CommandInfo) -> str:
    return command.name or str(getattr(command.callback, "__name__", ""))


def _listed(command: CommandInfo) -> CommandInfo:
    """A command with only its help, for the list of commands: reading all signatures takes Typer a long time."""

    def unread() -> None:
        pass

    unread.__name__, unread.__doc__ = _name(command), command.callback.__doc__
    return CommandInfo(name=command.name, cls=command.cls, callback=unread)


app = Commands(
    name="noiseless",
    help="Exact privacy without randomness: true answers, each with an integer guarantee.\n\n"
    "Exit codes: 0 done, 1 input refused, 2 wrong usage, 3 budget exceeded, 4 not verified, 5 database or ledger "
    "failed.",
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
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Exact privacy without randomness: true answers, each with an integer guarantee."""


for command in (custodian.init, custodian.check, custodian.plan, asking.preview, asking.ask, asking.batch):
    app.command()(command)
app.command()(asking.deduce)
app.command()(asking.refine)
app.command()(custodian.ledger)
app.command()(custodian.status)
app.command()(custodian.backup)
app.command()(microdata.release)
app.command()(publishing.publish)
app.command()(microdata.audit)
app.command()(attacking.attack)
app.command()(figures.figures)
app.command()(mocking.mock)
app.command()(serving.serve)
certificates.keys.command()(granting.add)
certificates.keys.command("list")(granting.list_)
certificates.keys.command()(granting.revoke)
app.add_typer(certificates.keys, name="keys")
app.add_typer(custody.custody, name="custody")
app.command()(custody.export)
app.command()(certificates.verify)


@app.command()
def demo(
    people: Annotated[int, typer.Option(help="The number of synthetic people.", min=1000)] = 1_000_000,
    out: Annotated[Path | None, typer.Option(help="The folder for the files. Default: a temporary one.")] = None,
) -> None:
    """Ask five questions about a million synthetic people; compare answers with the truth; verify; write a report."""
    from noiseless.app.demo import run

    with plainly():
        run(people, out)


@app.command()
def tour() -> None:
    """Show the theory in five examples: a mean, dice, a smart meter, the pentagon, a noisy typewriter."""
    from noiseless.app.tour import tour as show

    show()
