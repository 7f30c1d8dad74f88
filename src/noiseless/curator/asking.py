"""From a question to its answer, in one pass down the rooms: understand, price, charge, compute, report, certify."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import islice
from time import sleep

from noiseless.curator.answer.answer import Answer, Answers, Preview, Row
from noiseless.curator.certificate.issue import certify_answer
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.certificate.wording import question_text
from noiseless.curator.certificate.written_plan import written_plan
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.charge import Charge
from noiseless.curator.ledger.compact import read_width, unrepeated
from noiseless.curator.ledger.entry import CHARGED, Entry, analyst_name
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.ledger.texts import texts_of
from noiseless.curator.question.execute import execute
from noiseless.curator.question.guarantee import guarantee
from noiseless.curator.question.price import Prices
from noiseless.curator.question.question import (
    Paid,
    Question,
    counts_first,
    recall_question,
    refine_question,
    understand,
)
from noiseless.curator.question.rules import Rules
from noiseless.curator.question.widths import PaidBins, People, Widths, narrower
from noiseless.curator.releases.release import Release, Released, Width, is_guarded
from noiseless.errors import BudgetExceededError, QuestionError
from noiseless.exact.number import Number, as_integer, exact_number, shown
from noiseless.privacy.composition.weights import Product
from noiseless.privacy.guarantee.guarantee import Guarantee

MOST_QUESTIONS = 1000
"""The most questions in a batch."""
WAIT = 0.05
"""Seconds between two looks at what others have reserved."""
MOST_WAITS = 20


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a question: how precise, how many bits at most, and for which analyst."""

    bits: Number | None = None
    error: Number | None = None
    max_bits: Number | None = None
    analyst: str | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """Answers questions about one dataset, charges them to its account and signs the certificates."""

    dataset: Dataset
    account: Account
    rules: Rules = field(default_factory=Rules)
    analyst: str = ""
    key: PrivateKey | None = None

    @property
    def prices(self) -> Prices:
        """The prices of questions about this dataset."""
        return Prices(self.dataset)

    def preview(self, sql: str, terms: Terms) -> Preview:
        """The price, the guarantee and the errors. They follow from public facts alone."""
        question = self._understood(sql, terms)
        price = self.account.quote(Purchase.of_questions([question]), self._most(terms))
        affordable = price.affordable
        return Preview(
            question=sql,
            labels=question.labels,
            rows=question.expected(),
            guarantee=guarantee(question.widths, self.prices),
            factor=price.factor,
            paid_by=price.paid_by,
            taken=price.taken if affordable else 0.0,
            affordable=affordable,
            remaining=(price.after if affordable else price.before).bits_left,
            dearest=price.dearest,
            chance=price.chance,
            per_row=self._per_row(question.widths),
        )

    def ask(self, sql: str, terms: Terms) -> Answer:
        """Answer one question. If its error depends on a count that it also asks for, that count is released first."""
        first = self._counted_first(sql, terms)
        if first is None:
            return self._answers([self._understood(sql, terms)], terms)[0]
        try:
            answer = self._answers([self._understood(sql, terms)], terms, first.factor)[0]
        except BudgetExceededError as refused:
            words = "only the count was charged, and is known now"
            raise BudgetExceededError(str(refused).replace("nothing was charged", words)) from None
        return replace(answer, factor=first.factor * answer.factor, taken=first.taken + answer.taken)

    def batch(self, questions: Iterable[str], terms: Terms) -> Answers:
        """Answer several questions in one entry. A shared number is released once, in the narrowest bins."""
        listed = _listed(questions)
        understood = [self._understood(sql, terms) for sql in listed]
        if terms.bits is not None and any(is_guarded(width) for each in understood for width in each.widths.values()):
            everything = [release for each in understood for release in each.widths]
            understood = [self._understood(sql, terms, everything) for sql in listed]  # they share less than one bit
        narrowest: dict[Release, Width] = {}
        for question in understood:
            for release, width in question.widths.items():
                narrowest[release] = narrower(width, narrowest.get(release, width))
        asked = [question.with_widths(narrowest) for question in understood]
        answers = self._answers(asked, terms)
        joint = self.prices.joint([question.widths for question in asked])
        return Answers(answers, joint, answers[0].factor, answers[0].remaining)

    def refine(self, answer: Answer, error: Number, terms: Terms) -> Answer:
        """The same question in narrower bins. The old edges stay edges."""
        if not isinstance(answer, Answer) or answer.certificate.content["dataset"] != self.dataset.snapshot.id:
            raise QuestionError("only an answer of this dataset can be refined; ask the question here first")
        known = self.account.alone(lambda: self.account.released(answer.widths))
        question = refine_question(answer.question, self.dataset, answer.widths, known, error)
        self.rules.check(question)
        self.rules.check_price(lambda: self.prices.count(question.widths))
        return self._answers([question], terms)[0]

    def recall(self, entry: int, place: int) -> Answer:
        """An answer that was paid for before, by its number in the ledger."""
        number, found, which = self._asked_before(entry, place)
        asked = found.body["questions"][which]
        widths = [read_width(width) for width in unrepeated(asked["widths"])]
        question = recall_question(asked["text"], self.dataset, widths)
        charge = self.account.charge_of(found)

        def answered() -> Answer:
            if not self.account.paid(question.widths):
                raise QuestionError(
                    f"question {number} of the ledger was asked under an earlier schema and now means other rows; "
                    f"ask the question again"
                )
            self._compute([question], charge, found.analyst)
            return self._answered([question], self.account.charge_of(found), found.analyst)[0]

        return self.account.alone(answered)

    def name_of(self, analyst: str | None) -> str:
        """The analyst given, or the one this curator was opened for."""
        return self.analyst if analyst is None else analyst_name(analyst)

    def _asked_before(self, entry: int, place: int) -> tuple[int, Entry, int]:
        number, which = as_integer(entry), as_integer(place)
        asked = [each for each in self.account.entries() if each.kind in CHARGED]
        found = asked[number - 1] if number is not None and 0 < number <= len(asked) else None
        if found is not None and found.kind == "release":
            raise QuestionError(f"question {number} of the ledger is a copy; release it again, which is free")
        if number is None or found is None or which not in range(len(texts_of(found))):
            raise QuestionError(
                f"question {shown(entry)}, place {shown(place)}, is not in the ledger; `noiseless ledger` lists them"
            )
        if "questions" not in found.body:
            raise QuestionError(
                f"question {entry} was written by an early version that did not keep its bins; ask it again with the "
                f"same bits or error, which is free"
            )
        return number, found, which or 0

    def _counted_first(self, sql: str, terms: Terms) -> Answer | None:
        """The count that the error of a question depends on, if the question asks for it and it is not known yet.

        The question is first tried as if all rows counted. If it is refused even then, nothing is charged.
        """
        if terms.error is None or terms.bits is not None or "COUNT" not in str(sql).upper():
            return None  # without reading the question
        plan = counts_first(sql, self.dataset, self._people)
        if plan is None:
            return None
        everybody = understand(sql, self.dataset, None, terms.error, lambda count: count.part.size, self._paid_bins)
        self._allowed(everybody, terms)
        text = question_text(written_plan(plan, self.dataset.schema), self.dataset.name)
        return self._answers([self._understood(text, Terms())], terms)[0]

    def _understood(self, sql: str, terms: Terms, beside: Sequence[Release] = ()) -> Question:
        question = understand(sql, self.dataset, terms.bits, terms.error, self._people, self._paid_bins, beside)
        return self._allowed(question, terms)

    def _allowed(self, question: Question, terms: Terms) -> Question:
        """The question after the custodian's rules were applied to it."""
        allowed = self.rules.applied(question, terms.error, terms.bits)
        self.rules.check_price(lambda: self.prices.count(allowed.widths))
        return allowed

    @property
    def _people(self) -> People:
        """The counts of rows that are already released. The ledger is read once, and only if needed."""
        read = cache(lambda: self.account.sequence)

        def known(count: Release) -> int | None:
            read()
            return self.account.people(count)

        return known

    @property
    def _paid_bins(self) -> PaidBins:
        """The bins in which releases were paid for before. The ledger is read once."""
        read = cache(lambda: self.account.sequence)

        def known(release: Release) -> list[Width]:
            read()
            return self.account.bins(release)

        return known

    def _answers(self, questions: list[Question], terms: Terms, charged: Product = 1) -> tuple[Answer, ...]:
        """Charge all questions in one step, then answer them.

        If only reserves of unfinished questions stand in the way, others get a moment to finish. Then these are
        finished here, which settles them.
        """
        asking, purchase, most = self.name_of(terms.analyst), Purchase.of_questions(questions), self._most(terms)

        def answered() -> tuple[Answer, ...]:
            self.dataset.engine.awake(self.dataset.rows)
            charge = self.account.reserve(purchase, asking, most, charged, terms.bits)
            return self._answered(questions, charge, asking)

        try:
            return self.account.alone(answered)
        except BudgetExceededError:
            if not self.account.blocked(purchase, most):
                raise
        for _ in range(MOST_WAITS):
            sleep(WAIT)
            if not self.account.blocked(purchase, most):
                break
        self.settle_open()
        return self.account.alone(answered)

    def settle_open(self) -> None:
        """Compute the answers of questions that were charged and never answered, for example after a crash.

        If one cannot be computed, whatever the reason, its reserve stays charged, and the dataset can still be opened.
        """
        for entry in self.account.open_entries():
            with suppress(Exception):
                self._finish(entry)

    def _finish(self, entry: Entry) -> None:
        questions = [
            recall_question(asked["text"], self.dataset, [read_width(width) for width in unrepeated(asked["widths"])])
            for asked in entry.body["questions"]
        ]
        self.account.alone(lambda: self._compute(questions, self.account.charge_of(entry), entry.analyst))

    def _most(self, terms: Terms) -> Number | None:
        """What the dearest outcome may cost: by the terms of the question, and by the custodian's rules."""
        given = [bits for bits in (terms.max_bits, self.rules.most_bits) if bits is not None]
        return min(given, key=lambda bits: exact_number(bits, "max_bits"), default=None)

    def _compute(self, questions: list[Question], charge: Charge, analyst: str) -> None:
        """Compute what was paid for but not computed yet, and record it in one entry."""
        found: dict[Paid, Released] = {}
        for question in questions:
            missing = {r: w for r, w in self.account.missing(question.widths).items() if (r, w) not in found}
            if missing:
                found |= execute(question.plan, question.lines, missing, self.dataset)
        if found:
            self.account.commit(charge, analyst, found.items())

    def _answered(self, questions: list[Question], charge: Charge, analyst: str) -> tuple[Answer, ...]:
        """Compute what is missing, then build the answers from what was released."""
        self._compute(questions, charge, analyst)
        settled, remaining = self.account.settled(charge), self.account.bits_left
        return tuple(self._answer(question, settled, remaining) for question in questions)

    def _answer(self, question: Question, charge: Charge, remaining: float) -> Answer:
        released = self.account.released(question.widths)
        rows = question.rows(released)
        promise = guarantee(question.widths, self.prices)
        return Answer(
            question=question.text,
            labels=question.labels,
            numbers=question.numbers,
            rows=tuple(Row(fields, question.numbers) for fields in rows),
            guarantee=promise,
            factor=charge.factor,
            remaining=remaining,
            per_row=self._per_row(question.widths),
            paid_by=charge.paid_by,
            taken=charge.taken,
            entry=charge.question,
            loud=charge.loud,
            widths=question.widths,
            certify=cache(partial(certify_answer, self.dataset, question, rows, released, promise, charge, self.key)),
        )

    def _per_row(self, widths: Widths) -> Guarantee | None:
        return guarantee(widths, self.prices, per_row=True) if self.dataset.schema.rows > 1 else None


def _listed(questions: Iterable[str]) -> list[str]:
    """The questions of a batch as a list, refused if it is empty or too long."""
    if isinstance(questions, (str, bytes)) or not isinstance(questions, Iterable):
        raise QuestionError(f"a batch is a list of questions, not a {type(questions).__name__}; put it into [ ]")
    found = list(islice(questions, MOST_QUESTIONS + 1))
    if not 0 < len(found) <= MOST_QUESTIONS:
        raise QuestionError(f"a batch needs at least one question, and at most {MOST_QUESTIONS}; ask in parts")
    return found
