"""Logarithms leave the exact world here, each with a named direction.

Bits are for display only; comparisons are made on the ratios themselves (theory C4). A bound on what leaks is
rounded up, a bound on what is protected down, so that the printed number is as true as the exact one.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import inf, nextafter


def bits_up(ratio: Fraction | int | float, digits: int | None = None) -> float:
    """The least float (with so many `digits` after the point, if given) not below log2(ratio).

    >>> bits_up(6, digits=3), bits_down(6, digits=3), bits_up(8)
    (2.585, 2.584, 3.0)
    """
    return _rounded(ratio, digits, ROUND_CEILING)


def bits_down(ratio: Fraction | int | float, digits: int | None = None) -> float:
    """The greatest float (with so many `digits` after the point, if given) not above log2(ratio)."""
    return _rounded(ratio, digits, ROUND_FLOOR)


def bits_nearest(ratio: Fraction | int | float) -> float:
    """The float nearest to log2(ratio), where no side is the safe one."""
    return _rounded(ratio, None, ROUND_HALF_EVEN)


def nats_nearest(ratio: Fraction | int | float) -> float:
    """The float nearest to the natural logarithm of the ratio, for the papers' figures in nats.

    >>> nats_nearest(1), nats_nearest(Fraction(1, 2))
    (0.0, -0.6931471805599453)
    """
    if ratio == 0 or ratio == inf:
        return inf if ratio else -inf
    return float(_natural_logarithm(Fraction(ratio)))


def _rounded(ratio: Fraction | int | float, digits: int | None, rounding: str) -> float:
    if ratio == 0 or ratio == inf:
        return inf if ratio else -inf
    bits = _log2(Fraction(ratio), rounding)
    if digits is not None:
        return float(bits.quantize(Decimal(1).scaleb(-digits), rounding, Context(prec=100)))
    return _to_float(bits, rounding)


def _to_float(exact: Decimal, rounding: str) -> float:
    nearest = float(exact)
    if rounding == ROUND_CEILING and Decimal(nearest) < exact:
        return nextafter(nearest, inf)
    if rounding == ROUND_FLOOR and Decimal(nearest) > exact:
        return nextafter(nearest, -inf)
    return nearest


def _log2(ratio: Fraction, rounding: str) -> Decimal:
    """log2 to 45 digits, the last ones moved to the safe side; exact for a power of two, the only rational case."""
    top, bottom = ratio.numerator, ratio.denominator
    if top & (top - 1) == 0 and bottom & (bottom - 1) == 0:
        return Decimal(top.bit_length() - bottom.bit_length())
    context = _context_for(ratio)
    bits = context.divide(_natural_logarithm(ratio), context.ln(Decimal(2)))
    slack = context.scaleb(context.abs(bits), -45)
    match rounding:
        case "ROUND_CEILING":
            return context.add(bits, slack)
        case "ROUND_FLOOR":
            return context.subtract(bits, slack)
        case _:
            return bits


def _natural_logarithm(ratio: Fraction) -> Decimal:
    context = _context_for(ratio)
    return context.ln(context.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)))


def _context_for(ratio: Fraction) -> Context:
    # A ratio can be as near to 1 as 1/denominator; its logarithm loses that many leading digits.
    return Context(prec=50 + ratio.denominator.bit_length() // 3)
