"""init, check, plan, ledger: for whoever answers for the data."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from noiseless.app.cli.asking import Json, Key, Schema, curator_of
from noiseless.app.cli.told import INPUT, UNVERIFIED, check_place, plainly, show, show_json

if TYPE_CHECKING:
    from noiseless.app.cli.template import Whose

LONGEST = 60


def init(
    source: Annotated[
        str,
        typer.Argument(help="A parquet, csv, tsv, data, xlsx or DuckDB file, or a database: postgres://…, spark://…"),
    ],
    table: Annotated[str | None, typer.Option(help="The table, in a database or a file with several.")] = None,
    out: Annotated[Path | None, typer.Option(help="The schema file to write; beside the source if left out.")] = None,
    unit: Annotated[
        str | None, typer.Option(help="The column that says whose row it is; none if every row is another person.")
    ] = None,
    rows: Annotated[int | None, typer.Option(help="How many rows of one person are kept, at most.")] = None,
    order_by: Annotated[str | None, typer.Option(help="The public column that orders a person's rows.")] = None,
    delimiter: Annotated[str | None, typer.Option(help="What separates the fields of a text file.")] = None,
    names: Annotated[str | None, typer.Option(help="The columns, a,b,c, if the first line of a file is data.")] = None,
    header: Annotated[bool, typer.Option("--header", help="The first line has names, whatever it looks like.")] = False,
    peek: Annotated[
        Path | None, typer.Option(help="For you only: also write ranges, values and rows per person to this file.")
    ] = None,
) -> None:
    """Write a schema to fill in. Bounds come from public knowledge, never from the data."""
    from noiseless.app.cli.looking import layout_of, looked
    from noiseless.app.cli.peek import peek as peeked
    from noiseless.app.cli.peek import write_for_owner
    from noiseless.app.cli.template import template
    from noiseless.app.cli.whose import whose_rows
    from noiseless.curator.engines.request import Request
    from noiseless.errors import SourceError

    with plainly():
        from_file = Request(source, table=table).from_file
        target = out or (Path(source).parent if from_file else Path()) / f"{Request(source, table=table).name}.toml"
        for path, option in ((target, "--out"), (peek, "--peek")):
            check_place(path, option)
            if path is not None and path.exists():
                raise SourceError(f"{str(path)!r} exists already; name another with {option}")
        with looked(source, table, layout_of(delimiter, names, header)) as found:
            columns, seen = found.columns, None if peek is None else peeked(found)
        whose = whose_rows(columns, unit, rows, order_by)
        named = source if found.elsewhere else os.path.relpath(source, target.absolute().parent)
        if peek is not None and seen is not None:
            write_for_owner(peek, seen)
        with target.open("x", encoding="utf-8") as file:
            file.write(template(named, table, columns, found.layout, whose))
    _say_written(target, whose, columns, peek)


def _say_written(target: Path, whose: Whose, columns: dict[str, Any], peek: Path | None) -> None:
    from noiseless.app.cli.guesses import people_keys, shown_name

    typer.echo(f"wrote {target}: fill in what is marked (docs/choosing.md says how), then run noiseless check {target}")
    if whose == "not said":
        keys = people_keys(columns)
        may_be = f"; {' or '.join(map(shown_name, keys))} may say who a person is" if keys else ""
        typer.echo(f"who is a person? As it stands, every row is another one{may_be}: decide in [unit] of {target}")
    if peek is not None:
        typer.echo(f"wrote {peek}, for you only: do not pass it on")


def check(
    schema: Schema,
    new: Annotated[bool, typer.Option("--new", help="Confirm a new dataset in a ledger that holds others.")] = False,
    as_json: Json = False,
) -> None:
    """For the custodian: does the table fit the schema? What it says must not be passed on. Exit code 1 if not."""
    from noiseless.curator.dataset.check import Check
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
    from rich.text import Text

    from noiseless.app.cli.purchases import purchases, purchases_table
    from noiseless.app.cli.worth import worth

    with curator_of(schema) as curator:
        found = purchases(curator)
        if as_json:
            show_json([{"number": what, "errors": errors} for what, errors in found])
        else:
            show(purchases_table(found))
            show(Text("\n".join(worth(curator))))


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
    from rich.table import Column, Table
    from rich.text import Text

    from noiseless.curator.ledger.texts import texts_of
    from noiseless.curator.ledger.verify import spending
    from noiseless.exact.rounding import bits_up

    table = Table("no.", "when", "who", Column("what", min_width=14), "price", "paid by", "taken", "left")
    table.caption = "all in bits; taken from the dearest public group, and left there; asking again is free"
    for spent in spending(entries):
        entry = spent.entry
        text = "; ".join(" ".join(each.split()) for each in texts_of(entry))
        text = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        price = f"{bits_up(int(entry.body['factor']), digits=3):g}"
        taken, left = f"{spent.taken:.4g}", f"{spent.left:.4g}"
        when = entry.time[:16].replace("T", "\n")
        table.add_row(*map(Text, (str(spent.number), when, entry.analyst, text, price, spent.paid_by, taken, left)))
    return table
