"""A query that is known only by its bounds and its sensitivity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.errors import DomainError, RangeError
from noiseless.exact.number import Number, as_integer, exact_number
from noiseless.privacy.quantizers.quantizer import Quantizer
from noiseless.privacy.queries.query import Reach, people

BASIS = "counting lemma, attained by some query with these bounds and this sensitivity: docs/theorems.md#np-thm-8"


@dataclass(frozen=True, init=False)
class Bounded:
    """Any function of n people's data, of any kind: values in [low, high], and one person moves it by at most S.

    With everybody else's data fixed, its values lie in a window of length S inside [low, high], so the count is at most
    1 + the most inner edges in such a window: min(q, ⌈qS/R⌉ + 1) for q equal bins of R = high − low, and less with
    a `step`, if all values lie on low + step·ℤ. `pieces` is the number of monotone pieces in one person's value, if it
    is known; only rule A of a batch needs it.

    Guarantee: never too small. No smaller count holds for all such queries: for R ≤ n·S, low + min(R, S·Σx_i) with
    x_i in [0, 1] (or on the grid of the steps in S) puts one person's window anywhere in the range. For R > n·S no
    query fills the range, and t + S·x_1 attains the count inside it.
    Source: NP Thm 8, corrected: docs/theorems.md#np-thm-8

    `function` computes the value from the data; without one, the mechanism is applied to a value already computed.

    >>> from noiseless.privacy.definitions.noiseless.calibrate import calibrate
    >>> made = calibrate(Bounded(low=0, high=1, sensitivity="0.01", n=500), bits=2)
    >>> made.quantizer, made.guarantee.count
    (Quantizer(0, 1, levels=300), 4)
    >>> made.apply("0.4217")
    Fraction(253, 600)
    """

    low: Fraction
    high: Fraction
    sensitivity: Fraction
    n: int
    step: Fraction | None
    pieces: int | None
    function: Callable[[Any], Any] | None

    def __init__(
        self,
        low: Number,
        high: Number,
        sensitivity: Number,
        n: int,
        *,
        step: Number | None = None,
        pieces: int | None = None,
        function: Callable[[Any], Any] | None = None,
    ) -> None:
        least, most = exact_number(low, "low"), exact_number(high, "high")
        if least >= most:
            raise RangeError(f"low={low} is not below high={high}; give the bounds of the query's values")
        moved = exact_number(sensitivity, "sensitivity")
        if moved < 0:
            raise DomainError(
                f"sensitivity={sensitivity} is below 0; give the furthest that one person can move the query"
            )
        if pieces is not None and (as_integer(pieces) or 0) < 1:
            raise DomainError(f"pieces={pieces!r} is not valid; give an integer of at least 1, or leave it out")
        if function is not None and not callable(function):
            raise DomainError(f"function={function!r} is not a function; give one that takes the data, or leave it out")
        grid = None if step is None else _grid(exact_number(step, "step"), most - least)
        moved = min(moved, most - least)
        if grid is not None:
            moved -= moved % grid
        fields = {"low": least, "high": most, "sensitivity": moved, "n": people(n), "step": grid, "pieces": pieces}
        for name, value in {**fields, "function": function}.items():
            object.__setattr__(self, name, value)

    @property
    def domain(self) -> None:
        """None: nothing is known of one person's data."""
        return

    def reach(self, quantizer: Quantizer) -> Reach:
        """The counting lemma for any edges."""
        crossed = quantizer.cuts.densest(self.sensitivity, self.low, self.high, self.step)
        declared = (
            f"the query's values lie in [{self.low}, {self.high}] and one person moves it by at most "
            f"{self.sensitivity}; both are declared, not computed"
        )
        return Reach(crossed + 1, not crossed, Fraction(0), BASIS, assumes=(declared,))

    def evaluate(self, data: Any) -> Any:
        """The value as it is given or computed; `Mechanism.apply` checks that it keeps the declared bounds."""
        return data if self.function is None else self.function(data)


def _grid(step: Fraction, length: Fraction) -> Fraction:
    if step <= 0 or (length / step).denominator != 1:
        raise DomainError(f"step={step} does not divide high-low={length}; give the distance of the query's values")
    return step
