"""Lovász theta: the sharpest computable upper bound on zero-error capacity, with both ends certified."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import InputError, MissingExtraError, TimeLimitError
from noiseless.exact.enclosure import Enclosure
from noiseless.theory.capacity.channel import Channel, as_channel
from noiseless.theory.capacity.deadline import Deadline

MOST_INPUTS = 120
LARGEST_ENTRY = 1e9
TIME_LIMIT = 60.0

Matrix = NDArray[np.float64]


def lovasz_theta(channel: Channel, time_limit: float = TIME_LIMIT) -> Enclosure:
    """ϑ(G) of the confusability graph, between two certified rationals.

    ϑ = min λ_max(A) over symmetric A that are 1 on the diagonal and between inputs never confused, and
    = max ΣB over B ⪰ 0 of trace 1 that are 0 between confusable inputs. Clarabel solves the first as a
    semidefinite program and gives B as its dual. Whatever it returns, the free entries are put into an A and a B
    that satisfy their constraints exactly, and the rounding errors of the eigenvalues are added outward.

    Guarantee: ϑ lies in the enclosure, and zero-error capacity ≤ log2 ϑ.
    Source: Lovász 1979; theory §2: docs/measures/zero_error_capacity.md

    >>> theta = lovasz_theta(Channel({0: {0, 1}, 1: {1, 2}, 2: {2, 3}, 3: {3, 4}, 4: {4, 0}}))
    >>> 5**0.5 in theta and theta.width < 1e-6
    True
    """
    deadline = Deadline.after(time_limit)
    confusable = as_channel(channel).confusability.toarray()
    if len(confusable) > MOST_INPUTS:
        raise InputError(
            f"the channel has {len(confusable)} inputs; the semidefinite program supports at most {MOST_INPUTS}; "
            f"use fractional_packing, or zero_error_capacity, which first drops inputs that cannot help"
        )
    if not confusable.any():
        return Enclosure(Fraction(len(confusable)), Fraction(len(confusable)))
    free, dual = _solve(confusable, max(deadline.left, 0))
    return enclosed(confusable, free, dual)


def enclosed(confusable: NDArray[np.bool_], free: Matrix, dual: Matrix) -> Enclosure:
    """What any matrices A and B certify, once they are made to satisfy their constraints."""
    return Enclosure(_lower(confusable, _finite(dual)), _upper(confusable, _finite(free)))


def _upper(confusable: NDArray[np.bool_], free: Matrix) -> Fraction:
    matrix = np.where(confusable, free, 1.0)
    return Fraction(float(np.linalg.eigvalsh(matrix)[-1])) + _eigenvalue_error(matrix)


def _lower(confusable: NDArray[np.bool_], dual: Matrix) -> Fraction:
    matrix = np.where(confusable, 0.0, dual)
    least = Fraction(float(np.linalg.eigvalsh(matrix)[0])) - _eigenvalue_error(matrix)
    lift = max(-least, Fraction(0))
    size = len(matrix)
    # exact sums of floats; adding lift·I makes the matrix positive semidefinite
    trace = sum(map(Fraction, np.diag(matrix).tolist()), Fraction(0)) + size * lift
    total = sum(map(Fraction, matrix.ravel().tolist()), Fraction(0)) + size * lift
    return max(total / trace, Fraction(1)) if trace > 0 else Fraction(1)


def _eigenvalue_error(matrix: Matrix) -> Fraction:
    """More than the error of LAPACK's symmetric solver: a modest multiple of n·eps·‖A‖."""
    return Fraction(8 * len(matrix) * np.finfo(float).eps * float(np.linalg.norm(matrix)))


def _solve(confusable: NDArray[np.bool_], time_limit: float) -> tuple[Matrix, Matrix]:
    """Minimise t such that tI − J − Y is positive semidefinite, Y free between confusable inputs only."""
    try:
        import clarabel
    except ImportError:
        raise MissingExtraError(
            "Lovász theta needs the solver Clarabel; run pip install 'noiseless[capacity]'"
        ) from None
    from scipy.sparse import csc_array

    size = len(confusable)
    columns, rows = np.tril_indices(size)  # upper triangle, column by column, as Clarabel stacks it
    scale = np.where(rows == columns, 1.0, np.sqrt(2.0))
    edges = np.flatnonzero(confusable[rows, columns])
    diagonal = np.flatnonzero(rows == columns)
    # slack = −J − A·(t, y), so column 0 of A is −I and column 1+e puts +√2 at edge e
    entries = np.concatenate([-np.ones(size), scale[edges]])
    places = np.concatenate([diagonal, edges]), np.concatenate([np.zeros(size), 1 + np.arange(len(edges))])
    a = csc_array((entries, places), shape=(len(rows), 1 + len(edges)))
    nothing = csc_array((1 + len(edges), 1 + len(edges)))
    objective = np.zeros(1 + len(edges))
    objective[0] = 1.0

    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.time_limit = max(time_limit, 0.01)
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-10
    cone = [clarabel.PSDTriangleConeT(size)]
    solution = clarabel.DefaultSolver(nothing, objective, a, -scale, cone, settings).solve()
    if "MaxTime" in str(solution.status):
        raise TimeLimitError(f"Lovász theta was not found in time_limit={time_limit:.3g} s; raise time_limit")

    free, dual = np.zeros((size, size)), np.zeros((size, size))
    free[rows[edges], columns[edges]] = free[columns[edges], rows[edges]] = 1 + np.array(solution.x[1:])
    stacked = np.array(solution.z) / scale
    dual[rows, columns] = dual[columns, rows] = stacked
    return free, dual


def _finite(values: Any) -> Any:
    """Zeros are still a valid certificate, only a weak one."""
    return np.clip(np.nan_to_num(values, nan=0.0), -LARGEST_ENTRY, LARGEST_ENTRY)
