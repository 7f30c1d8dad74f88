"""A column of values becomes integers, once; everything after that is arithmetic on integers.

The code of a value is its place in the sorted list of different values (in order of appearance where the values
cannot be sorted). Equal values have equal codes, so 1, 1.0 and True are one value, as in any Python set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import SpaceError

Integers = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False)
class Column:
    """One coded column: row r holds ``values[codes[r]]``, and every value occurs."""

    codes: Integers
    values: Sequence[Any] | NDArray[Any] = field(repr=False)

    @property
    def size(self) -> int:
        """The number of different values."""
        return len(self.values)

    def __getitem__(self, codes: Integers) -> list[Any]:
        """The values that these codes stand for, as plain Python objects."""
        if isinstance(self.values, np.ndarray):
            return list(self.values[codes].tolist())
        return [self.values[code] for code in codes.tolist()]


@dataclass(frozen=True, eq=False)
class JointColumn:
    """Several coded columns read as one; its values are tuples, made only when needed."""

    codes: Integers
    parts: tuple[Column, ...]
    first_rows: Integers

    @property
    def size(self) -> int:
        """The number of different tuples."""
        return len(self.first_rows)

    def __getitem__(self, codes: Integers) -> list[tuple[Any, ...]]:
        """The tuples that these codes stand for."""
        rows = self.first_rows[codes]
        return list(zip(*(part[part.codes[rows]] for part in self.parts), strict=True))


AnyColumn = Column | JointColumn


def code_column(values: Iterable[Any], name: str) -> Column:
    """Code one raw column. Missing values (None, NaN) are refused: a range cannot contain them."""
    if isinstance(values, np.ma.MaskedArray):
        raise _missing_error(name)
    if not isinstance(values, np.ndarray):
        values = values if isinstance(values, (list, tuple)) else list(values)
        kinds = set(map(type, values))
        array = np.asarray(values) if kinds in ({int}, {float}, {bool}) else None
        if array is None or (kinds == {int} and array.dtype.kind not in "iu"):
            return _code_objects(values, name)  # numpy would turn 1 and "1" into one value, and 2**64 into a float
        values = array
    if values.ndim != 1:
        raise SpaceError(f"column {name!r} has {values.ndim} dimensions; give one value per sample")
    if values.dtype.kind in "mM":
        return _code_moments(values, name)
    if values.dtype.kind not in "biuf":
        return _code_objects(values.tolist(), name)
    return _code_numbers(values, name)


def join_columns(columns: Sequence[Column]) -> AnyColumn:
    """Code the tuples of several coded columns."""
    first, *others = columns
    if not others:
        return first
    codes, size = first.codes, first.size
    for column in others:
        keys = codes.astype(np.int64) * column.size + column.codes
        distinct, codes = compress(keys, size * column.size)
        size = len(distinct)
    first_rows = np.empty(size, dtype=np.int64)
    first_rows[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return JointColumn(codes, tuple(columns), first_rows)


def compress(keys: Integers, bound: int) -> tuple[Integers, Integers]:
    """The different keys in order, and for every key its place among them; keys lie in 0..bound−1."""
    if bound > roomy(keys):
        distinct, places = np.unique(keys, return_inverse=True)
        return distinct, _narrow(places, len(distinct))
    distinct = _occurring(keys, bound)
    places = np.empty(bound, dtype=np.int64)
    places[distinct] = np.arange(len(distinct))
    return distinct, _narrow(places, len(distinct))[keys]


def different(keys: Integers, bound: int) -> Integers:
    """The different keys in order; keys lie in 0..bound−1."""
    if bound <= roomy(keys):
        return _occurring(keys, bound)
    # numpy's own unique hashes here, at ten times the cost of sorting
    if np.any(keys[1:] < keys[:-1]):
        keys = np.sort(keys)
    first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return keys if first.all() else keys[first]


def roomy(keys: Integers) -> int:
    """The bound up to which a table with one flag for each possible key is cheaper than sorting."""
    return 4 * len(keys) + 1024


def _occurring(keys: Integers, bound: int) -> Integers:
    occurs = np.zeros(bound, dtype=bool)
    occurs[keys] = True
    return np.flatnonzero(occurs)


def _code_numbers(values: NDArray[Any], name: str) -> Column:
    if values.dtype.kind == "f":
        if np.isnan(values).any():
            raise _missing_error(name)
    elif len(values) and values.dtype != np.uint64:
        low, high = int(values.min()), int(values.max())
        if high - low < roomy(values):
            distinct, codes = compress(values.astype(np.int64) - low, high - low + 1)
            return Column(codes, (distinct + low).astype(values.dtype))
    distinct, codes = np.unique(values, return_inverse=True)
    return Column(_narrow(codes, len(distinct)), distinct)


def _code_moments(values: NDArray[Any], name: str) -> Column:
    """Dates, times and durations of numpy, compared by the integers they are stored as."""
    if np.isnat(values).any():
        raise _missing_error(name)
    coded = _code_numbers(values.view(np.int64), name)
    distinct = np.asarray(coded.values).view(values.dtype)
    plain = distinct if values.dtype == "M8[D]" else distinct.astype(f"{values.dtype.kind}8[us]")
    objects = plain.tolist()
    # Python's own dates, times and durations where they are exact, otherwise numpy's
    exact = (plain.astype(values.dtype) == distinct).all() and not any(isinstance(each, int) for each in objects)
    return Column(coded.codes, objects if exact else list(distinct))


def _code_objects(values: Sequence[Any], name: str) -> Column:
    try:
        distinct = list(dict.fromkeys(values))
    except TypeError:
        raise SpaceError(
            f"column {name!r} holds values that cannot be hashed, such as lists or dicts; use tuples instead"
        ) from None
    if any(map(is_missing, distinct)):
        raise _missing_error(name)
    with suppress(TypeError):  # values of several kinds keep their order of appearance
        distinct = sorted(distinct)
    places = dict(zip(distinct, range(len(distinct)), strict=True))
    codes = np.fromiter(map(places.__getitem__, values), dtype=np.int64, count=len(values))
    return Column(_narrow(codes, len(distinct)), distinct)


def is_missing(value: Any) -> bool:
    """Whether a value is None or NaN, or a tuple or set that holds one: it would not even equal itself."""
    if isinstance(value, (tuple, frozenset)):
        return any(map(is_missing, value))
    try:
        return value is None or bool(value != value)
    except (ArithmeticError, TypeError, ValueError):  # pandas.NA and sNaN do not say whether they equal themselves
        return True


def _narrow(codes: Integers, size: int) -> Integers:
    return codes.astype(np.int32 if size <= 2**31 else np.int64, copy=False)


def _missing_error(name: str) -> SpaceError:
    return SpaceError(
        f"column {name!r} has missing values (None or NaN); a range has no such member: "
        f"drop those samples, or write a separate value such as 'missing'"
    )
