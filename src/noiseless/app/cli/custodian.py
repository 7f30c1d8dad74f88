"""init, check, plan, ledger, status and backup: the commands of the custodian."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from noiseless.app.cli.asking import Json, Key, Schema, curator_of
from noiseless.app.cli.printing import INPUT, UNVERIFIED, check_place, plainly, show, show_json

if TYPE_CHECKING:
    from noiseless.app.cli.template import Whose

LONGEST = 60


def init(
    source: Annotated[
        str,
        typer.Argument(help="A parquet, csv, tsv, data, xlsx or DuckDB file, or a database: postgres://…, spark://…"),
    ],
    table: Annotated[
        str | None, typer.Option(help="The table to open, in a database or in a file that has several.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The schema file to write. Default: beside the source.")] = None,
    unit: Annotated[
        str | None, typer.Option(help="The column that identifies a person; none if each row is a different person.")
    ] = None,
    rows: Annotated[int | None, typer.Option(help="The most rows kept for one person.")] = None,
    order_by: Annotated[str | None, typer.Option(help="The public column that orders a person's rows.")] = None,
    delimiter: Annotated[str | None, typer.Option(help="The separator between fields of a text file.")] = None,
    names: Annotated[str | None, typer.Option(help="The column names, as a,b,c, if the first line is data.")] = None,
    header: Annotated[
        bool, typer.Option("--header", help="The first line holds column names, even if it looks like data.")
    ] = False,
    peek: Annotated[
        Path | None,
        typer.Option(help="Also write ranges, values and rows per person to this file. It is for you only."),
    ] = None,
) -> None:
    """Write a schema file to fill in. Bounds come from public knowledge, never from the data."""
    from noiseless.app.cli.peek import peek as peeked
    from noiseless.app.cli.peek import write_for_owner
    from noiseless.app.cli.template import template
    from noiseless.app.cli.whose import whose_rows
    from noiseless.app.looking import layout_of, looked
    from noiseless.curator.engines.request import Request
    from noiseless.errors import SourceError

    with plainly():
        from_file = Request(source, table=table).from_file
        target = out or (Path(source).parent if from_file else Path()) / f"{Request(source, table=table).name}.toml"
        for path, option in ((target, "--out"), (peek, "--peek")):
            check_place(path, option)
            if path is not None and path.exists():
                raise SourceError(f"{str(path)!r} exists already; name another file with {option}")
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
    from noiseless.app.guesses import people_keys
    from noiseless.app.names import shown_name

    typer.echo(f"wrote {target}: fill in the marked lines (see docs/choosing.md), then run noiseless check {target}")
    if whose == "not said":
        keys = people_keys(columns)
        may_be = f"; {' or '.join(map(shown_name, keys))} may identify a person" if keys else ""
        typer.echo(f"who is a person? For now each row is a different person{may_be}. Decide in [unit] of {target}")
    if peek is not None:
        typer.echo(f"wrote {peek}, for you only: do not share it")


def check(
    schema: Schema,
    new: Annotated[
        bool, typer.Option("--new", help="Confirm that this is a new dataset in a ledger that already holds others.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check that the table fits the schema; exit code 1 if not. For the custodian only: do not share the output."""
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
    """Show what the budget buys: the error of each number for one bit, two bits, and so on, and below one bit."""
    from rich.text import Text

    from noiseless.app.purchases import by_the_answer, by_the_answer_table, purchases, purchases_table
    from noiseless.app.worth import worth

    with curator_of(schema) as curator:
        found = purchases(curator)
        if as_json:
            cheap = by_the_answer(curator)
            show_json([{"number": what, "errors": errors, "by_the_answer": cheap[what]} for what, errors in found])
        else:
            show(purchases_table(found))
            show(by_the_answer_table(by_the_answer(curator)))
            show(Text("\n".join(worth(curator))))


def ledger(
    schema: Schema,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check that no entry was changed and that the charges add up.")
    ] = False,
    export: Annotated[
        Path | None, typer.Option(help="Write all entries to this file, one JSON object per line.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List what was asked, by whom, when, at what charge, and what is left."""
    from noiseless.curator.ledger.verify import verify_ledger
    from noiseless.curator.opening import ledger_of
    from noiseless.errors import LedgerError

    with plainly():
        entries, checkpoints, datasets = ledger_of(schema)
        if export is not None:
            lines = (json.dumps(asdict(entry), ensure_ascii=False) for entry in entries)
            export.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        if verify:
            try:
                found = verify_ledger(entries, checkpoints)
            except LedgerError as wrong:
                typer.echo(f"noiseless: {wrong}", err=True)
                raise typer.Exit(UNVERIFIED) from None
            if as_json:
                show_json({"entries": found, "intact": True})
            else:
                typer.echo(f"{found} entries, all intact")
        elif as_json:
            show_json([asdict(entry) for entry in entries])
        elif export is None:
            show(_table(entries))
            typer.echo(f"datasets in this ledger: {', '.join(datasets) or 'none'}")


def status(schema: Schema, as_json: Json = False) -> None:
    """Show what is left of the budget of each public cell and of each quota, and list the datasets."""
    with curator_of(schema) as curator:
        found = curator.status()
        if as_json:
            show_json(found.fields())
        else:
            show(found)


def backup(
    schema: Schema,
    to: Annotated[Path, typer.Argument(help="A new folder for the backup.")],
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Back up the schema, ledger, codes and list of public keys at one moment. To restore, copy them back."""
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
    from noiseless.exact.readable import bits_shown

    table = Table("no.", "when", "who", Column("what", min_width=12), "charge", "paid by", "taken", "left")
    table.caption = "all in bits; taken and left are those of the public cell with least left; asking again is free"
    for spent in spending(entries):
        entry = spent.entry
        text = "; ".join(" ".join(each.split()) for each in texts_of(entry))
        text = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        price = f"{bits_shown(spent.factor).partition(' ')[0]}\n{spent.outcome}".rstrip()
        taken, left = f"{spent.taken:.{4 if spent.taken >= 1 else 2}g}", f"{spent.left:.4g}"
        when = entry.time[:16].replace("T", "\n")
        table.add_row(*map(Text, (str(spent.number), when, entry.analyst, text, price, spent.paid_by, taken, left)))
    return table
