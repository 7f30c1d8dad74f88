"""What is left of the budget of every public group and of every analyst's quota."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.grants import used_by
from noiseless.curator.ledger.quota import EVERYBODY_ELSE, shared_use
from noiseless.exact.readable import bits_left_shown, printable
from noiseless.exact.rounding import bits_down, bits_up
from noiseless.privacy.composition.sequence import EVERYBODY, bits_left

if TYPE_CHECKING:
    from rich.console import Group

MOST_GROUPS = 20
"""At most this number of public groups are shown, the most charged first."""


@dataclass(frozen=True, slots=True)
class Left:
    """The bits spent and left of a public group or an analyst."""

    name: str
    spent: float
    left: float


@dataclass(frozen=True, slots=True)
class Status:
    """The budget of a dataset: in total, for every public group (the most charged first) and for every quota."""

    dataset: str
    rows: int
    budget: float
    questions: int
    groups: tuple[Left, ...]
    quotas: tuple[Left, ...]
    datasets: tuple[str, ...]
    held: int = 0
    """How many questions wait for the custodian or were approved; what they reserve is not left."""
    frozen: bool = False

    @property
    def remaining(self) -> float:
        """What is left for everybody, which is what the most charged group has left."""
        return min((group.left for group in self.groups), default=self.budget)

    def fields(self) -> dict[str, Any]:
        """All fields, for machines."""
        return {**asdict(self), "remaining": self.remaining}

    @property
    def line(self) -> str:
        """The status in one sentence."""
        left = f"{bits_left_shown(self.remaining)} of {bits_left_shown(self.budget)} left for everybody"
        more = f"; {self.held} on hold" if self.held else ""
        more += "; frozen" if self.frozen else ""
        return f"{self.dataset}: {self.rows} rows, {self.questions} question{_s(self.questions)} charged; {left}{more}"

    def __rich__(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        shown: list[Any] = [Text(self.line)]
        if len(self.groups) > 1:
            shown.append(_table("public group", self.groups[:MOST_GROUPS]))
            if len(self.groups) > MOST_GROUPS:
                shown.append(Text(f"and {len(self.groups) - MOST_GROUPS} more groups, which spent no more than these"))
        if self.quotas:
            shown.append(_table("quota of", self.quotas))
        if len(self.datasets) > 1:
            shown.append(Text(f"datasets in this ledger: {', '.join(self.datasets)}"))
        return Group(*shown)

    def __repr__(self) -> str:
        return printable(self.line)


def status_of(dataset: str, rows: int, account: Account) -> Status:
    """The status as the ledger has it now."""
    sequence = account.sequence
    budget = sequence.budget
    products = sorted(((cell.product, name) for name, cell in sequence.cells.items()), key=lambda each: -each[0])
    groups = tuple(Left(group_name(name), bits_up(product), bits_left(budget, product)) for product, name in products)
    return Status(
        dataset,
        rows,
        bits_down(budget),
        account.questions,
        groups,
        tuple(_quotas(account)),
        tuple(account.datasets()) or (dataset,),
        len(account.custody.holds),
        account.custody.frozen,
    )


def group_name(name: str) -> str:
    """A public group in words. The ledger names it by the list of its keys."""
    return "everybody" if name == EVERYBODY else " ".join(map(str, json.loads(name))) or "everybody"


def _quotas(account: Account) -> Iterator[Left]:
    """The quotas that were granted while the dataset is open, and all others that were declared or raised."""
    quotas, spent, extra = account.quotas or {}, account.spent, account.custody.extra
    grants = list(account.grants())
    for grant in grants:
        used = shared_use({EVERYBODY_ELSE: grant.most}, used_by(grant, spent), EVERYBODY_ELSE, extra)
        yield Left(grant.name, bits_up(used), bits_left(grant.most, used))
    own = {grant.name for grant in grants if grant.own}
    for name in dict.fromkeys(each for each in [*quotas, *(extra if quotas else ())] if each not in own):
        if name == EVERYBODY_ELSE:
            used = shared_use(quotas, spent, name, extra)
            yield Left("all others", bits_up(used), bits_left(quotas[name], used))
        else:
            used, granted = spent.get(name, 1), quotas.get(name, 1) * extra.get(name, 1)
            yield Left(name, bits_up(used), bits_left(granted, used))


def _table(head: str, rows: tuple[Left, ...]) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(head, "spent", "left")
    for each in rows:
        table.add_row(Text(each.name), bits_left_shown(each.spent), bits_left_shown(each.left))
    return table


def _s(number: int) -> str:
    return "" if number == 1 else "s"
