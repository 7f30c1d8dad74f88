"""publish: design what to release for a workload, and release it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noiseless.app.cli.asking import Analyst, Json, Key, Schema, curator_of
from noiseless.app.cli.printing import show, show_json

if TYPE_CHECKING:
    from noiseless.curator.designing.publish import Published

Workload = Annotated[
    Path,
    typer.Option(
        "--for",
        help="The questions, a file of SQL. A comment such as '-- weight 2, error 0.5' before a question says what it "
        "is worth, and which error is good enough.",
    ),
]
NEXT = "nothing was spent; add --yes to publish it"


def publish(
    schema: Schema,
    workload: Workload,
    bits: Annotated[str | None, typer.Option(help="The most bits to spend. Default: all that are left.")] = None,
    out: Annotated[
        str | None, typer.Option("-o", "--out", help="Release a copy of the rows as the base table, and write it here.")
    ] = None,
    seconds: Annotated[str, typer.Option(help="The most seconds that the search may take.")] = "60",
    yes: Annotated[bool, typer.Option("--yes", help="Publish the design. Default: only show it.")] = False,
    analyst: Analyst = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    r"""Find what to release so that a whole workload becomes free. \[release.prior] says what you expect."""
    from noiseless.curator.schema.declaration import Declaration

    with curator_of(schema, analyst, key) as curator:
        prior = dict(Declaration.read(schema).release or {}).get("prior")
        plan = curator.design(workload, bits=bits, prior=prior, copy=out is not None, seconds=seconds)
        fields: dict[str, Any] = {"design": plan.fields()}
        if not as_json:
            show(plan)
        if yes:
            made = plan.publish(out)
            fields["published"] = _fields(made)
            if not as_json:
                show(made)
        elif not as_json:
            show(NEXT)
        if as_json:
            show_json(fields)


def _fields(made: Published) -> dict[str, Any]:
    return {
        "factor": str(made.factor),
        "cost": made.cost,
        "remaining": made.remaining,
        "answers": len(made.answers),
        "refused": list(made.refused),
    }
