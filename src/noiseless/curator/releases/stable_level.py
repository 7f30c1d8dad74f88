"""A release at the finest level that no person's data alone decided."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.release import Need, Numbers, Release, Released, Width
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.written import Fields
from noiseless.privacy.composition.levels import FinestLevel
from noiseless.privacy.quantizers.ladder import Ladder

GROWTH = 8
"""A bin of a level holds this number of bins of the level before."""
WIDTHS = 2
"""The most widths of a ladder. Fewer levels need a smaller reserve."""
MOST_TRUSTED = 100
"""The expected chance weighs as much as at most this number of earlier answers."""


@dataclass(frozen=True, slots=True)
class StableLevel(Release):
    """Another release in the narrowest bins of a ladder in which it is stable, with the number of this level.

    Guarantee: one answer for each level, because with everybody else's data fixed a level has one stable answer. The
    first level is quiet. At every level nobody's data alone could have changed the value, only how finely it is given.
    Source: theory §11, finest stable level: docs/pay_by_the_answer.md
    """

    kind: ClassVar[str] = "stable level"
    at_levels: ClassVar[bool] = True
    of: Release

    @property
    def itself(self) -> Release:
        """The release that is given at a level."""
        return self.of

    @property
    def part(self) -> Part:
        """The rows of the release."""
        return self.of.part

    def of_rows(self, part: Part) -> Release:
        """The same level of other rows."""
        return StableLevel(self.of.of_rows(part))

    @property
    def is_count(self) -> bool:  # type: ignore[override]
        """Whether the release counts rows."""
        return self.of.is_count

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of the release."""
        return self.of.reads

    @property
    def computed(self) -> tuple[Derived, ...]:
        """The functions of a row that the engine must compute for the release."""
        return self.of.computed

    @property
    def measured(self) -> tuple[Derived, ...]:
        """The functions of a row whose values are shown."""
        return self.of.measured

    @property
    def widest(self) -> int:
        """One bin for everything."""
        return self.of.largest + 1

    def answers(self, width: Width, rows: int = 1) -> int:
        """One for each level."""
        assert isinstance(width, Ladder)
        return width.levels

    def stated(self, width: Width, rows: int = 1) -> str:
        """The rule, with its numbers."""
        assert isinstance(width, Ladder)
        bins = ", ".join(map(str, width.widths))
        return (
            f"the finest stable level of {self.of.in_words} in bins of w = {bins} or one bin for everything: "
            f"{width.levels} answers, one for each level"
        )

    def chance(self, width: Width, before: tuple[int, int] = (0, 0)) -> Fraction:
        """The chance of a coarser level: (j + ps)/(t + s), if j of t earlier answers on its topic were coarser.

        p is the chance that may be expected. It weighs as much as s = min(100, 1/p) answers: more if it is small, as in
        a large table, and less if it is hardly better than a guess. With p = ½ and s = 1 this would be the rule of
        Krichevsky and Trofimov.
        """
        assert isinstance(width, Ladder)
        asked, coarser = before
        expected = min(self.of.unsteady(width.finest) or Fraction(1), Fraction(1, 2))
        trusted = min(Fraction(MOST_TRUSTED), 1 / expected)
        return (coarser + expected * trusted) / (asked + trusted)

    @property
    def topic(self) -> str:
        """What an earlier answer must be about, so that it says something about the chance of this one."""
        return self.of.topic

    def width_within(self, error: Fraction, function: str, people: int | None = None) -> int:
        """The widest bins of the release that keep the error."""
        return self.of.wide_within(error, function)

    @property
    def one_bin(self) -> Width:
        """A ladder of one bin."""
        return ladder_from(self, self.widest)

    def error(self, width: Width, function: str, people: int | None = None) -> Fraction | None:
        """The error at the first level. It is larger at coarser levels."""
        assert isinstance(width, Ladder)
        return self.of.error(width.finest, function, people)

    def question(self, width: Width) -> FinestLevel:
        """How the ledger books it. It shrinks no range of values."""
        assert isinstance(width, Ladder)
        return FinestLevel(self.reads, width.levels)

    def family(self) -> Fields:
        """The fields of the release itself, as one field."""
        return {"kind": self.kind, "of": self.of.family()}

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The integers that show whether the release is stable."""
        assert isinstance(width, Ladder)
        return self.of.steady_needs(width.finest)

    def observe(self, width: Width, numbers: Numbers) -> Released:
        """The first level that is stable, and what is released there."""
        assert isinstance(width, Ladder)
        for level, wide in enumerate(width.widths):
            found = self.of.steady(wide, width.finest, numbers)
            if found is not None:
                return level, *found
        return (len(width.widths),)

    def at_level(self, width: Width, released: Released) -> tuple[Release, Width, Released]:
        """The release in the bins of the level, or in one bin."""
        assert isinstance(width, Ladder)
        level, *places = released
        return (self.of, width.widths[level], tuple(places)) if places else (self.of, self.widest, (0,))

    def report(self, width: Width, released: Released, function: str) -> Reported | None:
        """What the release reports in the bins of the level. Without any, only its range is reported."""
        assert isinstance(width, Ladder)
        level, *first = released[:2]
        return self.of.report_after(1, width.widths[level], released, function) if first else self.of.anything(function)


def ladder_from(release: Release, finest: int) -> Ladder:
    """A ladder: bins that grow by the factor GROWTH, beginning with `finest`, or else one bin for everything."""
    widths = [finest * GROWTH**level for level in range(WIDTHS)]
    return Ladder(tuple(width for width in widths if width < release.widest) or (release.widest,))
