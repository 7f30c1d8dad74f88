"""Opening a dataset: its codes, its ledger, and whether they belong together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from noiseless.curator.dataset.check import check_promises
from noiseless.curator.dataset.dataset import Dataset, prepare, prepared, rows_now, sealed
from noiseless.curator.dataset.snapshot import changed
from noiseless.curator.engines.choose import engine_of
from noiseless.curator.engines.request import Request
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.continued import continuation, widens
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.journal import Journal, MemoryJournal
from noiseless.curator.question.price import Prices
from noiseless.curator.question.rules import Rules
from noiseless.curator.schema.declaration import Declaration
from noiseless.curator.schema.schema import Schema
from noiseless.curator.sources.quiet import quietly
from noiseless.errors import BudgetError, SchemaError, SourceError
from noiseless.exact.answers import answers_within


def opened(given: Request) -> tuple[Dataset, Account, Rules]:
    """The dataset, its account, and the rules for questions; refused where they do not belong together."""
    request = given.declared()
    schema, budget = request.schema, request.budget
    if not isinstance(schema, Schema):
        raise SchemaError("a schema is needed: nl.Schema(height=nl.Real(100, 250, step='0.1'), …), or a TOML file")
    if budget is None:
        raise BudgetError("a budget is needed: bits per person, for all questions together, such as budget=12")
    transcripts, rules = answers_within(budget, "budget"), Rules.of(request.policy, schema)
    engine = engine_of(request)
    stays = engine.kept_elsewhere or (request.prepare is False and isinstance(request.source, (str, Path)))
    if request.ledger is not None and request.store is None and not stays:
        raise SourceError("a ledger needs the codes it belongs to: name a file for them with store=")
    shares = request.quotas
    quotas = (
        None if shares is None else {name: answers_within(bits, f"quota of {name}") for name, bits in shares.items()}
    )
    journal = _journal(request)
    try:
        return *_opened(request, schema, transcripts, journal, quotas), rules
    except BaseException:
        journal.close()
        raise


def _opened(
    request: Request, schema: Schema, budget: int, journal: Journal, quotas: Mapping[str, int] | None
) -> tuple[Dataset, Account]:
    """Codes are published only after the ledger has begun: codes without a ledger mean that it was lost."""
    _check_begun(request, journal)
    dataset, new = _dataset(request, schema, journal)
    try:
        account = Account(journal, Prices(dataset), quotas)
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
        return (sealed(dataset, known["id"]) if new else dataset), account
    except BaseException:
        dataset.engine.close()
        raise


def _check_promised(dataset: Dataset, known: Mapping[str, Any]) -> None:
    """What the schema promises of a column is verified once, before the ledger knows the column."""
    if known.get("schema") != dataset.snapshot.schema:
        check_promises(dataset, Declaration.parse(known["schema"]).schema if known else None)


def _check_begun(request: Request, journal: Journal) -> None:
    """A dataset that its ledger does not know may be one that was renamed: its budget must not begin again."""
    others = journal.datasets()
    if others and request.name not in others and not request.new:
        raise changed(
            f"the ledger has no dataset {request.name!r}, but has {', '.join(map(repr, others))}. If this is another "
            f"one, confirm that with new=True or `noiseless check … --new`; if it was renamed, give it its old name"
        )


def entries_of(path: str | Path) -> list[Entry]:
    """The ledger of a schema file, without opening its dataset; empty if nothing was ever asked."""
    return ledger_of(path)[0]


def ledger_of(path: str | Path) -> tuple[list[Entry], list[str]]:
    """The entries of a schema file's dataset, and the names of all datasets in its ledger."""
    request = Request(path).declared()
    if request.ledger is None or ("://" not in str(request.ledger) and not Path(request.ledger).exists()):
        return [], []
    journal = _journal(request)
    try:
        return journal.since(0), journal.datasets()
    finally:
        journal.close()


def _journal(request: Request) -> Journal:
    if request.ledger is None:
        return MemoryJournal()
    from noiseless.curator.ledger.database import DatabaseJournal

    return DatabaseJournal(request.ledger, request.name)


def _dataset(request: Request, schema: Schema, journal: Journal) -> tuple[Dataset, bool]:
    """From codes that were prepared before, or from the source; and whether the codes are new."""
    engine = quietly(lambda: engine_of(request).open(request), _unopened)
    try:
        if engine.complete:
            store = "the table of prepared codes" if request.store is None else f"store={str(request.store)!r}"
            if request.name not in journal.datasets():
                raise changed(f"{store} holds codes whose ledger is gone: what was spent on them is not known")
            dataset = prepared(engine)
            _check_source(request, dataset)
            if dataset.schema == schema:
                return dataset, False
            if not widens(dataset.schema, schema):
                raise changed("the schema is not the one that the codes were prepared with, nor does it only add to it")
            engine = engine.renewed()
        return quietly(lambda: prepare(engine, request.source, schema, request.table), _unopened), True
    except BaseException:
        engine.close()
        raise


def _unopened() -> SourceError:
    return SourceError(
        "the source cannot be opened, or has a column of a kind that is not known; leave it out by a view"
    )


def _check_source(request: Request, dataset: Dataset) -> None:
    """The number of rows is public, so it may be compared; a source that is gone or cannot be read is not missed.

    A text file is refused for a single malformed field, which is one person's: only before the ledger begins.
    """
    try:
        found = _rows_now(request, dataset.schema)
    except SourceError:
        return
    if dataset.snapshot.rows not in found:
        raise changed(f"the source has {found[0]} rows, and {dataset.snapshot.rows} when the dataset was opened first")


def _rows_now(request: Request, schema: Schema) -> list[int]:
    looking = replace(request, store=None, prepare=False)
    engine = engine_of(looking).open(looking)
    try:
        return rows_now(engine, request.source, schema, request.table)
    finally:
        engine.close()


def _compare(known: Mapping[str, Any], facts: Mapping[str, str], new: bool, request: Request, schema: Schema) -> None:
    words = {
        "id": "the codes are those of another dataset than the ledger's",
        "rows": f"the table has {facts['rows']} rows, and {known['rows']} when the ledger began",
        "version": f"the declared version is {facts['version']!r}, and {known['version']!r} when the ledger began",
    }
    for field, what in words.items():
        if known[field] == facts[field] or (field == "id" and new):
            continue
        # the first ledgers counted all rows of a person, not only those that are kept
        if field != "rows" or schema.unit is None or int(known["rows"]) not in _rows_now(request, schema):
            raise changed(what)
