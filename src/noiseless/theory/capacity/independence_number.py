"""The independence number: how many inputs can be told apart for certain in one use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noiseless.errors import TimeLimitError
from noiseless.theory.capacity.channel import Channel

TIME_LIMIT = 60.0


def independence_number(channel: Channel, time_limit: float = TIME_LIMIT) -> int:
    """α(G): the largest number of inputs of which no two can come out alike.

    An integer program: each output is caused by at most one chosen input. Solved exactly by HiGHS; if
    `time_limit` seconds do not suffice to prove the best, `TimeLimitError` says what was found.

    Source: Shannon 1956, NP §II-B: docs/measures/zero_error_capacity.md

    >>> independence_number(Channel({0: {0, 1}, 1: {1, 2}, 2: {2, 3}, 3: {3, 4}, 4: {4, 0}}))
    2
    """
    found = distinguishable_inputs(channel, time_limit)
    if not found.proved:
        raise TimeLimitError(
            f"in time_limit={time_limit} s, {len(found.places)} inputs that are never confused were found, "
            f"not proved to be the most; raise time_limit"
        )
    return len(found.places)


@dataclass(frozen=True, slots=True)
class Distinguishable:
    """Places of inputs no two of which can come out alike, and whether there are proved to be no more."""

    places: tuple[int, ...]
    proved: bool


def distinguishable_inputs(channel: Channel, time_limit: float) -> Distinguishable:
    """The largest set of inputs never confused that can be found in the time."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    inputs = len(channel.inputs)
    result = milp(
        -np.ones(inputs),
        integrality=1,
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(channel.matrix.T.astype(float), -np.inf, 1),
        options={"time_limit": max(time_limit, 0.01), "mip_rel_gap": 0},
    )
    places = (0,) if result.x is None else tuple(np.flatnonzero(result.x > 0.5).tolist())
    if _never_confused(channel, places):
        return Distinguishable(places, proved=result.status == 0)
    return Distinguishable((0,), proved=False)


def _never_confused(channel: Channel, places: tuple[int, ...]) -> bool:
    """The solver works in floats; what it found is checked in integers."""
    return bool(np.bincount(channel.matrix[list(places)].indices).max() <= 1)
