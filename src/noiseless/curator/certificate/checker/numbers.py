"""Numbers are texts with one spelling each, no longer than any honest certificate needs."""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction
from typing import Any

from noiseless.curator.certificate.checker.wrong import WrongCertificateError, require

MOST_DIGITS = 4300
"""By default Python writes no integers longer than this."""
MOST_BITS = 20_000
"""No budget is larger than this. Larger counts are refused before they are computed."""
MOST_WORK = 10_000_000
"""More steps than any honest certificate needs: cells times conditions, lines times expressions."""
EPOCH = date(1970, 1, 1)
_WHOLE = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)


def whole(text: Any) -> int:
    """Read an integer, spelled as `str` writes it."""
    if isinstance(text, str) and len(text) <= MOST_DIGITS and _WHOLE.fullmatch(text):
        return int(text)
    raise WrongCertificateError("a whole number is not written as one")


def rational(text: Any) -> Fraction:
    """Read a rational in lowest terms: 3/2, -7."""
    require(isinstance(text, str), "a number is not written as a text")
    top, slash, bottom = text.partition("/")
    number = Fraction(whole(top), _positive(bottom) if slash else 1)
    require(str(number) == text, "a number is not written in lowest terms")
    return number


def _positive(text: str) -> int:
    number = whole(text)
    require(number > 1, "a denominator is not above 1")
    return number


def day(text: Any) -> date:
    """Read a date, such as 2024-01-31."""
    found = date.fromisoformat(text) if isinstance(text, str) else None
    require(found is not None and found.isoformat() == text, "a date is not written as 2024-01-31")
    assert found is not None
    return found


def bounded(number: int) -> int:
    """Refuse a count that no budget could pay for."""
    require(number.bit_length() <= MOST_BITS, "the count is larger than any budget")
    return number
