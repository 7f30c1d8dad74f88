"""A query, a quantizer, and what they promise together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from noiseless.exact.readable import number_shown
from noiseless.privacy.guarantee.explanation import explain_html
from noiseless.privacy.guarantee.guarantee import Guarantee
from noiseless.privacy.mechanisms.records import computed_value, right_number, within_domain
from noiseless.privacy.pictures.bins import picture_of_bins
from noiseless.privacy.quantizers.containers import unpack
from noiseless.privacy.quantizers.quantizer import Outside, Quantizer
from noiseless.privacy.queries.bounded import Bounded
from noiseless.privacy.queries.histogram import Histogram
from noiseless.privacy.queries.query import Query


@dataclass(frozen=True, slots=True, repr=False)
class Mechanism:
    """Answers a query by the bin its value lies in.

    `error` is the worst distance between the true value and the reported midpoint.
    """

    query: Query | Histogram
    quantizer: Quantizer
    guarantee: Guarantee
    error: Fraction
    after: tuple[Callable[[Any], Any], ...] = ()

    def apply(self, data: Any, outside: Outside = "raise") -> Any:
        """The answer for the data of the n people: the midpoint of the bin, after the functions added by `then`.

        A value outside the declared domain raises an error or is clamped; either way it cannot affect the answer. A
        `Bounded` query without a function takes its own value instead of the data.
        """
        answer = self._answer(data, outside)
        for function in self.after:
            answer = function(answer)
        return answer

    def _answer(self, data: Any, outside: Outside) -> Any:
        if isinstance(self.query, Bounded):
            return self._report(computed_value(self.query, data, outside))
        values = within_domain(self.query, unpack(data)[0], outside)
        right_number(self.query.n, len(values))
        if isinstance(self.query, Histogram):
            return {value: self._report(count) for value, count in self.query.counts(values).items()}
        return self._report(self.query.evaluate(values))

    def _report(self, value: Fraction) -> Fraction:
        return self.quantizer.midpoint(self.quantizer.index(value, "clamp"))

    def picture(self) -> str:
        """An SVG of some bins and one person's reach among them."""
        return picture_of_bins(self.quantizer, self.guarantee.count, self.query.sensitivity)

    def _repr_html_(self) -> str:
        return self.picture() + explain_html(self.guarantee)

    def __repr__(self) -> str:
        error = number_shown(self.error, "upper")
        return f"Mechanism for {self.query!r} with {self.quantizer!r}: error at most {error}; {self.guarantee!r}"

    def then(self, function: Callable[[Any], Any]) -> Mechanism:
        """The same mechanism with its answer processed further; the guarantee stays (post-processing).

        Source: NP Thm 7: docs/theorems.md#np-thm-5
        """
        return replace(self, after=(*self.after, function))
