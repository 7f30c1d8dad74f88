"""Applying a policy to data: block by block, and only where it acts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import isfinite
from os import cpu_count
from typing import Any

import narwhals as nw
import numpy as np

from noiseless.errors import DomainError, UnknownVariableError
from noiseless.exact.number import exact_number
from noiseless.exact.polynomial import Polynomial
from noiseless.privacy.definitions.hypothesis.policy import Fine, Floats, Policy, Slice
from noiseless.privacy.definitions.hypothesis.resolution import Resolution, first_float, too_small_error
from noiseless.theory.ranges.boundary import Boundary
from noiseless.theory.ranges.boxes import Box
from noiseless.theory.ranges.intervals import Intervals

DOUBT = 16
"""More floats than the rounding error in the formula of a report."""
WRONG = 2.0**-51
"""More than the rounding error of one term of Horner's rule, relative to the sum of absolute terms."""
WHOLE_POWERS = 22
"""10 to this power is still a float."""
LARGEST = Fraction(10) ** 300
Ends = list[list[tuple[float, float]]]
BLOCK = 1 << 17
"""Rows per block, so that the work stays in the processor's cache."""


def reports(policy: Policy, data: Any, within: Box | None) -> Any:
    """A copy in the same type of container, with one column changed."""
    axis = policy.boundary.axis
    return with_columns(data, [axis], lambda table, names: [_column(policy, table, names, within)])


def with_columns(data: Any, changed: list[str], made: Callable[[Any, list[str]], list[Floats]]) -> Any:
    """A copy in the same type of container, with other values in the named columns."""
    if isinstance(data, dict):
        return {**data, **dict(zip(changed, made(data, list(data)), strict=True))}
    if isinstance(data, np.ndarray) and data.dtype.names:
        for axis in changed:
            if axis in data.dtype.names and data.dtype[axis].kind != "f":
                raise DomainError(
                    f"field {axis!r} does not hold floats, so it cannot hold reports; change its type first"
                )
        copy = data.copy()
        for axis, column in zip(changed, made(data, list(data.dtype.names)), strict=True):
            copy[axis] = column
        return copy
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        raise DomainError(
            f"cannot read columns from a {type(data).__name__}; give a pandas, polars or pyarrow table, a dict of "
            f"numpy arrays, or a structured array"
        )
    moved = [
        nw.new_series(axis, column, backend=frame.implementation)
        for axis, column in zip(changed, made(frame, frame.columns), strict=True)
    ]
    index = nw.maybe_get_index(frame)
    return frame.with_columns(
        *(moved if index is None else [nw.maybe_set_index(each, index=index) for each in moved])
    ).to_native()


def columns(data: Any, names: Sequence[str], known: list[str], within: Box | None) -> list[Floats]:
    """The named columns as floats of equal length, inside the range."""
    for name in names:
        if name not in known:
            raise UnknownVariableError(
                f"the data have no column {name!r}; use data with it, or rename one of {', '.join(known)}"
            )
    if within is not None and not isinstance(within, Box):
        raise DomainError(f"within is a {type(within).__name__}; give a Box, such as nl.Box(weight=(0, 200))")
    values = [_floats(name, data[name]) for name in names]
    if len({len(each) for each in values}) > 1:
        raise DomainError("the columns differ in length; give columns of equal length")
    return values


def _column(policy: Policy, data: Any, known: list[str], within: Box | None) -> Floats:
    names = (policy.boundary.axis, *policy.boundary.others)
    values = columns(data, names, known, within)
    side = None if within is None else policy.side(within)
    ends = [[(-np.inf, np.inf)] if within is None else float_ends(within[name]) for name in names]
    out = np.empty(len(values[0]))

    def work(start: int) -> None:
        block = slice(start, start + BLOCK)
        _fill(policy, out[block], [each[block] for each in values], ends, side)

    blocks = range(0, len(out), BLOCK)
    if len(blocks) > 1:
        with ThreadPoolExecutor(cpu_count()) as workers:
            list(workers.map(work, blocks))
    else:
        work(0)
    return out


def _floats(name: str, column: Any) -> Floats:
    values = column.to_numpy() if isinstance(column, nw.Series) else np.asarray(column)
    if values.dtype.kind not in "fiu" or values.ndim != 1:
        raise DomainError(f"column {name!r} is not a one-dimensional column of numbers; give integers or floats")
    return values.astype(np.float64, copy=False)


def float_ends(side: Intervals) -> list[tuple[float, float]]:
    """The first and the last float of each part."""
    return [(first_float(part.low), -first_float(-part.high)) for part in side.components]


def check_ends(values: list[Floats], ends: Ends) -> None:
    """Refuse data outside the range; NaN is in no part and stays unchanged."""
    for each, parts in zip(values, ends, strict=True):
        if np.logical_and.reduce([(each < low) | (each > high) for low, high in parts]).any():
            raise DomainError("some data are outside the range of the policy; declare a wider range")


def _fill(policy: Policy, out: Floats, values: list[Floats], ends: Ends, side: Intervals | None) -> None:
    check_ends(values, ends)
    x, *others = values
    out[:] = x
    g, wrong = surface(policy.boundary, others)
    near = np.flatnonzero(np.abs(x - g) <= _float(policy.reach) * (1 + WRONG) + 2 * wrong)
    if near.size:
        rows = [each[near] for each in (*values, np.broadcast_to(g, x.shape))]
        out[near] = _moved(policy, rows, wrong, side)


def surface(boundary: Boundary, others: list[Floats]) -> tuple[Floats, float]:
    """g and its possible error. If it is not a polynomial, it is by definition what its function returns."""
    if boundary.polynomial is not None:
        return _evaluated(boundary.polynomial, others[0] if others else np.zeros(1))
    try:
        return np.asarray(boundary.function(*others), dtype=np.float64), 0.0
    except (TypeError, ValueError, ArithmeticError, LookupError):
        pass
    raise DomainError(
        "the function of the boundary does not work on arrays; write it with + - * / ** and numpy functions"
    )


def _evaluated(polynomial: Polynomial, x: Floats) -> tuple[Floats, float]:
    """Its values by Horner's rule, and a bound of their error."""
    largest = max(float(x.max(initial=0.0)), -float(x.min(initial=0.0)))
    if not isfinite(largest):
        largest = float(np.max(np.abs(x), initial=0.0, where=np.isfinite(x)))
    first, *rest = [_float(each) for each in reversed(polynomial.coefficients)] or [0.0]
    values, most = np.full(1, first), abs(first)
    with np.errstate(all="ignore"):
        for coefficient in rest:
            values = values * x if coefficient == 0 else values * x + coefficient
            most = most * largest + abs(coefficient)
    return values, most * WRONG * (polynomial.degree + 1)


def _moved(policy: Policy, rows: list[Floats], wrong: float, side: Intervals | None) -> Floats:
    """The reports of rows near the boundary: in floats where they are certain, otherwise exactly."""
    x, g, fine = rows[0], rows[-1], _fine(policy, rows, side)
    low, high = (-np.inf, np.inf) if side is None else (float(side.low), float(side.high))
    below, above = (np.minimum(room, _float(policy.reach)) for room in (g - low, high - g))
    doubt = DOUBT * np.spacing(np.abs(x) + np.abs(g) + np.abs(below) + np.abs(above)) + 4 * wrong
    from_g = x - g
    inside = (from_g > doubt - below) & (from_g < above - doubt) & (np.minimum(below, above) > doubt)
    outside = (from_g < -below - doubt) | (from_g > above + doubt) | (below < -doubt) | (above < -doubt)
    steps, sure = policy.estimated(x, g, below, above, doubt, fine)
    if not 10.0**-WHOLE_POWERS <= fine.step <= 10.0**WHOLE_POWERS:
        sure = np.zeros_like(sure)
    made = steps / round(1 / fine.step) if fine.step < 1 else steps * fine.step
    out = np.where(inside & sure, made, x)
    open_ones = np.flatnonzero(~(inside & sure) & ~outside)
    if open_ones.size:
        out[open_ones] = _exactly(policy, [each[open_ones] for each in rows], side)
    return out


def _fine(policy: Policy, rows: list[Floats], side: Intervals | None) -> Fine:
    axis, found = policy.boundary.axis, Resolution.of(policy.error, side)
    if found is None or (side is None and policy.reach > LARGEST):
        raise too_small_error(policy.error, axis) if found is None else _no_ends_error(axis)
    fine = Fine(float(found.step), float(found.least), _float(policy.error))
    if side is None and 8 * np.spacing(max(np.abs(rows[0]).max(), np.abs(rows[-1]).max()) + 2 * fine.error) > fine.step:
        raise too_small_error(policy.error, axis)
    return fine


def _no_ends_error(axis: str) -> DomainError:
    return DomainError(f"the error exceeds all floats; give the range of {axis!r} with within=")


def _exactly(policy: Policy, rows: list[Floats], side: Intervals | None) -> Floats:
    """The reports of rows by the exact rule, computed once for equal rows."""
    different, where = np.unique(np.stack(rows), axis=1, return_inverse=True)
    found, slices = np.empty(different.shape[1]), dict[tuple[float, ...], Slice | None]()
    for place, (x, *rest) in enumerate(different.T.tolist()):
        key = tuple(rest)
        if key not in slices:
            slices[key] = policy.sliced(_exact_surface(policy.boundary, rest), side)
        found[place] = float(policy.reported_in(slices[key], exact_number(x)))
    return found[where.reshape(-1)]


def _exact_surface(boundary: Boundary, row: list[float]) -> Fraction:
    """g, from the other coordinates and the result of its function."""
    *others, g = row
    return (
        Fraction(g) if boundary.polynomial is None else boundary.at(**dict(zip(boundary.others, others, strict=True)))
    )


def _float(number: Fraction) -> float:
    return float(max(min(number, LARGEST), -LARGEST))
