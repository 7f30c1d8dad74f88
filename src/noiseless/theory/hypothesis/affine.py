"""Finds out which affine function a Python function is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.errors import RangeError
from noiseless.exact.incomparable import Incomparable
from noiseless.exact.number import exact_number


@dataclass(frozen=True, slots=True, eq=False)
class Affine(Incomparable):
    """w₁x₁ + w₂x₂ + … + c; passed to a function instead of numbers, it learns what the function does."""

    weights: Mapping[str, Fraction]
    constant: Fraction

    def __add__(self, other: Any) -> Affine:
        theirs = other if isinstance(other, Affine) else Affine({}, exact_number(other))
        names = dict.fromkeys([*self.weights, *theirs.weights])
        zero = Fraction(0)
        weights = {name: self.weights.get(name, zero) + theirs.weights.get(name, zero) for name in names}
        return Affine(weights, self.constant + theirs.constant)

    def __mul__(self, number: Any) -> Affine:
        factor = exact_number(number)
        return Affine({name: factor * weight for name, weight in self.weights.items()}, factor * self.constant)

    def __neg__(self) -> Affine:
        return self * -1

    def __sub__(self, other: Any) -> Affine:
        return self + Affine({}, Fraction(0)).__add__(other).__neg__()

    def __rsub__(self, other: Any) -> Affine:
        return self.__sub__(other).__neg__()

    def __truediv__(self, number: Any) -> Affine:
        return self * (1 / exact_number(number))

    __radd__, __rmul__ = __add__, __mul__


def affine(function: Callable[..., Any], names: tuple[str, ...]) -> tuple[Mapping[str, Fraction], Fraction]:
    """Its weights and its constant."""
    try:
        found = function(*(Affine({name: Fraction(1)}, Fraction(0)) for name in names))
        made = found if isinstance(found, Affine) else Affine({}, exact_number(found))
    except (TypeError, ValueError, AttributeError, ArithmeticError, LookupError):
        raise RangeError(
            "the report is not an affine function of the coordinates, such as lambda height, mistake: height + "
            "mistake; use a dict of parts with affine functions, or EnclosedTrial"
        ) from None
    return made.weights, made.constant
