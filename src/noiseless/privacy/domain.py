"""What one person's value can be: an interval, integer codes, or a finite set of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

from noiseless.errors import DomainError
from noiseless.exact.number import Number, as_integer, exact_number
from noiseless.theory.ranges.interval import Interval


@dataclass(frozen=True, slots=True)
class Codes:
    """The integers 0, 1, …, top, for values recorded in steps.

    >>> Codes(3).points
    4
    """

    top: int

    def __post_init__(self) -> None:
        top = as_integer(self.top)
        if top is None or top < 1:
            raise DomainError(f"top={self.top!r} is not valid; use an integer of at least 1")
        object.__setattr__(self, "top", top)

    @property
    def low(self) -> Fraction:
        """The smallest value."""
        return Fraction(0)

    @property
    def high(self) -> Fraction:
        """The largest value."""
        return Fraction(self.top)

    @property
    def points(self) -> int:
        """The number of values."""
        return self.top + 1

    @property
    def step(self) -> Fraction:
        """The distance between neighbours."""
        return Fraction(1)


@dataclass(frozen=True)
class Values:
    """A finite set of numbers.

    >>> Values([0, "0.5", 2]).step
    Fraction(1, 2)
    """

    members: tuple[Fraction, ...]

    def __init__(self, members: Iterable[Number]) -> None:
        exact = sorted({exact_number(member, "member") for member in members})
        if len(exact) < 2:
            raise DomainError(
                "a finite domain needs at least two different values; add one, because a constant is public"
            )
        object.__setattr__(self, "members", tuple(exact))

    @property
    def low(self) -> Fraction:
        """The smallest value."""
        return self.members[0]

    @property
    def high(self) -> Fraction:
        """The largest value."""
        return self.members[-1]

    @property
    def points(self) -> int:
        """The number of values."""
        return len(self.members)

    @cached_property
    def step(self) -> Fraction:
        """The largest step that leads from the smallest value to every other."""
        return common_step([member - self.low for member in self.members])


Domain = Interval | Codes | Values


def domain_of(low: Number | None, high: Number | None, domain: Domain | None) -> Domain:
    """The domain of a query: two bounds, or one of the three kinds."""
    if domain is not None:
        if low is not None or high is not None:
            raise DomainError("the bounds low and high and a domain were both given; give one of them, not both")
        if not isinstance(domain, (Interval, Codes, Values)):
            raise DomainError(f"domain={domain!r} is not valid; give an Interval, Codes or Values")
        given = domain
    elif low is None or high is None:
        raise DomainError("each person's value needs bounds; give low and high, or domain=Codes(…) or Values(…)")
    else:
        given = Interval(exact_number(low, "low"), exact_number(high, "high"))
    if given.low == given.high:
        raise DomainError(f"low={given.low} equals high={given.high}, so the value is public; give different bounds")
    return given


def is_evenly_spaced(domain: Domain) -> bool:
    """Whether the values are all the points of a grid between their ends."""
    if isinstance(domain, Values):
        return (domain.high - domain.low) / domain.step == domain.points - 1
    return isinstance(domain, Codes)


def members(domain: Codes | Values) -> tuple[Fraction, ...]:
    """The finitely many values, in order."""
    return domain.members if isinstance(domain, Values) else tuple(map(Fraction, range(domain.points)))


def common_step(lengths: Iterable[Fraction]) -> Fraction:
    """The largest number of which all lengths are multiples."""
    lengths = [length for length in lengths if length]
    bottom = lcm(*(length.denominator for length in lengths))
    return Fraction(gcd(*(int(length * bottom) for length in lengths)), bottom)
