"""Zero-error capacity, between two certified ends."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from noiseless.errors import MissingExtraError, TimeLimitError
from noiseless.exact.enclosure import Enclosure
from noiseless.exact.rounding import decimal_outward
from noiseless.theory.capacity.block_code import BlockCode
from noiseless.theory.capacity.channel import Channel, as_channel
from noiseless.theory.capacity.code import (
    Code,
    reached_in_more_uses,
    reached_in_one_use,
    reached_in_two_uses,
)
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.capacity.fractional_packing import fractional_packing
from noiseless.theory.capacity.haemers_bound import rank_within
from noiseless.theory.capacity.lovasz_theta import MOST_INPUTS, lovasz_theta
from noiseless.theory.capacity.rate import Rate
from noiseless.theory.capacity.reductions import by_cliques, useful_inputs
from noiseless.theory.capacity.theta_by_steps import theta_by_steps

SECONDS_FOR_80_INPUTS = 4.0
MANY_INPUTS = 80
TOLERANCE = 1e-6
"""Largest width of an enclosure of ϑ inside which two ends count as equal."""


@dataclass(frozen=True, slots=True, repr=False)
class Capacity:
    """A bracket around the zero-error capacity, and what gave each end.

    `exact` says that the two ends are one number: as exact ratios if `tolerance` is 0, otherwise within `tolerance`
    of ϑ, the width to which the semidefinite program was certified.
    """

    lower: Rate
    upper: Rate
    lower_by: str
    upper_by: str
    exact: bool
    tolerance: float
    code: tuple[tuple[Hashable, ...], ...]
    """Words of inputs of which no two are ever confused: they attain the lower end."""

    @property
    def bits(self) -> float:
        """Bits per use that are certainly reached; if `exact`, the capacity itself."""
        return self.lower.bits_down

    def __float__(self) -> float:
        return self.bits

    def __repr__(self) -> str:
        return f"Capacity({ends(self.lower, self.upper, self.exact)}; from {self.lower_by} and {self.upper_by})"


def ends(lower: Rate, upper: Rate, exact: bool) -> str:
    """Both ends in decimals, rounded outward."""
    down = decimal_outward(Fraction(lower.bits_down), 6, up=False)
    up = decimal_outward(Fraction(upper.bits_up), 6, up=True)
    return f"lower={down}, upper={up}, {'exact' if exact else 'bracket'}"


def zero_error_capacity(channel: Channel, time_limit: float = 60.0) -> Capacity:
    """C0 = lim (1/k) log2 α(G^k), bracketed: α(G^k)^(1/k) from below, ϑ, α* or Haemers' rank from above.

    A deterministic channel is exact at once: log2 of the number of outputs. Otherwise inputs that cannot help are
    dropped, and the independence number meets the fractional clique cover exactly for every perfect graph. Where
    it does not, Lovász theta (extra `capacity`), Haemers' bound, two uses and a search in more uses narrow the bracket.

    Guarantee: lower ≤ C0 ≤ upper, whatever `time_limit` (in seconds) allowed to be computed. The `code` was checked.
    Source: NP Prop 2, Thm 2; theory §2: docs/measures/zero_error_capacity.md

    >>> zero_error_capacity(Channel({"a": {0, 1}, "b": {1, 2}, "c": {2, 3}}))
    Capacity(lower=1, upper=1, exact; from 2 inputs never confused and a fractional clique cover)
    """
    if as_channel(channel).is_deterministic:
        rate, by = Rate(Fraction(len(channel.outputs)), 1), "one output per input"
        return Capacity(rate, rate, by, by, exact=True, tolerance=0.0, code=_one_input_for_each_output(channel))
    deadline = Deadline.after(time_limit)
    useful = useful_inputs(channel, deadline.share(1 / 4))
    useful = by_cliques(useful, deadline.share(1 / 4))
    one = reached_in_one_use(useful, deadline.share(1 / 2))
    bracket = _Bracket(one, *_covered(useful, deadline))
    if not bracket.closed:
        bracket = bracket.below(theta_within(useful, deadline))
    if not bracket.closed:
        bracket = bracket.above(reached_in_two_uses(useful, deadline))
    if not bracket.closed:
        bracket = bracket.below_rank(rank_within(useful, deadline.share(1 / 4)))
    for code in () if bracket.closed else reached_in_more_uses(useful, deadline):
        bracket = bracket.above(code)
    BlockCode(channel, bracket.code.words)  # refused if two words can be confused
    return bracket.capacity()


def _one_input_for_each_output(channel: Channel) -> tuple[tuple[Hashable, ...], ...]:
    _, first = np.unique(channel.matrix.indices, return_index=True)
    return tuple((channel.inputs[place],) for place in first)


@dataclass(frozen=True, slots=True)
class _Bracket:
    """The best bounds of the capacity so far."""

    code: Code
    upper: Rate
    upper_by: str
    theta: Enclosure | None = None

    @property
    def lower(self) -> Rate:
        return self.code.rate

    @property
    def meets_theta(self) -> bool:
        if self.theta is None or self.theta.width > TOLERANCE:
            return False
        return self.lower >= Rate(self.theta.lower, 1)

    @property
    def closed(self) -> bool:
        return self.lower == self.upper or self.meets_theta

    def above(self, code: Code | None) -> _Bracket:
        return replace(self, code=code) if code is not None and code.rate > self.lower else self

    def below_rank(self, rank: int | None) -> _Bracket:
        if rank is None or Rate(Fraction(rank), 1) >= self.upper:
            return self
        return replace(self, upper=Rate(Fraction(rank), 1), upper_by="Haemers' bound")

    def below(self, theta: Enclosure | None) -> _Bracket:
        if theta is None or Rate(theta.upper, 1) >= self.upper:
            return replace(self, theta=theta)
        return replace(self, theta=theta, upper=Rate(theta.upper, 1), upper_by="Lovász theta")

    def capacity(self) -> Capacity:
        within = 0.0 if self.lower == self.upper or self.theta is None else float(self.theta.width)
        code = self.code
        return Capacity(self.lower, self.upper, code.found_by, self.upper_by, self.closed, within, code.words)


def _covered(channel: Channel, deadline: Deadline) -> tuple[Rate, str]:
    return Rate(fractional_packing(channel, max(deadline.left, 0)).upper, 1), "a fractional clique cover"


def theta_within(channel: Channel, deadline: Deadline) -> Enclosure | None:
    """ϑ as far as the time allows, or None where it is too large.

    Many inputs, or little time: first by steps that can end at any moment, so that a later solver can only improve it.
    """
    inputs = len(channel.inputs)
    if inputs > MOST_INPUTS or deadline.over:
        return None
    known: Enclosure | None = None
    # one step of the solver cannot be interrupted, so a step that would certainly overrun is not started
    needed = SECONDS_FOR_80_INPUTS * (inputs / 80) ** 6
    if inputs > MANY_INPUTS or deadline.left < needed:
        known = theta_by_steps(channel, deadline.share(1 / 2))
    if deadline.left < needed or (known is not None and known.width <= TOLERANCE):
        return known
    try:
        found = lovasz_theta(channel, max(deadline.left, 0))
    except (MissingExtraError, TimeLimitError):
        return known
    return found if known is None else Enclosure(max(known.lower, found.lower), min(known.upper, found.upper))
