"""Exact numbers, dates and bits as people read them."""

from __future__ import annotations

import codecs
from datetime import date
from fractions import Fraction
from math import floor, log10
from typing import Any

from noiseless.exact.rounding import bits_up, significant

DIGITS = 6
PLAIN = {"±": "+-", "—": "-", "−": "-", "–": "-", "×": "x", "·": "*", "≤": "<=", "≥": ">=", "∞": "inf", "…": "..."}
PLAIN |= {"⌈": "ceil(", "⌉": ")", "⌊": "floor(", "⌋": ")", "′": "'", "Σ": "sum ", "²": "^2", "✓": "yes", "✗": "no"}
"""The replacements of these characters if only ASCII can be shown."""


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
    """A text from outside, with control characters escaped, so that it cannot move a terminal's cursor.

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


def shown_in(encoding: str, text: str) -> str:
    """A text in the characters of an encoding: others are written in ASCII if they can be, or else escaped.

    >>> shown_in("ascii", "± 3 ≤ ∞, ł"), shown_in("latin-1", "± 3 ≤ ∞")
    ('+-3 <= inf, \\\\u0142', '± 3 <= inf')
    """
    codecs.register_error("in ASCII", in_ascii)
    return text.encode(encoding, "in ASCII").decode(encoding)


def in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    """A handler for `codecs.register_error`: it replaces what cannot be shown, and says where to continue."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unable, end = error.object[error.start : error.end], error.end
    text = "".join(PLAIN.get(each, each.encode("ascii", "backslashreplace").decode()) for each in unable)
    if unable.endswith("±") and error.object[end : end + 1] == " ":  # as wide as before, for tables
        end += 1
    return text, end
