"""init, check, plan, ledger: for whoever answers for the data."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from noiseless.app.cli.asking import Json, Key, Schema, curator_of
from noiseless.app.cli.told import INPUT, UNVERIFIED, check_place, plainly, show, show_json

LONGEST = 60


def init(
    source: Annotated[
        str, typer.Argument(help="A parquet, csv or DuckDB file, or a database: postgres://…, spark://…")
    ],
    table: Annotated[str | None, typer.Option(help="The table, in a database or a DuckDB file with several.")] = None,
    out: Annotated[Path | None, typer.Option(help="The schema file to write; beside the source if left out.")] = None,
) -> None:
    """Write a schema to fill in. Bounds come from public knowledge, never from the data."""
    from noiseless.app.cli.template import template
    from noiseless.errors import SourceError

    beside = Path(f"{table or 'data'}.toml") if "://" in source else Path(source).with_suffix(".toml")
    target = out or beside
    with plainly():
        check_place(target, "--out")
        if target.exists():
            raise SourceError(f"{str(target)!r} exists already; name another with --out")
        target.write_text(template(source, table, target), encoding="utf-8")
    typer.echo(f"wrote {target}: fill in what is marked, then run noiseless check {target}")


def check(
    schema: Schema,
    new: Annotated[bool, typer.Option("--new", help="Confirm a new dataset in a ledger that holds others.")] = False,
    as_json: Json = False,
) -> None:
    """For the custodian: does the table fit the schema? What it says must not be passed on. Exit code 1 if not."""
    from noiseless.curator.check import Check
    from noiseless.errors import PromiseError

    with plainly():
        try:
            with curator_of(schema, new=new, plain=False) as curator:
                found = curator.check()
        except PromiseError as broken:
            found = cast(Check, broken.check)
    if as_json:
        show_json({"verdict": found.verdict, **asdict(found)})
    else:
        show(found)
    if found.broken:
        raise typer.Exit(INPUT)


def plan(schema: Schema, as_json: Json = False) -> None:
    """What the budget can buy: the error of each number for one bit, two bits, and so on."""
    from noiseless.app.cli.purchases import purchases, purchases_table

    with curator_of(schema) as curator:
        found = purchases(curator)
        if as_json:
            show_json([{"number": what, "errors": errors} for what, errors in found])
        else:
            show(purchases_table(found))
            show(f"{curator.remaining:.4g} bits are left of the budget")


def ledger(
    schema: Schema,
    verify: Annotated[bool, typer.Option("--verify", help="Check the chain of entries and their sums.")] = False,
    export: Annotated[Path | None, typer.Option(help="Write all entries to this file, one JSON text a line.")] = None,
    as_json: Json = False,
) -> None:
    """What was asked: by whom, when, at what cost, and what is left."""
    from noiseless.curator.ledger.verify import verify_ledger
    from noiseless.curator.opening import ledger_of
    from noiseless.errors import LedgerError

    with plainly():
        entries, datasets = ledger_of(schema)
        if export is not None:
            lines = (json.dumps(asdict(entry), ensure_ascii=False) for entry in entries)
            export.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        if verify:
            try:
                found = verify_ledger(entries)
            except LedgerError as wrong:
                typer.echo(f"noiseless: {wrong}", err=True)
                raise typer.Exit(UNVERIFIED) from None
            if as_json:
                show_json({"entries": found, "intact": True})
            else:
                typer.echo(f"{found} entries, all as they were written")
        elif as_json:
            show_json([asdict(entry) for entry in entries])
        elif export is None:
            show(_table(entries))
            typer.echo(f"datasets in this ledger: {', '.join(datasets) or 'none'}")


def status(schema: Schema, as_json: Json = False) -> None:
    """What is left: of the budget of every public group, and of every quota; and which datasets there are."""
    with curator_of(schema) as curator:
        found = curator.status()
        if as_json:
            show_json(found.fields())
        else:
            show(found)


def backup(
    schema: Schema,
    to: Annotated[Path, typer.Argument(help="A new folder for the copy.")],
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Copy schema, ledger, codes and the list of public keys, as they are at one moment. To restore, copy them back."""
    from noiseless.curator.backup import backup as copied
    from noiseless.curator.certificate.keys import default_path

    with plainly():
        files = copied(schema, to, key or default_path())
        if as_json:
            show_json({"to": str(to), "files": [file.name for file in files]})
        else:
            typer.echo(f"copied {', '.join(file.name for file in files)} to {to}")


def _table(entries: list[Any]) -> Any:
    from rich.table import Table
    from rich.text import Text

    from noiseless.curator.display import bits_shown
    from noiseless.curator.ledger.texts import texts_of
    from noiseless.curator.ledger.verify import spending

    table = Table("no.", "when", "who", "what", "price", "paid by", "taken", "left")
    table.caption = "taken from the dearest public group, and left there, in bits; asking again what is known is free"
    for spent in spending(entries):
        entry = spent.entry
        text = "; ".join(" ".join(each.split()) for each in texts_of(entry))
        text = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        price, taken, left = bits_shown(int(entry.body["factor"])), f"{spent.taken:.4g}", f"{spent.left:.4g}"
        when = entry.time[:16].replace("T", " ")
        table.add_row(*map(Text, (str(spent.number), when, entry.analyst, text, price, spent.paid_by, taken, left)))
    return table
