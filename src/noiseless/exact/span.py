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
from noiseless.exact.condition import Condition
from noiseless.exact.incomparable import Incomparable
from noiseless.exact.number import exact_number
from noiseless.exact.waves import cosine, sine, tangent

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
    np.sinh,
    np.arcsinh,
    np.arcsin,
    np.exp2,
    np.deg2rad,
    np.radians,
    np.rad2deg,
    np.degrees,
)
STEPS: tuple[Any, ...] = (np.floor, np.ceil, np.rint, np.trunc, np.sign)
"""Functions that rise in jumps. They are exact."""
WAVES: dict[Any, Any] = {np.sin: sine, np.cos: cosine, np.tan: tangent}
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

    def __le__(self, other: Any) -> Condition:
        theirs = self._like(other)
        return Condition(self.high <= theirs.low, self.low <= theirs.high)

    def __lt__(self, other: Any) -> Condition:
        theirs = self._like(other)
        return Condition(self.high < theirs.low, self.low < theirs.high)

    def __ge__(self, other: Any) -> Condition:
        return self._like(other) <= self

    def __gt__(self, other: Any) -> Condition:
        return self._like(other) < self

    def __abs__(self) -> Span:
        low, high = _ends([np.abs(self.low), np.abs(self.high)])
        return Span(np.where((self.low < 0) & (self.high > 0), 0 * low, low), high)

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        made = ARITHMETIC.get(function)
        if method == "__call__" and not options and made is not None:
            return made(*inputs)
        if method == "__call__" and not options and function in STEPS:
            return Span(function(self.low), function(self.high))
        if method == "__call__" and not options and function in WAVES:
            low, high = WAVES[function](self.low, self.high)
            return _outward(low, high, ULPS)
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


PI = Span(np.nextafter(np.array(np.pi), 0.0), np.nextafter(np.array(np.pi), 4.0))
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
    np.less: lambda a, b: a < b if isinstance(a, Span) else b > a,
    np.less_equal: lambda a, b: a <= b if isinstance(a, Span) else b >= a,
    np.greater: lambda a, b: a > b if isinstance(a, Span) else b < a,
    np.greater_equal: lambda a, b: a >= b if isinstance(a, Span) else b <= a,
    np.cosh: lambda a: _even(np.cosh, a),
    np.arccos: lambda a: PI / 2 - np.arcsin(a),
    np.hypot: lambda a, b: np.sqrt(span(a) ** 2 + span(b) ** 2),  # type: ignore[call-overload]
}


def either(condition: Condition, one: Any, other: Any) -> Span:
    """The first where the condition certainly holds, the second where it certainly does not, otherwise both."""
    exact = next((each for each in (one, other) if isinstance(each, Span) and each.low.dtype == object), None)
    first, second = (span(each) if exact is None else exact._like(each) for each in (one, other))
    return Span(
        np.where(
            condition.certain,
            first.low,
            np.where(condition.possible, np.minimum(first.low, second.low), second.low),
        ),
        np.where(
            condition.certain,
            first.high,
            np.where(condition.possible, np.maximum(first.high, second.high), second.high),
        ),
    )


def _even(function: Any, given: Span) -> Span:
    """A function that rises with the distance from 0."""
    away = abs(given)
    return _outward(function(away.low), function(away.high), ULPS)


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
