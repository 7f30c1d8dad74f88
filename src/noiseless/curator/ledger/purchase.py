"""What one entry of the ledger pays for: the releases of questions asked together, or a copy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from noiseless.curator.ledger.compact import LATER, repeated
from noiseless.curator.ledger.entry import Kind
from noiseless.curator.question.price import union
from noiseless.curator.question.question import Question
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.copied_rows import CopiedRows
from noiseless.curator.releases.release import Paid


@dataclass(frozen=True, slots=True)
class Purchase:
    """Texts, each with its releases and the widths of their bins, and the kind of entry they become.

    `written` is how the entry stores each of them. If there is `more`, further steps of the same questions follow.
    """

    asked: tuple[tuple[str, Widths], ...]
    written: tuple[Mapping[str, Any], ...]
    kind: Kind = "ask"
    more: bool = False

    @classmethod
    def of_questions(cls, questions: Iterable[Question]) -> Purchase:
        """Questions that are counted and charged together."""
        asked = list(questions)
        written = tuple(map(_written, asked))
        return cls(tuple((each.text, each.widths) for each in asked), written, more=any(each.more for each in asked))

    @classmethod
    def of_copy(cls, copy: CopiedRows) -> Purchase:
        """A copy, which has only one width."""
        text = f"RELEASE {', '.join(copy.names)}"
        return cls(((text, {copy: 1}),), ({"text": text, "widths": repeated(["1"])},), "release")

    @property
    def batch(self) -> list[Widths]:
        """The releases of each text."""
        return [widths for _, widths in self.asked]

    @property
    def releases(self) -> list[Paid]:
        """All releases with their widths, each once."""
        return list(union(self.batch).items())


def _written(question: Question) -> dict[str, Any]:
    widths = (str(question.widths.get(release, LATER)) for release in question.releases)
    written: dict[str, Any] = {"text": question.text, "widths": repeated(widths)}
    written |= {"centred": True} if question.centred else {}
    return written | ({"promise": str(question.promise)} if question.promise > 1 else {})
