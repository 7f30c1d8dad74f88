"""The curator: holds a private table and answers questions about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from noiseless.curator.answer.answer import Answer, Answers, Preview, Row
from noiseless.curator.certificate.issue import certify_answer
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.certificate.wording import question_text
from noiseless.curator.certificate.written_plan import written_plan
from noiseless.curator.dataset.check import Check, check
from noiseless.curator.dataset.dataset import Dataset, named
from noiseless.curator.engines.request import Request
from noiseless.curator.ledger.account import Account, within
from noiseless.curator.ledger.charge import Charge
from noiseless.curator.ledger.compact import unrepeated
from noiseless.curator.ledger.entry import CHARGED, Entry, analyst_name
from noiseless.curator.ledger.status import Status, status_of
from noiseless.curator.ledger.texts import texts_of
from noiseless.curator.microdata.copy import CopyPreview, Microdata, preview_copy, release_copy
from noiseless.curator.microdata.plan import Hierarchies, Wanted, check_constant, planned
from noiseless.curator.microdata.utility import Utility, utility_of
from noiseless.curator.opening import opened
from noiseless.curator.question.execute import execute
from noiseless.curator.question.guarantee import guarantee
from noiseless.curator.question.price import Prices
from noiseless.curator.question.question import Question, counts_first, recalled, refined, understand
from noiseless.curator.question.rules import Rules
from noiseless.curator.question.widths import People, Widths
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.release import Release
from noiseless.curator.schema.plain import why_no_path
from noiseless.curator.schema.schema import Schema
from noiseless.errors import BudgetExceededError, KeyFileError, QuestionError, SourceError
from noiseless.exact.number import Number, as_integer, shown
from noiseless.exact.readable import bits_left_shown
from noiseless.privacy.composition.sequence import Sequence
from noiseless.privacy.definitions.hypothesis.policy import Policy
from noiseless.privacy.guarantee.guarantee import Guarantee

MOST_QUESTIONS = 1000
"""In a batch."""


class Curator:
    """Answers SQL about one frozen table within a lifetime budget per person.

    >>> import pandas, noiseless as nl
    >>> people = pandas.DataFrame({"height": [171.0, 164.5, 180.2], "region": ["north", "south", "north"]})
    >>> schema = nl.Schema(height=nl.Real(100, 250, step="0.1"), region=nl.Public("north", "south"))
    >>> curator = nl.Curator.open(people, schema, budget=12, table="people")
    >>> curator.ask("SELECT COUNT(*) FROM people WHERE height >= 170").rows[0].value
    2
    """

    def __init__(
        self,
        dataset: Dataset,
        account: Account,
        analyst: str = "",
        key: PrivateKey | None = None,
        rules: Rules | None = None,
    ) -> None:
        """Use `Curator.open`."""
        self._rules = rules or Rules()
        self._dataset = dataset
        self._account = account
        self._prices = Prices(dataset)
        self._analyst = analyst
        self._key = key

    @classmethod
    def open(
        cls,
        source: Any,
        schema: Schema | None = None,
        budget: Number | None = None,
        *,
        table: str | None = None,
        store: str | Path | None = None,
        ledger: str | Path | None = None,
        version: str | None = None,
        quotas: Mapping[str, Number] | None = None,
        analyst: str = "",
        key: str | Path | None = None,
        prepare: bool | None = None,
        memory: str | None = None,
        new: bool = False,
        policy: Mapping[str, Any] | None = None,
    ) -> Curator:
        """Learn what is public about a table, and turn its values into codes.

        `source` is a parquet, csv or DuckDB file, a dataframe, the URL of a database (postgres://…, spark://…,
        local[*]), a Spark session or dataframe, or a TOML file that declares everything. `budget` is in bits per
        person, for all questions together. `prepare` says whether codes are computed once and kept, which is the rule
        for files, or anew for every question, which is the rule in a database, where nothing is written then. `store`
        names the file, or the table in a database, that keeps them; `ledger` the file or database URL to keep account
        in; without them both go with the process. `quotas` are bits for each analyst, "*" for all others. `key` is the
        file of the custodian's key, which signs certificates. `memory` is the most that files may take, as in "4GB".
        `new` confirms that a dataset begins in a ledger that holds others already. `policy` are rules for questions, as
        in the section [policy] of a schema file: smallest_group, no_conditions, round_counts, most_bits.
        """
        if key is not None and (wrong := why_no_path(key)):
            raise KeyFileError(f"key= {wrong}; name the file of the custodian's key")
        asking, signing = analyst_name(analyst), None if key is None else _read_key(key)
        dataset, account, rules = opened(
            Request(source, schema, budget, table, store, ledger, version, quotas, prepare, memory, new, policy)
        )
        return cls(dataset, account, asking, signing, rules)

    @property
    def name(self) -> str:
        """What the table is called in questions."""
        return self._dataset.name

    @property
    def schema(self) -> Schema:
        """The declared columns."""
        return self._dataset.schema

    @property
    def dataset(self) -> str:
        """The random id of this snapshot."""
        return self._dataset.snapshot.id

    @property
    def remaining(self) -> float:
        """The bits that everybody can still spend, rounded down."""
        return self.sequence.bits_left

    @property
    def sequence(self) -> Sequence:
        """The state of the budget."""
        return self._account.sequence

    def entries(self) -> list[Entry]:
        """The ledger: who asked what, when, and what it cost."""
        return self._account.entries()

    def public(self) -> list[dict[str, Any]]:
        """What is public: the number of rows of every combination of public keys that occurs."""
        dataset = self._dataset
        return [{**named(dataset, cell), "rows": size} for cell, size in zip(dataset.cells, dataset.sizes, strict=True)]

    def check(self) -> Check:
        """The custodian's report: values that were missing, clamped or unknown. Not for analysts."""
        return check(self._dataset)

    def status(self) -> Status:
        """What is left: of the budget of every public group, and of every analyst's quota."""
        return status_of(self.name, self._dataset.rows, self._account)

    def preview(self, sql: str, *, bits: Number | None = None, error: Number | None = None) -> Preview:
        """What a question would cost and how certain its answer would be. Free: no private data are read."""
        question = self._understood(sql, bits, error)
        price = self._account.quote([question.widths])
        affordable = within(price.after)
        return Preview(
            question=sql,
            labels=question.labels,
            rows=question.expected(),
            guarantee=guarantee(question.widths, self._prices),
            factor=price.factor,
            paid_by=price.paid_by,
            taken=price.taken if affordable else 0.0,
            affordable=affordable,
            remaining=(price.after if affordable else price.before).bits_left,
            per_row=self._per_row(question.widths),
        )

    def ask(
        self,
        sql: str,
        *,
        bits: Number | None = None,
        error: Number | None = None,
        max_bits: Number | None = None,
        analyst: str | None = None,
    ) -> Answer:
        """A true answer, charged to the budget before the data are read.

        Give `bits` (what the question may cost by itself) or `error` (half the width of every interval); exact counts
        need neither. With `max_bits` the question is refused if it would be charged more. What was asked before, in the
        same bins, is free, and so is what follows from it.
        """
        first = None if error is None or bits is not None else self._counted_first(sql, error, max_bits, analyst)
        if first is None:
            return self._answers([self._understood(sql, bits, error)], max_bits, analyst)[0]
        try:
            answer = self._answers([self._understood(sql, bits, error)], max_bits, analyst, first.factor)[0]
        except BudgetExceededError as refused:
            words = "only the count was charged, which is known now"
            raise BudgetExceededError(str(refused).replace("nothing was charged", words)) from None
        return replace(answer, factor=first.factor * answer.factor, taken=first.taken + answer.taken)

    def _counted_first(self, sql: str, error: Number, max_bits: Number | None, analyst: str | None) -> Answer | None:
        """Where an error depends on a count that the question asks for, that is asked by itself first.

        Before that the question is tried as if all rows counted: what is refused even then is refused unpaid.
        """
        plan = counts_first(sql, self._dataset, self._people)
        if plan is None:
            return None
        self._allowed(understand(sql, self._dataset, None, error, lambda mean: mean.part.size), error)
        text = question_text(written_plan(plan, self.schema), self.name)
        return self._answers([self._understood(text)], max_bits, analyst)[0]

    def _understood(self, sql: str, bits: Number | None = None, error: Number | None = None) -> Question:
        return self._allowed(understand(sql, self._dataset, bits, error, self._people), error)

    def _allowed(self, question: Question, error: Number | None) -> Question:
        """The question as the rules of the custodian allow it."""
        allowed = self._rules.applied(question, error)
        self._rules.check_price(lambda: self._prices.count(allowed.widths))
        return allowed

    @property
    def _people(self) -> People:
        """How many rows count in means, as far as it was released by now; the ledger is read once, and if needed."""
        read = cache(lambda: self._account.sequence)

        def known(mean: FilteredMean) -> int | None:
            read()
            return self._account.people(mean)

        return known

    def batch(
        self,
        questions: Iterable[str],
        *,
        bits: Number | None = None,
        error: Number | None = None,
        max_bits: Number | None = None,
        analyst: str | None = None,
    ) -> Answers:
        """Several questions declared together, and so counted together: often much cheaper than one after another.

        `bits` or `error` are for each question by itself. A number that several of them need is released once, in the
        narrowest bins that one of them asks for.
        """
        understood = [self._understood(sql, bits, error) for sql in _listed(questions)]
        narrowest: dict[Release, int] = {}
        for question in understood:
            for release, width in question.widths.items():
                narrowest[release] = min(width, narrowest.get(release, width))
        asked = [question.with_widths(narrowest) for question in understood]
        answers = self._answers(asked, max_bits, analyst)
        joint = self._prices.joint([question.widths for question in asked])
        return Answers(answers, joint, answers[0].factor, answers[0].remaining)

    def preview_release(self, **wanted: Any) -> CopyPreview:
        """What a released copy would tell and cost: counts, errors, price. Free: no private data are read."""
        return preview_copy(planned(self._dataset, Wanted(**wanted)), self._dataset, self._account)

    def release(
        self,
        to: str | Path,
        *,
        bits: Number | Mapping[Any, Number] | None = None,
        error: Mapping[str, Number] | None = None,
        hierarchies: Hierarchies | None = None,
        levels: Mapping[str, int] | None = None,
        columns: Iterable[str] | None = None,
        grids: Iterable[tuple[str, str]] = (),
        together: Iterable[tuple[str, ...]] = (),
        policies: Iterable[Policy] = (),
        intervals: bool = False,
        sort: bool = True,
        cuts: Mapping[str, Iterable[Any]] | None = None,
        constant: bool = False,
        max_bits: Number | None = None,
        analyst: str | None = None,
    ) -> Microdata:
        """A released copy of the table, in which every row became a cell; charged to the same budget as answers.

        `to` is a parquet or csv file, a table of the database, or a folder for Spark. `bits` are for each column, or a
        total for a person, which is split so that the errors are equal shares of the ranges; `error` is for each column
        of numbers; `cuts` are cut points for each instead, as in {"age": [18, 65]}. Categories are kept, or generalised
        by `hierarchies`, each value with the groups above it, at the `levels` given or at the finest that the bits
        allow. `columns` are the private ones to release, all if left out; public ones always are. `grids` are pairs
        that make a map, which can have bits as one ("north+east"), `together` groups that belong together, both named
        in the certificate. `policies` (Collapse, Stretch, Shift) are applied to the columns of their boundaries
        instead: they promise an epsilon and no count, and are charged as if all were told. With `intervals` every
        number has its ends beside it. Rows are ordered by what is released of them; with `sort=False` the order of the
        table may show through, which the certificate says. A total of bits that leaves nothing of a column is refused,
        unless `constant=True` confirms it.
        """
        if wrong := why_no_path(to):
            raise SourceError(f"to= {wrong}; name a parquet or csv file, or a table")
        wanted = Wanted(
            bits, error, hierarchies, levels, columns, grids, together, policies, intervals, sort, cuts, constant
        )
        plan = planned(self._dataset, wanted)
        check_constant(plan, wanted)
        return release_copy(plan, self._dataset, self._account, str(to), self._asking(analyst), max_bits, self._key)

    def utility(self, released: CopyPreview) -> Utility:
        """What a released copy is worth: errors, means, histograms, correlations. Not for anybody but the custodian."""
        if not isinstance(released, CopyPreview):
            raise QuestionError("utility() needs what release() or preview_release() gave")
        return utility_of(released.plan, self._dataset)

    def refine(
        self, answer: Answer, *, error: Number, max_bits: Number | None = None, analyst: str | None = None
    ) -> Answer:
        """The same sums and means in narrower bins with the old edges among theirs: only the difference is paid.

        The bins are the widest that keep the error and divide the old ones.
        """
        if not isinstance(answer, Answer) or answer.certificate.content["dataset"] != self.dataset:
            raise QuestionError("only an answer of this dataset can be refined; ask the question here first")
        question = refined(answer.question, self._dataset, answer.widths, error)
        self._rules.check(question)
        self._rules.check_price(lambda: self._prices.count(question.widths))
        return self._answers([question], max_bits, analyst)[0]

    def recall(self, entry: int, place: int = 0) -> Answer:
        """The answer to a question in the ledger, by its number, which is free; of a batch the one at a place."""
        number, which = as_integer(entry), as_integer(place)
        asked_entries = [each for each in self.entries() if each.kind in CHARGED]
        found = asked_entries[number - 1] if number is not None and 0 < number <= len(asked_entries) else None
        if found is None or found.kind != "ask" or which is None or not 0 <= which < len(texts_of(found)):
            raise QuestionError(
                f"question {shown(entry)}, place {shown(place)}, is not in the ledger; `noiseless ledger` lists them"
            )
        if "questions" not in found.body:
            raise QuestionError(
                f"question {entry} of the ledger is an old one that does not say its bins; ask it again with "
                f"the same bits or error, which is free"
            )
        asked = found.body["questions"][which]
        question = recalled(asked["text"], self._dataset, [int(width) for width in unrepeated(asked["widths"])])
        charge = Charge(found.number, found.hash, int(found.body["factor"]), self._account.question(found.number))

        def answered() -> Answer:
            if not self._account.paid(question.widths):
                raise QuestionError(
                    f"question {number} of the ledger was asked under an earlier schema, and means other people now; "
                    f"ask the question again"
                )
            return self._answered([question], charge, found.analyst)[0]

        return self._account.alone(answered)

    def _answers(
        self, questions: list[Question], max_bits: Number | None, analyst: str | None, charged: int = 1
    ) -> tuple[Answer, ...]:
        """Charge all of them in one step, compute what is missing, and make the answers of what was released."""
        asking = self._asking(analyst)

        def answered() -> tuple[Answer, ...]:
            self._dataset.engine.awake(self._dataset.rows)
            return self._answered(questions, self._account.reserve(questions, asking, max_bits, charged), asking)

        return self._account.alone(answered)

    def _asking(self, analyst: str | None) -> str:
        return self._analyst if analyst is None else analyst_name(analyst)

    def _answered(self, questions: list[Question], charge: Charge, analyst: str) -> tuple[Answer, ...]:
        """What was paid for and never computed is computed now."""
        account = self._account
        for question in questions:
            if missing := account.missing(question.widths):
                account.commit(charge, analyst, execute(question.plan, question.lines, missing, self._dataset))
        remaining = account.bits_left
        return tuple(self._answer(question, charge, remaining) for question in questions)

    def _answer(self, question: Question, charge: Charge, remaining: float) -> Answer:
        released = self._account.released(question.widths)
        rows = question.rows(released)
        promise = guarantee(question.widths, self._prices)
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
            widths=question.widths,
            certify=cache(partial(certify_answer, self._dataset, question, rows, released, promise, charge, self._key)),
        )

    def _per_row(self, widths: Widths) -> Guarantee | None:
        return guarantee(widths, self._prices, per_row=True) if self.schema.rows > 1 else None

    def __repr__(self) -> str:
        columns, left = ", ".join(self.schema.columns), bits_left_shown(self._account.bits_left)
        return f"Curator of {self.name!r}: {self._dataset.rows} rows; columns {columns}; {left} left"

    def close(self) -> None:
        """Let go of codes and ledger; temporary files are removed."""
        self._dataset.engine.close()
        self._account.close()

    def __enter__(self) -> Curator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _listed(questions: Iterable[str]) -> list[str]:
    """The questions of a batch, which is no text and has an end."""
    if isinstance(questions, (str, bytes)) or not isinstance(questions, Iterable):
        raise QuestionError(f"a batch is a list of questions, not a {type(questions).__name__}; put it into [ ]")
    found = list(islice(questions, MOST_QUESTIONS + 1))
    if not 0 < len(found) <= MOST_QUESTIONS:
        raise QuestionError(f"a batch needs at least one question, and at most {MOST_QUESTIONS}; ask in parts")
    return found


def _read_key(key: str | Path) -> PrivateKey:
    try:
        return PrivateKey.read(key)
    except OSError:
        pass
    raise KeyFileError("key= cannot be read; name the file of the custodian's key")
