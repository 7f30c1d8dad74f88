"""Questions as the ledger sees them: how many answers one person can still cause, and what is known afterwards.

W bounds the number of consecutive codes that a person's value in a column can still have, given the answers so far. At
first it is the number of values D of the column. A question's `factor` bounds the different answers that one person's
data can still cause, for every person and all data of the others. `after` is the W that remains after the answer. Only
questions whose answer certainly confines every person covered may shrink a W.

Source: theory §6, the ledger: docs/composition.md
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import prod

from noiseless.errors import CompositionError
from noiseless.exact.touched import touched
from noiseless.privacy.composition.guarded import GuardedOther, GuardedRows, GuardedSum
from noiseless.privacy.composition.levels import FinestLevel
from noiseless.privacy.composition.remaining import Remaining, check_whole


@dataclass(frozen=True, slots=True)
class PlainSum:
    """Sum or mean of a column of codes 0..top over all `rows` of the people covered, in equal bins from 0.

    A bin is `width` codes wide. The sum must cover every row of a person. A sum over only some of them, as in GROUP BY
    with several rows per person, is an OtherQuestion.
    """

    column: str
    width: int
    rows: int
    top: int

    def __post_init__(self) -> None:
        check_whole(self, width=self.width, rows=self.rows, top=self.top)

    def factor(self, remaining: Remaining) -> int:
        """The number of bins that W consecutive codes can meet, at most the number of all bins."""
        left = remaining[self.column]
        return min(left, touched(left - 1, self.width), self.rows * self.top // self.width + 1)

    def after(self, remaining: Remaining) -> Remaining:
        """With the others fixed, one bin of the sum holds at most `width` codes."""
        return {self.column: min(remaining[self.column], self.width)}

    def jumps(self, remaining: Remaining) -> int:
        """How often the answer can change as the code increases through its remaining values."""
        return min(touched(remaining[self.column] - 1, self.width), self.rows * self.top // self.width + 1) - 1


@dataclass(frozen=True, slots=True)
class KthSmallest:
    """An order statistic in bins of at most `width` codes. It rises with a value, and never by more than it."""

    column: str
    width: int
    bins: int

    def __post_init__(self) -> None:
        check_whole(self, width=self.width, bins=self.bins)

    def factor(self, remaining: Remaining) -> int:
        """The number of bins that W consecutive codes can meet, at most the number of all bins."""
        left = remaining[self.column]
        return min(left, touched(left - 1, self.width), self.bins)

    def after(self, remaining: Remaining) -> Remaining:
        """W is unchanged: the answer may not depend on this person at all."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """How often the answer can change as the code increases through its remaining values."""
        return min(touched(remaining[self.column] - 1, self.width), self.bins) - 1


@dataclass(frozen=True, slots=True)
class Refinement:
    """An earlier plain sum in bins of `width` codes, now in bins of `finer` codes that include the old edges.

    The caller must ensure that the sum was asked before, with the same rows and edges. If W is larger than its width,
    the sum was not asked, and the question is refused.
    """

    column: str
    width: int
    finer: int

    def __post_init__(self) -> None:
        check_whole(self, width=self.width, finer=self.finer)
        if self.width % self.finer:
            raise CompositionError(
                f"bins of {self.width} codes cannot be split into bins of {self.finer}; give a divisor"
            )

    def factor(self, remaining: Remaining) -> int:
        """The old bin splits into width/finer bins."""
        left = remaining[self.column]
        if left > self.width:
            raise CompositionError(
                f"a sum of {self.column!r} in bins of {self.width} codes was not asked yet; ask it first"
            )
        return min(self.width // self.finer, left, touched(left - 1, self.finer))

    def after(self, remaining: Remaining) -> Remaining:
        """As for a plain sum in the finer bins."""
        return {self.column: min(remaining[self.column], self.finer)}

    def jumps(self, remaining: Remaining) -> int:
        """The new edges inside the old bin."""
        return self.factor(remaining) - 1


@dataclass(frozen=True, slots=True)
class VarianceSum:
    """The integer nΣc² − (Σc)² of a column in bins of `width`; it has `count` answers when nothing is known."""

    column: str
    width: int
    rows: int
    top: int
    count: int

    def __post_init__(self) -> None:
        check_whole(self, width=self.width, rows=self.rows, top=self.top, count=self.count)

    def factor(self, remaining: Remaining) -> int:
        """W consecutive codes move it by at most (n−1)(W−1)(2M−W+1)."""
        left = remaining[self.column]
        moved = (self.rows - 1) * (left - 1) * (2 * self.top - left + 1)
        return min(left, self.count, touched(moved, self.width))

    def after(self, remaining: Remaining) -> Remaining:
        """W is unchanged: values on both sides of the mean give the same answer."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """Down, then up: twice the count, less one for each direction."""
        return 2 * (self.count - 1)


@dataclass(frozen=True, slots=True)
class ExactHistogram:
    """The exact count of every value of a column, unfiltered."""

    column: str
    values: int

    def __post_init__(self) -> None:
        check_whole(self, values=self.values)

    def factor(self, remaining: Remaining) -> int:
        """Every remaining value gives a different answer."""
        return min(remaining[self.column], self.values)

    def after(self, remaining: Remaining) -> Remaining:
        """1: with the others fixed, the value is known."""
        return {self.column: 1}

    def jumps(self, remaining: Remaining) -> int:
        """The answer changes at every value."""
        return self.factor(remaining) - 1


@dataclass(frozen=True, slots=True)
class ExactThreshold:
    """The exact number of people with a code of at least `threshold`, of `values` codes."""

    column: str
    threshold: int
    values: int

    def __post_init__(self) -> None:
        check_whole(self, threshold=self.threshold, values=self.values)
        if not self.threshold < self.values:
            raise CompositionError(
                f"threshold={self.threshold} has no codes on one side; choose one from 1 to {self.values - 1}"
            )

    def factor(self, remaining: Remaining) -> int:
        """2: counted or not."""
        return min(remaining[self.column], 2)

    def after(self, remaining: Remaining) -> Remaining:
        """With the others fixed, the side of the value is known."""
        larger = max(self.threshold, self.values - self.threshold)
        return {self.column: min(remaining[self.column], larger)}

    def jumps(self, remaining: Remaining) -> int:
        """One, at the threshold."""
        return self.factor(remaining) - 1


@dataclass(frozen=True, slots=True)
class OtherQuestion:
    """Any other question: with a filter, about several columns or over missing values; `count` answers in `pieces`.

    W is unchanged: the answer may be the same whatever a person's value is.
    """

    columns: tuple[str, ...]
    count: int
    pieces: int = 1

    def __post_init__(self) -> None:
        check_whole(self, count=self.count, pieces=self.pieces)
        if not self.columns or isinstance(self.columns, str):
            raise CompositionError(
                f"columns={self.columns!r} is not valid; give a tuple of the columns that the question reads"
            )

    def factor(self, remaining: Remaining) -> int:
        """Its count, or the number of records that remain possible."""
        return min(self.count, prod(remaining[column] for column in self.columns))

    def after(self, remaining: Remaining) -> Remaining:
        """W is unchanged."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """Each piece has one change fewer than answers."""
        return self.pieces * (self.count - 1)


@dataclass(frozen=True, slots=True)
class Repeat:
    """A question asked before, or any function of earlier answers. The caller must ensure this."""

    @property
    def columns(self) -> tuple[str, ...]:
        """None: it reads no data."""
        return ()

    def factor(self, remaining: Remaining) -> int:
        """1: the answer is known."""
        return 1

    def after(self, remaining: Remaining) -> Remaining:
        """W is unchanged."""
        return {}

    def jumps(self, remaining: Remaining) -> int:
        """None."""
        return 0


Single = (
    Repeat
    | PlainSum
    | KthSmallest
    | Refinement
    | VarianceSum
    | ExactHistogram
    | ExactThreshold
    | OtherQuestion
    | GuardedSum
    | GuardedOther
    | GuardedRows
    | FinestLevel
)


def values_of_column(question: Single) -> int | None:
    """The number of values that the question assumes for its column, if it says so."""
    match question:
        case PlainSum() | VarianceSum() | GuardedSum():
            return question.top + 1
        case ExactHistogram() | ExactThreshold():
            return question.values
        case _:
            return None


def columns_of(question: Single) -> tuple[str, ...]:
    """The columns a question reads."""
    several = OtherQuestion, Repeat, GuardedOther, GuardedRows, FinestLevel
    return question.columns if isinstance(question, several) else (question.column,)


@dataclass(frozen=True, slots=True)
class Together:
    """Several questions declared together and asked as one: jumps of one column add, columns multiply.

    `most` is a bound on their joint answers that holds whatever is known, such as one by signatures (rule H). A batch
    with such a bound may be part of another, with the product of both.
    """

    questions: tuple[Single | Together, ...]
    most: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "questions", tuple(self.questions))
        bounded = (question for question in self.questions if not isinstance(question, Single))
        if not self.questions or not all(isinstance(each, Together) and each.most is not None for each in bounded):
            raise CompositionError(
                "Together needs single questions, at least one; put the questions of nested batches into one batch"
            )
        if self.most is not None:
            check_whole(self, most=self.most)

    @property
    def singles(self) -> tuple[Single, ...]:
        """All single questions."""
        parts = (each.singles if isinstance(each, Together) else (each,) for each in self.questions)
        return tuple(chain.from_iterable(parts))

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read."""
        return tuple(sorted({column for question in self.singles for column in columns_of(question)}))

    def factor(self, remaining: Remaining) -> int:
        """Per column min(W, 1 + Σ jumps, ∏ counts); a question of several columns multiplies by its count; ≤ ∏W."""
        jumps: dict[str, int] = {}
        counts: dict[str, int] = {}
        several = 1
        for question in self.questions:
            columns = () if isinstance(question, Together) else columns_of(question)
            if len(columns) == 1:
                jumps[columns[0]] = jumps.get(columns[0], 0) + question.jumps(remaining)  # type: ignore[union-attr]
                counts[columns[0]] = counts.get(columns[0], 1) * question.factor(remaining)
            else:
                several *= question.factor(remaining)
        single = prod(min(remaining[column], 1 + total, counts[column]) for column, total in jumps.items())
        found = min(single * several, prod(remaining[column] for column in self.columns))
        return found if self.most is None else min(found, self.most)

    def after(self, remaining: Remaining) -> Remaining:
        """The smallest W that any of them leaves."""
        left: dict[str, int] = {}
        for question in self.questions:
            for column, width in question.after(remaining).items():
                left[column] = min(width, left.get(column, width))
        return left


Counted = Single | Together
"""Questions whose answers all have the same price."""
