"""A reported number, which is certain to lie in an interval.

It works like a number. `float`, `round` and formats use its middle. Comparisons use its whole interval, and are refused
if the interval does not decide them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

from noiseless.errors import UndecidedError
from noiseless.exact.readable import number_shown


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Reported:
    """A reported number: the true number is between `lower` and `upper`, and `value` is the middle.

    For an exact number all three are equal. Ends are exact fractions, whole numbers for counts, or dates.

    >>> number = Reported(Fraction(5, 3), Fraction(4, 3), Fraction(2))
    >>> number, Reported(7, 7, 7)
    (1.66667 in [1.33333, 2], 7 exactly)
    >>> f"{number:.2f}", round(number, 1), number < 3
    ('1.67', 1.7, True)
    >>> number < 2
    Traceback (most recent call last):
    noiseless.errors.UndecidedError: 1.66667 in [1.33333, 2] may be below 2, or not; compare `lower` and `upper`, or ...
    """

    value: Any
    lower: Any
    upper: Any
    sure: bool = True
    """Whether the number certainly exists. It may not, if there may be no rows. The interval holds if it exists."""

    @property
    def exact(self) -> bool:
        """Whether the true number is known exactly."""
        return bool(self.lower == self.upper)

    @property
    def interval(self) -> str:
        """[lower, upper], rounded outward."""
        if self.exact:
            return "exact"
        return f"[{number_shown(self.lower, 'lower')}, {number_shown(self.upper, 'upper')}]"

    def __repr__(self) -> str:
        return f"{number_shown(self.value)} {'exactly' if self.exact else f'in {self.interval}'}"

    def __float__(self) -> float:
        return float(self.value)

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.value) if digits is None else round(float(self), digits)

    def __format__(self, spec: str) -> str:
        if not spec:
            return repr(self)
        return format(self.value if isinstance(self.value, (int, date)) else float(self), spec)

    def __eq__(self, other: object) -> bool:
        """Two reports are equal if their fields are. With a plain number: whether the true number equals it."""
        if isinstance(other, Reported):
            return (self.value, self.lower, self.upper) == (other.value, other.lower, other.upper)
        if not isinstance(other, (Real, Decimal, date)):
            return NotImplemented
        other, _ = _ends(other)
        if self.exact or not self.lower <= other <= self.upper:
            return bool(self.lower == other)
        raise self._undecided_error(other, "equal to")

    def __hash__(self) -> int:
        return hash(self.value) if self.exact else hash((self.value, self.lower, self.upper))

    def __lt__(self, other: Any) -> bool:
        lower, upper = _ends(other)
        return self._decided(self.upper < lower, self.lower >= upper, other, "below")

    def __le__(self, other: Any) -> bool:
        lower, upper = _ends(other)
        return self._decided(self.upper <= lower, self.lower > upper, other, "at most")

    def __gt__(self, other: Any) -> bool:
        lower, upper = _ends(other)
        return self._decided(self.lower > upper, self.upper <= lower, other, "above")

    def __ge__(self, other: Any) -> bool:
        lower, upper = _ends(other)
        return self._decided(self.lower >= upper, self.upper < lower, other, "at least")

    def _decided(self, yes: bool, no: bool, other: object, how: str) -> bool:
        if yes or no:
            return yes
        raise self._undecided_error(other, how)

    def _undecided_error(self, other: object, how: str) -> UndecidedError:
        return UndecidedError(f"{self} may be {how} {other}, or not; compare `lower` and `upper`, or refine it")


def _ends(other: Any) -> tuple[Any, Any]:
    if isinstance(other, Reported):
        return other.lower, other.upper
    exact = Fraction(other) if isinstance(other, Decimal) and other.is_finite() else other
    return exact, exact
