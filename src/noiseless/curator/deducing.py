"""From a question to what already follows: the certain intervals that earlier answers and public facts leave.

Nothing is charged and no private data are read: the result is a function of the ledger, of the counts of cells that
copies published, and of public facts.

Guarantee: one answer, because it is a function of earlier answers.
Source: theory §6 F and §13: docs/deduce.md
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from noiseless.curator.answer.answer import Answer, Row
from noiseless.curator.certificate.certificate import Certificate
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.deduce.interval import Deduced
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.known import KnownReleases
from noiseless.curator.plan.plan import Aggregate, Arithmetic
from noiseless.curator.question.finish import Field, Keys, evaluate
from noiseless.curator.question.guarantee import guarantee
from noiseless.curator.question.precision import Amount, Amounts
from noiseless.curator.question.price import Prices
from noiseless.curator.question.question import Question
from noiseless.curator.question.reading import meaning
from noiseless.curator.question.remembered import Once
from noiseless.curator.question.widths import exact_error
from noiseless.curator.releases.reported import Reported

WORK_FIRST = 2_000
"""Before a question is bought, linear inequalities of at most this size are solved. `deduce` has no such limit."""
MOST_TABLES, MOST_OTHERS = 50, 5
"""Before a question is bought, only the last answers about its columns are looked at: this number of tables of counts,
and this number of answers of other kinds. This takes a few milliseconds. `deduce` looks at all of them. With `bits`,
only tables are looked at: such a question is bought in any case, and should take no longer."""
MOST_LINES = 200
"""A question with more rows than this is bought without deducing, because each row would be deduced separately."""
FOLLOWS = "follows from earlier answers and public facts: one answer"


@dataclass(frozen=True, slots=True)
class Deduction:
    """What follows about every number of a question, and from which questions of the ledger."""

    question: Question
    numbers: tuple[Mapping[Aggregate, Deduced], ...]
    notes: tuple[str, ...] = ()
    """Which copies are not used, and why."""

    @property
    def facts(self) -> tuple[int, ...]:
        """The numbers of the questions that it follows from."""
        return tuple(sorted({number for line in self.numbers for each in line.values() for number in each.questions}))

    @property
    def reported(self) -> list[dict[Aggregate, Reported | None]]:
        """The numbers of every line with their intervals, for the rows of the answer."""
        return [{aggregate: each.reported for aggregate, each in line.items()} for line in self.numbers]

    def keeps(self, error: Amount | None, dataset: Dataset) -> bool:
        """Whether every number is certain within the error; without an error, whether every number is certain."""
        plan = self.question.plan
        errors = None if error is None else Amounts.of(plan, error, "error", dataset, exact_error)
        lines = zip(self.question.lines, self.reported, strict=True)
        return all(self._line_keeps(line.select, line.keys, numbers, errors) for line, numbers in lines)

    def _line_keeps(
        self, select: int, keys: Keys, numbers: Mapping[Aggregate, Reported | None], errors: Amounts | None
    ) -> bool:
        """A calculated column with an error of its own keeps that; of all others, every part keeps its error."""
        plan, rest = self.question.plan.selects[select], []
        for item in plan.items:
            error = errors.of_item(item.expression) if errors and isinstance(item.expression, Arithmetic) else None
            if error is None or plan.stages:
                rest.append(item)
            elif not _within(evaluate(item.expression, keys, numbers), error):
                return False
        others = replace(plan, items=tuple(rest)).aggregates()
        return all(_within(numbers[each], errors and errors.of_function(each)) for each in others)


def _within(number: Field, error: Any) -> bool:
    """Whether a number is known well enough: exactly, if there is no error."""
    if not isinstance(number, Reported):
        return number is None
    width = number.upper - number.lower
    return number.sure and bool(getattr(width, "days", width) <= 2 * (error or 0))


@dataclass(frozen=True, slots=True)
class Deducing:
    """Deduces answers about one dataset from all that its ledger says."""

    dataset: Dataset
    account: Account
    key: PrivateKey | None = None
    _known: KnownReleases = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", KnownReleases(self.account, self.dataset))

    def deduction(self, text: str) -> Deduction:
        """What follows about a question from all earlier answers about its columns."""
        question = self._question(text)
        return self._from(question, self._known.questions(_columns(question)))

    def _from(
        self, question: Question, asked: Iterable[int], work: int | None = None, exact: bool = False
    ) -> Deduction:
        from noiseless.curator.deduce.deduced import deduced  # numpy is loaded only where something follows
        from noiseless.curator.deduce.facts import Facts
        from noiseless.curator.deduce.numbers import MOST_WORK
        from noiseless.curator.microdata.counts import kept

        copies = kept(self.dataset, self.account)
        facts = Facts.of(self._known.of(asked), copies.partitions)
        found = deduced(question, self.dataset, facts, MOST_WORK if work is None else work, exact)
        return Deduction(question, tuple(numbers for _, numbers in found), copies.notes)

    def _last(self, columns: frozenset[str], others: bool) -> list[int]:
        """The last tables of counts about some columns, and perhaps the last answers of any kind."""
        more = self._known.questions(columns)[-MOST_OTHERS:] if others else []
        return sorted({*self._known.tables(columns)[-MOST_TABLES:], *more})

    def _question(self, text: str) -> Question:
        plan, lines = meaning(text, self.dataset)
        return Question(text, plan, tuple(lines), {})

    def says_something(self, text: str) -> bool:
        """Whether an earlier answer is about the columns of a question."""
        return self.account.questions > 0 and bool(self._known.questions(_columns(self._question(text))))

    def already(self, text: str) -> Answer | None:
        """What follows about a question, if earlier answers say anything about it."""
        if not self.says_something(text):
            return None
        found = self.deduction(text)
        return self.answer(found) if found.facts else None

    def enough(self, text: str, error: Amount | None) -> Deduction | None:
        """What follows about a question, if that is within the error, or exact if there is no error."""
        with suppress(Exception):  # whatever happens here, the question can still be bought
            if len(meaning(text, self.dataset)[1]) > MOST_LINES:
                return None
            question = self._question(text)
            found = self._from(question, self._last(_columns(question), True), WORK_FIRST, exact=error is None)
            return found if found.keeps(error, self.dataset) else None
        return None

    def narrowed(self, answer: Answer, others: bool) -> Answer:
        """An answer with intervals that earlier tables of counts, and with `others` other answers, make narrower.

        What was released stays as it is.
        """
        with suppress(Exception):  # whatever happens here, what was paid for is given
            return self._narrowed(answer, others)
        return answer

    def _narrowed(self, answer: Answer, others: bool) -> Answer:
        if self.account.questions < 2:  # the one that was just asked
            return answer
        if len(answer.rows) > MOST_LINES or not isinstance(answer.widths, dict) or _is_certain(answer):
            return answer
        question = self._question(answer.question)
        asked = self._last(_columns(question), others)
        if asked in ([], [answer.entry]):
            return answer
        found = self._from(question, sorted({*asked, answer.entry}), WORK_FIRST)
        cited = tuple(number for number in found.facts if number != answer.entry)
        if not cited or not found.question.lines:
            return answer
        rows = tuple(Row(fields, answer.numbers) for fields in found.question.rows_from(found.reported))
        return replace(answer, rows=rows, facts=cited) if narrower(rows, answer) else answer

    def answer(self, found: Deduction) -> Answer:
        """What follows, as an answer that costs nothing."""
        question = found.question
        rows = question.rows_from(found.reported)
        promise = Once(lambda: replace(guarantee({}, Prices(self.dataset)), statement=FOLLOWS))
        return Answer(
            question=question.text,
            labels=question.labels,
            numbers=question.numbers,
            rows=tuple(Row(fields, question.numbers) for fields in rows),
            promise=promise,
            factor=1,
            remaining=self.account.bits_left,
            paid_by="nobody",
            taken=0.0,
            per_row=None,
            entry=0,
            loud=None,
            coarser=0,
            computed=question.computed,
            widths={},
            certify=Once(lambda: self._certified(found, rows)),
            note=Once(lambda: (*found.notes, *question.notes_from(found.reported))),
            tallies=question.tallies,
            facts=found.facts,
        )

    def _certified(self, found: Deduction, rows: list[dict[str, Field]]) -> Certificate:
        from noiseless.curator.certificate.deduction import certify_deduction

        facts = self._known.asked(found.facts)
        return certify_deduction(self.dataset, found.question, found.numbers, rows, facts, self.key)


def narrower(rows: tuple[Row, ...], answer: Answer) -> bool:
    """Whether the same rows have some intervals inside those of an answer, and none outside."""
    if len(rows) != len(answer.rows):
        return False
    pairs = [(new[label], old[label]) for new, old in zip(rows, answer.rows, strict=True) for label in answer.labels]
    numbers = [(new, old) for new, old in pairs if isinstance(new, Reported) and isinstance(old, Reported)]
    same = all(new == old for new, old in pairs if not (isinstance(new, Reported) and isinstance(old, Reported)))
    inside = all(old.lower <= new.lower and new.upper <= old.upper for new, old in numbers)
    return same and inside and any(old.lower < new.lower or new.upper < old.upper for new, old in numbers)


def _is_certain(answer: Answer) -> bool:
    """Whether no interval of an answer can be narrower."""
    fields = (row[label] for row in answer.rows for label in answer.labels)
    return all(not isinstance(field, Reported) or field.lower == field.upper for field in fields)


def _columns(question: Question) -> frozenset[str]:
    """The private columns that a question is about."""
    return frozenset(name for release in question.releases for name in release.reads)
