"""All adversaries by their names, on a built-in set, a file, or the synthetic twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noiseless.errors import InputError
from noiseless.exact.number import Number
from noiseless.lab.attacks.curve import Curve
from noiseless.lab.attacks.disaggregation import disaggregation
from noiseless.lab.attacks.estimator import estimator
from noiseless.lab.attacks.household import household
from noiseless.lab.attacks.tester import certain
from noiseless.lab.attacks.trips import unique_trips
from noiseless.lab.datasets.appliances import house
from noiseless.lab.datasets.panel import meters
from noiseless.lab.datasets.people import survey
from noiseless.lab.datasets.trips import taxi
from noiseless.lab.datasets.twins import twin_house, twin_meters, twin_survey, twin_taxi
from noiseless.privacy.definitions.hypothesis.collapse import Collapse
from noiseless.privacy.definitions.hypothesis.shift import Shift
from noiseless.privacy.definitions.hypothesis.stretch import Stretch

TWIN = "twin"
"""The data to name for the synthetic twin."""
POLICIES: dict[str, Any] = {"collapse": Collapse, "stretch": Stretch, "shift": Shift}
Settings = Sequence[Number | None]


@dataclass(frozen=True)
class Attack:
    """What it shows, what it runs through by default, and how it is run."""

    shows: str
    settings: Settings
    run: Callable[..., Curve]
    load: Callable[[str | Path | None], Any] | None = None
    twin: Callable[[], Any] | None = None


def _household(
    data: Any, bits: Settings, n: int = 4, adversary: str = "correlation", daily: bool = True, **more: Any
) -> Curve:
    panel = data.daily() if daily else data
    return household(panel, n, bits, high=more.pop("high", 100 if daily else 10), adversary=adversary, **more)


def _disaggregation(data: Any, bits: Settings, high: Number = 12_000, **more: Any) -> Curve:
    return disaggregation(data, bits, high=high, **more)


def _trips(data: Any, bits: Settings) -> Curve:
    return unique_trips(data, [int(str(each)) for each in bits])


def _tester(data: Any, bits: Settings, policy: str = "shift") -> Curve:
    if policy not in POLICIES:
        raise InputError(f"no policy {policy!r}; there are {', '.join(POLICIES)}")
    return certain(data, POLICIES[policy], [each for each in bits if each is not None])


def _estimator(data: Any, bits: Settings, p: float = 2.0, tilt: float = 0.0) -> Curve:
    return estimator([2 ** int(str(each)) for each in bits], p=p, tilt=tilt)


ATTACKS = {
    "household": Attack(
        "is a household in an aggregate? (NP Fig. 3)", (0, 1, 2, 3, 4, 6, None), _household, meters, twin_meters
    ),
    "disaggregation": Attack(
        "which appliances are on? (NP Fig. 4)", (0, 1, 2, 3, 4, 6, 8, None), _disaggregation, house, twin_house
    ),
    "trips": Attack(
        "how many trips are alone in their boxes? (NP Fig. 6)", (0, 4, 8, 12, 16, 20), _trips, taxi, twin_taxi
    ),
    "tester": Attack(
        "who is certain to be obese, or not to be? against errors (NHT)",
        (1, 2, 5, 10, 20),
        _tester,
        survey,
        twin_survey,
    ),
    "estimator": Attack("how near does the best estimate come? (NP Thm 4)", (0, 1, 2, 3, 4), _estimator),
}


def attack(name: str, data: str | Path | None = None, bits: Settings | None = None, **options: Any) -> Curve:
    """Run one adversary. `data` is a file, "twin" for the synthetic twin, or nothing for the file in NOISELESS_DATA.

    >>> found = attack("trips", "twin", [0, 20])
    >>> found.points[0].value, found.points[1].value > 0.5
    (0.0, True)
    """
    if name not in ATTACKS:
        raise InputError(f"no adversary {name!r}; there are {', '.join(ATTACKS)}")
    known = ATTACKS[name]
    loaded = None
    if known.load is not None and known.twin is not None:
        loaded = known.twin() if data == TWIN else known.load(data)
    try:
        return known.run(loaded, known.settings if bits is None else list(bits), **options)
    except TypeError as wrong:
        if "unexpected keyword" in str(wrong):
            raise InputError(f"{name} has no such option: {wrong}") from None
        raise
