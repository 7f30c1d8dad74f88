"""What one entry of the ledger pays for: the releases of questions asked together, or a copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.compact import LATER, read_widths, repeated, shortly
from noiseless.curator.ledger.entry import Entry, Kind
from noiseless.curator.question.groups import Groups
from noiseless.curator.question.many import recall, widths_of_each
from noiseless.curator.question.price import union
from noiseless.curator.question.question import Question
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.copied_rows import CopiedRows
from noiseless.curator.releases.release import Paid
from noiseless.errors import QuestionError


@dataclass(frozen=True, slots=True)
class Purchase:
    """Texts, each with its releases and the widths of their bins, and the kind of entry they become.

    `written` is how the entry stores each of them. If there is `more`, further steps of the same questions follow.
    """

    asked: tuple[tuple[str, Widths], ...]
    written: tuple[Mapping[str, Any], ...]
    kind: Kind = "ask"
    more: bool = False
    groups: Groups | None = None
    """If given, the releases are samples of very many groups."""
    whole: Callable[[], Purchase] | None = field(default=None, compare=False)
    """Makes the same purchase with all groups one by one."""

    @classmethod
    def of_questions(cls, questions: Iterable[Question]) -> Purchase:
        """Questions that are counted and charged together."""
        asked = list(questions)
        written, more = tuple(map(_written, asked)), any(each.more for each in asked)
        texts = tuple((each.text, each.widths) for each in asked)
        groups = [each.groups for each in asked if each.groups is not None]
        if not groups:
            return cls(texts, written, more=more)
        assert len(asked) == 1
        return cls(texts, written, "ask", more, groups[0], lambda: cls.of_questions([asked[0].whole()]))

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
    written: dict[str, Any] = {"text": question.text}
    if question.groups is None:
        written["widths"] = repeated(str(question.widths.get(release, LATER)) for release in question.releases)
    else:
        written["widths"] = shortly(map(str, widths_of_each(question, question.groups)))
    written |= {"centred": True} if question.centred else {}
    written |= {"public": dict(question.plan.joined)} if question.plan.joined else {}
    return written | ({"promise": str(question.promise)} if question.promise > 1 else {})


def question_of(steps: Sequence[Entry], which: int, dataset: Dataset) -> Question:
    """A question of an entry, or of the steps of a question, in the bins that each number had last."""
    asked = [step.body["questions"][which] for step in steps]
    _check_same_tables(asked[0], dataset)
    found = [read_widths(each["widths"], step.body) for each, step in zip(asked, steps, strict=True)][::-1]
    widths = [next((width for width in each if width is not None), None) for each in zip(*found, strict=True)]
    centred, promise = asked[0].get("centred", False), int(asked[-1].get("promise", "1"))
    return recall(asked[0]["text"], dataset, widths, centred, promise)


def _check_same_tables(asked: Mapping[str, Any], dataset: Dataset) -> None:
    """Refuse a question from a time when a public table had another content: the same text now means something else."""
    tables = dataset.public_tables
    for name, digest in asked.get("public", {}).items():
        if name.lower() not in tables or tables[name.lower()].digest != digest:
            raise QuestionError(
                f"public table {name!r} has changed since this was asked, so that it now means something else; ask it "
                f"again as a new question"
            )
