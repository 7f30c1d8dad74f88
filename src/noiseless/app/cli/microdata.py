"""release and audit: a copy of the table for everybody, and a look at anybody's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from noiseless.app.cli.asking import Analyst, Json, Key, MaxBits, Schema, curator_of
from noiseless.app.cli.told import check_place, plainly, show, show_json

Out = Annotated[
    str, typer.Option("-o", "--out", help="A parquet or csv file, a table in Postgres, a folder for Spark.")
]
Bits = Annotated[str | None, typer.Option(help="For each person in all, or name=bits for columns: height=3,weight=4.")]
Errors = Annotated[str | None, typer.Option("--error", help="The worst error of columns: height=2.5,age=1.")]


def release(
    schema: Schema,
    out: Out,
    bits: Bits = None,
    error: Errors = None,
    columns: Annotated[str | None, typer.Option(help="The private columns to release; all if left out.")] = None,
    intervals: Annotated[bool, typer.Option("--intervals", help="Put the ends of every number beside it.")] = False,
    sort: Annotated[
        bool | None,
        typer.Option("--sort/--no-sort", help="Order rows by what is released of them (default), or leave them."),
    ] = None,
    constant: Annotated[
        bool, typer.Option("--constant", help="Confirm that bits in all leave nothing of some columns.")
    ] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show errors and price only. Free.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write the utility report, for the custodian only, here.")] = None,
    max_bits: MaxBits = None,
    analyst: Analyst = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """A released copy of the table: every row becomes a cell. Hierarchies and pairs: [release] in the schema."""
    from noiseless.curator.schema.declaration import Declaration

    with curator_of(schema, analyst, key) as curator:
        check_place(report, "--report")
        wanted = dict(Declaration.read(schema).release or {})
        wanted |= {name: _named(text) for name, text in (("bits", bits), ("error", error)) if text is not None}
        if columns is not None:
            wanted["columns"] = listed(columns)
        wanted |= {"intervals": True} if intervals else {}
        wanted |= {} if sort is None else {"sort": sort}
        wanted |= {"constant": True} if constant else {}
        if preview:
            told: Any = curator.preview_release(**wanted)
        else:
            told = curator.release(out, **wanted, max_bits=max_bits)
            told.certificate.save(f"{Path(out).name}.certificate.json" if "://" in out else f"{out}.certificate.json")
        if report is not None:
            report.touch(mode=0o600)  # it is for the custodian only
            report.write_text(curator.utility(told).html(), encoding="utf-8")
        show_json(told.fields()) if as_json else show(told)


def audit(
    table: Annotated[str, typer.Argument(help="A parquet, csv or DuckDB file that was published.")],
    quasi: Annotated[str, typer.Option(help="What an adversary may know of a person: age,region.")],
    sensitive: Annotated[str | None, typer.Option(help="What they want to learn: illness,income.")] = None,
    original: Annotated[Path | None, typer.Option(help="The table before, its rows in the same order.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write a page with pictures here.")] = None,
    as_json: Json = False,
) -> None:
    """What a published table tells: k, ℓ, t, homogeneous classes, leakage; and a verdict in plain words."""
    from noiseless.curator.audit.audit import audit as look

    with plainly():
        check_place(report, "--report")
        found = look(table, listed(quasi), listed(sensitive or ""), original=original)
        if report is not None:
            report.write_text(found.html(), encoding="utf-8")
        show_json(found.fields()) if as_json else show(found)


def listed(text: str) -> list[str]:
    """What is written with commas between."""
    return [part.strip() for part in text.split(",") if part.strip()]


def _named(text: str) -> Any:
    """A number, or numbers with the names of columns."""
    if "=" not in text:
        return text
    return {name.strip(): number.strip() for name, _, number in (part.partition("=") for part in listed(text))}
