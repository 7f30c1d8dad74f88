"""attack: what an adversary achieves, on your table or on built-in data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from noiseless.app.cli.asking import Json
from noiseless.app.cli.microdata import listed
from noiseless.app.cli.printing import plainly, show, show_json


def attack(
    name: Annotated[str | None, typer.Argument(help="The adversary. See --list for all of them.")] = None,
    data: Annotated[
        str | None, typer.Option(help="Your file, or 'twin' for synthetic data. Default: NOISELESS_DATA.")
    ] = None,
    bits: Annotated[
        str | None,
        typer.Option(
            "--bits",
            "--error",
            "--k",
            help="The settings to try: bits as 0,1,2,exact; errors for tester; k for homogeneity.",
        ),
    ] = None,
    n: Annotated[int | None, typer.Option(help="household, distinguisher: people in the mean (4).")] = None,
    adversary: Annotated[str | None, typer.Option(help="household: correlation, 'mean square' or peak.")] = None,
    games: Annotated[int | None, typer.Option(help="household, distinguisher: games to play (2000).")] = None,
    half_hourly: Annotated[
        bool, typer.Option("--half-hourly", help="household: use half hours instead of days.")
    ] = False,
    printed: Annotated[bool, typer.Option("--printed", help="household: also use Theorem 8 as printed.")] = False,
    start: Annotated[str | None, typer.Option(help="household: the first day, such as 2012-07-01.")] = None,
    end: Annotated[str | None, typer.Option(help="household: the day after the last one.")] = None,
    share: Annotated[
        float | None, typer.Option(help="household: the smallest share of complete days a home may have (0.95).")
    ] = None,
    train: Annotated[float | None, typer.Option(help="disaggregation: the share of the data to train on.")] = None,
    levels: Annotated[int | None, typer.Option(help="disaggregation: power levels of an appliance, with off.")] = None,
    appliances: Annotated[str | None, typer.Option(help="disaggregation: only these, such as fridge,light.")] = None,
    north: Annotated[str | None, typer.Option(help="trips: latitudes of your city, such as 48.1,48.3.")] = None,
    east: Annotated[str | None, typer.Option(help="trips: longitudes of your city, such as 16.2,16.5.")] = None,
    definition: Annotated[
        str | None, typer.Option(help="distinguisher: noiseless, indistinguishable or policy.")
    ] = None,
    of: Annotated[str | None, typer.Option(help="distinguisher: the data, which are survey, meters or trips.")] = None,
    pair: Annotated[str | None, typer.Option(help="distinguisher: the two values, of people or extremes.")] = None,
    knows: Annotated[str | None, typer.Option(help="distinguisher: others, habits or nothing.")] = None,
    policy: Annotated[str | None, typer.Option(help="tester, distinguisher: collapse, stretch or shift.")] = None,
    column: Annotated[
        str | None,
        typer.Option(help="The column to attack; not for household, disaggregation, trips and homogeneity."),
    ] = None,
    threshold: Annotated[
        str | None, typer.Option(help="tester, distinguisher: the value that splits the column.")
    ] = None,
    low: Annotated[
        str | None, typer.Option(help="tester, estimator, distinguisher, guards, levels: the lowest value.")
    ] = None,
    high: Annotated[
        str | None,
        typer.Option(help="The highest value of the column, a reading (100, or 10 kWh) or the mains (12000 W)."),
    ] = None,
    codes: Annotated[
        int | None, typer.Option(help="guards, levels: how many values the range is divided into (8).")
    ] = None,
    p: Annotated[float | None, typer.Option(help="estimator: the power of the error.")] = None,
    quasi: Annotated[
        str | None, typer.Option(help="homogeneity: what the adversary knows, such as age,region.")
    ] = None,
    sensitive: Annotated[
        str | None, typer.Option(help="homogeneity: what the adversary wants, such as illness.")
    ] = None,
    where: Annotated[
        str | None, typer.Option(help="bisection, averaging, differencing: whom to attack, such as home = 'alone'.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="household, disaggregation, distinguisher: the random seed.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the curve to this SVG file.")] = None,
    as_json: Json = False,
    names: Annotated[bool, typer.Option("--list", help="List the adversaries and what each one shows.")] = False,
) -> None:
    """Run one adversary and print how much it achieves at each number of bits."""
    from noiseless.lab.attacks.attack import attack as run

    if names or name is None:
        show(_listing())
        return
    if picture is not None and picture.suffix.lower() != ".svg":
        raise typer.BadParameter(f"{str(picture)!r} must end in .svg; name an SVG file", param_hint="--picture")

    options: dict[str, Any] = {
        "n": n,
        "adversary": adversary,
        "games": games,
        "half_hourly": half_hourly or None,
        "printed": printed or None,
        "start": start,
        "end": end,
        "share": share,
        "train": train,
        "levels": levels,
        "definition": definition,
        "of": of,
        "pair": pair,
        "knows": knows,
        "policy": policy,
        "column": column,
        "threshold": threshold,
        "low": low,
        "high": high,
        "codes": codes,
        "p": p,
        "sensitive": sensitive,
        "where": where,
        "seed": seed,
    }
    options |= {name: text and listed(text) for name, text in (("quasi", quasi), ("appliances", appliances))}
    options |= {name: text and _ends(text, name) for name, text in (("north", north), ("east", east))}
    settings: Any = None if bits is None else [None if each == "exact" else each for each in listed(bits)]
    with plainly(*options, "k"):
        found = run(name, data, settings, **{name: value for name, value in options.items() if value is not None})
        if picture is not None:
            picture.write_text(found.picture(), encoding="utf-8")
            typer.echo(f"wrote {picture}", err=True)
        show_json(found.fields()) if as_json else show(found)


def _listing() -> Any:
    from rich.table import Table

    from noiseless.lab.attacks.catalogue import ATTACKS

    table = Table("name", "shows", "your table")
    for name, each in ATTACKS.items():
        table.add_row(name, each.shows, each.data)
    return table


def _ends(text: str, name: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is not two numbers; write them as 48.1,48.3", param_hint=f"--{name}"
        ) from None
    return low, high
