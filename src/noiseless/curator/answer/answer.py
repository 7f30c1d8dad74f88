"""What an analyst gets: rows of numbers with certain intervals, and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noiseless.curator.certificate.certificate import Certificate
from noiseless.curator.question.finish import Field
from noiseless.curator.releases.release import Release, Width
from noiseless.errors import UnknownVariableError
from noiseless.exact.rounding import bits_up
from noiseless.privacy.composition.weights import Product
from noiseless.privacy.guarantee.guarantee import Guarantee

if TYPE_CHECKING:
    from rich.console import Group


@dataclass(frozen=True, slots=True, repr=False)
class Row(Mapping[str, Field]):
    """One row of an answer: its keys, and its numbers with their intervals, by label.

    If the row has one number, `value`, `lower` and `upper` are those of the number. They are None over zero rows.
    """

    fields: Mapping[str, Field]
    numbers: tuple[str, ...]

    def __getitem__(self, label: str) -> Field:
        if label not in self.fields:
            raise UnknownVariableError(f"the answer has no column {label!r}; its columns are {', '.join(self.fields)}")
        return self.fields[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    @property
    def value(self) -> Any:
        """The reported number: the middle of the interval."""
        return self._only("value")

    @property
    def lower(self) -> Any:
        """The true number is at least this."""
        return self._only("lower")

    @property
    def upper(self) -> Any:
        """The true number is at most this."""
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
    """A true answer. Every true number lies in its interval, and asking again gives the same answer.

    `guarantee` is the guarantee of this question by itself. `factor` is what the question added to everything asked
    before it; the public groups in `paid_by` pay for it. `taken` is how many bits this took from the most charged
    group, and `remaining` is what that group has left. If a person has several rows, `per_row` is the guarantee for a
    person with one row. `entry` is the number of the question in the ledger. If the question is charged by the answer,
    `loud` says whether a number came out in a guard, which is dearer; otherwise it is None.
    """

    question: str
    labels: tuple[str, ...]
    numbers: tuple[str, ...]
    rows: tuple[Row, ...]
    promise: Callable[[], Guarantee] = field(repr=False, compare=False)
    factor: Product
    remaining: float
    paid_by: str
    taken: float
    per_row: Guarantee | None
    entry: int
    loud: bool | None
    coarser: int
    """How many numbers came at a coarser stable level than asked, so that their errors are larger."""
    computed: tuple[str, ...]
    """The functions of a row that are rounded to steps, in words."""
    widths: Mapping[Release, Width] = field(repr=False, compare=False)
    certify: Callable[[], Certificate] = field(repr=False, compare=False)
    note: Callable[[], tuple[str, ...]] = field(repr=False, compare=False)
    tallies: tuple[str, ...] = ()
    """The labels of counts and sums, which are drawn as bars from zero."""
    advise: Callable[[], str] = field(default=str, repr=False, compare=False)
    before: tuple[Answer, ...] = ()
    """The answers to subqueries in its conditions, which were asked first. `factor` includes their charges."""
    facts: tuple[int, ...] = ()
    """The numbers of earlier questions that it follows from, or that made its intervals narrower."""

    @property
    def guarantee(self) -> Guarantee:
        """What the question promises by itself. It is computed on first use. The charge does not wait for it."""
        return self.promise()

    @property
    def certificate(self) -> Certificate:
        """A proof of the count that anyone can verify without the data. Written on first use, then always the same."""
        return self.certify()

    @property
    def notes(self) -> tuple[str, ...]:
        """Which rows may not belong to the answer, and which are not certainly in order, because of intervals."""
        return self.note()

    @property
    def advice(self) -> str:
        """What the last questions would have cost as one batch, if they were about one column. Priced on first use."""
        return self.advise()

    @property
    def cost(self) -> float:
        """What was charged, in bits, rounded up."""
        return bits_up(self.factor)

    @property
    def outcome(self) -> str | None:
        """Quiet or loud, if the question was charged by the answer."""
        return None if self.loud is None else "loud" if self.loud else "quiet"

    def to_arrow(self) -> Any:
        """The answer as a pyarrow table: every number with its lower and upper end, rounded outward."""
        from noiseless.curator.answer.frames import arrow

        return arrow(self)

    def to_pandas(self) -> Any:
        """The answer as a pandas dataframe."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """The answer as a polars dataframe."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def __rich__(self) -> Group:
        from noiseless.curator.answer.drawn import answer_table

        return answer_table(self)

    def __repr__(self) -> str:
        from noiseless.curator.answer.drawn import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from noiseless.curator.answer.drawn_html import answer_html

        return answer_html(self)


@dataclass(frozen=True, slots=True, repr=False)
class Answers:
    """The answers of a batch, in the order of its questions. They are counted and charged together."""

    answers: tuple[Answer, ...]
    count: int
    factor: Product
    remaining: float

    def __getitem__(self, place: int) -> Answer:
        return self.answers[place]

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def bits(self) -> float:
        """The joint count in bits, rounded up."""
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
        """The bits that this took from the budget of the most charged group."""
        return self.answers[0].taken

    def to_arrow(self) -> Any:
        """One pyarrow table with the number of the question first. Columns that a question does not have are null."""
        from noiseless.curator.answer.frames import stacked

        return stacked(self.answers)

    def to_pandas(self) -> Any:
        """One pandas dataframe."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """One polars dataframe."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def __rich__(self) -> Group:
        from noiseless.curator.answer.drawn import answers_table

        return answers_table(self)

    def __repr__(self) -> str:
        from noiseless.curator.answer.drawn import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from noiseless.curator.answer.drawn_html import answers_html

        return answers_html(self)


@dataclass(frozen=True, slots=True, repr=False)
class Preview:
    """What a question would cost and how certain its answer would be. No private data were read.

    Every row has the error of each number: half of the widest interval that can be reported, or None if that depends on
    private data. `factor` is what would be charged now. Other questions asked first may change it. A question that is
    charged by the answer costs `factor` if it is quiet, and at most `dearest`, which must be left; `chance` is the
    chance of a dearer answer if the numbers may lie anywhere. For a question of several steps these are what to expect,
    and not bounds: later steps follow from what comes out. `max_bits` bounds what is charged.
    """

    question: str
    labels: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    guarantee: Guarantee
    factor: Product
    affordable: bool
    remaining: float
    per_row: Guarantee | None = None
    paid_by: str = ""
    taken: float = 0.0
    dearest: Product = 1
    chance: Fraction | None = None
    steps: tuple[str, ...] = ()
    """What is released first and what follows from it, if the question has several steps."""
    computed: tuple[str, ...] = ()
    """The functions of a row that are rounded to steps, in words."""
    shares: tuple[str, ...] = ()
    """Which numbers share which bits or keep which error, in words."""
    deduce: Callable[[], Answer | None] = field(default=lambda: None, repr=False, compare=False)
    advise: Callable[[], str] = field(default=str, repr=False, compare=False)

    @property
    def advice(self) -> str:
        """What the last questions and this one would cost as one batch, if they are about one column."""
        return self.advise()

    @property
    def deduced(self) -> Answer | None:
        """What follows already, for free. None if earlier answers say nothing about it. Found on first use."""
        return self.deduce()

    @property
    def count(self) -> int:
        """The most answers that one person's data can cause."""
        return self.guarantee.count

    @property
    def bits(self) -> float:
        """The count in bits, rounded up."""
        return self.guarantee.bits

    @property
    def cost(self) -> float:
        """What would be charged now, in bits, rounded up."""
        return bits_up(self.factor)

    @property
    def quiet(self) -> float:
        """What a quiet outcome would be charged, in bits, rounded up."""
        return self.cost

    @property
    def loud(self) -> float:
        """What the dearest outcome would be charged, in bits, rounded up."""
        return self.most

    @property
    def most(self) -> float:
        """What must be left, in bits, rounded up: the dearest outcome."""
        return bits_up(self.dearest)

    @property
    def rule(self) -> str:
        """How the count was found."""
        return self.guarantee.statement

    @property
    def error(self) -> Any:
        """The largest error of any number in any row, or None if one depends on private data."""
        errors = [error for row in self.rows for error in row["errors"].values()]
        return None if None in errors else max(errors, default=0)

    def __rich__(self) -> Group:
        from noiseless.curator.answer.drawn import preview_table

        return preview_table(self)

    def __repr__(self) -> str:
        from noiseless.curator.answer.drawn import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from noiseless.curator.answer.drawn_html import preview_html

        return preview_html(self)
