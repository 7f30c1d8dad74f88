"""What an analyst gets: rows of numbers with certain intervals, and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from noiseless.curator.certificate.certificate import Certificate
from noiseless.curator.question.finish import Cell
from noiseless.curator.releases.release import Release
from noiseless.errors import UnknownVariableError
from noiseless.exact.rounding import bits_up
from noiseless.privacy.guarantee.guarantee import Guarantee

if TYPE_CHECKING:
    from rich.console import Group


@dataclass(frozen=True, slots=True, repr=False)
class Row(Mapping[str, Cell]):
    """One row of an answer: keys, and numbers with their intervals, by label.

    Where there is one number only, `value`, `lower` and `upper` are its own; all None where it is about nobody.
    """

    fields: Mapping[str, Cell]
    numbers: tuple[str, ...]

    def __getitem__(self, label: str) -> Cell:
        if label not in self.fields:
            raise UnknownVariableError(f"the answer has no column {label!r}; its columns are {', '.join(self.fields)}")
        return self.fields[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    @property
    def value(self) -> Any:
        """What is reported: the middle of the interval."""
        return self._only("value")

    @property
    def lower(self) -> Any:
        """The truth is not below this."""
        return self._only("lower")

    @property
    def upper(self) -> Any:
        """The truth is not above this."""
        return self._only("upper")

    def __repr__(self) -> str:
        return repr(dict(self.fields))

    def _only(self, what: str) -> Any:
        if len(self.numbers) != 1:
            raise UnknownVariableError(
                f"the row has {len(self.numbers)} numbers; take one by its label, as row[{self.numbers[0]!r}].{what}"
            )
        return getattr(self.fields[self.numbers[0]], what, None)


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """A true answer. Every number lies in its interval, and asking again gives the same.

    `guarantee` is what the question promises by itself; `factor` is what it added to all that was asked before, to the
    public groups that `paid_by` names; `taken` are the bits that this took from what `remaining` was before, which is
    that of the dearest group. Where a person has several rows, `per_row` is what it would promise to a person with one.
    `entry` is the number of the question in the ledger.
    """

    question: str
    labels: tuple[str, ...]
    numbers: tuple[str, ...]
    rows: tuple[Row, ...]
    guarantee: Guarantee
    factor: int
    remaining: float
    paid_by: str
    taken: float
    per_row: Guarantee | None
    entry: int
    widths: Mapping[Release, int] = field(repr=False, compare=False)
    certify: Callable[[], Certificate] = field(repr=False, compare=False)

    @property
    def certificate(self) -> Certificate:
        """What anybody can verify without data: written when it is first wanted, and then the same for ever."""
        return self.certify()

    @property
    def cost(self) -> float:
        """What was charged, in bits, rounded up."""
        return bits_up(self.factor)

    def to_arrow(self) -> Any:
        """As a pyarrow table: every number with its lower and upper end, rounded outward."""
        from noiseless.curator.answer.frames import arrow

        return arrow(self)

    def to_pandas(self) -> Any:
        """As a pandas dataframe."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """As a polars dataframe."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def __rich__(self) -> Group:
        from noiseless.curator.answer.drawn import answer_table

        return answer_table(self)

    def __repr__(self) -> str:
        from noiseless.curator.answer.drawn import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from noiseless.curator.answer.drawn import answer_html

        return answer_html(self)


@dataclass(frozen=True, slots=True, repr=False)
class Answers:
    """The answers of a batch, in the order of its questions, counted and charged together."""

    answers: tuple[Answer, ...]
    count: int
    factor: int
    remaining: float

    def __getitem__(self, place: int) -> Answer:
        return self.answers[place]

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def bits(self) -> float:
        """The size of the joint count, rounded up."""
        return bits_up(self.count)

    @property
    def cost(self) -> float:
        """What was charged for all of them, in bits, rounded up."""
        return bits_up(self.factor)

    @property
    def paid_by(self) -> str:
        """The public groups that paid."""
        return self.answers[0].paid_by

    @property
    def taken(self) -> float:
        """The bits that this took from the budget of the dearest group."""
        return self.answers[0].taken

    def to_arrow(self) -> Any:
        """As one pyarrow table, with the number of the question in front; what a question does not have is null."""
        from noiseless.curator.answer.frames import stacked

        return stacked(self.answers)

    def to_pandas(self) -> Any:
        """As one pandas dataframe."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """As one polars dataframe."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def __rich__(self) -> Group:
        from noiseless.curator.answer.drawn import answers_table

        return answers_table(self)

    def __repr__(self) -> str:
        from noiseless.curator.answer.drawn import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from noiseless.curator.answer.drawn import answers_html

        return answers_html(self)


@dataclass(frozen=True, slots=True, repr=False)
class Preview:
    """What a question would cost and how certain its answer would be; no private data were read.

    Every row has the error of each number: half of the widest interval that can be reported, None where that depends on
    private data. `factor` is what would be charged now; another question asked before may change it.
    """

    question: str
    labels: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    guarantee: Guarantee
    factor: int
    affordable: bool
    remaining: float
    per_row: Guarantee | None = None
    paid_by: str = ""
    taken: float = 0.0

    @property
    def count(self) -> int:
        """The most answers that one person's data can cause."""
        return self.guarantee.count

    @property
    def bits(self) -> float:
        """The size of the guarantee, rounded up."""
        return self.guarantee.bits

    @property
    def cost(self) -> float:
        """What would be charged now, in bits, rounded up."""
        return bits_up(self.factor)

    @property
    def rule(self) -> str:
        """How the count was found."""
        return self.guarantee.statement

    @property
    def error(self) -> Any:
        """The largest error of any number in any row; None where one depends on private data."""
        errors = [error for row in self.rows for error in row["errors"].values()]
        return None if None in errors else max(errors, default=0)

    def __rich__(self) -> Group:
        from noiseless.curator.answer.drawn import preview_table

        return preview_table(self)

    def __repr__(self) -> str:
        from noiseless.curator.answer.drawn import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from noiseless.curator.answer.drawn import preview_html

        return preview_html(self)
