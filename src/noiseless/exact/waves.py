"""The range of sine, cosine and tangent on intervals: the ends, and the peaks between them."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import NumberError

Floats = NDArray[np.float64]
Ends = tuple[Floats, Floats]
DOUBT = 2.0**-50
"""Larger than two errors of floats: of a number of turns, relative to 1 + turns, and of a sine, absolutely."""


def sine(low: Floats, high: Floats) -> Ends:
    """The smallest and largest sine between two angles.

    >>> sine(np.array([0.0]), np.array([3.0]))[1] >= 1
    array([ True])
    """
    return _wave(np.sin, low, high, peak=0.25)


def cosine(low: Floats, high: Floats) -> Ends:
    """The smallest and largest cosine between two angles."""
    return _wave(np.cos, low, high, peak=0.0)


def tangent(low: Floats, high: Floats) -> Ends:
    """The tangent rises between two poles."""
    if np.any(_meets(low, high, 0.25) | _meets(low, high, 0.75)):
        raise NumberError("numpy.tan is undefined or infinite on part of the range; choose a smaller range")
    return np.tan(low), np.tan(high)


def _wave(function: Callable[[Any], Any], low: Floats, high: Floats, peak: float) -> Ends:
    ends = function(low), function(high)
    least = np.where(_meets(low, high, peak + 0.5), -1.0, np.minimum(*ends) - DOUBT)
    most = np.where(_meets(low, high, peak), 1.0, np.maximum(*ends) + DOUBT)
    return np.maximum(least, -1.0), np.minimum(most, 1.0)


def _meets(low: Floats, high: Floats, turn: float) -> NDArray[np.bool_]:
    """Whether an angle of k + turn full turns may lie between two angles."""
    first, last = (each / (2 * pi) - turn for each in (low, high))
    found: NDArray[np.bool_] = np.ceil(first - DOUBT * (1 + np.abs(first))) <= last + DOUBT * (1 + np.abs(last))
    return found
