"""Functions of texts. They are evaluated on the declared values, so that no text reaches an engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from noiseless.curator.plan.functions.function import ANYWHERE, Function, Kind, Row, Tree, Value, Write, any_absent
from noiseless.curator.plan.functions.leaves import ColumnOf, Constant, columns_in
from noiseless.curator.plan.functions.span import Codes, Span, common
from noiseless.curator.plan.functions.term import Term, Writer
from noiseless.errors import QuestionError

if TYPE_CHECKING:
    from noiseless.curator.plan.condition import Condition


LONGEST = 10_000
"""The most characters of a text that is made."""


def substring(text: str, start: Fraction, length: Fraction | None = None) -> str:
    """Characters from a place on, counted from 1, or from the end if it is below 0."""
    first = int(start) - 1 if start > 0 else len(text) + int(start) if start < 0 else -1
    last = len(text) if length is None else first + max(0, int(length))
    return text[max(first, 0) : max(last, 0)]


MAKES: dict[str, Callable[..., Any]] = {
    "LOWER": str.lower,
    "UPPER": str.upper,
    "TRIM": lambda text: text.strip(" "),
    "LTRIM": lambda text: text.lstrip(" "),
    "RTRIM": lambda text: text.rstrip(" "),
    "SUBSTRING": substring,
    "LEFT": lambda text, length: text[: int(length)],
    "RIGHT": lambda text, length: text[-int(length) :] if length > 0 else text[-int(length) :] if length < 0 else "",
    "REPLACE": lambda text, old, new: text.replace(old, new) if old else text,
    "CONCAT": lambda *texts: "".join(texts),
    "LENGTH": lambda text: Fraction(len(text)),
}
"""What they compute from the values of their parts."""


def like(text: str, pattern: str, fold: bool = False) -> bool:
    """Whether a text fits a pattern, in which % stands for any characters and _ for one.

    >>> like("north", "n%h"), like("north", "n_h"), like("North", "n%", fold=True)
    (True, False, True)
    >>> like("a" * 200, "%a" * 60 + "b"), like("", "%%"), like("100%", "100_")
    (False, True, True)
    """
    if fold:
        text, pattern = text.lower(), pattern.lower()
    place = found = 0
    retry: tuple[int, int] | None = None  # where the last % stands, and how much of the text it covers to
    while place < len(text):
        if pattern[found : found + 1] == "%":
            retry, found = (found, place), found + 1
        elif found < len(pattern) and pattern[found] in ("_", text[place]):
            place, found = place + 1, found + 1
        elif retry is not None:  # the last % covers one more; earlier ones never need to
            retry = retry[0], retry[1] + 1
            found, place = retry[0] + 1, retry[1]
        else:
            return False
    return not pattern[found:].strip("%")


TESTS: dict[str, Callable[..., bool]] = {
    "LIKE": like,
    "ILIKE": lambda text, pattern: like(text, pattern, fold=True),
    "STARTS_WITH": str.startswith,
    "ENDS_WITH": str.endswith,
    "CONTAINS": lambda text, part: part in text,
}
"""Tests of two texts."""


@dataclass(frozen=True, slots=True)
class TextFunction(Function):
    """A function of texts; LENGTH is a number."""

    name: str
    listed: tuple[Function, ...]

    @property
    def kind(self) -> Kind:
        """A text, except LENGTH."""
        return "number" if self.name == "LENGTH" else "text"

    @property
    def parts(self) -> tuple[Function, ...]:
        """Its arguments."""
        return self.listed

    def given(self, keys: Mapping[str, int]) -> Function:
        """The function of what remains."""
        return text_function(self.name, tuple(part.given(keys) for part in self.listed))

    def value(self, row: Row) -> Value:
        """The value, or None if an argument has no value."""
        values = [part.value(row) for part in self.listed]
        if None in values:
            return None
        found: Value = MAKES[self.name](*values)
        if isinstance(found, str) and len(found) > LONGEST:
            raise QuestionError(f"{self.name} makes texts of more than {LONGEST} characters; use shorter ones")
        return found

    def span(self, codes: Codes = ANYWHERE) -> Span:
        """The numbers of all declared values."""
        numbers = [value for value in self._values() if value is not None]
        low = min(numbers)
        return Span(low, max(numbers), common(Fraction(0), *(number - low for number in numbers)), nullable=self._apart)

    def term(self, writer: Writer) -> Term:
        """The number at the place of the value."""
        values = [None if value is None else int(value) for value in self._values()]
        known = [value for value in values if value is not None]
        text = writer.dialect.element(values, writer(self._column.name))
        return Term(Fraction(0), Fraction(1), writer.made(text, min(known), max(known)))

    @property
    def _column(self) -> ColumnOf:
        columns = columns_in(self)
        if len(columns) != 1:
            raise QuestionError(f"{self} calculates with the texts of several columns; use one")
        return columns[0]

    @property
    def _apart(self) -> bool:
        return self._column.apart

    def _values(self) -> list[Fraction | None]:
        column = self._column
        return [self.value({column.name: code}) for code in range(column.top + 1)]  # type: ignore[misc]

    def absent(self) -> Condition:
        """Where an argument has no value."""
        return any_absent(self)

    def tree(self, write: Write) -> Tree:
        """Its name and arguments."""
        return [self.name.lower(), *(part.tree(write) for part in self.listed)]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.listed))})"


def text_function(name: str, listed: tuple[Function, ...]) -> Function:
    """A function of texts; of constants, a constant."""
    made = TextFunction(name, listed)
    if all(isinstance(part, Constant) for part in listed):
        return Constant(made.value({}), made.kind)
    return made
