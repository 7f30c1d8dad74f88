"""keys and verify: the custodian signs, anyone checks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from noiseless.app.cli.asking import Json
from noiseless.app.cli.printing import UNSIGNED, plainly, show_json
from noiseless.exact.plural import plural

if TYPE_CHECKING:
    from noiseless.curator.certificate.verify import Verified

keys = typer.Typer(
    help="The custodian's key, which signs certificates, and the tokens of those who use a server.",
    no_args_is_help=True,
)
MOST_OF_A_NAME = 1000
Place = Annotated[
    Path | None, typer.Option("--path", help="The key file. Default: the one in your configuration folder.")
]


@keys.command()
def new(path: Place = None) -> None:
    """Make a key. Keep it secret, and give the public key to everyone who verifies."""
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
def rotate(
    schemas: Annotated[
        list[Path] | None, typer.Argument(help="The schema files of the datasets in whose ledgers it is recorded.")
    ] = None,
    path: Place = None,
) -> None:
    """Replace the key with a new one. The old one is kept beside it.

    In the ledgers of the datasets named, the old key vouches for the new one, so anyone who trusts the old one can
    trust the new one.
    """
    from noiseless.curator.certificate.keys import PrivateKey, default_path
    from noiseless.curator.curator import Curator

    with plainly():
        place = path or default_path()

        def record(following: Path) -> None:
            for schema in schemas or ():
                with Curator.open(schema, key=place) as curator:
                    for each in (curator, *curator.views.values()):
                        each.rotate_key(following)

        typer.echo(PrivateKey.rotate(place, record).public)


def verify(
    certificate: Annotated[Path, typer.Argument(help="The certificate, or the export of a ledger.")],
    key: Annotated[str | None, typer.Option(help="The custodian's public key, or a file that holds it.")] = None,
    file: Annotated[Path | None, typer.Option(help="The copy that the certificate describes.")] = None,
    unsigned: Annotated[bool, typer.Option("--unsigned", help="Accept a certificate without a signature.")] = False,
    ledger: Annotated[
        Path | None, typer.Option(help="An export of the ledger. It says which keys followed the one you trust.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a certificate: releases, counts, answer and signature; or a whole export. Needs no data.

    A certificate without a signature ends with exit code 3, because anyone can write one; --unsigned accepts it.
    """
    from noiseless.curator.certificate.exported import is_export, read_export
    from noiseless.curator.certificate.verify import verify as check

    with plainly():
        wanted = _key(key)
        if is_export(certificate):
            _verify_export(certificate, wanted, unsigned, as_json)
            return
        found = check(certificate, wanted, file, () if ledger is None else read_export(ledger).rotations)
        if as_json:
            fields = {
                "whole": found.whole,
                "unproved": found.unproved,
                "signed": found.signed,
                "signed_by": found.signed_by,
                "trusted": found.trusted,
            }
            show_json({"count": str(found.count), **fields})
        else:
            typer.echo("\n".join(_in_words(found)))
        if not found.signed and not (unsigned and found.whole):
            raise typer.Exit(UNSIGNED)


def _verify_export(file: Path, key: str | None, unsigned: bool, as_json: bool) -> None:
    from noiseless.curator.certificate.exported import read_export

    export = read_export(file)
    entries = export.verify(key)
    if as_json:
        numbers = {"entries": entries, "certificates": len(export.certificates), "uncertified": export.uncertified}
        show_json(numbers | {"signed_by": export.key, "trusted": key is not None})
    else:
        without = f"; {len(export.uncertified)} questions have none" if export.uncertified else ""
        typer.echo(f"{entries} entries and {len(export.certificates)} certificates, all intact{without}")
        trusted = "" if key else " (give --key to check whose key this is)"
        typer.echo(f"signed by {export.key}{trusted}" if export.key else "unsigned: its end may have been cut off")
    if not export.key and not unsigned:
        raise typer.Exit(UNSIGNED)


def _in_words(found: Verified) -> Iterator[str]:
    """The result in words. A missing signature comes first."""
    content = found.certificate.content
    if not found.signed:
        yield "unsigned: it is consistent, but anyone can write such a certificate; ask the custodian for a signed one"
    yield str(content.get("question") or f"a released copy of {content['table']}")
    yield f"at most {plural(found.count, 'answer')} for one person: recomputed, and correct"
    if found.unproved:
        yield f"{plural(found.unproved, 'number')} stated without a proof: only the signature vouches for that"
    elif not found.whole:
        yield "format 1: only the counts were checked, not the answer or the values of a file"
    if found.signed:
        yield f"signed by {found.signed_by}{'' if found.trusted else ' (give --key to check whose key this is)'}"


def _key(given: str | None) -> str | None:
    """The public key itself, or the first word of a file."""
    if given is None or len(given) > MOST_OF_A_NAME or not Path(given).is_file():
        return given
    words = Path(given).read_bytes().decode(errors="replace").split()
    return words[0] if words else ""
