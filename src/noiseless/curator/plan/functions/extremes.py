"""ABS, LEAST and GREATEST."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from noiseless.curator.plan.functions.function import ANYWHERE, Function, Kind, Row, Tree, Value, Write, any_absent
from noiseless.curator.plan.functions.leaves import NOTHING, Constant
from noiseless.curator.plan.functions.span import Codes, Span, common, hull, on_grid
from noiseless.curator.plan.functions.term import Term, Writer, ratio

if TYPE_CHECKING:
    from noiseless.curator.plan.condition import Condition


@dataclass(frozen=True, slots=True)
class Absolute(Function):
    """The size of a number."""

    part: Function

    @property
    def parts(self) -> tuple[Function, ...]:
        """The number."""
        return (self.part,)

    def given(self, keys: Mapping[str, int]) -> Function:
        """The function of what remains."""
        return absolute(self.part.given(keys))

    def value(self, row: Row) -> Value:
        """The size."""
        value = self.part.value(row)
        return abs(value) if isinstance(value, Fraction) else None

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """The bounds: from the least to the largest size, on the grid of both signs."""
        part = self.part.span(codes)
        pitch = None if part.pitch is None else common(part.pitch, 2 * abs(part.low))
        if part.low >= 0 or part.high <= 0:
            return Span(
                min(abs(part.low), abs(part.high)),
                part.most,
                part.pitch,
                part.slack,
                part.nullable,
                part.nonzero,
                part.relative,
                part.inside,
            )
        low, high = on_grid(part.least or Fraction(0), part.most, part.low, pitch)
        inside = part.inside and not low
        return Span(low, high, pitch, part.slack, part.nullable, part.nonzero, part.relative, inside)

    def term(self, writer: Writer) -> Term:
        """ABS of a whole number."""
        term, span = self.part.term(writer), self.part.span()
        if span.low >= 0:
            return term
        if span.high <= 0:
            return term.scaled(Fraction(-1))
        top, bottom = ratio(writer, term)
        size = writer.made(f"ABS({top.sql})", 0, max(abs(top.low), abs(top.high)))
        if bottom.fixed is not None:
            return Term(Fraction(0), Fraction(1, bottom.fixed), size)
        return Term(Fraction(0), Fraction(1), size, Term(Fraction(0), Fraction(1), bottom))

    def absent(self) -> Condition:
        """Where the number has no value."""
        return any_absent(self)

    def tree(self, write: Write) -> Tree:
        """The number."""
        return ["abs", self.part.tree(write)]

    def __str__(self) -> str:
        return f"ABS({self.part})"


@dataclass(frozen=True, slots=True)
class Extreme(Function):
    """LEAST or GREATEST of some numbers or dates. Those without a value are left out, as on every engine."""

    way: str
    listed: tuple[Function, ...]

    @property
    def kind(self) -> Kind:
        """The kind of its parts."""
        return self.listed[0].kind

    @property
    def parts(self) -> tuple[Function, ...]:
        """The numbers."""
        return self.listed

    def given(self, keys: Mapping[str, int]) -> Function:
        """The function of what remains."""
        return extreme(self.way, tuple(part.given(keys) for part in self.listed))

    def value(self, row: Row) -> Value:
        """The least or the greatest of the parts that have a value."""
        known = [value for part in self.listed if isinstance(value := part.value(row), Fraction)]
        return (min if self.way == "LEAST" else max)(known) if known else None

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """Within the bounds of all. If none can be left out, one end is nearer."""
        spans = [part.span(codes) for part in self.listed]
        sure = [span for span in spans if not span.nullable]
        every = hull(*spans)
        low, high = every.low, every.high
        if sure:
            low = low if self.way == "LEAST" else max(low, *(span.low for span in sure))
            high = high if self.way == "GREATEST" else min(high, *(span.high for span in sure))
        return Span(low, high, every.pitch, every.slack, not sure, every.nonzero, inside=every.inside)

    def term(self, writer: Writer) -> Term:
        """The extreme on a common grid. Quotients are compared by products."""
        terms = [part.term(writer) for part in self.listed]
        if any(term.under is not None for term in terms):
            from noiseless.curator.plan.functions.choice import as_choice

            return as_choice(self.way, self.listed).term(writer)
        start = terms[0].start
        pitch = common(*(abs(each) for term in terms for each in (term.pitch, term.start - start))) or Fraction(1)
        wholes = [term.whole(writer, start, pitch) for term in terms]
        return Term(start, pitch, writer.extreme(self.way, wholes))

    def absent(self) -> Condition:
        """Where none has a value."""
        from noiseless.curator.plan.condition import every

        return every(part.absent() for part in self.listed)

    def tree(self, write: Write) -> Tree:
        """The way and the numbers."""
        return [self.way.lower(), *(part.tree(write) for part in self.listed)]

    def __str__(self) -> str:
        return f"{self.way}({', '.join(map(str, self.listed))})"


def absolute(part: Function) -> Function:
    """ABS; of a constant, a constant."""
    if isinstance(part, Constant):
        return NOTHING if part.fixed is None else Constant(abs(part.number))
    return Absolute(part)


def extreme(way: str, listed: tuple[Function, ...]) -> Function:
    """LEAST or GREATEST; of constants, a constant."""
    known = tuple(dict.fromkeys(part for part in listed if part != NOTHING))
    if len(known) < 2:
        return known[0] if known else NOTHING
    if all(isinstance(part, Constant) for part in known):
        return Constant(Extreme(way, known).value({}), known[0].kind)
    return Extreme(way, known)
