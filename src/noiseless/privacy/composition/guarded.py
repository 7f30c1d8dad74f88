"""Questions in guarded bins, as the ledger sees them: one person's data can reach at most one wide bin and one guard.

Source: theory §11, guarded bins: docs/pay_by_the_answer.md
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from noiseless.errors import CompositionError
from noiseless.privacy.composition.remaining import Remaining, check_whole
from noiseless.privacy.quantizers.guarded import Bins


@dataclass(frozen=True, slots=True)
class GuardedSum:
    """Sum or mean of a column of codes 0..top over all `rows` of the people covered, in guarded bins.

    Wide bins and guards need at least W − 1 codes each. Then W consecutive codes meet at most one of each.
    """

    column: str
    bins: Bins
    rows: int
    top: int

    def __post_init__(self) -> None:
        check_whole(self, rows=self.rows, top=self.top)
        _check_guards(self.bins, 1)

    def factor(self, remaining: Remaining) -> int:
        """2: a wide bin and a guard. 1 if the value is known, or if there is only one bin."""
        _check_guards(self.bins, remaining[self.column])
        bins = self.bins.place(self.rows * self.top) - self.bins.place(0) + 1
        return min(2, remaining[self.column], bins)

    def after(self, remaining: Remaining) -> Remaining:
        """With the others fixed, a bin holds at most this number of codes."""
        return {self.column: min(remaining[self.column], self.bins.widest)}

    def narrowed(self, remaining: Remaining, place: int) -> Remaining:
        """With the others fixed, the bin that came out holds at most its width of codes."""
        return {self.column: min(remaining[self.column], self.bins.width(place))}

    def jumps(self, remaining: Remaining) -> int:
        """One: it rises with the value, and the window has one edge inside."""
        return self.factor(remaining) - 1


@dataclass(frozen=True, slots=True)
class GuardedOther:
    """Any other number in guarded bins that one person moves within `window` consecutive integers.

    Its window: 2 for a count under a condition; M′ + 1 for a sum under a condition, M′ = max(high, 0) − min(low, 0) in
    steps; (n−1)M² + 1 for a variance. With R rows per person: R + 1, RM′ + 1, R(n−R)M² + 1, and RM + 1 for a sum.
    """

    columns: tuple[str, ...]
    bins: Bins
    window: int

    def __post_init__(self) -> None:
        check_whole(self, window=self.window)
        _check_guards(self.bins, self.window)
        if not self.columns or isinstance(self.columns, str):
            raise CompositionError(
                f"columns={self.columns!r} is not valid; give a tuple of the columns that the question reads"
            )

    @property
    def count(self) -> int:
        """2: a wide bin and a guard. 1 if nobody can change the number."""
        return min(2, self.window)

    def factor(self, remaining: Remaining) -> int:
        """Its count, or 1 if the record is known."""
        return min(self.count, prod(remaining[column] for column in self.columns))

    def after(self, remaining: Remaining) -> Remaining:
        """W is unchanged: the answer may be the same whatever a person's value is."""
        return {}

    def narrowed(self, remaining: Remaining, place: int) -> Remaining:
        """W is unchanged."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """It may change with every value."""
        return prod(remaining[column] for column in self.columns) - 1


@dataclass(frozen=True, slots=True)
class GuardedRows:
    """The number of some rows and `sums` numbers about the same rows, all in guarded bins.

    Each must be guarded as a `GuardedOther` is. A person who is left out leaves one outcome. One who counts leaves one
    number of rows, and a wide bin or a guard of every sum: 1 + 2^sums outcomes. One count and one sum, as for a mean,
    have 3.
    """

    columns: tuple[str, ...]
    sums: int

    def __post_init__(self) -> None:
        check_whole(self, sums=self.sums)

    def factor(self, remaining: Remaining) -> int:
        """Its count, at most one for each record that remains possible."""
        return min(1 + (1 << self.sums), prod(remaining[column] for column in self.columns))

    def after(self, remaining: Remaining) -> Remaining:
        """W is unchanged."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """It may change with every value."""
        return prod(remaining[column] for column in self.columns) - 1


def _check_guards(bins: Bins, window: int) -> None:
    if not isinstance(bins, Bins) or not bins.keeps(window):
        raise CompositionError(
            f"bins={bins!r} do not guard {window} consecutive numbers; use Bins(wide, guard) of at least "
            f"{max(1, window - 1)} each"
        )


Guarded = GuardedSum | GuardedOther
