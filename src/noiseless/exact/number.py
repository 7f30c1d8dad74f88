"""The one door through which numbers enter.

>>> exact_number("0.1") == exact_number(0.1) == Fraction(1, 10)
True
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Integral, Rational, Real

from noiseless.errors import NumberError

LARGEST_EXPONENT = 4000
"""Larger than any double and any useful count; "1e999999999" must not fill the memory."""
LARGEST = 10**LARGEST_EXPONENT
LONGEST = 60
"""Digits of an integer that are written out."""

Number = int | float | str | Decimal | Fraction


def exact_number(value: object, name: str = "value") -> Fraction:
    """The exact rational that `value` means.

    Integers, Fractions, Decimals and strings ("0.1", "1e-3", "1/3") are used exactly as given. A float, of any
    width, means the decimal it prints as: 0.1 is 1/10. NaN and infinities are refused, as are booleans.

    >>> exact_number(0.1), exact_number("1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    if type(value) is Fraction:  # as most are
        return _within(value, name)
    match value:
        case str():
            return _from_text(value, name)
        case bool():
            raise NumberError(f"{name}={value} is a truth value; give a number")
        case Integral():
            return _within(Fraction(int(value)), name)
        case Rational():
            return _within(Fraction(value), name)
        case Decimal():
            return _from_decimal(value, value, name)
        case Real():
            return _from_decimal(Decimal(str(value)), value, name)
        case _:
            raise NumberError(
                f"{name}={shown(value)} is not a number; give an int, a decimal such as '0.1' or a Fraction"
            )


def _from_text(text: str, name: str) -> Fraction:
    if len(text) <= LONGEST and text.isascii() and text.isdigit():
        return Fraction(int(text))  # as most are
    top, slash, bottom = text.partition("/")
    try:
        numerator, denominator = Decimal(top.strip()), Decimal(bottom.strip() if slash else 1)
    except InvalidOperation:
        raise NumberError(f"{name}={shown(text)} is not a number; write it as '0.1', '1e-3' or '1/3'") from None
    exact, divisor = _from_decimal(numerator, text, name), _from_decimal(denominator, text, name)
    if divisor == 0:
        raise NumberError(f"{name}={shown(text)} divides by zero; give a finite number")
    return _within(exact / divisor, name)


def _within(exact: Fraction, name: str) -> Fraction:
    """Refuse numbers so long that even printing them would fail."""
    if not -LARGEST <= exact.numerator <= LARGEST or exact.denominator > LARGEST:
        raise NumberError(f"{name} has more than {LARGEST_EXPONENT} digits; choose another unit, or round it")
    return exact


def _from_decimal(number: Decimal, given: object, name: str) -> Fraction:
    if not number.is_finite():
        raise NumberError(
            f"{name}={shown(given)} is not a finite number, so it has no exact value; give a bound instead"
        )
    if number and abs(number.adjusted()) > LARGEST_EXPONENT:
        raise NumberError(f"{name}={shown(given)} has an exponent beyond ±{LARGEST_EXPONENT}; choose another unit")
    return _within(Fraction(number), name)


def shown(given: object) -> str:
    """A given value for an error message: short, safe on any terminal, and for any type.

    >>> shown("0.1"), shown(10**5000), shown([1])
    ("'0.1'", 'about 2^16609', 'a list')
    """
    if isinstance(given, Integral):
        return written(int(given))
    if not isinstance(given, (str, float, Decimal, Fraction)):
        return f"a {type(given).__name__}"
    if isinstance(given, Fraction) and max(abs(given.numerator), given.denominator) > LARGEST:
        return "a long fraction"
    text = ascii(given) if isinstance(given, str) else str(given)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def as_integer(value: object) -> int | None:
    """The integer of any integer type, or None; truth values are not integers.

    >>> as_integer(3), as_integer(3.0), as_integer(True)
    (3, None, None)
    """
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def written(number: int) -> str:
    """An integer as text, or its size if it is too long to read.

    >>> written(12), written(2**1000)
    ('12', 'about 2^1000')
    """
    return str(number) if abs(number) < 10**LONGEST else f"about {'-' if number < 0 else ''}2^{number.bit_length() - 1}"
