"""release and audit: write a copy of the table, and examine a published one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from noiseless.app.cli.asking import Analyst, Json, Key, MaxBits, Schema, curator_of
from noiseless.app.cli.printing import check_place, plainly, show, show_json

Out = Annotated[
    str,
    typer.Option("-o", "--out", help="Where to write: a parquet or csv file, a Postgres table, or a folder for Spark."),
]
Bits = Annotated[str | None, typer.Option(help="Bits per person in total, or per column: height=3,weight=4.")]
Errors = Annotated[str | None, typer.Option("--error", help="The largest error of columns: height=2.5,age=1.")]


def release(
    schema: Schema,
    out: Out,
    bits: Bits = None,
    error: Errors = None,
    columns: Annotated[str | None, typer.Option(help="The private columns to release. Default: all.")] = None,
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Add the ends of the interval beside every number.")
    ] = False,
    sort: Annotated[
        bool | None,
        typer.Option("--sort/--no-sort", help="Sort rows by their released values (default), or keep their order."),
    ] = None,
    constant: Annotated[
        bool, typer.Option("--constant", help="Confirm that some columns get no bits and become constant.")
    ] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Only show the errors and the price. Free.")] = False,
    report: Annotated[
        Path | None, typer.Option(help="Write the utility report to this file. It is for the custodian only.")
    ] = None,
    max_bits: MaxBits = None,
    analyst: Analyst = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    r"""Release a copy of the table with coarser values. Declare hierarchies and pairs in \[release] of the schema."""
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
            copy: Any = curator.preview_release(**wanted)
        else:
            copy = curator.release(out, **wanted, max_bits=max_bits)
            copy.certificate.save(f"{Path(out).name}.certificate.json" if "://" in out else f"{out}.certificate.json")
        if report is not None:
            report.touch(mode=0o600)  # it is for the custodian only
            report.write_text(curator.utility(copy).html(), encoding="utf-8")
        show_json(copy.fields()) if as_json else show(copy)


def audit(
    table: Annotated[str, typer.Argument(help="The published parquet, csv or DuckDB file.")],
    quasi: Annotated[str, typer.Option(help="Columns an adversary may know: age,region.")],
    sensitive: Annotated[str | None, typer.Option(help="Columns they want to learn: illness,income.")] = None,
    original: Annotated[Path | None, typer.Option(help="The original table, with its rows in the same order.")] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML page with pictures to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Show what a published table reveals: k, ℓ, t, homogeneous classes, leakage, and a verdict in plain words."""
    from noiseless.curator.audit.audit import audit as look

    with plainly():
        check_place(report, "--report")
        found = look(table, listed(quasi), listed(sensitive or ""), original=original)
        if report is not None:
            report.write_text(found.html(), encoding="utf-8")
        show_json(found.fields()) if as_json else show(found)


def listed(text: str) -> list[str]:
    """The parts of a list written with commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def _named(text: str) -> Any:
    """A number, or a number for each named column."""
    if "=" not in text:
        return text
    return {name.strip(): number.strip() for name, _, number in (part.partition("=") for part in listed(text))}
