"""The same quantizer on every container: scalars, numpy, pandas, polars, pyarrow."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, Literal

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from noiseless.errors import DomainError, InputError
from noiseless.exact.number import Number, exact_number
from noiseless.privacy.mechanisms.binning import BLOCK, bins_of_floats, float_not_above, float_not_below, index_type
from noiseless.privacy.mechanisms.quantizer import Outside, Quantizer, missing_error
from noiseless.theory.series import as_series

EXACT_IN_A_FLOAT = 2**53
LARGEST_TABLE = 1 << 20


def quantize(quantizer: Quantizer, data: Any, output: str, outside: Outside, missing: Number | Literal["raise"]) -> Any:
    """Read the values out of the container, bin them, and put the output back into such a container."""
    if output not in ("midpoint", "index", "interval") or outside not in ("raise", "clamp"):
        raise InputError(
            f"output={output!r} must be 'midpoint', 'index' or 'interval', and outside={outside!r} 'raise' or 'clamp'"
        )
    fill = None if missing == "raise" else exact_number(missing, "missing")
    values, pack = unpack(data)
    bins = bins_of(quantizer, values, outside, fill)
    if output == "index":
        return pack(bins)
    if output == "midpoint":
        return pack(_labels(quantizer, bins, lambda k: float(quantizer.midpoint(k))))
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
    if value is None or value != value:
        if fill is None:
            raise missing_error()
        return quantizer.index(fill, outside)
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise DomainError(f"a value is of type {type(value).__name__}; give integers, floats or decimals")
    return quantizer.index(value, outside)  # type: ignore[arg-type]


def _labels(quantizer: Quantizer, bins: NDArray[Any], label: Callable[[int], float]) -> NDArray[np.float64]:
    if quantizer.levels > LARGEST_TABLE:
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
    """The values as a flat array, and how to put an array of results into the same kind of container."""
    if isinstance(data, np.ndarray):
        return data.ravel(), lambda results: results.reshape(data.shape)
    if isinstance(data, (list, tuple)):
        return _array(data), lambda results: results
    if isinstance(data, str):
        return unpack(exact_number(data))
    if data is None or isinstance(data, (Real, Decimal)):
        return _array([data]), lambda results: results[0].item()
    series = as_series(data)
    if series is None:
        raise DomainError(
            f"cannot read values from a {type(data).__name__}; give a number, a list, a numpy array, "
            f"or one column of a pandas, polars or pyarrow table"
        )
    chunked = hasattr(data, "chunks") or not hasattr(nw.to_native(series), "chunks")
    return _series_values(series), lambda results: _like(series, results, chunked)


def _series_values(series: nw.Series[Any]) -> NDArray[Any]:
    if not series.dtype.is_numeric():
        raise DomainError(f"values of type {series.dtype} cannot be quantized; give integers, floats or decimals")
    plain = not series.dtype.is_decimal() and series.null_count() == 0
    if plain or series.dtype.is_float():
        return series.to_numpy().astype(np.float64 if series.dtype.is_float() else None, copy=False)
    return _array(series.to_list())


def _like(series: nw.Series[Any], results: NDArray[Any], chunked: bool) -> Any:
    made = nw.new_series(series.name, results, backend=series.implementation)
    index = nw.maybe_get_index(series)
    native = nw.to_native(made if index is None else nw.maybe_set_index(made, index=index))
    return native if chunked else native.combine_chunks()


def _array(values: Any) -> NDArray[Any]:
    if set(map(type, values)) == {float}:
        return np.array(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
