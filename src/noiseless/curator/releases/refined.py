"""A sum that was released before, now in narrower bins."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from noiseless.curator.plan.part import Part
from noiseless.curator.releases.release import Need, Numbers, Release, Released
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.written import Fields
from noiseless.privacy.composition.questions import LedgerQuestion, Refinement


@dataclass(frozen=True, slots=True)
class RefinedTotal(Release):
    """A total that is known in bins of `known` codes. The new width divides `known`.

    Guarantee: the known bin splits into known/w bins.
    Source: theory §6, the ledger: docs/composition.md
    """

    total: Total
    known: int

    @property
    def part(self) -> Part:
        """The rows of the total."""
        return self.total.part

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of the total."""
        return self.total.reads

    def family(self) -> Fields:
        """As for the total: the ledger remembers which bins were paid for."""
        return self.total.family()

    @property
    def unrefined(self) -> Release:
        """The total."""
        return self.total

    def question_of_everybody(self, width: int, rows: int) -> LedgerQuestion:
        """The account of everybody already knows how many rows a person has."""
        return self.question(width)

    @property
    def widest(self) -> int:
        """The width that is known already."""
        return self.known

    def answers(self, width: int, rows: int = 1) -> int:
        """The parts of the old bin, or fewer."""
        return min(self.total.answers(width, rows), self.known // width)

    def stated(self, width: int, rows: int = 1) -> str:
        """The rule, with its numbers."""
        if self.total.answers(width, rows) < self.known // width:
            return self.total.stated(width, rows)
        return f"a sum known in bins of {self.known}, now in bins of w = {width}: {self.known // width} answers"

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """As for the total."""
        return self.total.width_within(error, function, people)

    def error(self, width: int, function: str, people: int | None = None) -> Fraction | None:
        """As for the total."""
        return self.total.error(width, function, people)

    def question(self, width: int) -> Refinement:
        """The old bin is known, so only its parts are new."""
        return Refinement(self.total.name, self.known, width)

    def needs(self, width: int) -> tuple[Need, ...]:
        """As for the total."""
        return self.total.needs(width)

    def observe(self, width: int, numbers: Numbers) -> Released:
        """As for the total."""
        return self.total.observe(width, numbers)

    def report(self, width: int, released: Released, function: str) -> Reported | None:
        """As for the total."""
        return self.total.report(width, released, function)
