"""Indistinguishability as a promise: calibrate a quantizer to it, or certify one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from noiseless.errors import BudgetError, InputError, TooLargeError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, exact_number, written
from noiseless.exact.rounding import bits_up
from noiseless.privacy.definitions.indistinguishable.related import IndistinguishedRelated, telling_related
from noiseless.privacy.definitions.indistinguishable.several import Answer, IndistinguishedVector, telling_vectors
from noiseless.privacy.definitions.indistinguishable.telling import telling_answers_of
from noiseless.privacy.definitions.noiseless.certify import certify, worst_error
from noiseless.privacy.domain import is_evenly_spaced
from noiseless.privacy.guarantee.guarantee import Guarantee
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.linear import AnyLinear, EqualWeights, Linear, weights_of
from noiseless.theory.information.joint_range import Variables
from noiseless.theory.ranges.interval import Interval
from noiseless.theory.variable import Variable

MOST_TRIED = 400
MOST_JUMPS = 1 << 18


@dataclass(frozen=True, slots=True)
class Indistinguished:
    """A quantizer of a query, and how many of its answers distinguish two values of one person."""

    query: AnyLinear
    quantizer: Quantizer
    telling: int
    """The most answers that are possible with one value of a person and not with another: exact."""
    allowed: int

    @property
    def holds(self) -> bool:
        """Whether the number of telling answers is allowed."""
        return self.telling <= self.allowed

    @property
    def error(self) -> Fraction:
        """The worst distance between the true value and the reported one."""
        return worst_error(self.quantizer, self.query)

    @property
    def guarantee(self) -> Guarantee:
        """The same quantizer under noiseless privacy, where the others' data are fixed."""
        return certify(self.quantizer, self.query)

    def explain(self) -> str:
        """What it means, in words."""
        return (
            f"Of the {written(self.quantizer.levels)} answers, at most {written(self.telling)} are possible with one "
            f"value of a person and not with another, for any data of the others. {written(self.allowed)} were "
            f"allowed: the "
            f"promise {'holds' if self.holds else 'does not hold'}. An answer that both values allow reveals nothing "
            f"to "
            "an adversary who knows nothing about the others. To one who knows all the others' data, a person's "
            f"value can cause {written(self.guarantee.count)} different answers (noiseless privacy)."
        )


@dataclass(frozen=True, slots=True)
class Measured:
    """A query without a quantizer, and the length of the part of its range that distinguishes two values of one person.

    The number depends on the unit: in metres it is a hundredth of the number in centimetres. So such a promise depends
    on the unit too.
    """

    query: AnyLinear
    length: Fraction
    bits: Fraction

    @property
    def holds(self) -> bool:
        """Whether it is at most 2^bits, in the units of the query; False if the last digit is uncertain."""
        return self.length == 0 or Fraction(bits_up(self.length)) <= self.bits


@dataclass(frozen=True, slots=True)
class Indistinguishable:
    """At most 2^bits answers distinguish any two values of one person, for any data of the others.

    Source: NHT Def 5, Thm 5, corrected: docs/theorems.md#nht-thm-5

    >>> from noiseless.privacy.queries.linear import Mean
    >>> found = Indistinguishable(bits=3).calibrate(Mean(n=3, low=0, high=60))
    >>> found.quantizer, found.telling
    (Quantizer(0, 60, levels=14), 8)
    """

    bits: Number

    def __post_init__(self) -> None:
        answers_within(self.bits)

    @property
    def allowed(self) -> int:
        """⌊2^bits⌋."""
        return answers_within(self.bits)

    def certify(self, quantizer: Quantizer, query: AnyLinear) -> Indistinguished:
        """The exact number of answers that distinguish two values of one person.

        In closed form for weighted sums of intervals and for sums, means and counts of evenly spaced values; for other
        finite values by trying every sum that the others can have.
        """
        return Indistinguished(query, quantizer, telling_answers_of(quantizer, query), self.allowed)

    def certify_several(self, answers: Iterable[Answer]) -> IndistinguishedVector:
        """Several answers about the same people, as one vector: quantizers, each with its query.

        Exact for answers to the same query and for finite data that can be gone through, otherwise a bound.
        Source: theory §14; docs/indistinguishability.md
        """
        listed = tuple(answers) if isinstance(answers, Iterable) else ()
        at_least, telling = telling_vectors(listed)
        return IndistinguishedVector(listed, telling, at_least, self.allowed)

    def certify_related(self, people: Iterable[Variable], answer: Variables) -> IndistinguishedRelated:
        """People whose data are related: variables of a finite space, and what is answered, one variable or several.

        Source: NHT Def 5: docs/theorems.md#nht-def-5
        """
        return IndistinguishedRelated(
            telling_related(tuple(people) if isinstance(people, Iterable) else (), answer), self.allowed
        )

    def calibrate(self, query: AnyLinear) -> Indistinguished:
        """The finest equal bins of the query's range that keep the promise; on a grid, bins of whole steps.

        With s = qS/R there are ⌊s⌋ + ⌈s⌉ − 1 telling answers, so the largest q is ⌈(K/2 + 1)R/S⌉ − 1 for even
        K, ⌊(K + 1)R/(2S)⌋ for odd K, and never below K.
        """
        if not isinstance(query, (Linear, EqualWeights)):
            raise InputError(
                "this query cannot be calibrated for indistinguishability; use a weighted sum, mean or count"
            )
        weights = weights_of(query)
        del weights[Fraction(0)]
        if weights.total() == 1 and self.allowed > 1:
            raise BudgetError(
                "with only one person, two values have at most 2 telling answers however fine the bins, so the "
                "promise is "
                "empty; use calibrate(query, bits=…), which bounds the number of answers"
            )
        if isinstance(query.domain, Interval):
            return self.certify(Quantizer(query.low, query.high, self._levels(query)), query)
        return self._on_a_grid(query, weights.total(), len({abs(weight) for weight in weights}) == 1)

    def certify_unquantized(self, query: AnyLinear) -> Measured:
        """The measure version: μ(⟦Y|x_i⟧ Δ ⟦Y|x_i'⟧) ≤ 2^bits for the exact answer Y, in the units of the query.

        Source: NHT Def 5 (12), where the bound is written e^ε: docs/theorems.md#nht-def-5
        """
        if not isinstance(query, (Linear, EqualWeights)) or not isinstance(query.domain, Interval):
            raise InputError("this query has no measure version; use a weighted sum of values that fill an interval")
        spans = [abs(weight) * (query.domain.high - query.domain.low) for weight in weights_of(query)]
        longest = max(min(span, query.high - query.low - span) for span in spans)
        return Measured(query, 2 * longest, exact_number(self.bits, "bits"))

    def _levels(self, query: AnyLinear) -> int:
        allowed, ratio = self.allowed, (query.high - query.low) / query.sensitivity
        if ratio >= 2:
            formula = floor((allowed + 1) * ratio / 2) if allowed % 2 else ceil((Fraction(allowed, 2) + 1) * ratio) - 1
            return max(allowed, formula, 1)
        # one person outweighs the others, who can spread the sum over only a share of the range: at that person's two
        # ends at least 2⌊q·share⌋ − 1 bins are telling
        share = 1 - 1 / ratio
        if not share:
            return 1
        most = ceil((Fraction(allowed, 2) + 1) / share)
        if most - allowed > MOST_TRIED:
            raise TooLargeError(
                f"one person outweighs the others so much that {most} levels would have to be tried; use fewer bits"
            )
        for levels in range(most, allowed, -1):
            if telling_answers_of(Quantizer(query.low, query.high, levels), query) <= allowed:
                return levels
        return allowed

    def _on_a_grid(self, query: AnyLinear, people: int, equal: bool) -> Indistinguished:
        assert not isinstance(query.domain, Interval)
        assert query.step is not None
        steps, moved = int((query.high - query.low) / query.step), int(query.sensitivity / query.step)
        formula = equal and people > 1 and is_evenly_spaced(query.domain)
        first = self._finest(steps, moved) if formula else 1
        for points in range(first, steps + 2):
            if not formula and points > MOST_TRIED:
                raise TooLargeError(
                    f"bins of up to {MOST_TRIED} steps reveal too much for bits={self.bits}, and wider ones are too "
                    f"many "
                    "to try; give more bits"
                )
            levels = steps // points + 1
            low = query.low - query.step / 2
            found = self.certify(Quantizer(low, low + levels * points * query.step, levels), query)
            if found.holds:
                return found
        raise AssertionError("a single bin distinguishes nothing")

    def _finest(self, steps: int, moved: int) -> int:
        """The fewest steps of a bin whose edges, at its multiples, are few enough in (0, S] and in (R − S, R].

        Nothing changes between the places where one of the three quotients changes. If there are too many such places,
        the bins are chosen to be safe wherever their edges are.
        """
        points = max(1, 2 * moved // (self.allowed + 2))
        for _ in range(MOST_JUMPS):
            if moved // points + steps // points - (steps - moved) // points <= self.allowed:
                return points
            points = min(each // (each // points) + 1 for each in (moved, steps, steps - moved) if each >= points)
        return -(-2 * moved // (self.allowed - 1)) if self.allowed > 1 else moved + 1
