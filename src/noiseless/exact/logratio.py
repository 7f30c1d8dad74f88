"""The value that every information measure returns."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from math import inf
from numbers import Rational

from noiseless.errors import NotCertifiableError, NumberError
from noiseless.exact.number import written
from noiseless.exact.rounding import bits_down, bits_nearest, bits_up, nats_nearest

Ratio = Fraction | float
"""A Fraction of at least 0, or +inf."""


@total_ordering
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class LogRatio:
    """The logarithm of an exact ratio, kept as the ratio.

    ``ratio`` is a Fraction ≥ 0 or +inf; 0 stands for −∞ bits. Sums and differences of logarithms are products and
    quotients of ratios. Comparison and equality are those of the ratios, so they are exact; logarithms appear
    only in ``bits``, ``nats`` and ``float()`` (which is bits).

    Guarantee: 0/0, ∞/∞ and ∞−∞ raise `NotCertifiableError`; no other operation loses exactness (theory C3, C4).

    >>> LogRatio(6) - LogRatio(3) == LogRatio(2)
    True
    >>> LogRatio(6)
    log2(6) ≈ 2.585 bits
    """

    ratio: Ratio

    def __post_init__(self) -> None:
        object.__setattr__(self, "ratio", _valid(self.ratio))

    @classmethod
    def of(cls, numerator: Ratio, denominator: Ratio) -> LogRatio:
        """log(numerator / denominator), with a/0 = +∞ for a > 0 and a/∞ = 0 for finite a.

        >>> LogRatio.of(1, 0)
        log2(inf) = inf bits
        """
        top, bottom = _valid(numerator), _valid(denominator)
        if top == bottom and top in (0, inf):
            name = "0/0" if top == 0 else "∞/∞"
            raise NotCertifiableError(
                f"{name} has no certain value; choose a range whose size is neither 0 nor infinite"
            )
        if bottom == 0 or top == inf:
            return cls(inf)
        return cls(Fraction(0) if bottom == inf else Fraction(top) / Fraction(bottom))

    def __add__(self, other: object) -> LogRatio:
        if not isinstance(other, LogRatio):
            return NotImplemented
        if {self.ratio, other.ratio} == {0, inf}:
            raise NotCertifiableError("∞ − ∞ has no certain value; use the two terms separately")
        if inf in (self.ratio, other.ratio):
            return LogRatio(inf)
        return LogRatio(Fraction(self.ratio) * Fraction(other.ratio))

    def __sub__(self, other: object) -> LogRatio:
        if not isinstance(other, LogRatio):
            return NotImplemented
        return LogRatio.of(self.ratio, other.ratio)

    def __neg__(self) -> LogRatio:
        return LogRatio.of(Fraction(1), self.ratio)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LogRatio):
            return NotImplemented
        return self.ratio == other.ratio

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, LogRatio):
            return NotImplemented
        return self.ratio < other.ratio

    def __hash__(self) -> int:
        return hash((LogRatio, self.ratio))

    @property
    def bits(self) -> float:
        """log2 of the ratio, to the nearest float."""
        return bits_nearest(self.ratio)

    @property
    def bits_up(self) -> float:
        """log2 of the ratio, rounded up: the safe side for what leaks."""
        return bits_up(self.ratio)

    @property
    def bits_down(self) -> float:
        """log2 of the ratio, rounded down: the safe side for what is protected."""
        return bits_down(self.ratio)

    @property
    def nats(self) -> float:
        """Natural logarithm of the ratio, to the nearest float."""
        return nats_nearest(self.ratio)

    def __float__(self) -> float:
        return self.bits

    def __repr__(self) -> str:
        if self.ratio == inf:
            return "log2(inf) = inf bits"
        top, bottom = Fraction(self.ratio).as_integer_ratio()
        shown = written(top) if bottom == 1 else f"{written(top)}/{written(bottom)}"
        sign = "=" if self.bits_down == self.bits_up else "≈"
        return f"log2({shown}) {sign} {self.bits:.4g} bits"


def _valid(ratio: object) -> Ratio:
    if ratio == inf:
        return inf
    if isinstance(ratio, Rational) and not isinstance(ratio, bool) and int(ratio.numerator) >= 0:
        return Fraction(int(ratio.numerator), int(ratio.denominator))
    raise NumberError(f"ratio={ratio!r} is not exact; give an int or Fraction of at least 0, or math.inf")
