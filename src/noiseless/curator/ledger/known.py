"""What was ever released from a dataset, as releases with their bins: the facts from which answers can be deduced.

A question in the ledger is understood again from its words and bins. What cannot be understood any more, because the
schema or a public table changed since, says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.purchase import question_of
from noiseless.curator.question.question import Question
from noiseless.curator.releases.release import Paid, Release, Released, Width, dividing_kinds
from noiseless.curator.releases.written import canonical
from noiseless.curator.schema.derived import DerivedColumn
from noiseless.errors import NoiselessError


class Known(NamedTuple):
    """A number that was released, with the number of the question that released it."""

    question: int
    release: Release
    width: Width
    released: Released


class Asked(NamedTuple):
    """An earlier question with what was released for it."""

    number: int
    entry: Entry
    question: Question
    released: Mapping[Paid, Released]


class KnownReleases:
    """Everything that was released, by the ledger. A question is understood once, when its columns are first needed."""

    def __init__(self, account: Account, dataset: Dataset) -> None:
        self._account, self._dataset = account, dataset
        self._found: dict[int, list[Known]] = {}

    def questions(self, columns: Iterable[str]) -> list[int]:
        """The numbers of the questions and copies about any of these columns, or about functions of them."""
        named = [canonical(name)[1:-1] for name in self._related(frozenset(columns))]  # groups name them without quotes
        return self._account.questions_about(named)

    def tables(self, columns: Iterable[str]) -> list[int]:
        """The questions and copies about these columns that counted rows in cells. Most deductions follow from them."""
        named = [canonical(name)[1:-1] for name in self._related(frozenset(columns))]
        return self._account.questions_about(named, dividing_kinds())

    def of(self, questions: Iterable[int]) -> list[Known]:
        """What some questions released."""
        return self._account.alone(lambda: [known for number in questions for known in self._of(number)])

    def _of(self, number: int) -> Iterable[Known]:
        """What a question released. It is kept once the question is finished."""
        if number not in self._found:
            found, finished = self._read(number)
            if not finished:
                return found
            self._found[number] = found
        return self._found[number]

    def asked(self, numbers: Iterable[int]) -> list[Asked]:
        """Some earlier questions, each with what was released for it."""
        return self._account.alone(lambda: [asked for number in numbers for asked in self._asked(number)])

    def _asked(self, number: int) -> Iterator[Asked]:
        steps = self._account.steps(number)
        if steps[0].kind != "ask" or "questions" not in steps[0].body:  # a copy, or an entry of an early version
            return
        for which in range(len(steps[0].body["questions"])):
            try:
                question = question_of(steps, which, self._dataset).whole()
            except NoiselessError:  # asked under an earlier schema, or of an earlier public table
                continue
            yield Asked(number, steps[0], question, self._account.released(question.widths))

    def _read(self, number: int) -> tuple[list[Known], bool]:
        found, finished = list[Known](), True
        for _, _, question, released in self._asked(number):
            finished &= not question.more and len(released) == len(question.widths)
            found += [Known(number, release, width, numbers) for (release, width), numbers in released.items()]
        return found, finished

    def _related(self, columns: frozenset[str]) -> Iterator[str]:
        """The columns, those they are computed from, and those that are computed from them."""
        yield from columns
        for name, column in self._dataset.schema.private.items():
            if isinstance(column, DerivedColumn):
                reads = frozenset(column.function.reads)
                if name in columns:
                    yield from reads
                elif not columns.isdisjoint(reads):
                    yield name
