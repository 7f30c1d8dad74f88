"""The curator: holds a private table and answers questions about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from noiseless.curator.account import Account
from noiseless.curator.answer import Answer, Preview, Row
from noiseless.curator.check import Check, check
from noiseless.curator.dataset import Dataset, named, prepare
from noiseless.curator.engines.duckdb import DuckDB
from noiseless.curator.execute import execute
from noiseless.curator.price import Prices
from noiseless.curator.promise import guarantee
from noiseless.curator.question import Question, understand
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.schema import Schema
from noiseless.curator.widths import Widths
from noiseless.errors import BudgetError, SchemaError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number
from noiseless.privacy.composition.sequence import Sequence
from noiseless.privacy.guarantee import Guarantee


class Curator:
    """Answers SQL about one frozen table within a lifetime budget per person.

    >>> import pandas, noiseless as nl
    >>> people = pandas.DataFrame({"height": [171.0, 164.5, 180.2], "region": ["north", "south", "north"]})
    >>> schema = nl.Schema(height=nl.Real(100, 250, step="0.1"), region=nl.Public("north", "south"))
    >>> curator = nl.Curator.open(people, schema, budget=12, table="people")
    >>> curator.ask("SELECT COUNT(*) FROM people WHERE height >= 170").rows[0].value
    2
    """

    def __init__(self, dataset: Dataset, budget: int) -> None:
        """Use `Curator.open`."""
        self._dataset = dataset
        self._prices = Prices(dataset)
        self._account = Account(self._prices, budget)

    @classmethod
    def open(
        cls,
        source: Any,
        schema: Schema | None = None,
        budget: Number | None = None,
        *,
        table: str | None = None,
        store: str | Path | None = None,
    ) -> Curator:
        """Read a table once into codes, and learn what is public about it.

        `source` is a parquet, csv or DuckDB file, a dataframe, or a TOML file that declares everything. `budget` is in
        bits per person, for all questions together. `store` names the file to keep the codes in; without it they are
        in a temporary one.
        """
        if isinstance(source, (str, Path)) and str(source).lower().endswith(".toml"):
            declared = Declaration.read(source)
            source, schema = declared.source, schema or declared.schema
            budget, table = declared.budget if budget is None else budget, table or declared.table
            if source is None:
                raise SchemaError("the schema file names no source; add source = 'people.parquet'")
        if not isinstance(schema, Schema):
            raise SchemaError("a schema is needed: nl.Schema(height=nl.Real(100, 250, step='0.1'), …), or a TOML file")
        if budget is None:
            raise BudgetError("a budget is needed: bits per person, for all questions together, such as budget=12")
        transcripts = answers_within(budget)
        engine = DuckDB(store)
        try:
            return cls(prepare(engine, source, schema, table), transcripts)
        except BaseException:
            engine.close()
            raise

    @property
    def name(self) -> str:
        """What the table is called in questions."""
        return self._dataset.name

    @property
    def schema(self) -> Schema:
        """The declared columns."""
        return self._dataset.schema

    @property
    def remaining(self) -> float:
        """The bits that everybody can still spend, rounded down."""
        return self.sequence.bits_left

    @property
    def sequence(self) -> Sequence:
        """The state of the budget."""
        return self._account.sequence

    def public(self) -> list[dict[str, Any]]:
        """What is public: the number of rows of every combination of public keys that occurs."""
        dataset = self._dataset
        return [{**named(dataset, cell), "rows": size} for cell, size in zip(dataset.cells, dataset.sizes, strict=True)]

    def check(self) -> Check:
        """The custodian's report: values that were missing, clamped or unknown. Not for analysts."""
        return check(self._dataset)

    def preview(self, sql: str, *, bits: Number | None = None, error: Number | None = None) -> Preview:
        """What a question would cost and how certain its answer would be. Free: no private data are read."""
        question = understand(sql, self._dataset, bits, error)
        factor, after = self._account.quote(question.widths)
        return Preview(
            question=sql,
            labels=question.labels,
            rows=question.expected(),
            guarantee=guarantee(question.widths, self._prices),
            factor=factor,
            affordable=after is not None,
            remaining=(after or self.sequence).bits_left,
            per_row=self._per_row(question.widths),
        )

    def ask(
        self, sql: str, *, bits: Number | None = None, error: Number | None = None, max_bits: Number | None = None
    ) -> Answer:
        """A true answer, charged to the budget before the data are read.

        Give `bits` (what the question may cost by itself) or `error` (half the width of every interval); exact counts
        need neither. With `max_bits` the question is refused if it would be charged more. What was asked before, in the
        same bins, is free.
        """
        question = understand(sql, self._dataset, bits, error)
        with self._account.lock:
            factor = self._account.charge(question.widths, max_bits)
            self._execute(question)
            remaining = self.remaining
        return Answer(
            question=sql,
            labels=question.labels,
            numbers=question.numbers,
            rows=tuple(Row(fields, question.numbers) for fields in question.rows(self._account.released)),
            guarantee=guarantee(question.widths, self._prices),
            factor=factor,
            remaining=remaining,
            per_row=self._per_row(question.widths),
        )

    def _execute(self, question: Question) -> None:
        """Compute what was never computed; what was is taken from memory."""
        missing = self._account.missing(question.widths)
        if missing:
            self._account.record(execute(question.plan, question.lines, missing, self._dataset))

    def _per_row(self, widths: Widths) -> Guarantee | None:
        return guarantee(widths, self._prices, per_row=True) if self.schema.rows > 1 else None

    def close(self) -> None:
        """Let go of the codes; a temporary file is removed."""
        self._dataset.engine.close()

    def __enter__(self) -> Curator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
