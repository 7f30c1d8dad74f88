"""What is asked, and on which terms: how precise, how many bits at most, and for which analyst."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.gate import Gate
from noiseless.curator.question.precision import Amount, amounts_by_name, check_names
from noiseless.curator.sql.ibis_expressions import text_of
from noiseless.errors import QuestionError
from noiseless.exact.number import Number, exact_number

MOST_QUESTIONS = 1000
"""The most questions in a batch."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a question: how precise, how many bits at most, and for which analyst."""

    bits: Amount | None = None
    error: Amount | None = None
    max_bits: Number | None = None
    analyst: str | None = None
    stable: bool = False
    gate: Gate | None = None
    """What may put the question on hold."""

    def said(self) -> dict[str, Any]:
        """The terms as a hold keeps them."""
        given = {"bits": self.bits, "error": self.error, "max_bits": self.max_bits}
        terms: dict[str, Any] = {name: _exact(each, name) for name, each in given.items() if each is not None}
        return terms | ({"stable": True} if self.stable else {})

    def check_names(self, texts: Iterable[str], dataset: Dataset) -> None:
        """Refuse names of numbers that none of the questions has."""
        check_names(self.bits, "bits", texts, dataset)
        check_names(self.error, "error", texts, dataset)


def _exact(amount: Amount, name: str) -> Any:
    if isinstance(amount, Mapping):
        return {each: str(exact_number(number, name)) for each, number in amounts_by_name(amount, name).items()}
    return str(exact_number(amount, name))


def listed(questions: Iterable[Any]) -> list[str]:
    """The questions of a batch as a list, refused if it is empty or too long."""
    if isinstance(questions, (str, bytes)) or not isinstance(questions, Iterable):
        raise QuestionError(f"a batch is a list of questions, not a {type(questions).__name__}; put it into [ ]")
    found = [text_of(question) for question in islice(questions, MOST_QUESTIONS + 1)]
    if not 0 < len(found) <= MOST_QUESTIONS:
        raise QuestionError(f"a batch needs at least one question, and at most {MOST_QUESTIONS}; ask in parts")
    return found
