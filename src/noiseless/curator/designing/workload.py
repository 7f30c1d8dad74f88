"""The questions that a release is to serve, with what each is worth and how certain it must be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from noiseless.curator.sql.ibis_expressions import text_of
from noiseless.curator.sql.statements import statements, statements_in
from noiseless.errors import QuestionError
from noiseless.exact.number import exact_number, shown

NOTE = re.compile(r"--[ \t]*((?:weight|error)\b[^\n]*)", re.IGNORECASE)
MOST_WISHES = 1000
KEYS = "weight, error"
MOST = Fraction(10**6)
"""The largest weight. Its tenth power is the largest error, because the search computes with floats."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A question, its weight beside the others, and the error that is good enough: a smaller one is worth no more.

    >>> wishes({"SELECT AVG(age) FROM people": {"weight": 2, "error": "0.5"}})
    (Wish(text='SELECT AVG(age) FROM people', weight=Fraction(2, 1), error=Fraction(1, 2)),)
    """

    text: str
    weight: Fraction = Fraction(1)
    error: Fraction = Fraction(0)


def wishes(questions: Any) -> tuple[Wish, ...]:
    """The questions of a list, of a mapping from questions to what is wanted, or of a file of SQL."""
    if isinstance(questions, Path):
        found = in_file(questions)
    elif isinstance(questions, Mapping):
        found = [_wish(text, given) for text, given in questions.items()]
    elif isinstance(questions, Iterable) and not isinstance(questions, (str, bytes)):
        found = [each if isinstance(each, Wish) else Wish(text_of(each)) for each in questions]
    else:
        raise QuestionError(
            f"a workload is a list of questions, not a {type(questions).__name__}; put it into [ ], or give a "
            f"pathlib.Path of a file"
        )
    if not 0 < len(found) <= MOST_WISHES:
        raise QuestionError(f"a workload needs at least one question, and at most {MOST_WISHES}; design in parts")
    texts = [each.text for each in found]
    if twice := next((text for place, text in enumerate(texts) if text in texts[:place]), None):
        raise QuestionError(f"{twice!r} is in the workload twice; keep one, with a larger weight")
    return tuple(found)


def in_file(path: Path) -> list[Wish]:
    """The questions of a file of SQL, each after a comment such as `-- weight 2, error 0.5`, if it has one."""
    return [_wish(question, _noted(before)) for before, question in statements_in(path)]


def in_text(text: str) -> list[Wish]:
    """The questions of a text of SQL.

    >>> in_text("-- weight 3\\nSELECT COUNT(*) FROM people")
    [Wish(text='SELECT COUNT(*) FROM people', weight=Fraction(3, 1), error=Fraction(0, 1))]
    """
    return [_wish(question, _noted(before)) for before, question in statements(text)]


def _noted(before: str) -> dict[str, str]:
    """What the comments before a question say: names and numbers, separated by commas."""
    found: dict[str, str] = {}
    for note in NOTE.findall(before):
        for part in note.split(","):
            name, _, number = part.strip().lower().partition(" ")
            if name in found:
                raise QuestionError(f"the comment {note!r} gives {name} twice; keep one")
            found[name] = number.strip()
    return found


def _wish(text: Any, given: Any) -> Wish:
    wanted = given if isinstance(given, Mapping) else {"weight": given}
    if unknown := [name for name in wanted if name not in ("weight", "error")]:
        raise QuestionError(f"{shown(unknown[0])} is not known about a question of a workload; use {KEYS}")
    weight = exact_number(wanted.get("weight", 1), "weight")
    error = exact_number(wanted.get("error", 0), "error")
    if not 1 / MOST <= weight <= MOST or not 0 <= error <= MOST**10:
        raise QuestionError(
            f"weight={shown(wanted.get('weight', 1))}, error={shown(wanted.get('error', 0))}: a weight is above 0, "
            f"from 1/{MOST} to {MOST}, and an error is 0 or more, at most {MOST}^10"
        )
    return Wish(text_of(text), weight, error)
