"""preview, ask, batch, refine: for whoever has a question."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noiseless.app.cli.told import check_place, plainly, show, show_json

if TYPE_CHECKING:
    from noiseless import Answer, Curator

Schema = Annotated[Path, typer.Argument(help="The schema file, such as people.toml.")]
Sql = Annotated[str, typer.Argument(help="The question, such as 'SELECT AVG(age) FROM people'.")]
Bits = Annotated[str | None, typer.Option(help="What the question may cost by itself, in bits.")]
Error = Annotated[str | None, typer.Option(help="Half the width of the interval you can live with.")]
MaxBits = Annotated[str | None, typer.Option(help="Refuse the question if more would be charged.")]
Analyst = Annotated[str | None, typer.Option(help="Who asks; your user name if left out.")]
Key = Annotated[Path | None, typer.Option(help="The custodian's key; the usual one if there is one.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
Save = Annotated[Path | None, typer.Option("--certificate", help="Save the certificate to this file.")]


@contextmanager
def curator_of(
    schema: Path, analyst: str | None = None, key: Path | None = None, new: bool = False, plain: bool = True
) -> Iterator[Curator]:
    """The curator of a schema file, with the usual key if there is one; errors `plain`, or as they are."""
    from noiseless.curator.certificate.keys import default_path
    from noiseless.curator.curator import Curator

    usual = default_path()
    signing = key or (usual if _is_file(usual) else None)
    who = _user() if analyst is None else analyst
    with plainly() if plain else nullcontext(), Curator.open(schema, analyst=who, key=signing, new=new) as curator:
        yield curator


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _user() -> str:
    """Whoever runs the command; nobody in particular where the system does not know them, as in many containers."""
    try:
        return getpass.getuser()
    except (KeyError, ImportError, OSError):
        return ""


def preview(schema: Schema, sql: Sql, bits: Bits = None, error: Error = None, as_json: Json = False) -> None:
    """What a question would cost and how certain its answer would be. Free."""
    with curator_of(schema) as curator:
        told = curator.preview(sql, bits=bits, error=error)
        if not as_json:
            show(told)
            return
        rows = [{**row["keys"], **{label: str(error) for label, error in row["errors"].items()}} for row in told.rows]
        show_json({**_price(told), "affordable": told.affordable, "rule": told.rule, "errors": rows})


def ask(
    schema: Schema,
    sql: Sql,
    bits: Bits = None,
    error: Error = None,
    max_bits: MaxBits = None,
    analyst: Analyst = None,
    key: Key = None,
    certificate: Save = None,
    as_json: Json = False,
) -> None:
    """A true answer in a certain interval, charged to the budget."""
    with curator_of(schema, analyst, key) as curator:
        check_place(certificate, "--certificate")
        _tell(curator.ask(sql, bits=bits, error=error, max_bits=max_bits), certificate, as_json)


def batch(
    schema: Schema,
    questions: Annotated[list[str], typer.Argument(help="The questions, each as one argument.")],
    bits: Bits = None,
    error: Error = None,
    max_bits: MaxBits = None,
    analyst: Analyst = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Several questions declared together, and so counted together: often much cheaper."""
    with curator_of(schema, analyst, key) as curator:
        told = curator.batch(questions, bits=bits, error=error, max_bits=max_bits)
        if as_json:
            show_json({"count": str(told.count), "factor": str(told.factor), "answers": [_fields(a) for a in told]})
        else:
            show(told)


def refine(
    schema: Schema,
    entry: Annotated[int, typer.Argument(help="The number of the question in the ledger.")],
    error: Annotated[str, typer.Option(help="The error wanted now.")],
    max_bits: MaxBits = None,
    analyst: Analyst = None,
    key: Key = None,
    certificate: Save = None,
    as_json: Json = False,
) -> None:
    """An earlier answer in narrower intervals; only the difference is paid."""
    with curator_of(schema, analyst, key) as curator:
        check_place(certificate, "--certificate")
        _tell(curator.refine(curator.recall(entry), error=error, max_bits=max_bits), certificate, as_json)


def _tell(answer: Answer, certificate: Path | None, as_json: bool) -> None:
    if as_json:
        show_json(_fields(answer))
    else:
        show(answer)
        show(f"question {answer.entry} of the ledger" if answer.entry else "only public numbers; nothing in the ledger")
    if certificate is not None:
        answer.certificate.save(certificate)


def _price(told: Any) -> dict[str, Any]:
    return {
        "question": told.question,
        "count": str(told.guarantee.count),
        "bits": told.guarantee.bits,
        "factor": str(told.factor),
        "cost": told.cost,
        "remaining": told.remaining,
    }


def _fields(answer: Answer) -> dict[str, Any]:
    content = answer.certificate.content
    whole = {"content": content, "key": answer.certificate.key, "signature": answer.certificate.signature}
    return {**_price(answer), "entry": answer.entry, "rows": content["answer"], "certificate": whole}
