"""Writing the certificate of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import noiseless
from noiseless.curator.certificate.certificate import FORMAT, Certificate, canonical_bytes
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.dataset import Dataset
from noiseless.curator.ledger.account import Charge
from noiseless.curator.postprocess import Cell
from noiseless.curator.question import Paid, Question
from noiseless.curator.releases.release import Released, Reported
from noiseless.curator.releases.written import fields_of
from noiseless.privacy.guarantee import Guarantee


def certify_answer(
    dataset: Dataset,
    question: Question,
    rows: list[dict[str, Cell]],
    released: Mapping[Paid, Released],
    promise: Guarantee,
    charge: Charge,
    key: PrivateKey | None,
) -> Certificate:
    """All that the count follows from, and the answer; signed if there is a key."""
    releases = [
        {
            **fields_of(release),
            "width": str(width),
            "answers": str(release.answers(width, dataset.schema.rows)),
            "released": [str(number) for number in released[release, width]],
        }
        for release, width in question.widths.items()
    ]
    content: dict[str, Any] = {
        "format": FORMAT,
        "noiseless": noiseless.__version__,
        "dataset": dataset.snapshot.id,
        "table": dataset.name,
        "rows": str(dataset.rows),
        "schema": dataset.snapshot.schema,
        "question": question.text,
        "releases": releases,
        "count": str(promise.count),
        "rule": promise.statement,
        "answer": [{label: _written(cell) for label, cell in row.items()} for row in rows],
        "ledger": {"entry": str(charge.number), "hash": charge.hash, "factor": str(charge.factor)},
    }
    if key is None:
        return Certificate(content)
    return Certificate(content, key.public, key.sign(canonical_bytes(content)))


def _written(cell: Cell) -> Any:
    """Numbers as exact texts, keys as they are."""
    if isinstance(cell, Reported):
        return {end: _text(getattr(cell, end)) for end in ("value", "lower", "upper")}
    return cell if cell is None or isinstance(cell, (str, bool)) else str(cell)


def _text(value: Any) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)
