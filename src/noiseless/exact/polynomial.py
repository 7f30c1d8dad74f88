"""Polynomials in one variable with rational coefficients: values, integrals and roots, exactly.

Roots are isolated by Sturm's theorem (the changes of sign along p, p′, −rem(p, p′), … differ between two places by the
number of different roots between them) and then enclosed by bisection; a rational root is found exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, zip_longest
from typing import Any

from noiseless.errors import InputError, NumberError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.incomparable import Incomparable
from noiseless.exact.number import exact_number
from noiseless.exact.simplest import simplest_between

LARGEST_POWER = 64
NARROW = Fraction(1, 1 << 100)
"""The width to which a root is enclosed, relative to the interval that is searched."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """a₀ + a₁x + a₂x² + …, as the tuple of its coefficients; the last one is not 0.

    >>> 0.003 * X**2 - 1
    Polynomial(coefficients=(Fraction(-1, 1), Fraction(0, 1), Fraction(3, 1000)))
    """

    coefficients: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        kept = list(self.coefficients)
        while kept and kept[-1] == 0:
            kept.pop()
        object.__setattr__(self, "coefficients", tuple(kept))

    @property
    def degree(self) -> int:
        """The degree; −1 for zero."""
        return len(self.coefficients) - 1

    def __call__(self, x: Fraction) -> Fraction:
        """The value at x."""
        value = Fraction(0)
        for coefficient in reversed(self.coefficients):
            value = value * x + coefficient
        return value

    def over(self, x: Enclosure) -> Enclosure:
        """An interval that holds all values on an interval."""
        low = high = Fraction(0)
        for coefficient in reversed(self.coefficients):
            ends = [value * end for value in (low, high) for end in (x.lower, x.upper)]
            low, high = min(ends) + coefficient, max(ends) + coefficient
        return Enclosure(low, high)

    def __add__(self, other: object) -> Polynomial:
        pairs = zip_longest(self.coefficients, polynomial(other).coefficients, fillvalue=Fraction(0))
        return Polynomial(tuple(a + b for a, b in pairs))

    def __neg__(self) -> Polynomial:
        return Polynomial(tuple(-each for each in self.coefficients))

    def __sub__(self, other: object) -> Polynomial:
        return self + -polynomial(other)

    def __rsub__(self, other: object) -> Polynomial:
        return polynomial(other) - self

    def __mul__(self, other: object) -> Polynomial:
        theirs = polynomial(other).coefficients
        product = [Fraction(0)] * (len(self.coefficients) + len(theirs))
        for i, a in enumerate(self.coefficients):
            for j, b in enumerate(theirs):
                product[i + j] += a * b
        return Polynomial(tuple(product))

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, number: Any) -> Polynomial:
        divisor = exact_number(number)
        if divisor == 0:
            raise NumberError("a polynomial cannot be divided by 0; write the function without it")
        return self * (1 / divisor)

    def __pow__(self, power: int) -> Polynomial:
        if not isinstance(power, int) or not 0 <= power <= LARGEST_POWER:
            raise NumberError(
                f"a power of {power!r} does not give a polynomial of manageable degree; use a small whole power"
            )
        found = polynomial(1)
        for _ in range(power):
            found = found * self
        return found

    @property
    def derivative(self) -> Polynomial:
        """p′."""
        return Polynomial(tuple(place * each for place, each in enumerate(self.coefficients))[1:])

    @property
    def integral(self) -> Polynomial:
        """The antiderivative that is 0 at 0."""
        return Polynomial((Fraction(0), *(each / (place + 1) for place, each in enumerate(self.coefficients))))

    def divided(self, divisor: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Quotient and remainder."""
        quotient, rest = polynomial(0), self
        while rest.degree >= divisor.degree:
            shift = rest.degree - divisor.degree
            term = Polynomial((*[Fraction(0)] * shift, rest.coefficients[-1] / divisor.coefficients[-1]))
            quotient, rest = quotient + term, rest - term * divisor
        return quotient, rest

    def roots(self, low: Fraction, high: Fraction) -> list[Enclosure]:
        """Its different roots in (low, high), from left to right: exact if rational, otherwise very narrow.

        >>> [str(root) for root in ((X - 2) * (X - Fraction(1, 3)) * (X - 9)).roots(Fraction(0), Fraction(5))]
        ['1/3', '2']
        """
        if self.degree < 1 or low >= high:
            return []
        chain, places, found = _sturm(self), [(low, high)], []
        while places:
            left, right = places.pop()
            number = _between(chain, left, right)
            if number == 1:
                found.append(_narrowed(chain[0], left, right, NARROW * (high - low)))
            elif number:
                middle = (left + right) / 2
                places += [(left, middle), (middle, right)]
                if chain[0](middle) == 0:
                    found.append(Enclosure(middle, middle))
        return sorted(found, key=lambda root: root.lower)

    def extremes(self, low: Fraction, high: Fraction) -> Enclosure:
        """An interval that holds all values on [low, high], whose ends are (nearly) attained."""
        least, most = self.ends(low, high)
        return Enclosure(least.lower, most.upper)

    def ends(self, low: Fraction, high: Fraction) -> tuple[Enclosure, Enclosure]:
        """The smallest and the largest value on [low, high]: exact if they are where the derivative's root is rational.

        >>> (X**2 - X).ends(Fraction(0), Fraction(2))
        (-1/4, 2)
        """
        places = [Enclosure(low, low), *self.derivative.roots(low, high), Enclosure(high, high)]
        values = [self.over(place) for place in places]
        lowers, uppers = [each.lower for each in values], [each.upper for each in values]
        return Enclosure(min(lowers), min(uppers)), Enclosure(max(lowers), max(uppers))


X = Polynomial((Fraction(0), Fraction(1)))


class Unknown(Incomparable):
    """x, passed to a function instead of a number to learn which polynomial it is; it cannot be compared.

    >>> understood(lambda x: 0.003 * x**2 - 1, 1)
    Polynomial(coefficients=(Fraction(-1, 1), Fraction(0, 1), Fraction(3, 1000)))
    >>> understood(lambda x: 90 if x == 1 else 80, 1) is None
    True
    """

    __slots__ = ("made",)

    def __init__(self, made: Polynomial = X) -> None:
        self.made = made

    def __add__(self, other: Any) -> Unknown:
        return Unknown(self.made + _made(other))

    def __sub__(self, other: Any) -> Unknown:
        return Unknown(self.made - _made(other))

    def __rsub__(self, other: Any) -> Unknown:
        return Unknown(_made(other) - self.made)

    def __mul__(self, other: Any) -> Unknown:
        return Unknown(self.made * _made(other))

    def __truediv__(self, other: Any) -> Unknown:
        return Unknown(self.made / other)

    def __pow__(self, power: int) -> Unknown:
        return Unknown(self.made**power)

    def __neg__(self) -> Unknown:
        return Unknown(-self.made)

    __radd__, __rmul__ = __add__, __mul__


def understood(function: Callable[..., Any], places: int) -> Polynomial | None:
    """The polynomial that a function of at most one number is. None if it is not one, or if that is not known."""
    try:
        return _made(function(*[Unknown() for _ in range(places)])) if places <= 1 else None
    except (InputError, TypeError, AttributeError, ArithmeticError, LookupError):
        return None


def _made(value: object) -> Polynomial:
    return value.made if isinstance(value, Unknown) else polynomial(value)


def polynomial(value: object) -> Polynomial:
    """A number as a polynomial; a polynomial as itself."""
    return value if isinstance(value, Polynomial) else Polynomial((exact_number(value),))


def _sturm(given: Polynomial) -> list[Polynomial]:
    """The chain of the polynomial that has the same roots, each once."""
    first, second = given, given.derivative
    while second.coefficients:
        first, second = second, _scaled(first.divided(second)[1])
    simple = given.divided(first)[0]
    chain = [simple, simple.derivative]
    while chain[-1].degree > 0:
        chain.append(-_scaled(chain[-2].divided(chain[-1])[1]))
    return [each for each in chain if each.coefficients]


def _scaled(given: Polynomial) -> Polynomial:
    """The same signs with smaller numbers."""
    return given / abs(given.coefficients[-1]) if given.coefficients else given


def _between(chain: list[Polynomial], low: Fraction, high: Fraction) -> int:
    """The number of roots in (low, high)."""
    inside = _changes(chain, low) - _changes(chain, high)  # in (low, high]
    return inside - (chain[0](high) == 0)


def _changes(chain: list[Polynomial], x: Fraction) -> int:
    signs = [value > 0 for each in chain if (value := each(x)) != 0]
    return sum(a != b for a, b in pairwise(signs))


def _narrowed(simple: Polynomial, low: Fraction, high: Fraction, width: Fraction) -> Enclosure:
    """The only root in (low, high); the polynomial may also be 0 at the ends."""
    positive_after = _sign_inside(simple, high, low)
    while high - low > width:
        guess = simplest_between(low, high)
        if simple(guess) == 0:
            return Enclosure(guess, guess)
        middle = (low + high) / 2
        value = simple(middle)
        if value == 0:
            return Enclosure(middle, middle)
        low, high = (low, middle) if (value > 0) == positive_after else (middle, high)
    return Enclosure(low, high)


def _sign_inside(simple: Polynomial, end: Fraction, other: Fraction) -> bool:
    """Whether the polynomial is positive just inside an end; if it is 0 there, its slope decides."""
    value = simple(end)
    return value > 0 if value != 0 else (simple.derivative(end) > 0) == (end < other)
