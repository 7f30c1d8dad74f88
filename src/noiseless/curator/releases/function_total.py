"""The sum of a function of a row over rows that are all known to count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from noiseless.curator.releases.release import Release, Width
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.written import Fields
from noiseless.privacy.composition.questions import Counted


@dataclass(frozen=True, slots=True)
class FunctionTotal(Total):
    """SUM and AVG of a function, such as SUM(a * b): the sum of its codes in bins of w.

    Guarantee: as for a total, with M = (hi − lo)/step of the function. It confines no column, because many values of
    the columns may give the same value of the function.
    Source: theory §12: docs/functions.md
    """

    kind: ClassVar[str] = "function total"
    refinable: ClassVar[bool] = False

    @classmethod
    def window_of(cls, family: Fields, top: int) -> int:
        """The window on the function's own grid."""
        return int(family.get("top", 0)) + 1

    @classmethod
    def narrowed(cls, family: Fields) -> str:
        """Empty: it confines no column."""
        return ""

    def question_of_everybody(self, width: Width, rows: int) -> Counted:
        """How the account of everybody books it: by its count for a person with this number of rows."""
        return Release.question_of_everybody(self, width, rows)
