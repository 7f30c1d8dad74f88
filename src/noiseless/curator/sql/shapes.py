"""Texts that differ only in their numbers are parsed once.

The parser is slow, and many questions are alike. So a text is parsed with stand-ins for its numbers, each of which
occurs only once, and the numbers of the text are put into the statement. This is the statement of the text: the parser
looks at the kinds of words, and only nodes are allowed that keep a number as it is written. Any other text is parsed
as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from sqlglot import TokenType, exp

from noiseless.curator.plan.recent import remember
from noiseless.curator.sql.labels import LABEL, label_of

NUMBER = re.compile(r"'[^']*'|(?<![\w.$])[0-9]+(?:\.[0-9]+)?(?![\w.$])")
"""A text, which stays, or a number with nothing beside it that could belong to it."""
STAND_IN = 7_000_000_001
MOST, MOST_NUMBERS = 200, 50
"""The most shapes to remember, and the most numbers in one."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A statement without its numbers, which stand in these nodes in this order."""

    statement: exp.Select
    numbers: tuple[exp.Literal, ...]


@dataclass(frozen=True, slots=True)
class Shapes:
    """Recent shapes by their texts, None for a shape that cannot be used again."""

    known: dict[str, Shape | None] = field(default_factory=dict)

    def read(self, text: str, make: Callable[[str], Shape | None]) -> tuple[exp.Select, Callable[[], None]] | None:
        """The statement of a text, and what to call when it is no longer used. None if the text must be parsed.

        Meanwhile no other thread gets the same statement. One that was refused half-way is not used again.
        """
        numbers: list[str] = []
        kind = NUMBER.sub(lambda found: _noted(found[0], numbers), text)
        if len(numbers) > MOST_NUMBERS:
            return None
        shape = self.known.pop(kind, None) if kind in self.known else make(stood_in(text))
        if shape is None:  # or another thread is using it
            self._remember(kind, self.known.get(kind))
            return None
        for node, number in zip(shape.numbers, numbers, strict=True):
            node.set("this", number)
        return shape.statement, lambda: self._remember(kind, shape)

    def _remember(self, kind: str, shape: Shape | None) -> None:
        remember(self.known, kind, shape, MOST)


SHAPES = Shapes()
"""The shapes of this process. They follow from texts alone, so all datasets share them."""


def _noted(found: str, numbers: list[str]) -> str:
    """The text of a shape, in which each number is replaced with a mark that says whether it has decimals."""
    if found[0] == "'":
        return found
    numbers.append(found)
    return "$." if "." in found else "$"


def stood_in(text: str) -> str:
    """The text with numbers that each occur only once.

    >>> stood_in("SELECT COUNT(*) FROM t WHERE a1 < 5 AND b = 'x 5' AND c > 5.0")
    "SELECT COUNT(*) FROM t WHERE a1 < 7000000001 AND b = 'x 5' AND c > 7000000002.5"
    """
    numbers: list[str] = []

    def stand_in(found: re.Match[str]) -> str:
        kind = _noted(found[0], numbers)
        return found[0] if kind == found[0] else f"{STAND_IN + len(numbers) - 1}{'.5' if kind == '$.' else ''}"

    return NUMBER.sub(stand_in, text)


def shape_of(text: str, tokens: Collection[Any], statement: exp.Select, plain: Collection[type]) -> Shape | None:
    """The shape of a statement with stand-ins, if each is one word and one node, and all nodes are plain."""
    wanted = [found[0] for found in NUMBER.finditer(text) if found[0][0] != "'"]
    if [token.text for token in tokens if token.token_type == TokenType.NUMBER] != wanted:
        return None
    found: dict[str, exp.Literal] = {}
    for node in statement.walk():
        if type(node) not in plain:
            return None
        if isinstance(node, exp.Literal) and not node.is_string:
            found[node.this] = node
    if sorted(found) != sorted(wanted):
        return None
    for item in statement.expressions:
        if not any(isinstance(node, exp.Literal) for node in item.walk()):
            item.meta[LABEL] = label_of(item)  # written once
    return Shape(statement, tuple(found[number] for number in wanted))
