"""Finding questions in a ledger by who asked them, by their texts, and by what they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from noiseless.curator.curator import Curator
from noiseless.curator.ledger.asked import Asked

Sort = Literal["question", "batch", "copy"]
SORTS: tuple[Sort, ...] = ("question", "batch", "copy")
AT_ONCE = 200
LOOKED = 2000
"""The most questions that are looked at for one page, so that no search takes long."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which questions are wanted. What is empty allows all."""

    analyst: str = ""
    text: str = ""
    sort: Sort | None = None

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return not (self.analyst or self.text or self.sort)

    def fits(self, asked: Asked, readable: bool) -> bool:
        """Whether a question is wanted. A text that the caller may not read is never found."""
        if self.analyst and asked.first.analyst != self.analyst:
            return False
        if self.sort and sort_of(asked) != self.sort:
            return False
        return not self.text or (readable and any(self.text.lower() in each.lower() for each in asked.texts))


def sort_of(asked: Asked) -> Sort:
    """Whether an entry is a question, a batch or a copy."""
    if asked.first.kind == "release":
        return "copy"
    return "batch" if len(asked.texts) > 1 else "question"


def find(
    curator: Curator, wanted: Wanted, may_read: Callable[[Asked], bool], before: int | None, most: int
) -> tuple[int, list[Asked], int | None]:
    """The number of questions, those that are wanted, and the place to continue from: None at the ledger's end."""
    found, looked = list[Asked](), 0
    while True:
        total, listed = curator.asked(before, most if wanted.everything else AT_ONCE)
        for each in listed:
            looked, before = looked + 1, each.number
            if wanted.fits(each, may_read(each)):
                found.append(each)
            if len(found) == most or looked == LOOKED:
                return total, found, before if before > 1 else None
        if not listed or before == 1:
            return total, found, None
