"""SQRT, LN, EXP, POWER and LOG by decimal arithmetic: enclosures, and the nearest multiple of a step, halves up."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import floor

from noiseless.curator.certificate.checker.wrong import require

DIGITS = Context(prec=70, Emax=10**6, Emin=-(10**6))
FEW = Context(prec=34, Emax=10**6, Emin=-(10**6))
MARGIN, COARSE = Fraction(1, 10**45), Fraction(1, 10**18)
"""More than the errors of arithmetic with many and with few digits, as a part of the value, or of 1 if it is less."""
LARGEST = Fraction(10**15) * 2
MOST_PLACES = 10**19
CURVES = ("sqrt", "ln", "exp", "power", "log")
SHORT = 10**6
"""The largest denominator of a value that is recognised as rational."""
TINY = -200
"""Values below 10^TINY are not computed further."""


def nearest(op: str, exponent: Fraction, number: Fraction, step: Fraction) -> int:
    """How many steps the value is, rounded, halves up."""
    return _nearest(op, exponent, number, step)


@lru_cache(maxsize=100_000)
def _nearest(op: str, exponent: Fraction, number: Fraction, step: Fraction) -> int:
    for context, margin in ((FEW, COARSE), (DIGITS, MARGIN)):
        low, high = (end / step + Fraction(1, 2) for end in _between(op, exponent, number, context, margin))
        require(abs(high) <= MOST_PLACES, "a step is too small for its values")
        if floor(low) == floor(high):
            break
    return floor(high)  # a value this near to a half is a half


def enclosed(op: str, exponent: Fraction, number: Fraction) -> tuple[Fraction, Fraction]:
    """Two numbers between which the value lies."""
    return _between(op, exponent, number, DIGITS, MARGIN)


def _between(
    op: str, exponent: Fraction, number: Fraction, context: Context, margin: Fraction
) -> tuple[Fraction, Fraction]:
    if number == 0 and op in ("sqrt", "power"):
        require(op == "sqrt" or exponent > 0, "0 has no power below 0")
        return Fraction(0), Fraction(0)
    require(op == "exp" or number > 0, "a root, a power or a logarithm is not of a number above 0")
    require(op != "exp" or abs(number) <= 10**5, "a power of e is too large")
    found = _value(op, _decimal(exponent, context), _decimal(number, context), context)
    if not found:
        return -margin, margin
    if found.adjusted() < TINY:
        return Fraction(0), Fraction(1, 10 ** (-TINY - 1))
    require(found.adjusted() <= 40, "a value is too large")
    value = Fraction(found)
    off = margin * max(abs(value), Fraction(1))
    return value - off, value + off


def _value(op: str, exponent: Decimal, number: Decimal, context: Context) -> Decimal:
    match op:
        case "sqrt":
            return context.sqrt(number)
        case "ln":
            return context.ln(number)
        case "exp":
            return context.exp(number)
        case "log":
            return context.divide(context.ln(number), context.ln(exponent))
    return context.power(number, exponent)


def _decimal(number: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(number.numerator), Decimal(number.denominator))


def exactly(op: str, exponent: Fraction, number: Fraction) -> Fraction | None:
    """The value, if it is a short rational number."""
    if number <= 0 and not (number == 0 and op in ("sqrt", "power")):
        return Fraction(1) if op == "exp" and number == 0 else None
    value = enclosed(op, exponent, number)[1].limit_denominator(SHORT)
    match op:
        case "sqrt":
            same = value * value == number
        case "log":
            same = value.denominator == 1 and abs(value) < 100 and exponent**value == number
        case "power":
            short = max(abs(exponent.numerator), exponent.denominator) < 100
            same = short and value**exponent.denominator == number**exponent.numerator
        case _:
            same = op == "ln" and number == 1
    return value if same else None
