"""The certificate of what follows from earlier answers: these answers, and a proof of both ends of every interval."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import noiseless
from noiseless.curator.certificate.certificate import DEDUCTION_FORMAT, Certificate, seal
from noiseless.curator.certificate.issue import written_cells, written_question, written_rows
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.certificate.proofs import proofs
from noiseless.curator.certificate.wording import question_text
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.deduce.interval import Deduced
from noiseless.curator.ledger.known import Asked
from noiseless.curator.plan.plan import Aggregate
from noiseless.curator.question.finish import Field
from noiseless.curator.question.question import Question


def certify_deduction(
    dataset: Dataset,
    question: Question,
    numbers: Sequence[Mapping[Aggregate, Deduced]],
    rows: list[dict[str, Field]],
    facts: Iterable[Asked],
    key: PrivateKey | None,
) -> Certificate:
    """The certificate of a deduced answer: the plan, the facts used with their entries, and the proofs."""
    used = list(facts)
    named = question.plan.grouped_by.union(*(each.question.plan.grouped_by for each in used))
    own = written_question(question, dataset, None)
    content: dict[str, Any] = {
        "format": DEDUCTION_FORMAT,
        "noiseless": noiseless.__version__,
        "dataset": dataset.snapshot.id,
        "table": dataset.name,
        "rows": str(dataset.rows),
        "schema": dataset.snapshot.schema,
        "count": "1",
        "question": question_text(own["plan"], dataset.name),
        "cells": written_cells(dataset, named),
        **own,
        "facts": [
            {
                "entry": str(each.entry.number),
                "hash": each.entry.hash,
                **written_question(each.question, dataset, each.released),
            }
            for each in used
        ],
        "answer": written_rows(rows),
    }
    return seal({**content, "numbers": proofs(content, numbers, [each.number for each in used])}, key)
