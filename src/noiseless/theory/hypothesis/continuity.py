"""Whether a Python function is certainly continuous: made of continuous operations only."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from noiseless.errors import NoiselessError, RangeError
from noiseless.exact.incomparable import Incomparable
from noiseless.exact.number import exact_number

CONTINUOUS: frozenset[Any] = frozenset(
    {
        *(np.add, np.subtract, np.multiply, np.divide, np.negative, np.absolute, np.square, np.power),
        *(np.maximum, np.minimum, np.sqrt, np.exp, np.log, np.log2, np.log10, np.log1p, np.expm1, np.arctan),
        *(np.cbrt, np.tanh, np.sin, np.cos),
    }
)


class Continuity(Incomparable):
    """Passed to a function instead of numbers; only continuous operations are possible, and comparisons are not.

    >>> constant_of(lambda x, y: np.sqrt(x**2 + y) / 3, 2) is None, constant_of(lambda x: 5, 1)
    (True, Fraction(5, 1))
    >>> constant_of(lambda x: np.floor(x), 1)
    Traceback (most recent call last):
    noiseless.errors.RangeError: the report is not made of continuous operations; give its pieces as a dict of parts
    """

    def _again(self, *_: Any) -> Continuity:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _again
    __truediv__ = __rtruediv__ = __pow__ = __neg__ = __abs__ = _again

    def __array_ufunc__(self, function: Any, method: str, *_: Any, **options: Any) -> Any:
        return self if method == "__call__" and not options and function in CONTINUOUS else NotImplemented


def constant_of(function: Callable[..., Any], places: int) -> Fraction | None:
    """The number that a function always returns, if it is constant; None if it is made of continuous operations.

    Anything else is an error. Where the function is undefined, interval arithmetic will refuse it.
    """
    try:
        found = function(*[Continuity()] * places)
        return None if isinstance(found, Continuity) else exact_number(found)
    except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError, NoiselessError):
        raise RangeError(
            "the report is not made of continuous operations; give its pieces as a dict of parts"
        ) from None
