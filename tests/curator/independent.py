"""The truth, computed in another way: plain Python over the raw rows, in exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import ceil, floor, isfinite

import noiseless as nl

EPOCH = date(1970, 1, 1)


@dataclass(frozen=True)
class Value:
    """What a raw value is in the declared table: the clamped number and the number of its code; None if missing."""

    true: Fraction | None
    coded: Fraction | str | bool | None


def number(raw) -> Fraction | None:
    if raw is None or (isinstance(raw, float) and not isfinite(raw)):
        return None
    return Fraction((raw - EPOCH).days) if isinstance(raw, date) else Fraction(raw)


def value_of(column, raw) -> Value:
    if isinstance(column, nl.Category):
        known = raw if raw in column.keys else column.missing if raw is None else column.other
        return Value(None, known)
    if isinstance(column, nl.Boolean):
        default = {"apart": None, None: False}.get(column.missing, column.missing)
        return Value(None, default if raw is None else bool(raw))
    found = number(raw)
    if found is None:
        if column.missing == "apart":
            return Value(None, None)
        found = column.low if column.missing is None else column.missing
    clamped = min(max(found, column.low), column.high)
    # the same IEEE expression, by hand
    low, step = float(column.low), float(column.step)
    code = floor((min(max(float(found), low), float(column.high)) - low) / step + 0.5)
    return Value(clamped, column.low + column.step * code)


def statistic(function: str, values: list[Fraction], share: Fraction | None = None):
    """The statistic of exact numbers; None of nobody, except for counts and sums."""
    n = len(values)
    if function == "COUNT":
        return n
    if function == "SUM":
        return sum(values, Fraction(0))
    if not n:
        return None
    mean = sum(values, Fraction(0)) / n
    if function == "AVG":
        return mean
    if function in ("VAR_POP", "STDDEV_POP"):
        return sum(((v - mean) ** 2 for v in values), Fraction(0)) / n  # of the deviation its square
    rank = max(1, ceil(share * n))
    return sorted(values)[rank - 1]
