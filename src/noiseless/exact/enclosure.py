"""A number that is known to lie between two exact ones."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noiseless.errors import NumberError
from noiseless.exact.rounding import decimal_outward


@dataclass(frozen=True, slots=True, repr=False)
class Enclosure:
    """A closed interval of rationals that certainly contains a number.

    Results of numerical solvers become exact in this way: both ends are checked after the solver, so they hold
    whatever the solver did.

    >>> Enclosure(Fraction(5, 2), Fraction(5, 2))
    5/2
    >>> Enclosure(Fraction(1), Fraction(2)).exact
    False
    """

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        if not isinstance(self.lower, Fraction) or not isinstance(self.upper, Fraction):
            raise NumberError(
                f"lower={self.lower!r} or upper={self.upper!r} is not a Fraction; convert it with exact_number"
            )
        if self.lower > self.upper:
            raise NumberError(f"lower={self.lower} is above upper={self.upper}; swap them")

    @property
    def exact(self) -> bool:
        """Whether the two ends are the same number."""
        return self.lower == self.upper

    @property
    def width(self) -> Fraction:
        """The distance between the two ends: the uncertainty."""
        return self.upper - self.lower

    def __contains__(self, number: Fraction | float) -> bool:
        return self.lower <= number <= self.upper

    def __float__(self) -> float:
        return float((self.lower + self.upper) / 2)

    def __repr__(self) -> str:
        if self.exact:
            return str(self.lower)
        return f"[{decimal_outward(self.lower, 9, up=False)}, {decimal_outward(self.upper, 9, up=True)}]"
