"""Interval arithmetic on arrays: whatever a formula does, every true value stays between the two ends.

After each operation both ends are moved outward by its largest error in floats; arrays of Fractions stay exact. Pass a
`Span` to a function instead of an array to learn the range of its values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.errors import NumberError
from noiseless.exact.incomparable import Incomparable
from noiseless.exact.number import exact_number

Floats = NDArray[np.float64]
INCREASING: tuple[Any, ...] = (
    np.sqrt,
    np.exp,
    np.log,
    np.log2,
    np.log10,
    np.log1p,
    np.expm1,
    np.arctan,
    np.cbrt,
    np.tanh,
)
TINY = 1e-300
"""How far below 0 outward rounding can move a 0."""
ULPS = 4
"""The largest error of a library function in floats; arithmetic is off by less than one."""


@dataclass(frozen=True, slots=True, eq=False)
class Span(Incomparable):
    """Closed intervals, one for each element.

    >>> span = Span(np.array([0.0]), np.array([2.0]))
    >>> (3 - span * span).low < -1, np.sqrt(span).high > 1.414
    (array([ True]), array([ True]))
    """

    low: Floats
    high: Floats

    def _like(self, other: Any) -> Span:
        """A constant: next to exact ends the decimal it prints as, next to floats within one float of it."""
        if self.low.dtype != object or isinstance(other, Span):
            return span(other)
        exact = np.full(self.low.shape, exact_number(other), dtype=object)
        return Span(exact, exact)

    def __add__(self, other: Any) -> Span:
        theirs = self._like(other)
        return _outward(self.low + theirs.low, self.high + theirs.high)

    def __neg__(self) -> Span:
        return Span(-self.high, -self.low)

    def __sub__(self, other: Any) -> Span:
        return self + -self._like(other)

    def __rsub__(self, other: Any) -> Span:
        return self._like(other) - self

    def __mul__(self, other: Any) -> Span:
        theirs = self._like(other)
        return _outward(*_ends([a * b for a in (self.low, self.high) for b in (theirs.low, theirs.high)]))

    def __truediv__(self, other: Any) -> Span:
        theirs = self._like(other)
        if np.any((theirs.low <= 0) & (theirs.high >= 0)):
            raise NumberError(
                "the function divides by a number that can be 0 inside the range; choose a range where it cannot"
            )
        return _outward(*_ends([a / b for a in (self.low, self.high) for b in (theirs.low, theirs.high)]))

    def __rtruediv__(self, other: Any) -> Span:
        return self._like(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, power: Any) -> Span:
        if isinstance(power, int) and power < 0:
            return 1 / self**-power
        if not isinstance(power, int):
            return np.exp(np.log(self) * power)  # type: ignore[call-overload,no-any-return]
        low, high = _ends([self.low**power, self.high**power])
        crosses = (self.low < 0) & (self.high > 0) & (power % 2 == 0)
        return _outward(np.where(crosses, 0 * low, low), high, ULPS)

    def __abs__(self) -> Span:
        low, high = _ends([np.abs(self.low), np.abs(self.high)])
        return Span(np.where((self.low < 0) & (self.high > 0), 0 * low, low), high)

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        made = ARITHMETIC.get(function)
        if method == "__call__" and not options and made is not None:
            return made(*inputs)
        if method != "__call__" or options or function not in INCREASING:
            return NotImplemented
        inside = np.where(self.low >= -TINY, np.maximum(self.low, 0.0), self.low) if function is np.sqrt else self.low
        with np.errstate(all="ignore"):
            low, high = function(inside), function(self.high)
        if not (np.all(np.isfinite(low)) and np.all(np.isfinite(high))):
            raise NumberError(
                f"numpy.{function.__name__} is undefined or infinite on part of the range; choose a smaller range"
            )
        return _outward(low, high, ULPS)


def span(value: Any) -> Span:
    """A number or an array as spans; a decimal need not be a float, so within one float of it."""
    if isinstance(value, Span):
        return value
    try:
        exact = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise NumberError(
            f"the function returned a {type(value).__name__} instead of one number for each point; return one "
            f"number, such "
            f"as a sum, and ask for the others one by one"
        ) from None
    return _outward(exact, exact)


ARITHMETIC: dict[Any, Callable[..., Any]] = {
    np.add: lambda a, b: a + b if isinstance(a, Span) else b + a,
    np.subtract: lambda a, b: a - b if isinstance(a, Span) else b.__rsub__(a),
    np.multiply: lambda a, b: a * b if isinstance(a, Span) else b * a,
    np.divide: lambda a, b: a / b if isinstance(a, Span) else b.__rtruediv__(a),
    np.negative: lambda a: -a,
    np.absolute: abs,
    np.square: lambda a: a**2,
    np.power: lambda a, b: span(a) ** b,
    np.maximum: lambda a, b: _both(np.maximum, a, b),
    np.minimum: lambda a, b: _both(np.minimum, a, b),
}


def _both(choose: Any, a: Any, b: Any) -> Span:
    """The larger or the smaller of two."""
    one, other = (a, a._like(b)) if isinstance(a, Span) else (b, b._like(a))
    return Span(choose(one.low, other.low), choose(one.high, other.high))


def _ends(candidates: list[Floats]) -> tuple[Floats, Floats]:
    return np.minimum.reduce(candidates), np.maximum.reduce(candidates)


def _outward(low: Floats, high: Floats, floats: int = 1) -> Span:
    for _ in range(0 if low.dtype == object else floats):
        low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
    return Span(low, high)
