"""One question of a lifetime: as SQL for a curator, and directly as the releases that a curator would make of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.curator.plan.condition import TRUE, Within
from noiseless.curator.plan.part import Part
from noiseless.curator.plan.plan import Aggregate
from noiseless.curator.question.levels import at_stable_levels
from noiseless.curator.question.line import Asked, Line
from noiseless.curator.releases.centred import CentredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.release import Numbers
from noiseless.curator.releases.total import Total
from noiseless.errors import InputError
from noiseless.lab.lifetime.filters import Filter, private_filters, public_filters
from noiseless.lab.lifetime.people import People

KINDS = ("mean", "count", "median")
SELECTED = {"mean": "AVG(height_{})", "count": "COUNT(*)", "median": "MEDIAN(age_{})"}
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: means, counts or medians with an error, with or without private conditions, stable or not."""

    name: str
    private: bool
    error: Fraction
    stable: bool = False

    def __post_init__(self) -> None:
        if self.name not in KINDS or (self.name == "count" and not self.private):
            raise InputError(
                f"{self.name!r} is not a kind of question; use one of {', '.join(KINDS)}, counts with private "
                f"conditions only, because all other counts are public"
            )

    def questions(self, people: People, run: int, share: float | None = None) -> Iterator[Question]:
        """The questions of a run. `share` is about how many people each keeps."""
        columns = 1 if self.name == "count" else people.columns
        found = (
            private_filters(run, people.weight, columns, share)
            if self.private
            else public_filters(run, len(people.sizes), columns, share)
        )
        return (Question(self, *each) for each in found)


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question about one column and some people."""

    kind: Kind
    column: int
    about: Filter

    def sql(self, people: People) -> str:
        """The question for a curator whose table is called people."""
        return f"SELECT {SELECTED[self.kind.name].format(self.column)} FROM people WHERE {people.where(self.about)}"

    @property
    def terms(self) -> dict[str, Any]:
        """Its terms for a curator."""
        return {"error": self.kind.error, "stable": self.kind.stable}

    def line(self, people: People) -> Line:
        """The releases that a curator makes of it."""
        number = self._number(people)
        found = Line({}, (), {Aggregate(number.function): number})
        return at_stable_levels([found], {*number.releases})[0] if self.kind.stable else found

    def _number(self, people: People) -> Asked:
        part, (weight, height, age) = self._part(people), people.scales
        name = self._name("height")
        match self.kind.name:
            case "count":
                return Asked(HeadCount(part, weight), "COUNT")
            case "median":
                return Asked(OrderStatistic(part, self._name("age"), age, age.rounding, HALF), "ORDER")
            case _ if self.kind.private:
                return Asked(CentredTotal(part, name, height, height.rounding), "AVG", (HeadCount(part, weight),))
        return Asked(Total(part, name, height, height.rounding), "AVG")

    def numbers(self, people: People) -> Numbers:
        """The integers that an engine would compute."""
        if self.kind.name == "median":
            tally = enumerate(people.tally(self.about, self.column).tolist())
            return {("tally", self._name("age"), 1): {code: count for code, count in tally if count}}
        count = people.count(self.about)
        name = self._name("height")
        total = people.total(self.about, self.column) if self.kind.name == "mean" else 0
        return {("count", None): count, ("count", name): count, ("sum", name): total}

    def _name(self, of: str) -> str:
        return f"{of}_{self.column}"

    def _part(self, people: People) -> Part:
        if self.kind.private:
            within = Within("weight", ((self.about.low, self.about.high),))
            return Part(tuple(range(len(people.sizes))), people.size, within, ("weight",), 2)
        kept = self.about.regions
        return Part(kept, int(people.sizes[list(kept)].sum()), TRUE, whole=len(kept) == len(people.sizes))
