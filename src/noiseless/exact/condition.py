"""A comparison of spans: true, false, or either, for each element. `numpy.where` makes piecewise functions of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noiseless.exact.incomparable import Incomparable

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Condition(Incomparable):
    """Whether a condition certainly holds, and whether it can hold.

    >>> from noiseless.exact.span import Span
    >>> short = Span(np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0])) < 1.5
    >>> short.certain.tolist(), short.possible.tolist()
    ([True, False, False], [True, True, False])
    """

    certain: Bools
    possible: Bools

    def __and__(self, other: Condition) -> Condition:
        return Condition(self.certain & other.certain, self.possible & other.possible)

    def __or__(self, other: Condition) -> Condition:
        return Condition(self.certain | other.certain, self.possible | other.possible)

    def __invert__(self) -> Condition:
        return Condition(~self.possible, ~self.certain)

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        made = LOGIC.get(function)
        if method != "__call__" or options or made is None or not all(isinstance(each, Condition) for each in inputs):
            return NotImplemented
        return made(*inputs)

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        if function is not np.where or len(inputs) != 3 or options:
            return NotImplemented
        from noiseless.exact.span import either

        return either(self, *inputs[1:])


LOGIC: dict[Any, Any] = {
    np.logical_and: Condition.__and__,
    np.logical_or: Condition.__or__,
    np.logical_not: Condition.__invert__,
    np.bitwise_and: Condition.__and__,
    np.bitwise_or: Condition.__or__,
    np.invert: Condition.__invert__,
}
