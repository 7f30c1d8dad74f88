"""Questions as the ledger sees them: how many answers one person can still cause, and what is known of them after.

W bounds how many consecutive codes a person's value in a column can still be, given the answers so far; at first it
is the number of values D of the column. A question's `factor` bounds the different answers one person's data can still
cause, for every person and all data of the others; `after` are the W that the answer leaves. Only questions whose
answer surely confines every person covered may shrink a W.

Source: theory §6, the ledger: docs/composition.md
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from noiseless.errors import CompositionError
from noiseless.exact.touched import touched

Remaining = Mapping[str, int]
"""W for every column."""


def _check(question: object, **numbers: object) -> None:
    """Every number of a question is a whole one of at least 1: a factor of 0 would make everything free."""
    for name, number in numbers.items():
        if type(number) is not int or number < 1:
            raise CompositionError(f"{name}={number!r} of a {type(question).__name__} must be an integer of at least 1")


@dataclass(frozen=True, slots=True)
class PlainSum:
    """Sum or mean of a column of codes 0..top over all `rows` of the people covered, in equal bins from 0.

    A bin is `width` codes wide. The sum must cover every row that a person has: sums of only some of them, as GROUP BY
    with several rows per person, are other questions.
    """

    column: str
    width: int
    rows: int
    top: int

    def __post_init__(self) -> None:
        _check(self, width=self.width, rows=self.rows, top=self.top)

    def factor(self, remaining: Remaining) -> int:
        """W codes meet so many bins, and there are no more bins than that."""
        left = remaining[self.column]
        return min(left, touched(left - 1, self.width), self.rows * self.top // self.width + 1)

    def after(self, remaining: Remaining) -> Remaining:
        """With the others fixed, one bin of the sum holds at most `width` codes."""
        return {self.column: min(remaining[self.column], self.width)}

    def jumps(self, remaining: Remaining) -> int:
        """How often the answer can change as the remaining codes are run through: always to a higher bin."""
        return min(touched(remaining[self.column] - 1, self.width), self.rows * self.top // self.width + 1) - 1


@dataclass(frozen=True, slots=True)
class KthSmallest:
    """An order statistic in bins of at most `width` codes; it never falls when a value rises, nor faster than it."""

    column: str
    width: int
    bins: int

    def __post_init__(self) -> None:
        _check(self, width=self.width, bins=self.bins)

    def factor(self, remaining: Remaining) -> int:
        """W codes meet so many bins, and there are no more bins than that."""
        left = remaining[self.column]
        return min(left, touched(left - 1, self.width), self.bins)

    def after(self, remaining: Remaining) -> Remaining:
        """The answer may not depend on a person at all, so nothing is known."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """How often the answer can change as the remaining codes are run through: always to a higher bin."""
        return min(touched(remaining[self.column] - 1, self.width), self.bins) - 1


@dataclass(frozen=True, slots=True)
class Refinement:
    """An earlier plain sum in bins of `width` codes, now in bins of `finer` codes with the same edges among theirs.

    That the sum was asked, of the same rows and edges, only who knows the questions can tell; a W larger than its width
    shows that it was not.
    """

    column: str
    width: int
    finer: int

    def __post_init__(self) -> None:
        _check(self, width=self.width, finer=self.finer)
        if self.width % self.finer:
            raise CompositionError(
                f"bins of {self.width} codes cannot be split into bins of {self.finer}; give a divisor"
            )

    def factor(self, remaining: Remaining) -> int:
        """The old bin splits into width/finer."""
        left = remaining[self.column]
        if left > self.width:
            raise CompositionError(f"no sum of {self.column!r} in bins of {self.width} codes was asked; ask it first")
        return min(self.width // self.finer, left, touched(left - 1, self.finer))

    def after(self, remaining: Remaining) -> Remaining:
        """As for a plain sum in the finer bins."""
        return {self.column: min(remaining[self.column], self.finer)}

    def jumps(self, remaining: Remaining) -> int:
        """The new edges inside the old bin."""
        return self.factor(remaining) - 1


@dataclass(frozen=True, slots=True)
class VarianceSum:
    """The integer nΣc² − (Σc)² of a column in bins of `width`; `count` answers with nothing known."""

    column: str
    width: int
    rows: int
    top: int
    count: int

    def __post_init__(self) -> None:
        _check(self, width=self.width, rows=self.rows, top=self.top, count=self.count)

    def factor(self, remaining: Remaining) -> int:
        """W consecutive codes move it by at most (n−1)(W−1)(2M−W+1)."""
        left = remaining[self.column]
        moved = (self.rows - 1) * (left - 1) * (2 * self.top - left + 1)
        return min(left, self.count, touched(moved, self.width))

    def after(self, remaining: Remaining) -> Remaining:
        """Values on both sides of the mean give the same answer, so nothing is known."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """Down and up again: twice the count, less one each."""
        return 2 * (self.count - 1)


@dataclass(frozen=True, slots=True)
class ExactHistogram:
    """The exact count of every value of a column, unfiltered."""

    column: str
    values: int

    def __post_init__(self) -> None:
        _check(self, values=self.values)

    def factor(self, remaining: Remaining) -> int:
        """Every value that is left gives another answer."""
        return min(remaining[self.column], self.values)

    def after(self, remaining: Remaining) -> Remaining:
        """With the others fixed the value is known."""
        return {self.column: 1}

    def jumps(self, remaining: Remaining) -> int:
        """A change at every value."""
        return self.factor(remaining) - 1


@dataclass(frozen=True, slots=True)
class ExactThreshold:
    """The exact number of people with a code of at least `threshold`, of `values` codes."""

    column: str
    threshold: int
    values: int

    def __post_init__(self) -> None:
        _check(self, threshold=self.threshold, values=self.values)
        if not self.threshold < self.values:
            raise CompositionError(f"threshold={self.threshold} must leave codes on both sides of 0..{self.values - 1}")

    def factor(self, remaining: Remaining) -> int:
        """Counted or not."""
        return min(remaining[self.column], 2)

    def after(self, remaining: Remaining) -> Remaining:
        """With the others fixed it is known on which side the value is."""
        larger = max(self.threshold, self.values - self.threshold)
        return {self.column: min(remaining[self.column], larger)}

    def jumps(self, remaining: Remaining) -> int:
        """One, at the threshold."""
        return self.factor(remaining) - 1


@dataclass(frozen=True, slots=True)
class OtherQuestion:
    """Any other question: filtered, of several columns, over missing values. `count` answers, in monotone `pieces`.

    It shrinks no W: the answer may be the same whatever a person's value is.
    """

    columns: tuple[str, ...]
    count: int
    pieces: int = 1

    def __post_init__(self) -> None:
        _check(self, count=self.count, pieces=self.pieces)
        if not self.columns or isinstance(self.columns, str):
            raise CompositionError(f"columns={self.columns!r} must be a tuple of the columns that the question reads")

    def factor(self, remaining: Remaining) -> int:
        """Its count, or the number of records that are left."""
        return min(self.count, prod(remaining[column] for column in self.columns))

    def after(self, remaining: Remaining) -> Remaining:
        """Nothing is known."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """Its pieces, each with one change fewer than answers."""
        return self.pieces * (self.count - 1)


@dataclass(frozen=True, slots=True)
class Repeat:
    """A question asked before, or any function of earlier answers. Only who knows the questions can tell."""

    @property
    def columns(self) -> tuple[str, ...]:
        """It reads nothing anew."""
        return ()

    def factor(self, remaining: Remaining) -> int:
        """The answer is known."""
        return 1

    def after(self, remaining: Remaining) -> Remaining:
        """Nothing more is known."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """None."""
        return 0


Single = Repeat | PlainSum | KthSmallest | Refinement | VarianceSum | ExactHistogram | ExactThreshold | OtherQuestion


def values_of_column(question: Single) -> int | None:
    """How many values the question takes its column to have, if it says so."""
    match question:
        case PlainSum() | VarianceSum():
            return question.top + 1
        case ExactHistogram() | ExactThreshold():
            return question.values
        case _:
            return None


def columns_of(question: Single) -> tuple[str, ...]:
    """The columns a question reads."""
    return question.columns if isinstance(question, (OtherQuestion, Repeat)) else (question.column,)


@dataclass(frozen=True, slots=True)
class Together:
    """Several questions declared together and asked as one: jumps of one column add, columns multiply."""

    questions: tuple[Single, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "questions", tuple(self.questions))
        if not self.questions or not all(isinstance(question, Single) for question in self.questions):
            raise CompositionError(
                "questions asked together are single ones, at least one; a batch in a batch is one batch"
            )

    def factor(self, remaining: Remaining) -> int:
        """Per column min(W, 1 + Σ jumps, ∏ counts); one of several columns multiplies by its count; ∏W at the most."""
        jumps: dict[str, int] = {}
        counts: dict[str, int] = {}
        several = 1
        for question in self.questions:
            columns = columns_of(question)
            if len(columns) == 1:
                jumps[columns[0]] = jumps.get(columns[0], 0) + question.jumps(remaining)
                counts[columns[0]] = counts.get(columns[0], 1) * question.factor(remaining)
            else:
                several *= question.factor(remaining)
        single = prod(min(remaining[column], 1 + total, counts[column]) for column, total in jumps.items())
        read = {column for question in self.questions for column in columns_of(question)}
        return min(single * several, prod(remaining[column] for column in read))

    def after(self, remaining: Remaining) -> Remaining:
        """What each of them leaves, at the least."""
        left: dict[str, int] = {}
        for question in self.questions:
            for column, width in question.after(remaining).items():
                left[column] = min(width, left.get(column, width))
        return left


Question = Single | Together
