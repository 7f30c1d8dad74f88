"""Opening a dataset: its codes, its ledger, and the check that they belong together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from noiseless.curator.dataset.check import check_promises
from noiseless.curator.dataset.dataset import Dataset, load_codes, prepare, rows_now, seal_codes
from noiseless.curator.dataset.public_tables import read_public_tables
from noiseless.curator.dataset.snapshot import OLD_SCHEMA, changed_error
from noiseless.curator.engines.choose import engine_of
from noiseless.curator.engines.embedded import Embedded
from noiseless.curator.engines.request import Request
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.continued import continuation, widens
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.journal import Checkpoint, Journal, MemoryJournal
from noiseless.curator.ledger.over_time import Moment, over_time_of
from noiseless.curator.question.price import Prices
from noiseless.curator.question.rules import Rules
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sources.quiet import quietly
from noiseless.curator.sources.unchanged import plainly_unchanged
from noiseless.curator.views import check_share, with_views
from noiseless.errors import BudgetError, SchemaError, SourceError
from noiseless.exact.answers import answers_within

T = TypeVar("T")


class Opened(NamedTuple):
    """A dataset, its account, the rules for questions, and what to open for its views."""

    dataset: Dataset
    account: Account
    rules: Rules
    views: list[Request]


def open_dataset(given: Request) -> Opened:
    """What was requested. Refused if codes and ledger do not belong together."""
    request, views = with_views(given.declared())
    schema, budget = request.schema, request.budget
    if not isinstance(schema, Schema):
        raise SchemaError("give a schema, such as nl.Schema(height=nl.Real(100, 250, step='0.1')), or a TOML file")
    if budget is None:
        raise BudgetError("give a budget in bits per person for all questions together, such as budget=12")
    transcripts, rules = answers_within(budget, "budget"), Rules.of(request.policy, schema)
    engine, tables = engine_of(request), read_public_tables(request.public, request)
    stays = engine.kept_elsewhere or (request.prepare is False and isinstance(request.source, (str, Path)))
    if request.ledger is not None and request.store is None and not stays:
        raise SourceError("a ledger needs a file for the codes it belongs to; name one with store=")
    shares = request.quotas
    quotas = (
        None if shares is None else {name: answers_within(bits, f"quota of {name}") for name, bits in shares.items()}
    )
    journal = _journal(request)
    try:
        views = [replace(view, new=view.new or request.name not in journal.datasets()) for view in views]
        dataset, account = _opened(request, schema, transcripts, journal, quotas)
        if views:
            check_share(account.sequence, request)
        return Opened(replace(dataset, public_tables=tables), account, rules, views)
    except BaseException:
        journal.close()
        raise


def _opened(
    request: Request, schema: Schema, budget: int, journal: Journal, quotas: Mapping[str, int] | None
) -> tuple[Dataset, Account]:
    """Publish codes only after the ledger has begun, so that codes without a ledger mean that the ledger was lost."""
    _check_begun(request, journal)
    dataset, new = _dataset(request, schema, journal)
    try:
        account = Account(journal, Prices(dataset), quotas, request.grants)
        _check_promised(dataset, account.known())
        facts = {
            "id": dataset.snapshot.id,
            "name": dataset.name,
            "schema": dataset.snapshot.schema,
            "rows": str(dataset.snapshot.rows),
            "version": request.version or "",
        }
        known = account.open(budget, facts)
        _compare(known, facts, new, request, schema)
        account.change(lambda latest: continuation(latest, dataset, budget))
        return (seal_codes(dataset, known["id"]) if new else dataset), account
    except BaseException:
        dataset.engine.close()
        raise


def _check_promised(dataset: Dataset, known: Mapping[str, Any]) -> None:
    """Verify once what the schema promises about a column, before the ledger knows the column."""
    if known.get("schema") != dataset.snapshot.schema:
        check_promises(dataset, Declaration.parse(known["schema"]).schema if known else None)


def _check_begun(request: Request, journal: Journal) -> None:
    """Refuse a dataset that the ledger does not know: if it was renamed, its budget must not start again."""
    others = journal.datasets()
    if others and request.name not in others and not request.new:
        raise changed_error(
            f"the ledger holds {', '.join(map(repr, others))} but not {request.name!r}",
            "if this is a new dataset, confirm that with new=True or `noiseless check … --new`; if it was renamed, use "
            "the old name",
        )


class Ledger(NamedTuple):
    """The entries and checkpoints of a dataset, and the names of all datasets in the same ledger."""

    entries: list[Entry]
    checkpoints: list[Checkpoint]
    datasets: list[str]


def ledger_of(path: str | Path, view: str | None = None) -> Ledger:
    """The ledger of a schema file's dataset, or of one of its views, read without opening it."""

    def read(journal: Journal) -> Ledger:
        checkpoints = journal.checkpoints()  # first, so that every one has its entry
        return Ledger(journal.since(0), checkpoints, journal.datasets())

    return _of_journal(path, read, Ledger([], [], []), view)


def spent_over_time(path: str | Path, view: str | None = None) -> list[Moment]:
    """What was spent over time, for a schema file's dataset or a view, read without opening it."""
    return _of_journal(path, over_time_of, [], view)


def _of_journal(path: str | Path, read: Callable[[Journal], T], nothing: T, view: str | None) -> T:
    """What a schema file's ledger says. `nothing` if it was never begun."""
    request = Request(path).declared()
    if request.ledger is None or ("://" not in str(request.ledger) and not Path(request.ledger).exists()):
        return nothing
    journal = _journal(request, view)
    try:
        return read(journal)
    finally:
        journal.close()


def _journal(request: Request, view: str | None = None) -> Journal:
    if request.ledger is None:
        return MemoryJournal()
    from noiseless.curator.ledger.database import DatabaseJournal

    return DatabaseJournal(request.ledger, view or request.name)


def _dataset(request: Request, schema: Schema, journal: Journal) -> tuple[Dataset, bool]:
    """The dataset, from stored codes or from the source, and whether the codes are new."""
    engine = quietly(lambda: engine_of(request).open(request), _unopened_error)
    try:
        if engine.complete:
            store = "the table of prepared codes" if request.store is None else f"store={str(request.store)!r}"
            if request.name not in journal.datasets():
                raise changed_error(f"{store} holds codes whose ledger is gone, so what was spent on them is unknown")
            dataset = load_codes(engine)
            _check_source(request, dataset)
            if dataset.schema == schema:
                return dataset, False
            if not widens(dataset.schema, schema):
                raise changed_error(
                    "the schema differs by more than additions from the one that the codes were made with", OLD_SCHEMA
                )
            engine = engine.renewed()
        given = engine, request.source, schema, request.table, request.view
        return quietly(lambda: prepare(*given), _unopened_error), True
    except BaseException:
        engine.close()
        raise


def _unopened_error() -> SourceError:
    return SourceError(
        "cannot open the source, or one of its columns has an unsupported type; leave that column out with a view"
    )


def _check_source(request: Request, dataset: Dataset) -> None:
    """Compare the number of rows, which is public, with the first one. A source that is gone or unreadable is accepted.

    A malformed field in a text file belongs to one person. So it is refused only before the ledger begins, not here.
    """
    given, schema, first = request.source, dataset.schema, dataset.snapshot.rows
    if request.view is None and request.from_file and plainly_unchanged(given, schema, first, request.layout, Embedded):
        return
    try:
        found = _rows_now(request, schema)
    except SourceError:
        return
    if first not in found:
        raise changed_error(f"the source has {found[0]} rows, but had {first} when the dataset was first opened")


def _rows_now(request: Request, schema: Schema) -> list[int]:
    looking = replace(request, store=None, prepare=False)
    engine = engine_of(looking).open(looking)
    try:
        return rows_now(engine, request.source, schema, request.table, request.view)
    finally:
        engine.close()


def _compare(known: Mapping[str, Any], facts: Mapping[str, str], new: bool, request: Request, schema: Schema) -> None:
    words = {
        "id": "the codes and the ledger belong to different datasets",
        "rows": f"the table has {facts['rows']} rows, but had {known['rows']} when the ledger began",
        "version": f"the declared version is {facts['version']!r}, but was {known['version']!r} when the ledger began",
    }
    for field, what in words.items():
        if known[field] == facts[field] or (field == "id" and new):
            continue
        # the first ledgers counted all rows of a person, not only those that are kept
        if field != "rows" or schema.unit is None or int(known["rows"]) not in _rows_now(request, schema):
            raise changed_error(what)
