"""What several questions cost in each way of asking them, and what each way gives up."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noiseless.exact.readable import bits_shown
from noiseless.exact.rounding import bits_up
from noiseless.privacy.composition.weights import Product

if TYPE_CHECKING:
    from rich.console import Group

ONE_BY_ONE, BATCH, CROSS_TABLE = "one by one", "batch", "cross table"
IN_WORDS = {ONE_BY_ONE: "one by one", BATCH: "as one batch", CROSS_TABLE: "as a cross table"}


@dataclass(frozen=True, slots=True)
class Way:
    """One way of asking some questions.

    `count` is how many answers one person's data can cause, if nothing was asked before. `factor` is what would be
    charged now, if quiet; `dearest` must be left. `error` is the largest of any number, None if it depends on private
    data. `question` is the SQL of a cross table.
    """

    name: str
    count: int
    factor: Product
    dearest: Product
    chance: Fraction | None
    affordable: bool
    error: Any
    gives_up: str
    question: str = ""

    @property
    def bits(self) -> float:
        """What would be charged now, in bits, rounded up."""
        return bits_up(self.factor)

    @property
    def most(self) -> float:
        """What must be left, in bits, rounded up."""
        return bits_up(self.dearest)

    @property
    def prices(self) -> tuple[float, float]:
        """Both prices, for comparing. The price is rounded to tenths of a bit: less is not worth a larger reserve."""
        return round(self.bits, 1), self.most

    @property
    def price(self) -> str:
        """Both prices, in words."""
        quiet, one = bits_shown(self.factor), self.chance is None or self.dearest <= self.factor
        return quiet if one else f"{quiet} ({bits_shown(self.dearest)} if loud)"


@dataclass(frozen=True, slots=True, repr=False)
class BatchPreview:
    """The prices of several questions, asked one by one, as one batch, or as a cross table. No private data were read.

    `ways` are in the order of their prices, the cheapest first; of equal ones, first the one that gives up least.
    `no_cross_table` says why there is none. Asked one by one, narrower bins of the same sum are priced as if it were
    new, so the price can be less.
    """

    questions: tuple[str, ...]
    ways: tuple[Way, ...]
    remaining: float
    no_cross_table: str = ""

    @property
    def cheapest(self) -> Way:
        """The first of the ways."""
        return self.ways[0]

    def __getitem__(self, name: str) -> Way:
        """A way by its name.

        Raises KeyError if there is none.
        """
        return {way.name: way for way in self.ways}[name]

    @property
    def sentence(self) -> str:
        """Which way is cheapest, and what the others cost."""
        first, *others = self.ways
        alike = [way for way in self.ways if way.prices == first.prices]
        dearer = [f"{way.price} {IN_WORDS[way.name]}" for way in others if way not in alike]
        afford = "" if first.affordable else "; the budget does not allow it"
        if not dearer:
            return f"all ways cost {first.price}{afford}"
        names = " or ".join(IN_WORDS[way.name] for way in alike)
        return f"cheapest {names}: {first.price}, instead of {' and '.join(dearer)}{afford}"

    def __rich__(self) -> Group:
        from noiseless.curator.answer.drawn_ways import ways_table

        return ways_table(self)

    def __repr__(self) -> str:
        from noiseless.curator.answer.drawn import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from noiseless.curator.answer.drawn_ways import ways_html

        return ways_html(self)
