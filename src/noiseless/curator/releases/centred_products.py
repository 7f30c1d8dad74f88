"""The sum of products of two columns about their public centres."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.releases.centred import Centred
from noiseless.curator.releases.release import Need, Numbers, Width, as_bins, guarded_question, is_guarded
from noiseless.curator.releases.weights import Measured, Product, Weight
from noiseless.curator.releases.written import Fields
from noiseless.curator.schema.scale import Scale
from noiseless.privacy.composition.questions import Counted, OtherQuestion


@dataclass(frozen=True, slots=True)
class CentredProducts(Centred):
    """Σ(y − c_y)(x − c_x) over the rows that count, minus its least possible value. The centres are the middle codes.

    A row adds a number between the least and the most of four products: those of the distances of both ends of each
    range from its centre. A row that does not count adds 0, which lies between them.

    Guarantee: ⌈V/w⌉ + 1 answers, where V is the most minus the least. In guarded bins 2.
    Source: theory §12, CORR: docs/sql.md
    """

    kind: ClassVar[str] = "centred products"
    other: str
    against: Scale = field(hash=False)
    """The second column."""

    @property
    def in_words(self) -> str:
        """The sum, in words."""
        return "a sum of products about two centres"

    @property
    def reads(self) -> tuple[str, ...]:
        """Both columns, or the columns that they are computed from, and the columns of the condition."""
        return self.part.reads(*self.column.sources(self.name), *self.against.sources(self.other))

    @property
    def computed(self) -> tuple[Derived, ...]:
        """The columns that are computed for the question."""
        return tuple(each for each in (self.column, self.against) if isinstance(each, Derived))

    @property
    def centres(self) -> tuple[int, int]:
        """The middle code of each column."""
        return (self.column.top + 1) // 2, (self.against.top + 1) // 2

    @property
    def least(self) -> int:
        """The least that a row can add."""
        return min(self._corners)

    @property
    def moved(self) -> int:
        """V: the most minus the least that a row can add."""
        return max(self._corners) - min(self._corners)

    @property
    def _corners(self) -> list[int]:
        one, two = self.centres
        return [a * b for a in (-one, self.column.top - one) for b in (-two, self.against.top - two)]

    def added(self, width: Width = 1) -> tuple[Weight, int, int] | None:
        """A row adds the product of its distances from the centres."""
        sides = self.measured_column, Measured(self.other, self.against)
        return Product(sides, self.centres), self.least, self.least + self.moved

    def least_sum(self, width: Width = 1) -> int:
        """The sum if every row counts and adds the least."""
        return self.least * self.part.size

    @property
    def turns(self) -> int:
        """How often it may turn: at every code of a single column, and where the truth of its condition changes."""
        own = [each.states if isinstance(each, Derived) else each.values for each in (self.column, self.against)]
        return max(1, max(own) - 1, self.part.changes)

    def question(self, width: Width) -> Counted:
        """How the ledger books it. It shrinks no range of values."""
        if is_guarded(width):
            return guarded_question(self, as_bins(width))
        return OtherQuestion(self.reads, self.answers(width), self.turns if len(self.reads) == 1 else 1)

    def _own_fields(self) -> Fields:
        return {"column": self.name, "second": self.other, **self.column.grid, **self._grid_of_second}

    @property
    def _grid_of_second(self) -> Fields:
        return {f"second {name}": value for name, value in self.against.grid.items()}

    def needs(self, width: Width) -> tuple[Need, ...]:
        """The sums of products and of both codes, and how many there are."""
        return ("products", self.name, self.other), ("sum", self.name), ("sum", self.other), ("count", self.name)

    def about(self, centre: int, numbers: Numbers) -> int:
        """Σyx − c_xΣy − c_yΣx + n·c_y·c_x, minus the least possible sum."""
        (one, two), people = self.centres, numbers["count", self.name]
        products = numbers["products", self.name, self.other]
        total = products - two * numbers["sum", self.name] - one * numbers["sum", self.other] + people * one * two
        return int(total - self.part.size * self.least)
