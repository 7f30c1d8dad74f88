"""keys and verify: the custodian's signature, and everybody's check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from noiseless.app.cli.asking import Json
from noiseless.app.cli.told import plainly, show_json

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
    as_json: Json = False,
) -> None:
    """Check a certificate: every count anew, and the signature. No access to data is needed."""
    from noiseless.curator.certificate.verify import verify as check

    with plainly():
        wanted = _key(key)
        found = check(certificate, wanted, file)
        content = found.certificate.content
        if as_json:
            show_json({"count": str(found.count), "signed_by": found.signed_by, "trusted": found.trusted})
            return
        of = content.get("question") or f"a released copy of {content['table']}"
        typer.echo(f"{of}\nat most {found.count} answers for one person: counted anew, and right")
        signed = f"signed by {found.signed_by}" if found.signed_by else "not signed"
        typer.echo(f"{signed}{'' if found.trusted or not found.signed_by else ' (give --key to say whom you trust)'}")


def _key(given: str | None) -> str | None:
    """The public key itself, or the first word of a file."""
    if given is None or len(given) > MOST_OF_A_NAME or not Path(given).is_file():
        return given
    words = Path(given).read_bytes().decode(errors="replace").split()
    return words[0] if words else ""
