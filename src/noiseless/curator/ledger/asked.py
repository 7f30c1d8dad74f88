"""The questions of a ledger, read a page at a time."""

from __future__ import annotations

from dataclasses import dataclass

from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.charge import Charge
from noiseless.curator.ledger.entry import Entry
from noiseless.curator.ledger.texts import texts_of
from noiseless.errors import QuestionError
from noiseless.exact.number import as_integer, shown


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in the ledger: its number, counted from 1, its entry for each step, and what it was charged."""

    number: int
    steps: tuple[Entry, ...]
    charge: Charge

    @property
    def first(self) -> Entry:
        """The entry of its first step."""
        return self.steps[0]

    @property
    def texts(self) -> list[str]:
        """The analyst's own text of each question of a batch. A copy of the table has none."""
        return [] if self.first.kind == "release" else texts_of(self.first)


def asked(account: Account, before: int | None, most: int) -> tuple[int, list[Asked]]:
    """How many questions there are, and those before a number, at most `most` of them, the latest first."""
    last = None if before is None else as_integer(before)
    if before is not None and (last is None or last < 1):
        raise QuestionError(f"before={shown(before)} is not the number of a question; use a whole number from 1 on")

    def found() -> tuple[int, list[Asked]]:
        account.known()  # reads what other processes have appended
        total = account.questions
        end = total if last is None else min(total, last - 1)
        return total, [_asked(account, number) for number in range(end, max(0, end - most), -1)]

    return account.alone(found)


def _asked(account: Account, number: int) -> Asked:
    steps = tuple(account.steps(number))
    *earlier, last = map(account.charge_of, steps)
    return Asked(number, steps, last.following(earlier))
