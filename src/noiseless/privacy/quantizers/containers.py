"""The same quantizer on every container: scalars, numpy, pandas, polars, pyarrow."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite
from numbers import Rational, Real
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError, InputError
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.quantizers.binning import (
    BLOCK,
    bins_of_floats,
    float_not_above,
    float_not_below,
    index_type,
    nearest_float,
)
from noiseless.privacy.quantizers.quantizer import Outside, Quantizer, missing_error, outside_error
from noiseless.theory.coding import is_missing
from noiseless.theory.series import SMALL_INTEGERS, as_series

EXACT_IN_A_FLOAT = 2**53
LARGEST_TABLE = 1 << 20
FEW = 1000
FURTHEST_DIGIT = 10_000


def quantize(quantizer: Quantizer, data: Any, output: str, outside: Outside, missing: Number | Literal["raise"]) -> Any:
    """Read the values from the container, bin them, and return the output in the same type of container."""
    if output not in ("midpoint", "index", "interval") or outside not in ("raise", "clamp"):
        raise InputError(
            f"output={output!r} or outside={outside!r} is not valid; use 'midpoint', 'index' or 'interval', and "
            f"'raise' or 'clamp'"
        )
    fill = None if missing == "raise" else exact_number(missing, "missing")
    values, pack = unpack(data)
    bins = bins_of(quantizer, values, outside, fill)
    if output == "index":
        return pack(bins)
    if output == "midpoint":
        return pack(_labels(quantizer, bins, lambda k: nearest_float(quantizer.midpoint(k))))
    lower = _labels(quantizer, bins, lambda k: float_not_above(quantizer.edge(k)))
    upper = _labels(quantizer, bins, lambda k: float_not_below(quantizer.edge(k + 1)))
    return pack(lower), pack(upper)


def bins_of(quantizer: Quantizer, values: NDArray[Any], outside: Outside, fill: Fraction | None) -> NDArray[Any]:
    """The bin of every value of a one-dimensional array of floats, integers or exact numbers."""
    kind = values.dtype.kind
    if kind == "f" and values.dtype.itemsize <= 8:
        floats = values.astype(np.float64, copy=False)
        if fill is None:
            return bins_of_floats(quantizer, floats, outside)
        absent = np.isnan(floats)
        bins = bins_of_floats(quantizer, np.where(absent, float_not_below(quantizer.low), floats), outside)
        bins[absent] = quantizer.index(fill, outside) if absent.any() else 0
        return bins
    if kind in "iu" and (not len(values) or max(-int(values.min()), int(values.max())) <= EXACT_IN_A_FLOAT):
        return bins_of_floats(quantizer, values.astype(np.float64), outside)
    if kind in "iuO":
        return np.array([_bin(quantizer, value, outside, fill) for value in values.tolist()], index_type(quantizer))
    raise DomainError(f"values of type {values.dtype} cannot be quantized; give integers, floats or decimals")


def _bin(quantizer: Quantizer, value: Any, outside: Outside, fill: Fraction | None) -> int:
    if is_missing(value):
        if fill is None:
            raise missing_error()
        return quantizer.index(fill, outside)
    number = number_of(value)
    if isinstance(number, float):  # infinite
        if outside == "raise":
            raise outside_error(quantizer)
        return quantizer.levels - 1 if number > 0 else 0
    return quantizer.index(number, outside)


def number_of(value: Any) -> Fraction | float:
    """The exact number of a stored value, or ±inf. Errors never quote the value."""
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise DomainError(f"a value has type {type(value).__name__}; give integers, floats or decimals")
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if not isfinite(value):
        return inf if float(value) > 0 else -inf
    if isinstance(value, Decimal) and abs(value.adjusted()) > FURTHEST_DIGIT:
        raise DomainError(f"a value has digits beyond 10^±{FURTHEST_DIGIT}; choose another unit")
    return Fraction(*value.as_integer_ratio())  # type: ignore[union-attr]


def _labels(quantizer: Quantizer, bins: NDArray[Any], label: Callable[[int], float]) -> NDArray[np.float64]:
    if quantizer.levels > min(LARGEST_TABLE, max(len(bins), FEW)):
        used, places = np.unique(bins, return_inverse=True)
        return np.array([label(k) for k in used.tolist()])[places]
    table = np.array([label(k) for k in range(quantizer.levels)])
    labels = np.empty(len(bins))
    for start in range(0, len(bins), BLOCK):
        block = slice(start, start + BLOCK)
        np.take(table, bins[block], out=labels[block], mode="clip")  # clip skips a check; bins are in range
    return labels


Pack = Callable[[NDArray[Any]], Any]


def unpack(data: Any) -> tuple[NDArray[Any], Pack]:
    """The values as a flat array, and how to put an array of results into the same type of container."""
    if isinstance(data, np.ma.MaskedArray):
        values = np.ma.getdata(data).astype(object)
        values[np.ma.getmaskarray(data)] = None
        return values.ravel(), lambda results: results.reshape(data.shape)
    if isinstance(data, np.ndarray) and data.ndim:
        return np.asarray(data).ravel(), lambda results: results.reshape(data.shape)
    if isinstance(data, (list, tuple)):
        return _array(data), lambda results: results
    if isinstance(data, str):
        return unpack(exact_number(data))
    if data is None or isinstance(data, (Real, Decimal, np.generic, np.ndarray)):
        return _array([data]), lambda results: results[0] if results.dtype == object else results[0].item()
    series = as_series(data)
    if series is None:
        raise DomainError(
            f"cannot read values from a {type(data).__name__}; give a number, a list, a numpy array, "
            f"or one column of a pandas, polars or pyarrow table"
        )
    chunked = hasattr(data, "chunks") or not hasattr(nw.to_native(series), "chunks")
    return _series_values(series), lambda results: _like(series, results, chunked)


def _series_values(series: nw.Series[Any]) -> NDArray[Any]:
    kind = series.dtype
    if kind.is_float():
        return series.to_numpy().astype(np.float64, copy=False)
    if kind in SMALL_INTEGERS and series.null_count() == 0:
        return series.to_numpy()
    return _array(series.to_list())


def _like(series: nw.Series[Any], results: NDArray[Any], chunked: bool) -> Any:
    made = nw.new_series(series.name, results, backend=series.implementation)
    index = nw.maybe_get_index(series)
    native = nw.to_native(made if index is None else nw.maybe_set_index(made, index=index))
    return native if chunked else native.combine_chunks()


def _array(values: Any) -> NDArray[Any]:
    """An array of floats or integers if all values are; otherwise an array of unchanged Python objects."""
    values = [
        value.item() if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0 else value for value in values
    ]
    kinds = set(map(type, values))
    if kinds == {float} or (kinds == {int} and max(map(abs, values)) <= EXACT_IN_A_FLOAT):
        return np.array(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
