"""Haemers' bound: the rank of a matrix that fits the confusability graph."""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import TooLargeError
from noiseless.theory.capacity.channel import Channel, as_channel
from noiseless.theory.capacity.deadline import Deadline

MOST_INPUTS = 300
FIELDS = (2, 3, 5, 7, 11, 13, 2147483647)
"""Primes, each of which gives a field. The last one stands for the rationals."""


def haemers_bound(channel: Channel, time_limit: float = 60.0) -> int:
    """The least rank, over some fields, of A + cI with c ≠ 0, where A is the matrix of confusable inputs.

    A matrix fits if it is not 0 on the diagonal, and 0 where two inputs are never confused. Ranks multiply in strong
    powers, and a code picks an invertible diagonal, so α(G^k) ≤ rank^k. Components add up over the same field.

    Guarantee: C0 ≤ log2 of it. Other fitting matrices may have smaller ranks; these are tried because a graph with an
    eigenvalue of high multiplicity has a small one. It can be below Lovász theta, which bounds from above as well.
    Source: Haemers 1979: docs/measures/zero_error_capacity.md

    >>> haemers_bound(Channel({0: {0, 1}, 1: {1, 2}, 2: {2, 3}, 3: {3, 4}, 4: {4, 0}}))
    3
    """
    found = rank_within(as_channel(channel), Deadline.after(time_limit))
    if found is None:
        raise TooLargeError(f"the bound is computed for at most {MOST_INPUTS} inputs, if time allows; use lovasz_theta")
    return found


def rank_within(channel: Channel, deadline: Deadline) -> int | None:
    """The bound, or None where it is too large or the time is over."""
    return min(ranks_within(channel, deadline).values(), default=None)


def ranks_within(channel: Channel, deadline: Deadline) -> dict[int, int]:
    """The least rank over each field, by its prime, as far as size and time allow.

    Ranks over one field multiply in products of different channels; ranks over different fields do not.
    """
    from scipy.sparse.csgraph import connected_components

    if len(channel.inputs) > MOST_INPUTS:
        return {}
    graph = channel.confusability
    number, labels = connected_components(graph, directed=False)
    dense = graph.toarray().astype(np.int64)
    parts = [dense[np.ix_(labels == label, labels == label)] for label in range(number)]
    found: dict[int, int] = {}
    for prime in FIELDS:
        ranks = [_least_rank(part, prime, deadline) for part in parts]
        if deadline.over:
            break
        found[prime] = sum(ranks)
    return found


def _least_rank(matrix: NDArray[Any], prime: int, deadline: Deadline) -> int:
    """Over all c that can matter: no eigenvalue is larger than the largest degree."""
    largest = int(matrix.sum(axis=1).max())
    shifts = {shift % prime for shift in range(-largest, largest + 1)} - {0} or {1}
    best = len(matrix)
    for shift in sorted(shifts):
        if deadline.over:
            break
        best = min(best, rank_modulo(matrix + shift * np.eye(len(matrix), dtype=np.int64), prime))
    return best


def rank_modulo(matrix: NDArray[Any], prime: int) -> int:
    """The rank of a matrix of integers modulo a prime below 2^31, so that products fit 63 bits.

    >>> rank_modulo(np.array([[1, 1], [1, 1]]), 2), rank_modulo(np.array([[1, 1], [1, 3]]), 2)
    (1, 1)
    """
    assert 2 <= prime < 1 << 31
    assert all(prime % divisor for divisor in range(2, min(isqrt(prime), 50_000) + 1))
    rows, rank = matrix % prime, 0
    for column in range(rows.shape[1]):
        found = np.flatnonzero(rows[rank:, column])
        if not len(found):
            continue
        pivot = rank + int(found[0])
        rows[[rank, pivot]] = rows[[pivot, rank]]
        rows[rank] = rows[rank] * pow(int(rows[rank, column]), -1, prime) % prime
        others = rows[rank + 1 :, column].copy()
        rows[rank + 1 :] = (rows[rank + 1 :] - others[:, None] * rows[rank] % prime) % prime
        rank += 1
        if rank == len(rows):
            break
    return rank
