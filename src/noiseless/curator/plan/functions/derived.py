"""A function of a row as a column: on a grid, to which the engine clamps it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

from noiseless.curator.plan.functions.curve import FINE, Curve, chosen_step
from noiseless.curator.plan.functions.function import Function, all_parts
from noiseless.curator.plan.functions.span import Span
from noiseless.curator.plan.functions.term import Dialect, Writer, in_smallest, rounded
from noiseless.curator.schema.dates import Date
from noiseless.curator.schema.scale import Scale


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Derived(Scale):
    """A function with the code ⌊(e − low)/step + ½⌋, clamped to 0..M by the engine.

    Privacy depends only on M and on the columns that it reads. Its arithmetic decides only whether the result is true:
    `slack` bounds how far the number of its code can be from the function of the true values.
    """

    function: Function
    slack: Fraction
    reads: tuple[str, ...] = field(compare=False)
    """The private columns it reads."""
    states: int = field(compare=False)
    """How many different values these columns can have together."""

    def __init__(
        self,
        function: Function,
        grid: tuple[Fraction, Fraction, Fraction],
        slack: Fraction,
        reads: tuple[str, ...] = (),
        states: int = 1,
    ) -> None:
        for name, value in (("function", function), ("slack", slack), ("reads", reads), ("states", states)):
            object.__setattr__(self, name, value)
        Scale.__init__(self, *grid, "never", slack == 0)

    @property
    def own(self) -> bool:
        """False: its code is computed for a question."""
        return False

    @property
    def full(self) -> bool:
        """False: its bounds may be wider than its values."""
        return False

    def sources(self, name: str) -> tuple[str, ...]:
        """The private columns that the function reads."""
        return self.reads

    @property
    def grid(self) -> dict[str, str]:
        """Its bounds and its step."""
        return {"low": str(self.low), "step": str(self.step), "top": str(self.top)}

    @property
    def rounding(self) -> Fraction:
        """How far the function of the true values can be from the number of the code."""
        return self.slack

    @property
    def name(self) -> str:
        """Its name in ledgers: the function, and its grid if that does not follow from the function."""
        exact = self.function.span().pitch == self.step
        return str(self.function) if exact else f"{self.function} in steps of {self.step} from {self.low}"

    @property
    def chosen(self) -> bool:
        """Whether its step, or that of a curve in it, was chosen and does not follow from the columns."""
        curves = any(isinstance(part, Curve) for part in all_parts(self.function))
        return bool(self.slack) and (curves or self.function.span().pitch != self.step)

    @property
    def _doubles(self) -> Fraction:
        """0: no double is rounded, because it is computed in whole numbers."""
        return Fraction(0)

    def show(self, number: Fraction) -> str:
        """A number, or a day if it is a date."""
        return Date.show(self, number) if self.function.kind == "date" else Scale.show(self, number)  # type: ignore

    def present(self, low: Fraction, high: Fraction) -> tuple[Any, Any]:
        """The ends of an interval; days are rounded outward."""
        return Date.present(self, low, high) if self.function.kind == "date" else (low, high)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"{self.function} from {self.show(self.low)} to {self.show(self.high)} in steps of {self.step}"

    def code(self, dialect: Dialect, column: Callable[[str], str]) -> str:
        """The code before it is clamped, as SQL. Null where the function has no value."""

        def write(writer: Writer) -> str:
            return rounded(writer, self.function.term(writer), self.low, self.step).sql

        return in_smallest(dialect, column, write, str(self.function))


def grid_of(span: Span, most: int) -> tuple[tuple[Fraction, Fraction, Fraction], Fraction]:
    """Bounds, step and slack for a span: its own grid, or a chosen one if it has none or more than `most` steps.

    The bounds also hold the function of the true values, because no interval that is reported passes them.
    """
    first, last = span.true
    step = span.pitch or (last - first or Fraction(1) if span.steps == 0 else None)
    if step is not None:
        low, high = (
            span.low - ceil((span.low - first) / step) * step,
            span.high + ceil((last - span.high) / step) * step,
        )
        if (high - low) / step <= most:
            return (low, high if high > low else low + step, step), span.slack
    step = chosen_step(last - first, min(FINE, most // 2))
    low, high = floor(first / step) * step, ceil(last / step) * step
    return (low, high if high > low else low + step, step), span.slack + step / 2
