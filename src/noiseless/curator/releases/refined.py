"""A sum that was released before, now in narrower bins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from noiseless.curator.plan.part import Part
from noiseless.curator.releases.addend import Addend
from noiseless.curator.releases.release import Need, Numbers, Release, Released, Width, as_bins
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.written import Fields
from noiseless.privacy.composition.questions import Counted, Refinement


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
        """The fields of the total, under which the ledger remembers the bins that were paid for."""
        return self.total.family()

    @property
    def unrefined(self) -> Release:
        """The total that is refined."""
        return self.total

    def question_of_everybody(self, width: Width, rows: int) -> Counted:
        """The account of everybody already knows how many rows a person has."""
        return self.question(width)

    @property
    def widest(self) -> int:
        """The width that is known already."""
        return self.known

    def answers(self, width: Width, rows: int = 1) -> int:
        """The parts of the known bin, or fewer if a person moves the sum through fewer."""
        return min(self.total.answers(width, rows), self.known // as_bins(width).wide)

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        wide = as_bins(width).wide
        if self.total.answers(width, rows) < self.known // wide:
            return self.total.stated(width, rows)
        return f"a sum known in bins of {self.known}, now in bins of w = {wide}: {self.known // wide} answers"

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """The widest bins of the total that keep the error."""
        return self.total.width_within(error, function, people)

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """The error of the total."""
        return self.total.error(width, function, people)

    def question(self, width: Width) -> Refinement:
        """How the ledger books it. The old bin is known, so only its parts are new."""
        return Refinement(self.total.name, self.known, as_bins(width).wide)

    def addends(self, width: Width) -> tuple[Addend, ...]:
        """What a row adds to the total, of which only the parts of the known bin are left."""
        [added] = self.total.addends(width)
        return (replace(added, most=self.answers(width)),)

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The integers that the total needs."""
        return self.total.needs(width)

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The bin of the total."""
        return self.total.observe(width, numbers)

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """What the total reports in these bins."""
        return self.total.report(width, released, function)
