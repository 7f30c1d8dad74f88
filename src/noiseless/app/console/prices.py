"""From error to price: what a question would cost at other errors. Free: no private data are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.curator.answer.answer import Preview
from noiseless.curator.curator import Curator
from noiseless.errors import NoiselessError
from noiseless.exact.number import exact_number
from noiseless.exact.rounding import significant

TIMES = tuple(map(Fraction, ("1/10", "1/4", "1/2", "1", "2", "4", "10")))
"""The other errors, as multiples of the one that was asked for."""


@dataclass(frozen=True, slots=True)
class Step:
    """An error, the price of the question at it, and whether it is the one that was asked for."""

    error: str
    price: Preview
    chosen: bool


def prices(curator: Curator, sql: str, terms: Mapping[str, Any], preview: Preview, analyst: str) -> list[Step]:
    """The prices at smaller and larger errors. Empty for a question that is answered exactly."""
    base = exact_number(terms["error"], "error") if "error" in terms else preview.error
    if not isinstance(base, (int, Fraction)) or base <= 0 or preview.error == 0:
        return []
    found = []
    for times in TIMES:
        error = significant(Fraction(base) * times, 3)
        try:
            found.append(Step(error, curator.preview(sql, error=error, analyst=analyst), times == 1))
        except NoiselessError:
            continue  # not every error is possible
    return found
