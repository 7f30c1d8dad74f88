"""Pointwise maximal leakage: what one released value reveals under a declared prior."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from noiseless.errors import InputError, NotCertifiableError
from noiseless.exact.logratio import LogRatio
from noiseless.exact.number import Number, exact_number
from noiseless.theory.information.joint_range import Variables, joint_range
from noiseless.theory.variable import as_variable


def pointwise_leakage(x: Variables, y: Variables, prior: Mapping[Any, Number] | None = None) -> LogRatio:
    """ℓ(X→y) = log max_x P(y|x)/P(y), at the worst y. If Y is a function of X, that is log 1 / min over y of P(Y = y).

    `prior` gives every value of X its probability, exactly; without it all are equally likely. A value of Y that the
    prior excludes does not occur and is left out.

    Guarantee: whatever function of X is guessed and whatever y is seen, the chance to guess it right grows at most by
    this factor. With the uniform prior it is L0(X;Y). For some prior it exceeds every bound, so the count alone does
    not bound it: the count bounds the average over y, which is maximal leakage.
    Source: Saeidian and others, pointwise maximal leakage: docs/measures/pointwise_leakage.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3, 4], "Y": ["low", "low", "high", "high"]})
    >>> pointwise_leakage(space["X"], space["Y"], {1: "0.9", 2: "0.05", 3: "0.03", 4: "0.02"})
    log2(20) ≈ 4.322 bits
    """
    joint = joint_range(x, y)
    if (joint.sizes_given_x() > 1).any():
        raise NotCertifiableError("Y is not a function of X, so its probabilities are unknown; add the noise to X")
    weights = _weights(list(as_variable(x).range), prior)
    chances = [Fraction(0)] * joint.y_size
    for place, output in zip(joint.x.tolist(), joint.y.tolist(), strict=True):
        chances[output] += weights[place]
    return LogRatio(1 / min(chance for chance in chances if chance))


def _weights(values: list[Any], prior: Mapping[Any, Number] | None) -> list[Fraction]:
    if prior is None:
        return [Fraction(1, len(values))] * len(values)
    if set(prior) != set(values):
        raise InputError("prior= must name every value of X once; see its .range")
    weights = [exact_number(prior[value], f"probability of {value!r}") for value in values]
    if min(weights) < 0 or sum(weights) != 1:
        raise InputError("the probabilities of prior= must be at least 0 and sum to 1; write them as exact decimals")
    return weights
