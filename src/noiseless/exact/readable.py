"""Exact numbers, dates and bits as people read them."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from math import floor, log10
from typing import Any

from noiseless.exact.rounding import bits_up, significant

DIGITS = 6


def number_shown(value: Any, end: str = "value") -> str:
    """Six significant digits, rounded to the safe side; whole numbers and dates unchanged.

    >>> number_shown(Fraction(5, 3), "lower"), number_shown(Fraction(5, 3), "upper"), number_shown(None)
    ('1.66666', '1.66667', '—')
    """
    match value:
        case None:
            return "—"
        case bool():
            return str(value).lower()
        case int() | date() | str():
            return str(value)
        case float():
            return "∞" if value > 0 else "−∞"
        case _:
            return significant(Fraction(value), DIGITS, end)


def printable(text: object) -> str:
    """A text of somebody else's, with control characters escaped, so that it cannot move a terminal's cursor.

    >>> printable("Eve\\x1b[2J")
    'Eve\\\\x1b[2J'
    """
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in str(text))


def bits_shown(count: int | Fraction) -> str:
    """The size of a count or of a price in bits, rounded up. Small prices have two significant digits.

    >>> bits_shown(3), bits_shown(2), bits_shown(Fraction(656, 655))
    ('1.585 bits', '1 bit', '0.0023 bits')
    """
    bits = bits_up(count)
    return _with_unit(bits_up(count, digits=1 - floor(log10(bits)) if 0 < bits < 0.1 else 3), 6)


def bits_left_shown(bits: float) -> str:
    """Bits of a budget, to four digits."""
    return _with_unit(bits, 4)


def _with_unit(bits: float, digits: int) -> str:
    return f"{bits:.{digits}g} bit{'' if bits == 1 else 's'}"
