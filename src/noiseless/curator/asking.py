"""From a question to its answer, in one pass down the rooms: understand, price, charge, compute, report, certify."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from time import sleep
from typing import Any, TypeVar

from noiseless.curator.answer.answer import Answer, Answers, Preview, Row
from noiseless.curator.certificate.certificate import Certificate
from noiseless.curator.certificate.issue import certify_answer
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.deducing import Deducing, Deduction
from noiseless.curator.ledger import decisions
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.before_reading import planning_ends
from noiseless.curator.ledger.charge import Charge, Price
from noiseless.curator.ledger.collecting import not_collecting
from noiseless.curator.ledger.entry import Entry, analyst_name
from noiseless.curator.ledger.gate import Gate
from noiseless.curator.ledger.in_a_row import Charged, advice
from noiseless.curator.ledger.purchase import Purchase, question_of
from noiseless.curator.ledger.texts import texts_of
from noiseless.curator.planning import MOST_STEPS, Planning
from noiseless.curator.question.execute import execute
from noiseless.curator.question.finish import Field
from noiseless.curator.question.groups import Groups
from noiseless.curator.question.guarantee import guarantee
from noiseless.curator.question.many import (
    WidthsOfEach,
    execute_groups,
    expected_of_each,
    released_one_by_one,
    rows_of_each,
)
from noiseless.curator.question.precision import Amount, below_one, check_names
from noiseless.curator.question.price import Prices
from noiseless.curator.question.question import Question
from noiseless.curator.question.remembered import Once
from noiseless.curator.question.rules import Rules
from noiseless.curator.question.shares import shared
from noiseless.curator.question.steps import described, new_in
from noiseless.curator.question.together import execute_batch
from noiseless.curator.question.too_few import too_few_error
from noiseless.curator.question.understand import refine_question
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Paid, Released
from noiseless.curator.terms import Terms, listed
from noiseless.errors import BudgetError, BudgetExceededError, QuestionError
from noiseless.exact.answers import most_within
from noiseless.exact.number import Number, as_integer, exact_number, shown
from noiseless.privacy.guarantee.guarantee import Guarantee

T = TypeVar("T")
WAIT = 0.05
"""Seconds between two looks at what others have reserved."""
MOST_WAITS = 20
EARLIER = "only the earlier steps were charged, and are known now"


@dataclass(frozen=True, slots=True)
class Asking:
    """Answers questions about one dataset, charges them to its account and signs the certificates."""

    dataset: Dataset
    account: Account
    rules: Rules = field(default_factory=Rules)
    analyst: str = ""
    key: PrivateKey | None = None
    planning: Planning = field(init=False, repr=False, compare=False)
    deducing: Deducing = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "planning", Planning(self.dataset, self.account, self.rules))
        object.__setattr__(self, "deducing", Deducing(self.dataset, self.account, self.key))

    @property
    def prices(self) -> Prices:
        """The prices of questions about this dataset."""
        return Prices(self.dataset)

    @not_collecting()
    def preview(self, sql: str, terms: Terms) -> Preview:
        """The price, the guarantee and the errors. They follow from public facts alone.

        If the bins of later steps depend on what comes out, each number is supposed to lie in the middle of its range.
        """
        terms.check_names([sql], self.dataset)
        steps = self.planning.steps(sql, terms)
        question, price = steps[-1], self.quoted(new_in(steps), terms)
        affordable = price.affordable
        return Preview(
            question=sql,
            labels=question.released,
            rows=question.expected() if question.groups is None else expected_of_each(question, question.groups),
            guarantee=self.promised(question),
            factor=price.factor,
            paid_by=price.paid_by,
            taken=price.taken if affordable else 0.0,
            affordable=affordable,
            remaining=(price.after if affordable else price.before).bits_left,
            dearest=price.dearest,
            chance=price.chance,
            per_row=self._per_row(question.widths),
            steps=described(steps),
            computed=question.computed,
            shares=shared(question, self.prices),
            advise=self._advice(sql, Charged(question.widths, price.factor), terms, None, question.groups is None),
            deduce=Once(lambda: None if self.rules.rounds else self.deducing.already(sql)),
        )

    def quoted(self, steps: Iterable[Question], terms: Terms) -> Price:
        """The price of some steps that are charged one after another."""
        purchases = (Purchase.of_questions([step]) for step in steps)
        return self.account.quote_steps(purchases, self._most(terms), terms.gate, self.name_of(terms.analyst))

    def gated(
        self, terms: Terms, what: str, texts: list[str], steps: Callable[[], Iterable[list[Question]]], **more: str
    ) -> Terms:
        """The terms under which questions may be asked now. They are put on hold if the custodian must approve them.

        `steps` gives the steps of all questions together. `more` says what they are about besides their texts.
        """
        if self.rules.hold_above is None or terms.gate is not None:
            return terms
        asked = {"what": what, "texts": texts, "terms": terms.said(), **more}
        gate = Gate(most_within(self.rules.hold_above, "hold_above"), asked, self.rules.hold_days)
        purchases = [Purchase.of_questions(step) for step in steps()]
        name, most = self.name_of(terms.analyst), self._most(terms)
        self._unless_expired(lambda: self.account.hold(purchases, name, most, gate))
        return replace(terms, gate=gate)

    def _unless_expired(self, run: Callable[[], T]) -> T:
        """Run it. If the budget does not allow it and holds have expired since, run it once more."""
        try:
            return run()
        except BudgetExceededError:
            if not decisions.expire(self.account):
                raise
        return run()

    def known_rows(self, question: Question) -> list[dict[str, Field]] | None:
        """The rows of an answer, if the ledger knows all of it already. Otherwise None."""

        def known() -> list[dict[str, Field]] | None:
            if question.more or question.groups is not None or not self.account.paid(question.widths):
                return None
            missing = self.account.missing(question.widths)
            return None if missing else question.rows(self.account.released(question.widths))

        return self.account.alone(known)

    @not_collecting()
    def ask(self, sql: str, terms: Terms) -> Answer:
        """Answer one question, in as many steps as it needs.

        What already follows from earlier answers is not bought.
        """
        if (follows := self._following(sql, terms)) is not None:
            return follows
        terms = self.gated(
            terms, "ask", [sql], lambda: [[s] for s in self.planning.steps(sql, terms, share=Fraction(1))]
        )
        answer = self._answers([sql], terms)[0]
        if not self.rules.rounds:
            answer = self.deducing.narrowed(answer, others=terms.bits is None)
        few = not isinstance(answer.widths, WidthsOfEach)
        advice = self._advice(sql, Charged(answer.widths, answer.factor), terms, answer.entry, few)
        return replace(answer, advise=advice)

    def _following(self, sql: str, terms: Terms) -> Answer | None:
        """The answer to a new question, if it follows from earlier answers as precisely as it is wanted.

        Otherwise None.
        """
        if terms.bits is not None or terms.stable or self.rules.rounds or not self.deducing.says_something(sql):
            return None
        terms.check_names([sql], self.dataset)
        try:
            question = self.planning.understood(sql, terms)
        except BudgetError:  # without bits or an error it cannot be bought, but it may be known exactly
            if terms.error is None and (found := self.deducing.enough(sql, None)) is not None:
                return self._deduced(found)
            raise
        if not question.more and self.account.paid(question.widths):
            return None
        found = self.deducing.enough(sql, terms.error)
        return None if found is None else self._deduced(found)

    def deduce(self, sql: str) -> Answer:
        """What follows from earlier answers."""
        return self._deduced(self.deducing.deduction(sql))

    def _deduced(self, found: Deduction) -> Answer:
        """What follows, if the rules allow the question."""
        self.rules.check(found.question)
        return self.deducing.answer(found)

    def _advice(self, sql: str, last: Charged, terms: Terms, before: int | None, few: bool) -> Callable[[], str]:
        """What this question and those before it would have cost together, unless it has very many groups."""
        if not few:
            return str
        name = self.name_of(terms.analyst)
        return Once(self.account.alone(lambda: advice(self.account, self.dataset, name, sql, last, before)))

    def batch(self, questions: Iterable[Any], terms: Terms) -> Answers:
        """Answer several questions together. A shared number is released once, in the narrowest bins."""
        with not_collecting():
            answers = self._answers(listed(questions), terms)
            joint = self.prices.joint([answer.widths for answer in answers])
        return Answers(answers, joint, answers[0].factor, answers[0].remaining)

    def refine(self, answer: Answer, error: Amount, terms: Terms) -> Answer:
        """The same question in narrower bins. The old edges stay edges."""
        if not isinstance(answer, Answer) or answer.certificate.content["dataset"] != self.dataset.snapshot.id:
            raise QuestionError("only an answer of this dataset can be refined; ask the question here first")
        known = self.account.alone(lambda: self.account.released(answer.widths))
        check_names(error, "error", [answer.question], self.dataset)
        question = refine_question(answer.question, self.dataset, answer.widths, known, error)
        self.rules.check(question)
        self.rules.check_price(lambda: self.prices.count(question.widths))
        narrower = replace(terms, error=error)
        gated = self.gated(narrower, "refine", [answer.question], lambda: [[question]], entry=str(answer.entry))
        charge = self._charged([question], replace(terms, gate=gated.gate), [])
        return self._answer(question, charge, self.account.bits_left)

    def recall(self, entry: int, place: int) -> Answer:
        """An answer that was paid for before, by its number in the ledger."""
        number, steps, which = self._asked_before(entry, place)
        analyst, question = steps[-1].analyst, question_of(steps, which, self.dataset)
        if question.more:
            raise QuestionError(
                f"question {number} stopped before its last step; ask it again with the same error, which charges only "
                f"the rest"
            )

        def charged() -> Charge:
            *earlier, last = map(self.account.charge_of, steps)
            return last.following(earlier)

        def answered() -> Answer:
            if not self.account.paid(self._sure(question).widths):
                raise QuestionError(
                    f"question {number} of the ledger was asked under an earlier schema and now means other rows; "
                    f"ask the question again"
                )
            self._compute([question], charged(), analyst)
            return self._answer(question, charged(), self.account.bits_left)

        return self.account.alone(answered)

    def recall_text(self, entry: int, text: str) -> Answer:
        """The answer to the question of a batch that has this text."""
        texts = texts_of(self._asked_before(entry, 0)[1][0])
        return self.recall(entry, texts.index(text) if text in texts else 0)

    def name_of(self, analyst: str | None) -> str:
        """The analyst given, or the one this curator was opened for."""
        return self.analyst if analyst is None else analyst_name(analyst)

    def _asked_before(self, entry: int, place: int) -> tuple[int, list[Entry], int]:
        number, which = as_integer(entry), as_integer(place)
        self.account.known()  # reads what other processes have appended
        steps = self.account.steps(number) if number is not None and number > 0 else []
        if steps and steps[0].kind == "release":
            raise QuestionError(f"question {number} of the ledger is a copy; release it again, which is free")
        if number is None or not steps or which not in range(len(texts_of(steps[0]))):
            raise QuestionError(
                f"question {shown(entry)}, place {shown(place)}, is not in the ledger; `noiseless ledger` lists them"
            )
        if "questions" not in steps[0].body:
            raise QuestionError(
                f"question {entry} was written by an early version that did not keep its bins; ask it again with the "
                f"same bits or error, which is free"
            )
        return number, steps, which or 0

    def _answers(self, listed: list[str], terms: Terms) -> tuple[Answer, ...]:
        """Charge all questions step by step, then answer them.

        The bins of a step may follow from what came out before it, so the questions are understood again each time.
        """
        terms.check_names(listed, self.dataset)
        steps: list[Charge] = []
        for _ in range(MOST_STEPS):
            try:
                questions = self.planning.together(listed, terms, self.account.past())
                if all(question.few for question in questions):
                    charged = EARLIER if _any_paid(steps) else "nothing was charged"
                    raise too_few_error(questions[0], self.account.past(), charged)
                if not steps:
                    self._check_later(questions, terms)
                charge = self._charged(questions, terms, steps)
            except BudgetExceededError as refused:
                raise _after_steps_error(refused, steps) from None
            if not any(question.more for question in questions):
                break
            steps.append(charge)
        else:
            raise QuestionError("the question needs too many steps; ask its numbers one by one, with a larger error")
        paid = [step for step in (*steps, charge) if step.before is not None] or [charge]
        whole, left = paid[-1].following(paid[:-1]), self.account.bits_left
        many = any(question.groups is not None for question in questions)
        with not_collecting() if many else nullcontext():
            return self.account.alone(lambda: tuple(self._answer(question, whole, left) for question in questions))

    def _check_later(self, questions: list[Question], terms: Terms) -> None:
        """Refuse a question with nothing charged if a later step would be refused even if all rows counted.

        Reserves of unfinished questions may stand in the way. They are finished first, which settles them.
        """
        for question in [question for question in questions if question.more]:
            steps = list(new_in(self.planning.steps(question.text, terms, share=Fraction(1))))
            if self.quoted(steps, terms).affordable:
                continue
            self.settle_open()
            if not self.quoted(steps, terms).affordable:
                raise BudgetExceededError(
                    "the budget or max_bits does not allow all steps of the question; nothing was charged: ask with a "
                    "larger error, or repeat an earlier question, which is free"
                )

    def _charged(self, questions: list[Question], terms: Terms, steps: list[Charge]) -> Charge:
        """Charge one step of all questions and compute it.

        If only reserves of unfinished questions stand in the way, others get a moment to finish. Then these are
        finished here, which settles them.
        """
        asking, purchase, most = self.name_of(terms.analyst), Purchase.of_questions(questions), self._most(terms)

        def charged() -> Charge:
            planning_ends()
            self.dataset.engine.awake(self.dataset.rows)
            charge = self.account.reserve(purchase, asking, most, steps, below_one(terms.bits), terms.gate)
            self._compute(questions, charge, asking)
            return self.account.settled(charge)

        try:
            return self._unless_expired(lambda: self.account.alone(charged))
        except BudgetExceededError:
            if not self.account.blocked(purchase, most):
                raise
        for _ in range(MOST_WAITS):
            sleep(WAIT)
            if not self.account.blocked(purchase, most):
                break
        self.settle_open()
        return self.account.alone(charged)

    def settle_open(self) -> None:
        """Compute the answers of questions that were charged and never answered, for example after a crash.

        If one cannot be computed, whatever the reason, its reserve stays charged, and the dataset can still be opened.
        """
        for entry in self.account.open_entries():
            with suppress(Exception):
                self._finish(entry)

    def _finish(self, entry: Entry) -> None:
        questions = [question_of([entry], which, self.dataset) for which in range(len(entry.body["questions"]))]
        self.account.alone(lambda: self._compute(questions, self.account.charge_of(entry), entry.analyst))

    def _most(self, terms: Terms) -> Number | None:
        """The most that the dearest outcome may cost, by the terms of the question and the custodian's rules."""
        given = [bits for bits in (terms.max_bits, self.rules.most_bits) if bits is not None]
        return min(given, key=lambda bits: exact_number(bits, "max_bits"), default=None)

    def _compute(self, questions: list[Question], charge: Charge, analyst: str) -> None:
        """Compute what was paid for but not computed yet, and record it in one entry."""
        planning_ends()
        lacking: list[tuple[Question, Widths]] = []
        wanted: set[Paid] = set()
        for question in map(self._sure, questions):
            if question.groups is not None:
                self._compute_groups(question, question.groups, charge, analyst)
                continue
            missing = {r: w for r, w in self.account.missing(question.widths).items() if (r, w) not in wanted}
            wanted |= set(missing.items())
            if missing:
                lacking.append((question, missing))
        if len(lacking) > 1:
            self.account.commit(charge, analyst, execute_batch(lacking, self.dataset))
        elif lacking:
            [(only, widths)] = lacking
            found = execute(only.plan, only.lines, widths, self.dataset)
            self.account.commit(charge, analyst, found)

    def _compute_groups(self, question: Question, groups: Groups, charge: Charge, analyst: str) -> None:
        if missing := self.account.missing(question.widths):
            numbers = execute_groups(question, groups, missing)
            self.account.commit_groups(charge, analyst, groups, [(paid, numbers[paid[0]]) for paid in missing.items()])

    def _sure(self, question: Question) -> Question:
        """The question with a line for each group, if the ledger knows different things about groups of equal size."""
        return question if question.groups is None or self.account.alike(question.groups) else question.whole()

    def _answer(self, question: Question, charge: Charge, remaining: float) -> Answer:
        asked = self._sure(question)
        if asked.groups is not None:
            of_each = self.account.released_of_each(asked.groups, asked.widths)
            rows, coarser = rows_of_each(asked, asked.groups, of_each), 0
            notes: Callable[[], tuple[str, ...]] = tuple  # too many rows to compare
            widths: Widths = WidthsOfEach(asked)
            certify = partial(self._certified, asked, rows, partial(released_one_by_one, asked, asked.groups, of_each))
        else:
            released = self.account.released(asked.widths)
            rows, coarser, widths = asked.rows(released), asked.coarser(released), asked.widths
            certify, notes = partial(self._certified, asked, rows, lambda: released), partial(asked.notes, released)
        promise = Once(lambda: self.promised(question))
        numbers = question.numbers
        return Answer(
            question=question.text,
            labels=question.labels,
            numbers=numbers,
            rows=tuple(Row(fields, numbers) for fields in rows),
            promise=promise,
            factor=charge.whole,
            remaining=remaining,
            per_row=self._per_row(question.widths),
            paid_by=charge.payers,
            taken=charge.all_taken,
            entry=charge.question,
            loud=charge.any_loud,
            coarser=coarser,
            computed=question.computed,
            widths=widths,
            certify=Once(partial(certify, promise, charge)),
            note=Once(notes),
            tallies=question.tallies,
        )

    def _certified(
        self,
        question: Question,
        rows: list[dict[str, Field]],
        released: Callable[[], Mapping[Paid, Released]],
        promise: Callable[[], Guarantee],
        charge: Charge,
    ) -> Certificate:
        return certify_answer(self.dataset, question.whole(), rows, released(), promise(), charge, self.key)

    def promised(self, question: Question) -> Guarantee:
        """The guarantee of a question by itself."""
        return guarantee(question.widths, self.prices, promise=question.promise)

    def _per_row(self, widths: Widths) -> Guarantee | None:
        return guarantee(widths, self.prices, per_row=True) if self.dataset.schema.rows > 1 else None


def _any_paid(steps: list[Charge]) -> bool:
    return any(step.before is not None for step in steps)


def _after_steps_error(refused: BudgetExceededError, steps: list[Charge]) -> BudgetExceededError:
    """The refusal, changed to say that earlier steps are charged."""
    if not _any_paid(steps):
        return refused
    return BudgetExceededError(str(refused).replace("nothing was charged", EARLIER))
