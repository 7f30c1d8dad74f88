"""keys and verify: the custodian's signature, and everybody's check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noiseless.app.cli.asking import Json
from noiseless.app.cli.told import UNSIGNED, plainly, show_json
from noiseless.exact.plural import plural

if TYPE_CHECKING:
    from noiseless.curator.certificate.verify import Verified

keys = typer.Typer(help="The custodian's key, which signs certificates.", no_args_is_help=True)
MOST_OF_A_NAME = 1000
Place = Annotated[Path | None, typer.Option("--path", help="The file of the key; by default in your configuration.")]


@keys.command()
def new(path: Place = None) -> None:
    """Make a key. It stays with you; give the public key to those who verify."""
    from noiseless.curator.certificate.keys import PrivateKey, default_path

    with plainly():
        place = path or default_path()
        typer.echo(f"{PrivateKey.new(place).public}\nthe public key of {place}", err=False)


@keys.command()
def show(path: Place = None) -> None:
    """Print the public key."""
    from noiseless.curator.certificate.keys import PrivateKey, default_path

    with plainly():
        typer.echo(PrivateKey.read(path or default_path()).public)


@keys.command()
def rotate(path: Place = None) -> None:
    """A new key in the place of the old one, which is kept beside it."""
    from noiseless.curator.certificate.keys import PrivateKey, default_path

    with plainly():
        typer.echo(PrivateKey.rotate(path or default_path()).public)


def verify(
    certificate: Annotated[Path, typer.Argument(help="The file of the certificate.")],
    key: Annotated[str | None, typer.Option(help="The custodian's public key, or a file with it.")] = None,
    file: Annotated[Path | None, typer.Option(help="The released copy that the certificate is of.")] = None,
    unsigned: Annotated[bool, typer.Option("--unsigned", help="Accept a certificate that nobody signed.")] = False,
    as_json: Json = False,
) -> None:
    """Check a certificate: releases, counts, answer and signature. No access to data is needed.

    Without a signature the exit code is 3, unless --unsigned is given: anybody can write such a certificate.
    """
    from noiseless.curator.certificate.verify import verify as check

    with plainly():
        wanted = _key(key)
        found = check(certificate, wanted, file)
        if as_json:
            fields = {
                "whole": found.whole,
                "signed": found.signed,
                "signed_by": found.signed_by,
                "trusted": found.trusted,
            }
            show_json({"count": str(found.count), **fields})
        else:
            typer.echo("\n".join(_told(found)))
        if not found.signed and not (unsigned and found.whole):
            raise typer.Exit(UNSIGNED)


def _told(found: Verified) -> Iterator[str]:
    """What was found, for people; that nobody signed it comes first."""
    content = found.certificate.content
    if not found.signed:
        yield "unsigned: it agrees with itself, but anybody can write such a certificate; ask the custodian for one"
    yield str(content.get("question") or f"a released copy of {content['table']}")
    yield f"at most {plural(found.count, 'answer')} for one person: counted anew, and right"
    if not found.whole:
        yield "of format 1: only the counts of what it names were checked, not the answer or a file's values"
    if found.signed:
        yield f"signed by {found.signed_by}{'' if found.trusted else ' (give --key to say whom you trust)'}"


def _key(given: str | None) -> str | None:
    """The public key itself, or the first word of a file."""
    if given is None or len(given) > MOST_OF_A_NAME or not Path(given).is_file():
        return given
    words = Path(given).read_bytes().decode(errors="replace").split()
    return words[0] if words else ""
