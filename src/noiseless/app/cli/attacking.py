"""attack: what an adversary achieves, on your own table or a built-in set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from noiseless.app.cli.asking import Json
from noiseless.app.cli.told import plainly, show, show_json


def attack(
    name: Annotated[str, typer.Argument(help="household, disaggregation, trips, tester or estimator.")],
    data: Annotated[str | None, typer.Option(help="A file in its publisher's format; 'twin': synthetic.")] = None,
    bits: Annotated[str | None, typer.Option(help="What to run through: 0,1,2,4,exact.")] = None,
    n: Annotated[int | None, typer.Option(help="household: how many are in the aggregate.")] = None,
    adversary: Annotated[str | None, typer.Option(help="household: correlation, 'mean square' or peak.")] = None,
    games: Annotated[int | None, typer.Option(help="household: how many games.")] = None,
    policy: Annotated[str | None, typer.Option(help="tester: collapse, stretch or shift.")] = None,
    seed: Annotated[int | None, typer.Option(help="household: the seed of the games.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the curve here, as SVG.")] = None,
    as_json: Json = False,
) -> None:
    """Run one adversary and print what it achieves against bits."""
    from noiseless.lab.attacks.attack import attack as run

    given = {"n": n, "adversary": adversary, "games": games, "policy": policy, "seed": seed}
    options: dict[str, Any] = {option: value for option, value in given.items() if value is not None}
    settings = None if bits is None else [None if each == "exact" else each for each in bits.split(",")]
    with plainly():
        found = run(name, data, settings, **options)
        if picture is not None:
            picture.write_text(found.picture(), encoding="utf-8")
        show_json(found.fields()) if as_json else show(found)
