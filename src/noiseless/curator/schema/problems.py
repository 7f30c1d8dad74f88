"""Everything that is wrong with a schema, so that all of it is said at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from noiseless.errors import SchemaError

NEEDED = {
    "source": "no source; add source = 'people.parquet'",
    "budget": "no budget; add budget = bits per person, for all questions together: docs/choosing.md",
}
"""What a file may leave out only if whoever opens it says it."""


class Problems:
    """Sentences, one for each thing that is wrong.

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
        """Note some."""
        self._found += sentences

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note what is refused inside, and go on."""
        try:
            yield
        except SchemaError as wrong:
            self._found.append(str(wrong))

    def refuse(self, fields: Mapping[str, Any] | None = None) -> None:
        """Raise one error for all of them, if there are any; what `fields` will need to be opened is said as well."""
        if not self._found:
            return
        found = self._found
        if fields is not None:
            found = found + [sentence for name, sentence in NEEDED.items() if name not in fields]
        if len(found) == 1:
            raise SchemaError(found[0])
        listed = "\n".join(f"- {sentence}" for sentence in found)
        raise SchemaError(f"{len(found)} things are wrong in the schema:\n{listed}")
