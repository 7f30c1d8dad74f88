"""What a mechanism promises, what follows from it, and what does not."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import ceil

from noiseless.errors import InputError, NotCertifiableError
from noiseless.exact.logratio import LogRatio
from noiseless.exact.number import Number, as_integer, exact_number, written
from noiseless.exact.outcomes import Outcomes

ROUNDING = 1e-12
"""More than the rounding error of the estimation bound; it is subtracted, so that the bound still holds."""
FRACTIONS = ("smallest_cell", "domain_size", "spread", "width")


@dataclass(frozen=True, slots=True, repr=False)
class Guarantee:
    """With everybody else's data fixed at any value, one person's data cause at most `count` different answers.

    `exact` says that some data attain the count. `spread` is how far one person can move a sum, and `width` is the
    width of the narrowest bin; both are None if nothing is proved about groups. `domain_size` is None if nothing is
    known about one person's data. `stable` says that no change of one person's data alone gives a different answer at
    the same level: it only changes how fine the answer is.
    """

    definition: str
    count: int
    exact: bool
    statement: str
    assumptions: tuple[str, ...]
    levels: int
    smallest_cell: Fraction
    domain_size: Fraction | None
    discrete: bool
    spread: Fraction | None = None
    width: Fraction | None = None
    columns: int = 1
    stable: bool = False

    def __post_init__(self) -> None:
        whole = all(type(number) is int and number >= 1 for number in (self.count, self.levels, self.columns))
        exact = all(isinstance(getattr(self, name), (Fraction, type(None))) for name in FRACTIONS)
        flags = self.exact, self.discrete, self.stable
        if not whole or not exact or not all(type(flag) is bool for flag in flags):
            raise InputError(
                "a guarantee needs integer counts of at least 1, exact sizes and bools; build it with certify or "
                "from_json"
            )

    @property
    def outcomes(self) -> Outcomes:
        """The count as a value that can be multiplied."""
        return Outcomes(self.count)

    @property
    def bits(self) -> float:
        """log2(count), rounded up, for display."""
        return self.outcomes.bits

    @property
    def capacity(self) -> LogRatio:
        """The most information one person could send through the answers without error; also I⋆ and L0(Y;X_i)."""
        return LogRatio(self.count)

    @property
    def maximal_leakage(self) -> LogRatio:
        """The most the answer helps an adversary, with any prior, to guess anything about one person."""
        return LogRatio(self.count)

    @property
    def test_performance(self) -> LogRatio:
        """The best performance of a test of one value against another: at most two telling answers, none if K = 1."""
        return LogRatio(0 if self.count == 1 else 2)

    @property
    def leakage(self) -> LogRatio:
        """L0(X_i;Y) in the worst case: the domain over its smallest cell. The count does *not* bound it."""
        if self.count == 1:
            return LogRatio(1)
        if self.domain_size is None:
            raise NotCertifiableError(
                "nothing is known of one person's data, so its leakage is not known; declare everybody's domain"
            )
        return LogRatio.of(self.domain_size, self.smallest_cell)

    def estimation_error(self, p: Number, density: Number, length: Number | None = None) -> float:
        """No estimator of one person's value has E|X−X̂|^p below this, for a prior with at least this density.

        ρ·μ^(p+1)·K^(−p) / (2^p·(p+1)), where ρ is the least *conditional* density of the value given the others on a
        support of length μ (by default the whole domain).

        Source: NP Thm 4, corrected: docs/theorems.md#np-thm-4
        """
        power, rho = exact_number(p, "p"), exact_number(density, "density")
        if self.discrete or self.columns > 1 or self.domain_size is None:
            raise InputError(
                "the estimation bound needs one column that fills an interval; use leakage for finite values"
            )
        mu = self.domain_size if length is None else exact_number(length, "length")
        if power <= 0 or rho <= 0 or not 0 < mu <= self.domain_size:
            raise InputError(
                f"p={p}, density={density} or length={mu} is out of range; use p and density above 0 and a length up "
                f"to {self.domain_size}"
            )
        if rho * mu > 1:
            raise InputError(f"density={density} on a length of {mu} exceeds probability 1; use at most 1/length")
        try:
            exponent = float(power)
            bound: float = float(rho * mu) * float(mu / (2 * self.count)) ** exponent / (exponent + 1)
            return bound * (1 - ROUNDING)
        except OverflowError:
            raise InputError(f"p={p} is too large to compute the bound as a float; use a smaller p") from None

    def group(self, size: int) -> int:
        """The most answers that `size` people together can cause. Only sums, means and counts have such a bound."""
        people = as_integer(size)
        if people is None or people < 1:
            raise InputError(f"size={size!r} is not valid; use an integer of at least 1")
        if self.spread is None or self.width is None:
            raise NotCertifiableError(
                "this query has no group guarantee: two people together can be distinguished even where each alone "
                "cannot; "
                "use a sum, mean or count"
            )
        return min(self.levels, ceil(people * self.spread / self.width) + 1)

    def __repr__(self) -> str:
        """The guarantee in one sentence; `explain` says what follows."""
        answers = f"{written(self.count)} answer{'s' if self.count > 1 else ''}"
        bits = f"{self.bits:.4g} bit{'' if self.bits == 1 else 's'}"
        return f"{self.definition}: one person's data can cause at most {answers} ({bits}); {self.statement}"

    def explain(self) -> str:
        """The promise in plain words, what follows from it and what does not."""
        from noiseless.privacy.guarantee.explanation import explain

        return explain(self)

    def _repr_html_(self) -> str:
        from noiseless.privacy.guarantee.explanation import explain_html

        return explain_html(self)

    def to_json(self) -> str:
        """The guarantee as JSON. Integers and fractions are written as text, so that no reader rounds them."""
        fields = asdict(self)
        for name in ("count", "levels", *FRACTIONS):
            fields[name] = None if fields[name] is None else str(fields[name])
        return json.dumps(fields, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Guarantee:
        """The guarantee that `to_json` wrote."""
        try:
            fields = json.loads(text)
            for name in ("count", "levels"):
                fields[name] = int(fields[name])
            for name in FRACTIONS:
                fields[name] = None if fields[name] is None else Fraction(fields[name])
            fields["assumptions"] = tuple(fields["assumptions"])
            return cls(**fields)
        except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):
            raise InputError("the text is not a guarantee written by to_json; export it again") from None
