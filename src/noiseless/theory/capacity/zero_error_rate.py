"""The zero-error capacity of channels that change over time, between two certified ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from noiseless.errors import ChannelError
from noiseless.exact.enclosure import Enclosure
from noiseless.theory.capacity.block_code import BlockCode
from noiseless.theory.capacity.channel import Channel
from noiseless.theory.capacity.channel_sequence import ChannelSequence
from noiseless.theory.capacity.codes_over_time import Found, each_alone, over_a_period
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.capacity.fractional_packing import fractional_packing
from noiseless.theory.capacity.haemers_bound import FIELDS, ranks_within
from noiseless.theory.capacity.rate import Rate
from noiseless.theory.capacity.reductions import by_cliques, useful_inputs
from noiseless.theory.capacity.zero_error_capacity import TOLERANCE, ends, theta_within


@dataclass(frozen=True, slots=True, repr=False)
class CapacityOverTime:
    """A bracket around the zero-error capacity of a sequence, in bits per step, and what gave each end.

    `exact` and `tolerance` mean what they mean for `Capacity`. The `code` attains the lower end.
    """

    lower: Rate
    upper: Rate
    lower_by: str
    upper_by: str
    exact: bool
    tolerance: float
    code: BlockCode

    @property
    def bits(self) -> float:
        """Bits per step that are certainly reached; if `exact`, the capacity itself."""
        return self.lower.bits_down

    def __float__(self) -> float:
        return self.bits

    def __repr__(self) -> str:
        return f"CapacityOverTime({ends(self.lower, self.upper, self.exact)}; from {self.lower_by} and {self.upper_by})"


def zero_error_rate(sequence: ChannelSequence, time_limit: float = 60.0) -> CapacityOverTime:
    """C0 = lim (1/k) log2 α(G1 ⊠ … ⊠ Gk), in bits per step, for channels that repeat after p steps.

    It is 1/p of the capacity of one period P = G1 ⊠ … ⊠ Gp. From below: a code for each channel, sent on its own steps;
    the same input at every step; words over a whole period. From above: α(P^m) ≤ ∏ζ(Gt)^m for one ζ that multiplies,
    which is ϑ, or the rank over one field; since α(G ⊠ H) ≤ α*(G)·α(H), the α* of a channel may replace its ζ.

    Different ζ for different channels are wrong, and so is the sum of the capacities: Haemers' rank 7 of the lines on a
    cubic surface and ϑ = 3 of their complement allow 21 words in two steps, but 27 are never confused.

    Guarantee: lower ≤ C0 ≤ upper, whatever `time_limit` (in seconds) allowed to be computed. The `code` was checked.
    Source: NP §II-B, Lovász 1979, Haemers 1979: docs/channels.md

    >>> day, night = Channel({0: {0}, 1: {1}, 2: {2}}), Channel({0: {0, 1}, 1: {1}, 2: {2}})
    >>> zero_error_rate(ChannelSequence(day, night)).lower
    log2(6)/2 ≈ 1.292 bits
    """
    if not isinstance(sequence, ChannelSequence):
        raise ChannelError(f"a {type(sequence).__name__} is not a sequence; make one with ChannelSequence(…)")
    deadline = Deadline.after(time_limit)
    different = list(dict.fromkeys(sequence.channels))
    lower = each_alone(sequence, different, deadline.share(1 / 2))
    useful = [by_cliques(useful_inputs(each, deadline), deadline) for each in different]
    times = [sequence.channels.count(each) for each in different]
    upper = _Upper.by_covers(useful, times, deadline)
    if not upper.meets(lower):
        upper = upper.below_theta([theta_within(each, deadline) for each in useful])
    for better in () if upper.meets(lower) else over_a_period(sequence, deadline):
        lower = max(lower, better, key=lambda found: found[0].rate)
    if not upper.meets(lower):
        upper = upper.below_ranks([ranks_within(each, deadline.share(1 / 2)) for each in useful])
    return upper.capacity(lower)


@dataclass(frozen=True, slots=True)
class _Upper:
    """What is known from above: bounds of one period, as the product over its channels."""

    covers: list[Fraction]
    times: list[int]
    bound: Fraction
    by: str
    theta: Enclosure | None = None

    @classmethod
    def by_covers(cls, useful: list[Channel], times: list[int], deadline: Deadline) -> _Upper:
        covers = [fractional_packing(each, max(deadline.left, 0)).upper for each in useful]
        return cls(covers, times, _product(covers, times), "fractional clique covers")

    def below_theta(self, thetas: list[Enclosure | None]) -> _Upper:
        """ϑ is at most the cover, which stands in where ϑ was not computed."""
        highs = [each.upper if each else cover for each, cover in zip(thetas, self.covers, strict=True)]
        found = _product([min(pair) for pair in zip(highs, self.covers, strict=True)], self.times)
        known = [each for each in thetas if each]
        whole = None
        if len(known) == len(thetas):
            whole = Enclosure(_product([each.lower for each in known], self.times), _product(highs, self.times))
        if found >= self.bound:
            return replace(self, theta=whole)
        return replace(self, bound=found, by="Lovász theta of each channel", theta=whole)

    def below_ranks(self, ranks: list[dict[int, int]]) -> _Upper:
        """Over one field for all channels, or the cover of a channel instead."""
        best, by = self.bound, self.by
        for prime in FIELDS:
            least = [
                min(cover, Fraction(each.get(prime, cover))) for cover, each in zip(self.covers, ranks, strict=True)
            ]
            if (found := _product(least, self.times)) < best:
                best, by = found, f"Haemers' bound modulo {prime}"
        return replace(self, bound=best, by=by)

    def meets(self, lower: Found) -> bool:
        return lower[0].rate == self.rate or self._meets_theta(lower)

    def _meets_theta(self, lower: Found) -> bool:
        if self.theta is None or self.theta.width > TOLERANCE:
            return False
        return lower[0].rate >= Rate(self.theta.lower, sum(self.times))

    @property
    def rate(self) -> Rate:
        return Rate(self.bound, sum(self.times))

    def capacity(self, lower: Found) -> CapacityOverTime:
        code, found_by = lower
        within = float(self.theta.width) if self.theta and self._meets_theta(lower) and code.rate != self.rate else 0.0
        return CapacityOverTime(code.rate, self.rate, found_by, self.by, self.meets(lower), within, code)


def _product(bounds: list[Fraction], times: list[int]) -> Fraction:
    return prod((bound**time for bound, time in zip(bounds, times, strict=True)), start=Fraction(1))
