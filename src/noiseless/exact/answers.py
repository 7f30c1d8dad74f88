"""From a budget in bits to the number of answers it allows."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context, Decimal

from noiseless.errors import BudgetError
from noiseless.exact.number import Number, exact_number, shown

MOST_BITS = 10_000


def answers_within(bits: Number, name: str = "bits") -> int:
    """K = ⌊2^bits⌋, the most answers that `bits` allow.

    A float means the decimal it prints as; 1.584962500721156 is a little less than log2 3 and allows 2 answers. Say
    ``count=3`` where three answers are meant.

    >>> answers_within(2), answers_within("1.585"), answers_within(0)
    (4, 3, 1)
    """
    exact = exact_number(bits, name)
    if exact < 0:
        raise BudgetError(f"{name}={shown(bits)} is negative; 0 bits already is the constant answer")
    if exact > MOST_BITS:
        raise BudgetError(f"{name}={shown(bits)} is more than {MOST_BITS}; such a promise protects nobody")
    if exact.denominator == 1:
        return 1 << int(exact)
    # 2^bits is irrational here; forty spare digits, the last ones given away, keep the floor on the safe side
    context = Context(prec=int(exact * 31 / 100) + 60, rounding=ROUND_FLOOR)
    exponent = context.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    power = context.power(Decimal(2), exponent)
    return int(context.subtract(power, context.scaleb(power, -int(exact * 31 / 100) - 40)))
