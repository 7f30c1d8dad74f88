"""Logarithms as floats, each with a named rounding direction.

Bits are for display only; comparisons use the ratios themselves (theory C4). A bound on what leaks is rounded up, and a
bound on what is protected is rounded down, so that the printed number is also true.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import inf, nextafter

from noiseless.errors import NumberError

LARGEST_WHOLE = 4096
"""Integers of more bits than this are cut to their leading bits, to the safe side, before a logarithm is taken."""
LEADING_BITS = 512


def bits_up(ratio: Fraction | int | float, digits: int | None = None) -> float:
    """The smallest float (with `digits` after the point, if given) not below log2(ratio).

    >>> bits_up(6, digits=3), bits_down(6, digits=3), bits_up(8)
    (2.585, 2.584, 3.0)
    """
    return _rounded(ratio, digits, ROUND_CEILING)


def bits_down(ratio: Fraction | int | float, digits: int | None = None) -> float:
    """The largest float (with `digits` after the point, if given) not above log2(ratio)."""
    return _rounded(ratio, digits, ROUND_FLOOR)


def bits_nearest(ratio: Fraction | int | float) -> float:
    """The float nearest to log2(ratio), where neither side is safer."""
    return _rounded(ratio, None, ROUND_HALF_EVEN)


def nats_nearest(ratio: Fraction | int | float) -> float:
    """The float nearest to the natural logarithm of the ratio, for the papers' figures in nats.

    >>> nats_nearest(1), nats_nearest(Fraction(1, 2))
    (0.0, -0.6931471805599453)
    """
    if ratio == 0 or ratio == inf:
        return inf if ratio else -inf
    context = Context(prec=60)
    return float(context.multiply(_log2(_checked(ratio), ROUND_HALF_EVEN), context.ln(Decimal(2))))


def decimal_outward(number: Fraction, digits: int, up: bool) -> str:
    """The number with `digits` digits after the point, rounded up or down, without trailing zeros.

    >>> decimal_outward(Fraction(2, 3), 3, up=False), decimal_outward(Fraction(2, 3), 3, up=True)
    ('0.666', '0.667')
    >>> decimal_outward(Fraction(10**30), 9, up=True) == "1" + 30 * "0"
    True
    """
    scaled = number * 10**digits
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    before, after = divmod(abs(whole), 10**digits)
    fraction = f"{after:0{digits}d}".rstrip("0") if after else ""
    return f"{'-' if whole < 0 else ''}{before}{'.' if fraction else ''}{fraction}"


def significant(number: Fraction, digits: int, end: str = "value") -> str:
    """The number with `digits` significant digits: a "lower" end rounded down, an "upper" end up, a value to nearest.

    >>> two_thirds = Fraction(2, 3)
    >>> significant(two_thirds, 3, "lower"), significant(two_thirds, 3, "upper"), significant(Fraction(10**20), 3)
    ('0.666', '0.667', '1e+20')
    """
    rounding = {"lower": ROUND_FLOOR, "upper": ROUND_CEILING}.get(end, ROUND_HALF_EVEN)
    context = Context(prec=digits, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
    shown = context.divide(Decimal(number.numerator), Decimal(number.denominator)).normalize(context)
    return f"{shown:f}" if -6 < shown.adjusted() < 12 else f"{shown:e}"


def _checked(ratio: Fraction | int | float) -> Fraction:
    if not isinstance(ratio, (int, Fraction)) or ratio < 0:
        raise NumberError(f"ratio={ratio!r} has no exact logarithm; give an int or Fraction of at least 0, or math.inf")
    return Fraction(ratio)


def _rounded(ratio: Fraction | int | float, digits: int | None, rounding: str) -> float:
    if ratio == 0 or ratio == inf:
        return inf if ratio else -inf
    bits = _log2(_checked(ratio), rounding)
    if digits is not None:
        bits = bits.quantize(Decimal(1).scaleb(-digits), rounding, Context(prec=100 + digits))
        if digits <= 12:  # beyond this, the nearest float may be on the unsafe side of the decimal
            return float(bits)
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
    up = rounding == ROUND_CEILING
    (top, shift), (bottom, back) = _leading(top, up), _leading(bottom, not up)
    # a ratio can be as close to 1 as 1/bottom, and its logarithm loses those leading digits
    context = Context(prec=60 + bottom.bit_length() // 3, Emax=MAX_EMAX, Emin=MIN_EMIN)
    logarithm = context.ln(context.divide(Decimal(top), Decimal(bottom)))
    bits = context.add(context.divide(logarithm, context.ln(Decimal(2))), Decimal(shift - back))
    slack = context.scaleb(context.abs(bits), -45)
    match rounding:
        case "ROUND_CEILING":
            return context.add(bits, slack)
        case "ROUND_FLOOR":
            return context.subtract(bits, slack)
        case _:
            return bits


def _leading(number: int, up: bool) -> tuple[int, int]:
    """A number of few bits and a power of two; their product is the number, or just beside it on the given side."""
    shift = number.bit_length() - LEADING_BITS
    if number.bit_length() <= LARGEST_WHOLE:
        return number, 0
    return (-(-number >> shift) if up else number >> shift), shift


def float_down(number: Fraction) -> float:
    """The largest float not above the number.

    >>> float_down(Fraction(1, 10)) < float_up(Fraction(1, 10))
    True
    """
    nearest = _nearest_float(number)
    return nextafter(nearest, -inf) if nearest == inf or Fraction(nearest) > number else nearest


def float_up(number: Fraction) -> float:
    """The smallest float not below the number."""
    return -float_down(-number)


def _nearest_float(number: Fraction) -> float:
    try:
        return number.numerator / number.denominator
    except OverflowError:
        return inf if number > 0 else -nextafter(inf, 0)
