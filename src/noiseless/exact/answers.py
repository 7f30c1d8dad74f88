"""From a budget in bits to the number of answers it allows."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context, Decimal

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
    if exact.denominator == 1:
        return 1 << int(exact)
    # 2^bits is irrational here; forty extra digits, with the last ones dropped, keep the floor on the safe side
    context = Context(prec=int(exact * 31 / 100) + 60, rounding=ROUND_FLOOR)
    exponent = context.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    power = context.power(Decimal(2), exponent)
    return int(context.subtract(power, context.scaleb(power, -int(exact * 31 / 100) - 40)))
