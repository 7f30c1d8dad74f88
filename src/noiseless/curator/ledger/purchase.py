"""What one entry of the ledger pays for: the releases of questions asked together, or a copy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from noiseless.curator.ledger.compact import repeated
from noiseless.curator.ledger.entry import Kind
from noiseless.curator.question.price import union
from noiseless.curator.question.question import Paid, Question
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.copied_rows import CopiedRows


@dataclass(frozen=True, slots=True)
class Purchase:
    """Texts, each with its releases and the widths of their bins, and the kind of entry they become."""

    asked: tuple[tuple[str, Widths], ...]
    kind: Kind = "ask"

    @classmethod
    def of_questions(cls, questions: Iterable[Question]) -> Purchase:
        """Questions that are counted and charged together."""
        return cls(tuple((question.text, question.widths) for question in questions))

    @classmethod
    def of_copy(cls, copy: CopiedRows) -> Purchase:
        """A copy, which has only one width."""
        return cls(((f"RELEASE {', '.join(copy.names)}", {copy: 1}),), "release")

    @property
    def batch(self) -> list[Widths]:
        """The releases of each text."""
        return [widths for _, widths in self.asked]

    @property
    def releases(self) -> list[Paid]:
        """All releases with their widths, each once."""
        return list(union(self.batch).items())

    def questions(self) -> list[dict[str, Any]]:
        """The questions as an entry stores them."""
        return [{"text": text, "widths": repeated(map(str, widths.values()))} for text, widths in self.asked]
