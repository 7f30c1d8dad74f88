"""All problems of a schema, reported at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from noiseless.errors import SchemaError

NEEDED = {
    "source": "source is missing; add source = 'people.parquet'",
    "budget": "budget is missing; add budget = 12 or another number of bits per person (see docs/choosing.md)",
}
"""Fields that a file needs unless the caller of open gives them."""


class Problems:
    """Collects the problems of a schema, one sentence for each.

    >>> problems = Problems()
    >>> problems.add(["[unit] needs rows", "prepare must be true or false"])
    >>> problems.refuse()
    Traceback (most recent call last):
    noiseless.errors.SchemaError: 2 things are wrong in the schema:
    - [unit] needs rows
    - prepare must be true or false
    """

    def __init__(self) -> None:
        self._found: list[str] = []

    def add(self, sentences: Iterable[str]) -> None:
        """Add problems."""
        self._found += sentences

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Record a refusal raised inside, and continue."""
        try:
            yield
        except SchemaError as wrong:
            self._found.append(str(wrong))

    def refuse(self, fields: Mapping[str, Any] | None = None) -> None:
        """Raise one error for all problems, if any, together with the required `fields` that are missing."""
        if not self._found:
            return
        found = self._found
        if fields is not None:
            found = found + [sentence for name, sentence in NEEDED.items() if name not in fields]
        if len(found) == 1:
            raise SchemaError(found[0])
        listed = "\n".join(f"- {sentence}" for sentence in found)
        raise SchemaError(f"{len(found)} things are wrong in the schema:\n{listed}")
