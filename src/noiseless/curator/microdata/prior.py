"""What the custodian expects of the data, declared and never computed from them: the share of each value of a column.

    prior = {"age": "normal(40, 15)", "smoker": {"yes": 0.2}, "height": {"150 to 169": 0.4, "170 to 199": 0.6}}

A column without a prior is uniform. Values that are not named share what is left equally. A prior changes which cells
are chosen, never what is certain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import erf, exp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.curator.schema.categories import Boolean, Category
from noiseless.curator.schema.dates import Date, days
from noiseless.curator.schema.scale import Scale
from noiseless.curator.schema.schema import Private, Schema
from noiseless.errors import InputError, SchemaError
from noiseless.exact.number import exact_number, shown

MISSING = "missing"
PARTS = 10**9
"""Shares are whole numbers of these parts, so that they are the same on every machine."""
NAMED = re.compile(r"\s*(normal|exponential|triangular|uniform)\s*\(([^()]*)\)\s*")
RANGE = re.compile(r"\s*(\S+)\s+to\s+(\S+)\s*")
FORMS = "normal(mean, deviation), exponential(mean), triangular(low, peak, high) or uniform(low, high)"
Floats = NDArray[np.float64]
MOST_PLACES = 200
"""Cells that a prior makes small begin at one of this many places."""


@dataclass(frozen=True, slots=True)
class Shares:
    """The declared share of every value of every private column, then missing values if they are kept separate."""

    parts: Mapping[str, tuple[int, ...]]
    declared: tuple[str, ...] = field(default=())

    def of(self, name: str) -> Floats:
        """The shares of a column."""
        parts: Floats = np.array(self.parts[name], float)
        parts /= parts.sum()
        return parts

    def exactly(self, name: str) -> tuple[Fraction, ...]:
        """The shares of a column as fractions."""
        total = sum(self.parts[name])
        return tuple(Fraction(part, total) for part in self.parts[name])


def shares_of(schema: Schema, prior: Mapping[str, Any]) -> Shares:
    """The shares of every private column. Refused with the reason if a declaration is not valid."""
    if not isinstance(prior, Mapping):
        raise SchemaError("prior= is given by column, as in prior={'age': 'normal(40, 15)'}")
    for name in prior:
        if name not in schema.private:
            raise SchemaError(
                f"prior of {shown(name)}: it is not a private column; the private columns are "
                f"{', '.join(schema.private)}"
            )
    found = {name: _parts(name, column, prior.get(name)) for name, column in schema.private.items()}
    return Shares(found, tuple(prior))


def _parts(name: str, column: Private, given: Any) -> tuple[int, ...]:
    if given is None:
        return (1,) * column.values
    if isinstance(given, str):
        return _named(name, column, given)
    if not isinstance(given, Mapping) or not given:
        raise SchemaError(f"prior of {name!r} is a mapping from values to shares, or a text such as {FORMS}")
    found: dict[int, Fraction] = {}
    for key, share in given.items():
        places = _places(name, column, key)
        try:
            number = exact_number(share, f"the share of {key}")
        except InputError as wrong:
            raise SchemaError(f"prior of {name!r}: {wrong}") from None
        if number < 0 or any(place in found for place in places):
            raise SchemaError(f"prior of {name!r}: {shown(key)} has a negative share, or is named twice; correct it")
        found |= dict.fromkeys(places, number / len(places))
    rest, left = column.values - len(found), 1 - sum(found.values())
    if left < 0 or (not rest and left):
        raise SchemaError(f"prior of {name!r}: the shares add up to {float(1 - left):g}; they must add up to 1")
    return tuple(round(found.get(code, left / rest if rest else left) * PARTS) for code in range(column.values))


def _places(name: str, column: Private, key: Any) -> list[int]:
    """The places of a value, or of a range such as "18 to 25", among all values."""
    if isinstance(column, (Category, Boolean)):
        keys = [*(str(each).lower() if isinstance(each, bool) else str(each) for each in column.keys), MISSING]
        text = str(key).lower() if isinstance(key, bool) else str(key)
        if text == MISSING and isinstance(column, Category) and column.own_missing:
            return [column.top]
        if text in keys[: column.values]:
            return [keys.index(text)]
        raise SchemaError(f"prior of {name!r}: {shown(key)} is not a declared value; use {', '.join(keys[:5])}")
    if key == MISSING and column.apart:
        return [column.top + 1]
    found = RANGE.fullmatch(key) if isinstance(key, str) else None
    first, last = found.groups() if found else (key, key)
    codes = [column.position(_value(name, column, each)) for each in (first, last)]
    if any(code.denominator != 1 or not 0 <= code <= column.top for code in codes) or codes[0] > codes[1]:
        raise SchemaError(
            f"prior of {name!r}: {shown(key)} is not a value or a range of the column; write one such as "
            f"'{column.show(column.low)} to {column.show(column.high)}'"
        )
    return list(range(int(codes[0]), int(codes[1]) + 1))


def _value(name: str, column: Scale, given: Any) -> Fraction:
    try:
        return days(given) if isinstance(column, Date) else exact_number(given)
    except InputError as wrong:
        raise SchemaError(f"prior of {name!r}: {wrong}") from None


def _named(name: str, column: Private, given: str) -> tuple[int, ...]:
    """The shares of a named distribution: between the middles of neighbouring values. None is missing."""
    found = NAMED.fullmatch(given)
    if not isinstance(column, Scale) or found is None:
        raise SchemaError(f"prior of {name!r}: {shown(given)} is not known; a column of numbers can have {FORMS}")
    numbers = [float(_value(name, column, text.strip())) for text in found[2].split(",")]
    below = _distribution(name, given, found[1], numbers)
    edges = [float(column.number(Fraction(2 * code - 1, 2))) for code in range(column.top + 2)]
    inside = [max(0.0, below(high) - below(low)) for low, high in pairwise(edges)]
    total = sum(inside)
    if not total > 0:
        raise SchemaError(
            f"prior of {name!r}: {shown(given)} puts nothing between the bounds of the column; correct it"
        )
    parts = tuple(round(each / total * PARTS) for each in inside)
    return (*parts, *([0] if column.apart else []))


def _distribution(name: str, given: str, kind: str, numbers: list[float]) -> Callable[[float], float]:
    match kind, numbers:
        case "normal", [mean, deviation] if deviation > 0:
            return lambda x: (1 + erf((x - mean) / (deviation * sqrt(2)))) / 2
        case "exponential", [mean] if mean > 0:
            return lambda x: 1 - exp(-max(0.0, x) / mean)
        case "uniform", [low, high] if low < high:
            return lambda x: min(1.0, max(0.0, (x - low) / (high - low)))
        case "triangular", [low, peak, high] if low <= peak <= high and low < high:
            return lambda x: _triangle(x, low, peak, high)
    raise SchemaError(f"prior of {name!r}: {shown(given)} cannot have these numbers; write {FORMS}")


def _triangle(x: float, low: float, peak: float, high: float) -> float:
    if x <= low or x >= high:
        return float(x >= high)
    if x < peak:
        return (x - low) ** 2 / ((high - low) * (peak - low))
    return 1 - (high - x) ** 2 / ((high - low) * (high - peak)) if high > peak else 1.0


def fine_cells(runs: NDArray[np.int64], weights: Floats, most: int) -> Iterator[NDArray[np.int64]]:
    """Cells inside runs of codes whose expected width is smallest, for every number of cells up to `most`.

    A dynamic program: the best k cells of the codes before a place end with the best last cell.
    """
    places = _possible_starts(runs)
    ends = np.append(places[1:], len(runs))
    same = runs[places]
    total = np.concatenate([[0.0], np.cumsum(weights)])
    count = len(places)
    cost = np.full((count, count), np.inf)
    for first in range(count):
        last = np.arange(first, count)
        last = last[same[last] == same[first]]
        cost[first, last] = (total[ends[last]] - total[places[first]]) * (ends[last] - 1 - places[first])
    best = np.full(count + 1, np.inf)
    best[0] = 0.0
    before: list[NDArray[np.int64]] = []
    for _ in range(min(most, count)):
        sums = best[:count, None] + cost
        before.append(np.argmin(sums, axis=0))
        best = np.concatenate([[np.inf], sums.min(axis=0)])
        if np.isfinite(best[count]):
            yield _labels_of(before, places, len(runs))


def _labels_of(before: list[NDArray[np.int64]], places: NDArray[np.int64], values: int) -> NDArray[np.int64]:
    """The label of every value, found by going back from the last cell to the first."""
    starts, end = [], len(places)
    for found in reversed(before):
        end = int(found[end - 1])
        starts.append(int(places[end]))
    labels = np.zeros(values, np.int64)
    labels[starts] = 1
    return np.cumsum(labels) - 1


def _possible_starts(runs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where cells may begin: at every run and, if there are many codes, at even distances."""
    begins = np.flatnonzero(np.concatenate([[True], runs[1:] != runs[:-1]]))
    distance = -(-len(runs) // MOST_PLACES)
    return np.union1d(begins, np.arange(0, len(runs), distance))
