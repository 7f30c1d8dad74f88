"""Writes certificates: what all of them contain, and what the certificate of an answer adds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Any

import noiseless
from noiseless.curator.certificate.certificate import FORMAT, Certificate, seal
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.certificate.wording import question_text
from noiseless.curator.certificate.written_plan import written_key, written_plan
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.charge import Charge
from noiseless.curator.question.after.one_of import OneOf
from noiseless.curator.question.finish import Field
from noiseless.curator.question.price import Prices
from noiseless.curator.question.question import Question
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Paid, Release, Released, is_weighed
from noiseless.curator.releases.reported import Reported
from noiseless.privacy.guarantee.guarantee import Guarantee


def certify_answer(
    dataset: Dataset,
    question: Question,
    rows: list[dict[str, Field]],
    released: Mapping[Paid, Released],
    promise: Guarantee,
    charge: Charge,
    key: PrivateKey | None,
) -> Certificate:
    """The certificate of an answer: the plan, the public cells and what was released. All else follows from these."""
    widths, releases = question.widths, question.releases
    own = {
        **written_question(question, dataset, released),
        "cells": written_cells(dataset, question.plan.grouped_by),
        "rule": _rule(releases, dataset.schema.rows, Prices(dataset).by_signatures(widths)),
        "answer": written_rows(rows),
    }
    own["question"] = question_text(own["plan"], dataset.name)
    if any(is_weighed(width) for width in widths.values()):
        own["weights"] = _weights(releases, widths, charge)
    if charge.steps:
        own["steps"] = [{**_reference(step), "weights": _weights(releases, widths, step)} for step in charge.steps]
    return issue(FORMAT, dataset, promise, charge, own, key)


def written_question(question: Question, dataset: Dataset, released: Mapping[Paid, Released] | None) -> dict[str, Any]:
    """Its plan, what its functions and public tables are, and what was released for it.

    A question that stopped before its last step has None where nothing was released.
    """
    own: dict[str, Any] = {"plan": written_plan(question.plan, dataset.schema)}
    if released is not None:
        known = {release: [str(width), *map(str, numbers)] for (release, width), numbers in released.items()}
        own["releases"] = [[each.kind, *known[each]] if each in known else None for each in question.releases]
    if any(grids := question.grids()):
        own["grids"] = [None if each is None else [*each.grid.values(), str(each.slack)] for each in grids]
    if question.plan.joined:
        own["public"] = dict(question.plan.joined)
    if question.centred:
        own["centred"] = _centred(question)
    return own


def _centred(question: Question) -> bool | list[bool]:
    """That sums are about centres and private groups are apart; of every SELECT, if one has groups that are not."""
    selects = list(zip(question.plan.selects, question.centred_selects, strict=True))
    together = any((plan.groups or plan.category is not None) and not apart for plan, apart in selects)
    return question.centred_selects if together else True


def written_rows(rows: Iterable[Mapping[str, Field]]) -> list[dict[str, Any]]:
    """The rows of an answer."""
    return [{label: _written(cell) for label, cell in row.items()} for row in rows]


def _weights(releases: list[Release], widths: Widths, charge: Charge) -> list[Any]:
    """Releases in guarded bins that were charged together, their joint count, the loud price, what was charged, and how
    many releases of other questions were charged with them. Empty if all of it was paid for before."""
    places = {
        (release.said()[1], release.place, widths[release]): place
        for place, release in enumerate(releases)
        if is_weighed(widths[release])
    }
    rows: dict[tuple[Any, ...], None] = {}
    for unit, price in charge.units:
        if own := sorted(places[key] for key in unit.keys if key in places):
            others = len(unit.keys) - len(own)
            rows[tuple(own), unit.weights.count, unit.weights.loud, price, others] = None
    return [[list(map(str, own)), *map(str, numbers)] for own, *numbers in rows]


def issue(
    form: str, dataset: Dataset, promise: Guarantee, charge: Charge, own: Mapping[str, Any], key: PrivateKey | None
) -> Certificate:
    """What every certificate says (which data, how many answers, charged by which entry), and its `own` fields."""
    content = {
        "format": form,
        "noiseless": noiseless.__version__,
        "dataset": dataset.snapshot.id,
        "table": dataset.name,
        "rows": str(dataset.rows),
        "schema": dataset.snapshot.schema,
        "count": str(promise.count),
        "ledger": _reference(charge),
        **own,
    }
    return seal(content, key)


def _reference(charge: Charge) -> dict[str, str]:
    """The entry that charged it, and the entry whose answer settled the price, if it is charged by the answer."""
    entry = {"entry": str(charge.number), "hash": charge.hash, "factor": str(charge.factor)}
    if charge.answer is None:
        return entry
    return {**entry, "answer": str(charge.answer[0]), "answer_hash": charge.answer[1]}


def written_cells(dataset: Dataset, used: Collection[str]) -> list[Any]:
    """How many rows each combination of keys has, for the public columns that the question names."""
    places = [place for place, name in enumerate(dataset.schema.public) if name in used]
    sizes: dict[tuple[int, ...], int] = {}
    for cell, size in zip(dataset.cells, dataset.sizes, strict=True):
        group = tuple(cell[place] for place in places)
        sizes[group] = sizes.get(group, 0) + size
    columns = [column for name, column in dataset.schema.public.items() if name in used]
    return [
        [[written_key(column.keys[code]) for column, code in zip(columns, group, strict=True)], str(sizes[group])]
        for group in sorted(sizes)
    ]


def _rule(releases: list[Release], rows: int, signatures: bool) -> list[str]:
    """The names of the rules by which the count was found: kinds of releases, then how they are combined."""
    names = [release.kind for release in releases] or ["public numbers"]
    parts = {release.part.cells for release in releases}
    names += ["worst division"] if rows > 1 else ["E"] if len(parts) > 1 else []
    joint = ["A", "D", "G"] if len(releases) > len(parts) else []
    return list(dict.fromkeys([*names, *joint, *(["H"] if signatures else [])]))


def _written(cell: Field) -> Any:
    """Numbers as exact texts, keys unchanged."""
    if isinstance(cell, Reported):
        return {end: _text(getattr(cell, end)) for end in ("value", "lower", "upper")}
    if isinstance(cell, OneOf):
        return {"value": cell.value, "one_of": [*cell.options, *([None] if cell.empty else [])]}
    return None if cell is None else written_key(cell)


def _text(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)
