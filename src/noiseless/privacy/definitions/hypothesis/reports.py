"""Applying a policy to data: block by block, and only where it acts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import floor, log2
from os import cpu_count
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError, UnknownVariableError
from noiseless.theory.ranges.boxes import Box

if TYPE_CHECKING:
    from noiseless.privacy.definitions.hypothesis.policy import Policy

Floats = NDArray[np.float64]
GRID = 2.0**-20
"""What reports are rounded to, at most, in errors: two partners must not differ by a rounding."""
CLOSE = 2.0**-30
"""What counts as equal in comparisons, in reaches: floats are rounded."""
BLOCK = 1 << 17
"""Rows at a time, so that what is computed stays in the processor's cache."""


def reports(policy: Policy, data: Any, within: Box | None) -> Any:
    """A copy in the same kind of container, with the one column changed."""
    axis = policy.boundary.axis
    if isinstance(data, dict):
        return {**data, axis: _moved(policy, data, list(data), within)}
    if isinstance(data, np.ndarray) and data.dtype.names:
        if axis in data.dtype.names and data.dtype[axis].kind != "f":
            raise DomainError(f"field {axis!r} holds no floats, so reports do not fit into it; change its type first")
        copy = data.copy()
        copy[axis] = _moved(policy, data, list(data.dtype.names), within)
        return copy
    frame = nw.from_native(data, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        raise DomainError(
            f"cannot read columns from a {type(data).__name__}; give a pandas, polars or pyarrow table, a dict of "
            f"numpy arrays, or a structured array"
        )
    moved = nw.new_series(axis, _moved(policy, frame, frame.columns, within), backend=frame.implementation)
    index = nw.maybe_get_index(frame)
    return frame.with_columns(moved if index is None else nw.maybe_set_index(moved, index=index)).to_native()


def _moved(policy: Policy, data: Any, columns: list[str], within: Box | None) -> Floats:
    axis, others = policy.boundary.axis, policy.boundary.others
    for name in (axis, *others):
        if name not in columns:
            raise UnknownVariableError(f"the data have no column {name!r}; they have {', '.join(columns)}")
    if within is not None:
        if not isinstance(within, Box):
            raise DomainError(f"within must be a Box, such as nl.Box(weight=(0, 200)), not a {type(within).__name__}")
        policy.boundary.within(within)
    ranges = [None if within is None else within[name] for name in (axis, *others)]
    values = [_floats(name, data[name]) for name in (axis, *others)]
    if len({len(each) for each in values}) > 1:
        raise DomainError("the columns are not equally long")
    ends = [
        [(-np.inf, np.inf)] if each is None else [(float(part.low), float(part.high)) for part in each.components]
        for each in ranges
    ]
    out = np.empty(len(values[0]))

    def work(start: int) -> None:
        block = slice(start, start + BLOCK)
        _fill(policy, out[block], [each[block] for each in values], ends)

    with ThreadPoolExecutor(cpu_count()) as workers:
        list(workers.map(work, range(0, len(out), BLOCK)))
    return out


def _floats(name: str, column: Any) -> Floats:
    values = column.to_numpy() if isinstance(column, nw.Series) else np.asarray(column)
    if values.dtype.kind not in "fiu" or values.ndim != 1:
        raise DomainError(f"column {name!r} does not hold numbers in one dimension; give integers or floats")
    return values.astype(np.float64, copy=False)


def _fill(policy: Policy, out: Floats, values: list[Floats], ends: list[list[tuple[float, float]]]) -> None:
    for each, parts in zip(values, ends, strict=True):
        outside = np.logical_and.reduce([(each < low) | (each > high) for low, high in parts])
        if outside.any():  # NaN is nowhere, and stays
            raise DomainError("the data leave the range that the policy is applied within; declare a wider one")
    x, *others = values
    out[:] = x
    g = _surface(policy, others)
    near = np.flatnonzero(np.abs(x - g) <= _float(policy.reach) * (1 + CLOSE))
    if near.size:
        _move(policy, out, near, x[near], np.broadcast_to(g, x.shape)[near], ends[0][0])


def _surface(policy: Policy, others: list[Floats]) -> Floats:
    try:
        return np.asarray(policy.boundary.function(*others), dtype=np.float64)
    except (TypeError, ValueError, ArithmeticError, LookupError):
        pass
    raise DomainError("the function of the boundary cannot be applied to arrays; write it with + - * / ** and numpy's")


def _move(policy: Policy, out: Floats, near: Any, x: Floats, g: Floats, ends: tuple[float, float]) -> None:
    reach, error = _float(policy.reach), _float(policy.error)
    below, above = np.minimum(g - ends[0], reach), np.minimum(ends[1] - g, reach)
    from_g = np.where(np.abs(x - g) <= CLOSE * reach, 0.0, x - g)  # on the boundary, but for rounding
    last = from_g <= above * (1 + CLOSE) if policy.upper_end else from_g < above * (1 - CLOSE)
    two_sided = (below > CLOSE * reach) & (above >= 0 if policy.at_the_end else above > CLOSE * reach)
    acts = two_sided & (from_g >= -below * (1 + CLOSE)) & last
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.where(from_g < 0, policy.from_below(x, g, below, above), policy.from_above(x, g, below, above))
    grid = 2.0 ** floor(log2(error * GRID))
    rounded = np.clip(np.round(moved / grid) * grid, *ends)
    out[near[acts]] = rounded[acts]


def _float(number: Fraction) -> float:
    return float(min(number, Fraction(10) ** 300))
