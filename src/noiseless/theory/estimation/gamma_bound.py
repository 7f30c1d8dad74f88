"""A ball that contains a set is at least as large as a ball of its volume: the papers' lower bounds."""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod

from noiseless.errors import RangeError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.roots import integer_root

PI = Enclosure(
    Fraction(31415926535897932384626433832795028841971, 10**40),
    Fraction(31415926535897932384626433832795028841972, 10**40),
)
DIGITS = 60
"""Binary digits of the result."""


def gamma_bound(measure: Fraction, n: int) -> Enclosure:
    """Γ(n/2+1)^(1/n)/√π · μ^(1/n): the radius of the n-dimensional ball of that volume.

    With k = ⌊n/2⌋ its n-th power is a rational over π^k: k!·μ for even n, n!!·μ/2^(k+1) for odd n.

    Source: TIFS Thm II.1, II.2: docs/theorems.md#tifs-thm-ii-1

    >>> gamma_bound(Fraction(1, 2), 1)
    1/4
    """
    if n < 1 or measure < 0:
        raise RangeError(f"a set of {n} coordinates and measure {measure} has no ball; give n ≥ 1 and a measure ≥ 0")
    k = n // 2
    rational = measure * (factorial(k) if n % 2 == 0 else Fraction(prod(range(n, 0, -2)), 2 ** (k + 1)))
    lower, _ = _root(rational / PI.upper**k, n)
    _, upper = _root(rational / PI.lower**k, n)
    return Enclosure(lower, upper)


def _root(number: Fraction, degree: int) -> tuple[Fraction, Fraction]:
    """Two rationals just below and above the root."""
    if degree == 1 or number == 0:
        return number, number
    digits = DIGITS + max(0, (number.denominator.bit_length() - number.numerator.bit_length()) // degree + 1)
    whole = integer_root((number.numerator << digits * degree) // number.denominator, degree)
    return Fraction(whole, 1 << digits), Fraction(whole + 1, 1 << digits)
