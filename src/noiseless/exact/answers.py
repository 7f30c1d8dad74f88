"""From a budget in bits to the number of answers it allows."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from noiseless.errors import BudgetError
from noiseless.exact.number import Number, exact_number, shown

MOST_BITS = 10_000


def answers_within(bits: Number, name: str = "bits") -> int:
    """K = ⌊2^bits⌋, the most answers that `bits` allow.

    A float means the decimal it prints as; 1.584962500721156 is slightly less than log2 3 and allows 2 answers. Use
    ``count=3`` for three answers.

    >>> answers_within(2), answers_within("1.585"), answers_within(0)
    (4, 3, 1)
    """
    exact = exact_number(bits, name)
    if exact < 0:
        raise BudgetError(f"{name}={shown(bits)} is negative; use 0 for the constant answer")
    if exact > MOST_BITS:
        raise BudgetError(f"{name}={shown(bits)} is more than {MOST_BITS}, which gives no protection; use fewer bits")
    return 1 << int(exact) if exact.denominator == 1 else int(_power(exact))


def most_within(bits: Number, name: str = "bits") -> Fraction:
    """2^bits, rounded down in the fortieth digit: the largest price that `bits` allow.

    >>> most_within(2), 1 < most_within("0.01") < Fraction(1007, 1000)
    (Fraction(4, 1), True)
    """
    answers_within(bits, name)
    exact = exact_number(bits, name)
    return Fraction(1 << int(exact)) if exact.denominator == 1 else max(Fraction(_power(exact)), Fraction(1))


def _power(exact: Fraction) -> Decimal:
    """2^exact where that is irrational: forty extra digits, with the last ones dropped, keep it on the safe side."""
    context = Context(prec=int(exact * 31 / 100) + 60, rounding=ROUND_FLOOR)
    exponent = context.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    power = context.power(Decimal(2), exponent)
    return context.subtract(power, context.scaleb(power, -int(exact * 31 / 100) - 40))
