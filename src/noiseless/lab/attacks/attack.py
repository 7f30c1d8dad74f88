"""All adversaries by their names, on a built-in set, a file, or the synthetic twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

from noiseless.errors import InputError
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED
from noiseless.lab.attacks.curve import Curve
from noiseless.lab.attacks.disaggregation import LEVELS, TRAIN, disaggregation
from noiseless.lab.attacks.estimator import Prior, estimator
from noiseless.lab.attacks.homogeneity import homogeneity
from noiseless.lab.attacks.household import GAMES, Rule, household
from noiseless.lab.attacks.questions import questions
from noiseless.lab.attacks.tester import BODIES, OBESE, certain
from noiseless.lab.attacks.trips import unique_trips
from noiseless.lab.datasets import tables
from noiseless.lab.datasets.appliances import House, house
from noiseless.lab.datasets.panel import Panel, meters
from noiseless.lab.datasets.people import Bodies, Measured, numbers, survey
from noiseless.lab.datasets.trips import Trips, taxi
from noiseless.lab.datasets.twins import twin_house, twin_meters, twin_survey, twin_taxi
from noiseless.privacy.definitions.hypothesis.collapse import Collapse
from noiseless.privacy.definitions.hypothesis.shift import Shift
from noiseless.privacy.definitions.hypothesis.stretch import Stretch
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box

TWIN = "twin"
"""The data to name for the synthetic twin."""
POLICIES: dict[str, Any] = {"collapse": Collapse, "stretch": Stretch, "shift": Shift}
HEIGHTS = (100, 250)
"""Of the survey, in cm, as in the papers."""
Settings = Sequence[Number | None]


@dataclass(frozen=True)
class Attack:
    """What it shows, what it runs through by default, its data, and how it is run."""

    shows: str
    settings: Settings
    run: Callable[..., Curve]
    load: Callable[..., Any]
    """From a path, or nothing for NOISELESS_DATA; further arguments are options."""
    twin: Callable[[], Any]


def _household(
    panel: Panel,
    bits: Settings,
    *,
    n: int = 4,
    adversary: str = "correlation",
    half_hourly: bool = False,
    high: Number | None = None,
    games: int = GAMES,
    rule: Rule = "corrected",
    seed: int = SEED,
) -> Curve:
    chosen, usual = (panel, 10) if half_hourly else (panel.daily(), 100)
    most = usual if high is None else high
    return household(chosen, n, bits, high=most, adversary=adversary, games=games, rule=rule, seed=seed)


def _disaggregation(
    house: House,
    bits: Settings,
    *,
    high: Number = 12_000,
    train: float = TRAIN,
    levels: int = LEVELS,
    seed: int = SEED,
) -> Curve:
    return disaggregation(house, bits, high=high, train=train, levels=levels, seed=seed)


def _trips(trips: Trips, bits: Settings) -> Curve:
    return unique_trips(trips, [_whole(each) for each in bits])


def _tester(
    people: Bodies | Measured,
    errors: Settings,
    *,
    policy: str = "shift",
    threshold: Number | None = None,
    low: Number | None = None,
    high: Number | None = None,
) -> Curve:
    if policy not in POLICIES:
        raise InputError(f"no policy {policy!r}; there are {', '.join(POLICIES)}")
    boundary, box = OBESE, BODIES
    if isinstance(people, Measured):
        if threshold is None or low is None or high is None:
            raise InputError("a column needs threshold=, which splits it, and low= and high=, known beforehand")
        [column] = people.columns
        boundary, box = Boundary(column, threshold), Box(**{column: (low, high)})
    return certain(people, POLICIES[policy], _given(errors), boundary=boundary, box=box)


def _estimator(
    people: Bodies | Measured,
    bits: Settings,
    *,
    low: Number | None = None,
    high: Number | None = None,
    parts: int = 15,
    p: float = 2.0,
) -> Curve:
    if isinstance(people, Measured) and (low is None or high is None):
        raise InputError("a column needs low= and high=, known beforehand")
    [values] = [people.height] if isinstance(people, Bodies) else people.columns.values()
    least, most = HEIGHTS[0] if low is None else low, HEIGHTS[1] if high is None else high
    prior = Prior.of(values, float(exact_number(least, "low")), float(exact_number(most, "high")), parts, people.origin)
    return estimator(prior, _given(bits), p)


def _homogeneity(table: tables.Rows, ks: Settings, *, quasi: Any = None, sensitive: str | None = None) -> Curve:
    names = quasi.split(",") if isinstance(quasi, str) else quasi
    columns = (names or table.quasi, sensitive or table.sensitive)
    if not all(columns):
        raise InputError("say what the adversary knows, quasi='age,region', and what it wants, sensitive='illness'")
    return homogeneity(table.rows, *columns, _given(ks), table.origin)


def _questions(
    adversary: str,
    private: tables.Private,
    bits: Settings,
    *,
    column: str | None = None,
    where: str | None = None,
) -> Curve:
    asked = (column or private.column, where or private.where)
    if not all(asked):
        raise InputError("name a private column=, and with where= a public condition that one person alone meets")
    found = questions(adversary, private.opened, _given(bits), column=asked[0], where=asked[1])
    return found.on(private.origin)


def _people(path: str | Path | None, *, column: str | None = None) -> Bodies | Measured:
    if column is None:
        return survey(path)
    if path is None:
        raise InputError(f"column={column!r} of which table? give its file as data")
    return numbers(path, column)


def _given(settings: Settings) -> list[Number]:
    if None in settings:
        raise InputError("'exact' is no setting of this adversary; give numbers")
    return [each for each in settings if each is not None]


def _whole(setting: Number | None) -> int:
    found = None if setting is None else exact_number(setting, "bits")
    if found is None or found.denominator != 1:
        raise InputError(f"bits={setting} must be a whole number here")
    return int(found)


BUDGETS = (1, 2, 4, 6, 8, 10)
ATTACKS = {
    "household": Attack(
        "is a household in an aggregate? (NP Fig. 3)", (0, 1, 2, 3, 4, 6, None), _household, meters, twin_meters
    ),
    "disaggregation": Attack(
        "which appliances are on? (NP Fig. 4)", (0, 1, 2, 3, 4, 6, 8, None), _disaggregation, house, twin_house
    ),
    "trips": Attack(
        "which trips are alone in their boxes? (NP Fig. 6)", (0, 4, 8, 12, 16, 20), _trips, taxi, twin_taxi
    ),
    "tester": Attack(
        "who is certain to be on one side of a hypothesis? (NHT)", (1, 2, 5, 10, 20), _tester, _people, twin_survey
    ),
    "estimator": Attack(
        "how near does the best estimate come? (NP Thm 4)", (0, 1, 2, 3, 4), _estimator, _people, twin_survey
    ),
    "homogeneity": Attack(
        "whose value is the only one of their class? (TIFS §V)",
        (1, 2, 3, 5, 10, 20),
        _homogeneity,
        tables.rows,
        tables.twin_rows,
    ),
    **{
        name: Attack(shows, BUDGETS, partial(_questions, name), tables.private, tables.twin_private)
        for name, shows in (
            ("bisection", "what do counts that halve what is left tell, against their price?"),
            ("averaging", "what does the same question tell that is asked again and again?"),
            ("differencing", "what do two sums tell that one person apart is in?"),
        )
    },
}


def attack(name: str, data: Any = None, bits: Settings | None = None, **options: Any) -> Curve:
    """Run one adversary. `data` is a file, "twin" for the synthetic twin, or nothing for the file in NOISELESS_DATA.

    `bits` is what is run through: None among them is the exact data; errors for the tester, k for homogeneity.

    >>> found = attack("trips", "twin", [0, 20])
    >>> found.points[0].value, found.points[1].value > 0.5
    (0.0, True)
    """
    if name not in ATTACKS:
        raise InputError(f"no adversary {name!r}; there are {', '.join(ATTACKS)}")
    known = ATTACKS[name]
    of_load = [*signature(known.load).parameters][1:]
    of_run = [name for name, each in signature(known.run).parameters.items() if each.kind is each.KEYWORD_ONLY]
    if unknown := [option for option in options if option not in (*of_load, *of_run)]:
        raise InputError(f"{name} has no option {unknown[0]!r}; it has {', '.join((*of_load, *of_run))}")
    loading = {option: value for option, value in options.items() if option in of_load}
    if data == TWIN and loading:
        raise InputError(f"{next(iter(loading))} is for data of your own; the twin is what it is")
    loaded = known.twin() if data == TWIN else known.load(data, **loading)
    running = {option: value for option, value in options.items() if option not in of_load}
    return known.run(loaded, known.settings if bits is None else list(bits), **running)
