"""Run an adversary by name, on built-in data, a file, or the synthetic twin."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import Any

from noiseless.errors import InputError
from noiseless.exact.number import Number, exact_number
from noiseless.lab.attacks.catalogue import ATTACKS, Attack, Settings
from noiseless.lab.attacks.curve import Curve

TWIN = "twin"
"""The value of `data` for the synthetic twin."""


def attack(name: str, data: Any = None, bits: Settings | Number | None = None, **options: Any) -> Curve:
    """Run one adversary and measure what it achieves.

    `data` is a file, "twin" for the synthetic twin, a data set of `lab.datasets`, or None for the file in
    NOISELESS_DATA. `bits` lists the settings to try: None means the exact data. For the tester they are errors, and for
    homogeneity they are k.

    >>> found = attack("trips", "twin", [0, 20])
    >>> found.points[0].value, found.points[1].value > 0.5
    (0.0, True)
    """
    if name not in ATTACKS:
        raise InputError(f"adversary {name!r} does not exist; use one of {', '.join(ATTACKS)}")
    known = ATTACKS[name]
    of_load = [*signature(known.load).parameters][1:]
    of_run = [name for name, each in signature(known.run).parameters.items() if each.kind is each.KEYWORD_ONLY]
    if unknown := [option for option in options if option not in (*of_load, *of_run)]:
        through = f"; give its settings ({known.runs_through}) with bits=, such as bits=[1, 2]"
        raise InputError(f"{name} has no option {unknown[0]!r}; use one of {', '.join((*of_load, *of_run))}{through}")
    loading = {option: value for option, value in options.items() if option in of_load}
    running = {option: value for option, value in options.items() if option not in of_load}
    return known.run(_loaded(known, data, loading), _settings(known, bits), **running)


def _loaded(known: Attack, data: Any, options: dict[str, Any]) -> Any:
    from_file = data is None or isinstance(data, (str, Path))
    if from_file and str(data) != TWIN:
        return known.load(data, **options)
    if options:
        raise InputError(f"{next(iter(options))} is only for your own file; leave it out here")
    if from_file:
        return known.twin()
    if isinstance(data, known.takes):
        return data
    return known.load(data)


def _settings(known: Attack, bits: Settings | Number | None) -> Settings:
    """The settings as numbers. They may be given as one setting or several, as numbers or texts."""
    given = known.settings if bits is None else [*bits] if isinstance(bits, (list, tuple, range)) else [bits]
    return [None if each is None else _plain(each) for each in given]


def _plain(setting: Any) -> Number:
    exact = exact_number(setting, "setting")
    return int(exact) if exact.denominator == 1 else exact
