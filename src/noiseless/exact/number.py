"""The one door through which numbers enter.

>>> exact_number("0.1") == exact_number(0.1) == Fraction(1, 10)
True
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Integral, Rational, Real

from noiseless.errors import NumberError

LARGEST_EXPONENT = 5000
"""Beyond any double and any count worth printing; "1e999999999" must not fill the memory."""

Number = int | float | str | Decimal | Fraction


def exact_number(value: object, name: str = "value") -> Fraction:
    """The exact rational that `value` means.

    Integers, Fractions, Decimals and strings ("0.1", "1e-3", "1/3") are taken as they are. A float, of any
    width, means the decimal it prints as: 0.1 is 1/10. NaN and infinities are refused, as are booleans.

    >>> exact_number(0.1), exact_number("1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    match value:
        case bool():
            raise NumberError(f"{name}={value} is a truth value; give a number")
        case Integral():
            return Fraction(int(value))
        case Rational():
            return Fraction(value)
        case Decimal():
            return _from_decimal(value, value, name)
        case str():
            return _from_text(value, name)
        case Real():
            return _from_decimal(Decimal(str(value)), value, name)
        case _:
            raise NumberError(f"{name}={value!r} is not a number; give an int, a decimal such as '0.1' or a Fraction")


def _from_text(text: str, name: str) -> Fraction:
    top, slash, bottom = text.partition("/")
    try:
        numerator, denominator = Decimal(top.strip()), Decimal(bottom.strip() if slash else 1)
    except InvalidOperation:
        raise NumberError(f"{name}={text!r} is not a number; write it as '0.1', '1e-3' or '1/3'") from None
    if denominator == 0:
        raise NumberError(f"{name}={text!r} divides by zero; give a finite number")
    return _from_decimal(numerator, text, name) / _from_decimal(denominator, text, name)


def _from_decimal(number: Decimal, written: object, name: str) -> Fraction:
    if not number.is_finite():
        raise NumberError(f"{name}={written} is not a finite number; NaN and infinities have no exact value")
    if number and abs(number.adjusted()) > LARGEST_EXPONENT:
        raise NumberError(f"{name}={written} has an exponent beyond ±{LARGEST_EXPONENT}; scale the unit")
    return Fraction(number)
