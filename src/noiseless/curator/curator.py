"""The curator: it holds a private table and answers questions about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noiseless.curator import inner_steps
from noiseless.curator.answer.answer import Answer, Answers, Preview
from noiseless.curator.asking import Asking
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.custodian import Custodian
from noiseless.curator.dataset.check import Check, check
from noiseless.curator.dataset.dataset import Dataset, keys_of
from noiseless.curator.engines.request import Request
from noiseless.curator.ledger import decisions
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.asked import Asked, asked
from noiseless.curator.ledger.entry import Entry, analyst_name
from noiseless.curator.ledger.grants import Grants
from noiseless.curator.ledger.status import Status, status_of
from noiseless.curator.opening import open_dataset
from noiseless.curator.question.precision import Amount
from noiseless.curator.question.rules import Rules
from noiseless.curator.releasing import Releasing
from noiseless.curator.schema.plain import why_no_path
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sql.dialects import in_duckdb
from noiseless.curator.sql.example import suggesting
from noiseless.curator.sql.ibis_expressions import public_shape, text_of
from noiseless.curator.sql.person_subquery import about_view
from noiseless.curator.sql.tables import tables_named
from noiseless.curator.terms import MOST_QUESTIONS, Terms
from noiseless.curator.within_quota import ways_within_quota, within_quota
from noiseless.errors import KeyFileError, QuestionError
from noiseless.exact.number import Number, exact_number
from noiseless.exact.readable import bits_left_shown, printable
from noiseless.privacy.composition.sequence import Sequence

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from noiseless.curator.answer.ways import BatchPreview
    from noiseless.curator.designing.designed import Design


class Curator(Custodian, Releasing):
    """Answers SQL questions about one frozen table, within a lifetime budget per person.

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
        """Use `Curator.open` instead."""
        self._dataset = dataset
        self._account = account
        self._asking = Asking(dataset, account, rules or Rules(), analyst, key)
        self._views: dict[str, Curator] = {}
        self._expressions: dict[str, dict[str, str]] = {}
        """How the columns of each view were declared."""

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
        public: Mapping[str, Any] | None = None,
        per_person: Mapping[str, Any] | None = None,
        shares: Mapping[str, Number] | None = None,
        grants: Grants = tuple,
    ) -> Curator:
        """Open a table: read what is public about it, and turn its values into codes.

        - `source`: a parquet, csv or DuckDB file, a dataframe, the URL of a database (postgres://…, spark://…,
          local[*]), a Spark session or dataframe, or a TOML file that declares everything.
        - `schema`: the declared columns, unless the TOML file declares them.
        - `budget`: bits per person, for all questions together.
        - `table`: the name of the table in questions. In a database or workbook, also which table to open.
        - `store`: the file, or the table in a database, that keeps the codes. Without it they end with the process.
        - `ledger`: the file or database URL that keeps the ledger. Without it the ledger ends with the process.
        - `version`: a name for this state of the table. Change it when the table changes.
        - `quotas`: bits for each analyst, "*" for all others.
        - `analyst`: the analyst of all questions that do not name another one.
        - `key`: the file of the custodian's key, which signs certificates.
        - `prepare`: True: compute codes once and keep them (default for files). False: recompute them for each
          question and write nothing (default for databases).
        - `memory`: the most memory that files may take, such as "4GB".
        - `new`: True confirms a new dataset in a ledger that already holds others.
        - `policy`: rules for questions, as in the section [policy] of a schema file: smallest_group, no_conditions,
          round_counts, most_bits, hold_above, hold_days.
        - `public`: tables that everyone may know and questions can join, by their names, each with a source and a key
          that is different in every row: {"regions": {"source": "regions.csv", "key": "region"}}.
        - `per_person`: views with one row for each person, each with its columns: {"homes": {"total": "SUM(kwh)"}}.
        - `shares`: the bits of the budget that each view may spend. Otherwise table and views have equal parts.
        - `grants`: reads further quotas before every charge, as a server needs them (`curator/ledger/grants.py`).
        """
        if key is not None and (wrong := why_no_path(key)):
            raise KeyFileError(f"key= {wrong}; name the file of the custodian's key")
        asking, signing = analyst_name(analyst), None if key is None else _read_key(key)
        request = Request(
            source, schema, budget, table, store, ledger, version, quotas, prepare, memory, new, policy, public
        )
        return cls._opened(replace(request, per_person=per_person, shares=shares, grants=grants), asking, signing)

    @classmethod
    def _opened(cls, request: Request, analyst: str, key: PrivateKey | None) -> Curator:
        """The curator of a table, with those of its views."""
        dataset, account, rules, views = open_dataset(request)
        curator = cls(dataset, account, analyst, key, rules)
        try:
            for view in views:
                curator._views[view.name] = cls._opened(view, analyst, key)
                curator._expressions[view.name] = {} if view.view is None else view.view.expressions
        except BaseException:
            curator.close()
            raise
        curator._asking.settle_open()
        return curator

    @property
    def name(self) -> str:
        """What the table is called in questions."""
        return self._dataset.name

    @property
    def views(self) -> Mapping[str, Curator]:
        """Its views with one row for each person, by their names. Each has its part of the budget, and its ledger."""
        return dict(self._views)

    def view_of(self, sql: str | ir.Expr) -> str | None:
        """The view that a question is about. None if it is about the table itself."""
        asking = self._about([self._meant(sql, "duckdb")])
        return next((name for name, view in self._views.items() if view._asking is asking), None)

    def _about(self, texts: Iterable[object]) -> Asking:
        """The one that answers questions, by the tables that they name: this table or one of its views."""
        if not self._views:
            return self._asking
        asking = {name.lower(): view._asking for name, view in self._views.items()}
        named = [tables_named(text) & {self.name.lower(), *asking} for text in texts]
        found = {name for names in named for name in names}
        if len(found) > 1:
            raise QuestionError(
                f"{' and '.join(sorted(found))} are asked together, and each has its own part of the budget; ask about "
                f"one table at a time"
            )
        return asking.get(next(iter(found), ""), self._asking)

    def _about_all(self, questions: Any, dialect: str = "duckdb") -> tuple[Asking, Any]:
        """The one that answers a batch, and its questions. Anything that is not a list is refused later."""
        given = isinstance(questions, Iterable) and not isinstance(questions, (str, bytes))
        if not given or (self.schema.unit is None and dialect == "duckdb"):
            return self._asking, questions
        listed = [self._meant(each, dialect) for each in islice(questions, MOST_QUESTIONS + 1)]
        return self._about(listed), listed

    def _meant(self, text: Any, dialect: str) -> Any:
        """The question in DuckDB's SQL. It names a view in place of a subquery that groups by the person."""
        if not isinstance(text, str):
            text, dialect = text_of(text), "duckdb"
        if not isinstance(text, str):
            return text
        with suggesting(text, self.schema, self.name):
            text = in_duckdb(text, dialect, self.schema)
            unit = self.schema.unit
            return text if unit is None else about_view(text, self.name, unit, self._expressions)

    @property
    def schema(self) -> Schema:
        """The declared columns."""
        return self._dataset.schema

    @property
    def table(self) -> ir.Table:
        """The table as an Ibis expression without rows, to build questions from instead of writing SQL.

        It has the names and types of the declared columns, which are public: `curator.ask(curator.table.age.mean())`.
        """
        return public_shape(self.name, self.schema)

    @property
    def dataset(self) -> str:
        """The random id of this snapshot."""
        return self._dataset.snapshot.id

    @property
    def remaining(self) -> float:
        """The bits left for everybody, rounded down."""
        return self.sequence.bits_left

    @property
    def sequence(self) -> Sequence:
        """The state of the budget."""
        return self._account.sequence

    def entries(self) -> list[Entry]:
        """The ledger: who asked what, when, and what it cost."""
        return self._account.entries()

    def asked(self, before: int | None = None, most: int = 100) -> tuple[int, list[Asked]]:
        """How many questions the ledger has, and those before a number, at most `most` of them, the latest first."""
        return asked(self._account, before, most)

    def public(self) -> list[dict[str, Any]]:
        """What is public: every combination of public keys that occurs, with its number of rows."""
        dataset = self._dataset
        return [
            {**keys_of(dataset, cell), "rows": size} for cell, size in zip(dataset.cells, dataset.sizes, strict=True)
        ]

    def check(self) -> Check:
        """For the custodian, not for analysts: how many values are missing, clamped or unknown."""
        return check(self._dataset)

    def status(self) -> Status:
        """What is left of the budget of every public group and of every analyst's quota."""
        return status_of(self.name, self._dataset.rows, self._account)

    def preview(
        self,
        sql: str | ir.Expr,
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
        analyst: str | None = None,
    ) -> Preview:
        """What a question would cost and how certain its answer would be. Free: no private data are read.

        `dialect` is the SQL of the text: duckdb, postgres or spark. `analyst` is whose quota would pay.
        """
        text = self._meant(sql, dialect)
        asking, terms = self._about([text]), Terms(bits, error, analyst=analyst, stable=stable)
        return within_quota(asking, inner_steps.preview(asking, text, terms), analyst)

    def ask(
        self,
        sql: str | ir.Expr,
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        max_bits: Number | None = None,
        analyst: str | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
    ) -> Answer:
        """Answer a question truthfully. The budget is charged before the data are read.

        Give `bits` (what the question may cost by itself) or `error` (half the width of every interval). Exact counts
        need neither. Both can be given by name: `error={"AVG(age)": 0.1, "*": 1}`, where "*" is every other number.
        With `error`, or with `bits` below one, the question may be charged by the answer: `bits` is then
        the price of a quiet one. It is refused if its dearest answer would be charged more than `max_bits`. Repeating
        an earlier question in the same bins is free, and so is anything that follows from earlier answers.

        A new question is first deduced from earlier answers, and is free if that is as precise as you want.
        `bits=0` only deduces.

        With `stable`, every number is given at the finest level that no person's data alone decides. `error` is that of
        the finest level. The answer says so if a number is at a coarser one. `dialect` is the SQL of the text: duckdb,
        postgres or spark.
        """
        text = self._meant(sql, dialect)
        if error is None and not stable and _is_zero(bits):
            return inner_steps.deduce(self._about([text]), text)
        return inner_steps.ask(self._about([text]), text, Terms(bits, error, max_bits, analyst, stable))

    def deduce(self, sql: str | ir.Expr, *, dialect: str = "duckdb") -> Answer:
        """What already follows about a question from everything released before. Free: no private data are read.

        Every true number lies in its interval, which is the smallest that can be proved. `answer.facts` are the
        questions of the ledger that it follows from.
        """
        text = self._meant(sql, dialect)
        return inner_steps.deduce(self._about([text]), text)

    def batch(
        self,
        questions: Iterable[str | ir.Expr],
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        max_bits: Number | None = None,
        analyst: str | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
    ) -> Answers:
        """Answer several questions that are counted together, which is often much cheaper than one after another.

        `bits` or `error` apply to each question by itself. A number that several questions need is released once, in
        the narrowest bins that any of them asks for.
        """
        asking, listed = self._about_all(questions, dialect)
        return inner_steps.batch(asking, listed, Terms(bits, error, max_bits, analyst, stable))

    def preview_batch(
        self,
        questions: Iterable[str | ir.Expr],
        *,
        bits: Amount | None = None,
        error: Amount | None = None,
        stable: bool = False,
        dialect: str = "duckdb",
        analyst: str | None = None,
    ) -> BatchPreview:
        """What several questions would cost one by one, as one batch, and as a cross table. Free, as `preview`.

        The cross table groups by the columns of all conditions and groups, where that is possible.
        """
        from noiseless.curator.comparing import compare

        asking, listed = self._about_all(questions, dialect)
        terms = Terms(bits, error, analyst=analyst, stable=stable)
        compared = compare(asking, inner_steps.without_subqueries(asking, listed), terms)
        return ways_within_quota(asking, compared, analyst)

    def design(
        self,
        questions: Any,
        *,
        bits: Number | None = None,
        prior: Mapping[str, Any] | None = None,
        copy: bool = False,
        seconds: Number = 60,
    ) -> Design:
        """What to release so that a whole workload of questions becomes free. No private data are read.

        - `questions`: a list of questions; a mapping from each to its weight or to {"weight": 2, "error": 0.5}, where
          an error is good enough and a smaller one is worth nothing; or a pathlib.Path of a file of SQL, in which a
          comment such as `-- weight 2, error 0.5` may stand before a question.
        - `bits`: what may be spent, by default all that are left.
        - `prior`: what you expect of columns, from public knowledge and never from the data, such as
          {"age": "normal(40, 15)", "smoker": {"yes": 0.2}}. With it the expected error is made small, not the worst.
        - `copy`: whether the base table is a copy of the rows, which `publish(to=…)` writes.
        - `seconds`: the most seconds that the search may take.
        """
        from noiseless.curator.designing.design import design
        from noiseless.curator.designing.workload import wishes

        wanted = wishes(questions)
        asking, texts = self._about_all([wish.text for wish in wanted])
        texts = inner_steps.without_subqueries(asking, texts)
        given = [replace(wish, text=text) for wish, text in zip(wanted, texts, strict=True)]
        return design(asking, given, bits, prior, copy, seconds)

    def refine(
        self, answer: Answer, *, error: Amount, max_bits: Number | None = None, analyst: str | None = None
    ) -> Answer:
        """Narrow the intervals of sums and means of an earlier answer. Only the difference is charged.

        The new bins divide the old ones. They are the widest that keep the error. With `error={"AVG(age)": 0.1}` only
        the named numbers are narrowed.
        """
        asking = self._about([answer.question] if isinstance(answer, Answer) else [])
        return asking.refine(answer, error, Terms(max_bits=max_bits, analyst=analyst))

    def collect(self, hold: int, analyst: str | None = None) -> Answer | Answers:
        """Ask a question that was approved, by the number of its hold, with the terms it was first asked with."""
        name = self._asking.name_of(analyst)
        asked = decisions.collected(self._account, hold, name)
        terms: dict[str, Any] = {**asked["terms"], "analyst": name}
        match asked["what"]:
            case "ask":
                return self.ask(asked["texts"][0], **terms)
            case "batch":
                return self.batch(asked["texts"], **terms)
            case _:
                return self.refine(self._asking.recall_text(int(asked["entry"]), asked["texts"][0]), **terms)

    def recall(self, entry: int, place: int = 0) -> Answer:
        """Repeat the answer to a question in the ledger, by its number, for free. `place` chooses one of a batch."""
        return self._asking.recall(entry, place)

    def __repr__(self) -> str:
        columns, left = ", ".join(self.schema.columns), bits_left_shown(self._account.bits_left)
        return printable(f"Curator of {self.name!r}: {self._dataset.rows} rows; columns {columns}; {left} left")

    def close(self) -> None:
        """Close codes and ledger, and remove temporary files."""
        for view in self._views.values():
            view.close()
        self._dataset.engine.close()
        self._account.close()

    def __enter__(self) -> Curator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_zero(bits: Amount | None) -> bool:
    return bits is not None and not isinstance(bits, Mapping) and exact_number(bits, "bits") == 0


def _read_key(key: str | Path) -> PrivateKey:
    try:
        return PrivateKey.read(key)
    except OSError:
        pass
    raise KeyFileError("cannot read the key file; name the custodian's key with key=")
