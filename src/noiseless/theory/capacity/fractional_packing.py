"""The fractional packing number: an upper bound on capacity from a linear program, with an exact certificate."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.exact.enclosure import Enclosure
from noiseless.theory.capacity.channel import Channel, as_channel
from noiseless.theory.capacity.deadline import Deadline

TIME_LIMIT = 60.0
SMALL_DENOMINATOR = 1000
COMMON_DENOMINATOR = 2**30
ROUNDING = 1e-7
"""Weights closer than this to simple fractions are replaced by them."""


def fractional_packing(channel: Channel, time_limit: float = TIME_LIMIT) -> Enclosure:
    """α* = max Σ w_x with Σ w_x ≤ 1 over the inputs of each output, w ≥ 0.

    Its dual is the smallest total weight of outputs that covers every input. HiGHS finds both in floats. They are then
    rounded to integers over a common denominator and scaled until every constraint holds exactly, which gives a certain
    lower and a certain upper bound. If the time runs out, these are 1 and the number of inputs.

    Guarantee: α* lies in the enclosure, and zero-error capacity ≤ log2 α*.
    Source: Shannon 1956; theory §2: docs/measures/zero_error_capacity.md

    >>> fractional_packing(Channel({0: {0, 1}, 1: {1, 2}, 2: {2, 3}, 3: {3, 4}, 4: {4, 0}}))
    5/2
    """
    from scipy.optimize import linprog

    deadline = Deadline.after(time_limit)
    inputs, outputs = as_channel(channel).matrix.shape
    result = linprog(
        -np.ones(inputs),
        A_ub=channel.matrix.T.astype(float),
        b_ub=np.ones(outputs),
        method="highs",
        options={"time_limit": max(deadline.left, 0.01)},
    )
    if result.x is None or result.ineqlin.marginals is None:
        return Enclosure(Fraction(1), Fraction(inputs))
    incidence = channel.matrix.astype(np.int64)
    return Enclosure(
        _packing_value(incidence, _as_integers(result.x)),
        _cover_value(incidence, _as_integers(-result.ineqlin.marginals)),
    )


def _packing_value(incidence: Any, weights: NDArray[np.int64]) -> Fraction:
    """Σw / (largest load of an output): the value of w scaled to be feasible."""
    return Fraction(int(weights.sum()), int((incidence.T @ weights).max()))


def _cover_value(incidence: Any, weights: NDArray[np.int64]) -> Fraction:
    """Σv / (smallest cover of an input): the value of v scaled to be feasible."""
    return Fraction(int(weights.sum()), int((incidence @ weights).min()))


def _as_integers(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Integers in the proportion of the weights; exact if the weights are simple fractions."""
    common = 1
    for weight in set(weights.tolist()):
        common = lcm(common, Fraction(weight).limit_denominator(SMALL_DENOMINATOR).denominator)
        if common > COMMON_DENOMINATOR:
            break
    if common > COMMON_DENOMINATOR or np.abs(np.rint(weights * common) / common - weights).max() > ROUNDING:
        common = COMMON_DENOMINATOR
    return np.maximum(np.rint(weights * common), 0).astype(np.int64)
