"""Lovász theta by many cheap steps, each of which could be the last: for many inputs, or little time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.exact.enclosure import Enclosure
from noiseless.theory.capacity.channel import Channel, as_channel
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.capacity.lovasz_theta import enclosed

LOOKING, MOST_STEPS = 20, 20_000
CONVERGED = 1e-10
"""The residual at which further steps gain nothing."""

Matrix = NDArray[np.float64]


def theta_by_steps(channel: Channel, deadline: Deadline) -> Enclosure:
    """ϑ(G) between two certified rationals, which are the closer the more time there is.

    ϑ = min t such that Z = tI + Y − J is positive semidefinite, with Y free between confusable inputs only. Multipliers
    alternate: the best t and Y for given Z and X, then the best Z, then X, which tends to the dual solution. A step
    costs one decomposition into eigenvectors, so that 120 inputs take seconds where an interior-point step takes
    minutes.

    Guarantee: ϑ lies in the enclosure, whenever the time ended; the best Y and the last X are certified as in
    `lovasz_theta`.
    Source: Povh, Rendl, Wiegele 2006 (the boundary point method); theory §2: docs/measures/zero_error_capacity.md

    >>> from math import inf
    >>> theta = theta_by_steps(Channel({k: {k, (k + 1) % 5} for k in range(5)}), Deadline(inf))
    >>> 5**0.5 in theta and theta.width < 1e-6
    True
    """
    confusable = as_channel(channel).confusability.toarray()
    size = len(confusable)
    slack, dual, weight = np.zeros((size, size)), np.eye(size) / size, 1.0 / size
    best: tuple[float, Matrix] = np.inf, np.ones((size, size))
    for step in range(MOST_STEPS):
        free = np.where(confusable, 1 + slack + dual / weight, 0.0)
        t = 1 + (np.trace(slack) + (np.trace(dual) - 1) / weight) / size
        wanted = t * np.eye(size) + free - 1
        before, slack = slack, _positive_part(wanted - dual / weight)
        gap = slack - wanted
        dual = dual + weight * gap
        if step % LOOKING and not deadline.over:
            continue
        best = min(best, (float(np.linalg.eigvalsh(np.where(confusable, 1 - free, 1.0))[-1]), 1 - free), key=_value)
        unequal = np.linalg.norm(gap) / (1 + np.linalg.norm(slack))
        unsteady = weight * np.linalg.norm(slack - before) / (1 + np.linalg.norm(dual))
        if deadline.over or max(unequal, unsteady) < CONVERGED:
            break
        weight *= 1.5 if unequal > 3 * unsteady else 1 / 1.5 if unsteady > 3 * unequal else 1.0
    return enclosed(confusable, best[1], dual)


def _positive_part(matrix: Matrix) -> Matrix:
    """The nearest positive semidefinite matrix."""
    values, vectors = np.linalg.eigh(matrix)
    kept = values > 0
    found: Matrix = (vectors[:, kept] * values[kept]) @ vectors[:, kept].T
    return found


def _value(found: tuple[float, Any]) -> float:
    return found[0]
