"""What ε-privacy against a hypothesis says about leakage: L0(Y;H)."""

from __future__ import annotations

from math import exp, expm1, log

from noiseless.errors import NumberError
from noiseless.exact.logratio import LogRatio
from noiseless.exact.number import Number, exact_number


def leakage_given_epsilon(epsilon: Number) -> LogRatio:
    """log(1 + 1/ε): the largest L0(Y;H) for a literal ε.

    Guarantee: tight. 1 + ε ≤ μ(Y)/μ(Y₀ΔY₁), so the overlap, and with it the smaller range, is at least the share
    ε/(1 + ε) of ⟦Y⟧; nested ranges attain it.
    Source: NHT Prop 1, corrected: docs/theorems.md

    >>> leakage_given_epsilon(1)
    log2(2) = 1 bits
    """
    exact = exact_number(epsilon, "epsilon")
    if exact <= 0:
        raise NumberError(f"epsilon={epsilon} is not above 0; use a positive one")
    return LogRatio(1 + 1 / exact)


def proposition_1_as_printed(epsilon: float) -> tuple[float, float]:
    """−ln(1 − e^−ε) of NHT Prop 1 and −ln(1 − e^−(ε+1)) of its proof, in nats. Both are false; for comparison only.

    >>> [printed < leakage_given_epsilon(1).nats for printed in proposition_1_as_printed(1)]
    [True, True]
    """
    return -log(-expm1(-epsilon)), -log(1 - exp(-epsilon - 1))
