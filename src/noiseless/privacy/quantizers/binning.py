"""The exact bin of every float of an array, at nearly the speed of copying it.

Take the float x·2^b/width, truncate it to an integer, and subtract the integer of the lowest edge. The upper bits are
the bin, and the lower b bits are the place inside the bin. The error is below `slack` units, so only values within
`slack` of an edge are uncertain. These few are compared with the edge itself, rounded up to the next float: x ≥ edge
iff x ≥ that float.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, inf, nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.privacy.quantizers.quantizer import Outside, Quantizer, missing_error, outside_error

BLOCK = 32_768
"""Values per block, so that the working arrays stay in the cache."""
LARGEST_TABLE = 1 << 17

Floats = NDArray[np.float64]
Indices = NDArray[np.signedinteger[Any]]


def bins_of_floats(quantizer: Quantizer, values: Floats, outside: Outside) -> Indices:
    """The bin of every value; NaN raises."""
    bins = np.empty(len(values), dtype=index_type(quantizer))
    plan = _plan(quantizer)
    if plan is None:
        _refuse_what_is_outside(quantizer, values, outside)
        bins[:] = _by_search(quantizer, values)
        return bins
    work = _Work.of(min(BLOCK, len(values)), plan.kind)
    doubtful = []
    with np.errstate(invalid="ignore", over="ignore"):
        for start in range(0, len(values), BLOCK):
            block, into = values[start : start + BLOCK], bins[start : start + BLOCK]
            found = plan.fill(quantizer, block, into, work.first(len(block)), outside)
            if found is not None:
                doubtful.append(start + found)
    if doubtful:
        places = np.concatenate(doubtful)
        bins[places] = _beside_an_edge(quantizer, values[places], bins[places], outside)
    return bins


def index_type(quantizer: Quantizer) -> Any:
    """The smallest signed integer type that holds every index, and the number of levels."""
    kinds = (kind for kind in (np.int8, np.int16, np.int32, np.int64) if quantizer.levels <= np.iinfo(kind).max)
    return next(kinds, object)


@dataclass(frozen=True, slots=True)
class _Work:
    """Work arrays, allocated once."""

    scaled: Floats
    places: Indices
    fractions: Indices

    @classmethod
    def of(cls, length: int, kind: Any) -> _Work:
        return cls(np.empty(length), np.empty(length, kind), np.empty(length, kind))

    def first(self, length: int) -> _Work:
        return self if length == len(self.scaled) else _Work.of(length, self.places.dtype)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The map x ↦ ⌊x·scale⌋ − lowest onto integers with `fraction_bits` below the bin."""

    scale: float
    lowest: int
    fraction_bits: int
    slack: int
    kind: Any

    def fill(
        self, quantizer: Quantizer, values: Floats, into: Indices, work: _Work, outside: Outside
    ) -> NDArray[np.intp] | None:
        """Write the bins, and return which are uncertain: too close to an edge, so compared with it later."""
        scaled, places, fractions = work.scaled, work.places, work.fractions
        np.multiply(values, self.scale, out=scaled)
        np.copyto(places, scaled, casting="unsafe")
        np.subtract(places, self.lowest, out=places)
        top = quantizer.levels << self.fraction_bits
        # read as unsigned, values below the range, beyond an integer, or NaN are as large as values above the range
        if places.view(f"u{places.itemsize}").max() >= top or not (NAN_STANDS_OUT or np.isfinite(values).all()):
            _refuse_what_is_outside(quantizer, values, outside)
            np.clip(scaled - self.lowest, self.slack, top + self.slack, out=places, casting="unsafe")
        np.bitwise_and(places, (1 << self.fraction_bits) - 1, out=fractions)
        doubtful = np.flatnonzero(fractions < 2 * self.slack) if fractions.min() < 2 * self.slack else None
        np.right_shift(places, self.fraction_bits, out=places)
        np.copyto(into, places, casting="unsafe")
        return doubtful


def _nan_stands_out() -> bool:
    """Whether NaN becomes the smallest integer, as on most machines, and not 0."""
    with np.errstate(invalid="ignore"):
        return int(np.array([np.nan]).astype(np.int32)[0]) == np.iinfo(np.int32).min


NAN_STANDS_OUT = _nan_stands_out()


@lru_cache(maxsize=256)
def _plan(quantizer: Quantizer) -> _Plan | None:
    """A plan, unless the bins are uneven or too fine for floats near the range."""
    if quantizer.edges is not None:
        return None
    furthest = ceil(max(abs(quantizer.low), abs(quantizer.high)) / quantizer.widest) + quantizer.levels
    small = furthest.bit_length() <= 20
    fraction_bits = (30 if small else 55) - furthest.bit_length()
    scale = 2**fraction_bits / quantizer.widest if fraction_bits >= 4 else Fraction(0)
    # two roundings of at most furthest·2^b·2⁻⁵³ each, and one unit each for cutting x·scale and low·scale to integers
    slack = ceil(4 * furthest * 2 ** max(fraction_bits, 0) / Fraction(2) ** 53) + 3
    if 16 * slack > 2 ** max(fraction_bits, 0) or not 1e-300 < scale < 1e300:
        return None
    lowest = floor(quantizer.low * scale) - slack
    return _Plan(float(scale), lowest, fraction_bits, slack, np.int32 if small else np.int64)


def _refuse_what_is_outside(quantizer: Quantizer, values: Floats, outside: Outside) -> None:
    if np.isnan(values).any():
        raise missing_error()
    if outside == "raise" and ((values < floor_of(quantizer.low)).any() or (values > ceiling_of(quantizer.high)).any()):
        raise outside_error(quantizer)


def _beside_an_edge(quantizer: Quantizer, values: Floats, edges: Indices, outside: Outside) -> Indices:
    """The bins of values near the edges of these numbers: the bin of the edge, or the one below it."""
    _refuse_what_is_outside(quantizer, values, outside)
    if quantizer.levels <= min(LARGEST_TABLE, 8 * len(edges)):
        limits = _edges(quantizer)[edges]
    else:
        numbers, places = np.unique(edges, return_inverse=True)
        limits = np.array([float_not_below(quantizer.edge(k)) for k in numbers.tolist()])[places]
    return np.clip(edges - (values < limits), 0, quantizer.levels - 1)


@lru_cache(maxsize=64)
def _edges(quantizer: Quantizer) -> Floats:
    """Every edge, as the smallest float not below it."""
    return np.array([float_not_below(quantizer.edge(k)) for k in range(quantizer.levels + 1)])


def _by_search(quantizer: Quantizer, values: Floats) -> Any:
    if quantizer.edges is None:
        within = np.clip(values, float_not_below(quantizer.low), float_not_above(quantizer.high))
        return [quantizer.index(value, "clamp") for value in within.tolist()]
    return np.searchsorted(_edges(quantizer)[1:-1], values, side="right")


def float_not_below(number: Fraction) -> float:
    """The smallest float not below the number."""
    try:
        nearest = number.numerator / number.denominator
    except OverflowError:
        return inf if number > 0 else -np.finfo(float).max
    return nextafter(nearest, inf) if Fraction(nearest) < number else nearest


def nearest_float(number: Fraction) -> float:
    """The float nearest to the number; infinite beyond all floats."""
    try:
        return number.numerator / number.denominator
    except OverflowError:
        return inf if number > 0 else -inf


def floor_of(bound: Fraction) -> float:
    """The smallest float that counts as not below a declared bound: the float nearest to the bound means the bound."""
    return min(float_not_below(bound), nearest_float(bound))


def ceiling_of(bound: Fraction) -> float:
    """The largest float that counts as not above a declared bound."""
    return max(float_not_above(bound), nearest_float(bound))


def float_not_above(number: Fraction) -> float:
    """The largest float not above the number."""
    return 0.0 - float_not_below(-number)
