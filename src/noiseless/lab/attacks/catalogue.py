"""All adversaries by name: what each shows, its data and its options."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from noiseless.errors import InputError
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.adversary import SEED
from noiseless.lab.attacks.combinations import LEVELS
from noiseless.lab.attacks.curve import Curve
from noiseless.lab.attacks.disaggregation import TRAIN, disaggregation
from noiseless.lab.attacks.distinguisher import Recorded, distinguisher
from noiseless.lab.attacks.estimator import Prior, estimator
from noiseless.lab.attacks.guards import aimed, codes_of
from noiseless.lab.attacks.homogeneity import homogeneity
from noiseless.lab.attacks.household import GAMES, household
from noiseless.lab.attacks.questions import questions
from noiseless.lab.attacks.tester import certain
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

POLICIES: dict[str, Any] = {"collapse": Collapse, "stretch": Stretch, "shift": Shift}
KILOGRAMS = (1, 2, 5, 10, 20)
PARTS = (Fraction(1, 100), Fraction(1, 50), Fraction(1, 20), Fraction(1, 10), Fraction(1, 5))
"""Errors of the tester, in kg and as parts of a range."""
KILOWATT_HOURS = 100
"""The most that a home uses in a day."""
HEIGHTS = (100, 250)
"""The range of heights in the survey, in cm, as in the papers."""
Settings = Sequence[Number | None]


@dataclass(frozen=True)
class Attack:
    """What an adversary shows, its data, its default settings, and how it is run."""

    shows: str
    data: str
    settings: Settings
    """The default settings. If empty, the run chooses its own."""
    run: Callable[..., Curve]
    load: Callable[..., Any]
    """Loads the data from a path, or from NOISELESS_DATA. Further arguments are options."""
    twin: Callable[[], Any]
    takes: tuple[type, ...]
    """Types of data sets that can be passed directly."""
    runs_through: str = "bits"
    """What the settings mean, such as bits."""


def _household(
    panel: Panel,
    bits: Settings,
    *,
    n: int = 4,
    adversary: str = "correlation",
    half_hourly: bool = False,
    high: Number | None = None,
    games: int = GAMES,
    printed: bool = False,
    seed: int = SEED,
) -> Curve:
    usual = 10 if half_hourly else 100
    play = partial(
        household,
        panel if half_hourly else panel.daily(),
        n,
        bits,
        high=usual if high is None else high,
        adversary=adversary,
        games=games,
        seed=seed,
    )
    return play().with_beside("Theorem 8 as printed", play(rule="printed")) if printed else play()


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
        raise InputError(f"policy {policy!r} does not exist; use one of {', '.join(POLICIES)}")
    if isinstance(people, Bodies):
        if (threshold, low, high) != (None, None, None):
            raise InputError("threshold=, low= and high= need a column; name it with column=")
        return certain(people, POLICIES[policy], _given(errors) or KILOGRAMS)
    if threshold is None or low is None or high is None:
        raise InputError(
            "column= also needs threshold=, which splits it, and low= and high= from public knowledge; give all three"
        )
    least, split, most = (
        exact_number(each, name) for name, each in (("low", low), ("threshold", threshold), ("high", high))
    )
    if not least < split < most:
        raise InputError(f"threshold={threshold} is not between low={low} and high={high}; choose one between them")
    [values] = people.columns.values()
    return certain(
        Measured({"value": values}, people.origin),
        POLICIES[policy],
        _given(errors) or [(most - least) * part for part in PARTS],
        boundary=Boundary("value", split),
        box=Box(value=(least, most)),
    )


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
        raise InputError("column= also needs low= and high=; give both, from public knowledge")
    [values] = [people.height] if isinstance(people, Bodies) else people.columns.values()
    least, most = HEIGHTS[0] if low is None else low, HEIGHTS[1] if high is None else high
    prior = Prior.of(values, float(exact_number(least, "low")), float(exact_number(most, "high")), parts, people.origin)
    return estimator(prior, _given(bits), p)


def _distinguisher(
    people: Panel | Trips | Bodies | Measured,
    bits: Settings,
    *,
    definition: str = "noiseless",
    n: int = 4,
    pair: str = "people",
    knows: str | None = None,
    policy: str = "collapse",
    threshold: Number | None = None,
    low: Number | None = None,
    high: Number | None = None,
    games: int = GAMES,
    seed: int = SEED,
) -> Curve:
    if policy not in POLICIES:
        raise InputError(f"policy {policy!r} does not exist; use one of {', '.join(POLICIES)}")
    return distinguisher(
        _recorded(people, low, high),
        bits,
        definition=definition,
        n=n,
        pair=pair,
        knows=knows,
        policy=POLICIES[policy],
        threshold=threshold,
        games=games,
        seed=seed,
    )


def _recorded(people: Panel | Trips | Bodies | Measured, low: Number | None, high: Number | None) -> Recorded:
    """The value of each person: a day of a home, where a trip begins (north), a height, or a column."""
    ends: tuple[Number, Number] | None
    match people:
        case Panel():
            values, ends, what = people.daily().readings.ravel(), (0, KILOWATT_HOURS), "days of homes, in kWh"
        case Trips():
            values, ends, what = people.points[:, 0], people.north, "where trips begin, in degrees north"
        case Bodies():
            values, ends, what = people.height, HEIGHTS, "heights, in cm"
        case Measured():
            [values], ends, what = people.columns.values(), None, "the column"
    if ends is None and (low is None or high is None):
        raise InputError("column= also needs low= and high=; give both, from public knowledge")
    least, most = ends or (0, 0)
    return Recorded.of(
        values, least if low is None else low, most if high is None else high, f"{people.origin}; {what}"
    )


def _homogeneity(table: tables.Rows, ks: Settings, *, quasi: Any = None, sensitive: str | None = None) -> Curve:
    names = [name.strip() for name in quasi.split(",")] if isinstance(quasi, str) else quasi
    columns = (names or table.quasi, sensitive or table.sensitive)
    if not all(columns):
        raise InputError(
            "the adversary needs columns; give what it knows, quasi='age,region', and what it wants, "
            "sensitive='illness'"
        )
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
        raise InputError(
            "the adversary needs a target; name a private column=, and a public condition that only one person meets "
            "with where="
        )
    found = questions(adversary, private.opened, _given(bits), column=asked[0], where=asked[1])
    return found.on(private.origin)


def _aimed(
    adversary: str,
    people: Bodies | Measured,
    bits: Settings,
    *,
    low: Number | None = None,
    high: Number | None = None,
    codes: int = 8,
) -> Curve:
    if isinstance(people, Measured) and (low is None or high is None):
        raise InputError("column= also needs low= and high=; give both, from public knowledge")
    [values] = [people.height] if isinstance(people, Bodies) else people.columns.values()
    least, most = HEIGHTS[0] if low is None else low, HEIGHTS[1] if high is None else high
    return aimed(adversary, codes_of(values, least, most, codes), codes - 1, _given(bits), people.origin)


def _anyone(
    path: str | Path | None, *, of: str = "survey", column: str | None = None
) -> Panel | Trips | Bodies | Measured:
    loaders: dict[str, Any] = {"survey": _people, "meters": meters, "trips": taxi}
    if of not in loaders:
        raise InputError(f"of={of!r} does not exist; use one of {', '.join(loaders)}")
    found: Panel | Trips | Bodies | Measured = _people(path, column=column) if column is not None else loaders[of](path)
    return found


def _people(path: str | Path | None, *, column: str | None = None) -> Bodies | Measured:
    if column is None:
        return survey(path)
    if path is None:
        raise InputError(f"column={column!r} needs a table; give its file as data")
    return numbers(path, column)


def _given(settings: Settings) -> list[Number]:
    if None in settings:
        raise InputError("'exact' is not a setting of this adversary; give numbers")
    return [each for each in settings if each is not None]


def _whole(setting: Number | None) -> int:
    found = None if setting is None else exact_number(setting, "bits")
    if found is None or found.denominator != 1:
        raise InputError(f"bits={setting} is not a whole number; use whole numbers here")
    return int(found)


def _asking(name: str, shows: str) -> Attack:
    run = partial(_questions, name)
    return Attack(shows, DECLARED, BUDGETS, run, tables.private, tables.twin_private, (tables.Private,))


def _aiming(name: str, shows: str) -> Attack:
    return Attack(shows, "a column, or heights", AIMED_BUDGETS, partial(_aimed, name), _people, twin_survey, PEOPLE)


DECLARED = "any table with its declaration, as .toml"
BUDGETS = (1, 2, 4, 6, 8, 10)
AIMED_BUDGETS = (1, 2, 4, 6)
PEOPLE = (Bodies, Measured)
ATTACKS = {
    "household": Attack(
        "is a household in an aggregate? (NP Fig. 3)",
        "half-hour meters",
        (0, 1, 2, 3, 4, 6, None),
        _household,
        meters,
        twin_meters,
        (Panel,),
    ),
    "disaggregation": Attack(
        "which appliances are on? (NP Fig. 4)",
        "mains and appliances",
        (0, 1, 2, 3, 4, 6, 8, None),
        _disaggregation,
        house,
        twin_house,
        (House,),
    ),
    "trips": Attack(
        "which trips are alone in their boxes? (NP Fig. 6)",
        "where trips begin and end",
        (0, 4, 8, 12, 16, 20),
        _trips,
        taxi,
        twin_taxi,
        (Trips,),
    ),
    "tester": Attack(
        "who is certain to be on one side of a hypothesis? (NHT)",
        "a column, or heights and weights",
        (),
        _tester,
        _people,
        twin_survey,
        PEOPLE,
        "errors",
    ),
    "estimator": Attack(
        "how close is the best estimate? (NP Thm 4)",
        "a column, or heights",
        (0, 1, 2, 3, 4),
        _estimator,
        _people,
        twin_survey,
        PEOPLE,
    ),
    "distinguisher": Attack(
        "which of two values does a person have? (NHT §6, NP §III-C)",
        "a column, heights, half-hour meters, or trips",
        (0, 1, 2, 3, 4, 6, None),
        _distinguisher,
        _anyone,
        twin_survey,
        (Panel, Trips, *PEOPLE),
    ),
    "homogeneity": Attack(
        "whose value is the only one in their class? (TIFS §V)",
        "any table",
        (1, 2, 3, 5, 10, 20),
        _homogeneity,
        tables.rows,
        tables.twin_rows,
        (tables.Rows,),
        "k",
    ),
    "guards": _aiming("guards", "what do counts reveal that one person moves into a guard, and at what price?"),
    "levels": _aiming("levels", "what do stable counts reveal that one person moves to a coarser level?"),
    "bisection": _asking("bisection", "what do counts that halve the remaining values reveal, and at what price?"),
    "averaging": _asking("averaging", "what does the same question reveal when asked again and again?"),
    "differencing": _asking("differencing", "what do two sums that differ by one person reveal?"),
}
