"""What is left of the budget of every public group and of every analyst's quota."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.quota import EVERYBODY_ELSE
from noiseless.exact.readable import bits_left_shown, printable
from noiseless.exact.rounding import bits_down, bits_up
from noiseless.privacy.composition.sequence import EVERYBODY, bits_left
from noiseless.privacy.composition.weights import Product, raised

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

    @property
    def remaining(self) -> float:
        """What is left for everybody, which is what the most charged group has left."""
        return min((group.left for group in self.groups), default=self.budget)

    def fields(self) -> dict[str, Any]:
        """All of it, for machines."""
        return {**asdict(self), "remaining": self.remaining}

    @property
    def line(self) -> str:
        """The status in one sentence."""
        left = f"{bits_left_shown(self.remaining)} of {bits_left_shown(self.budget)} left for everybody"
        return f"{self.dataset}: {self.rows} rows, {self.questions} question{_s(self.questions)} charged; {left}"

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
    groups = tuple(Left(_group(name), bits_up(product), bits_left(budget, product)) for product, name in products)
    return Status(
        dataset,
        rows,
        bits_down(budget),
        account.questions,
        groups,
        tuple(_quotas(account.quotas, account.spent)),
        tuple(account.datasets()) or (dataset,),
    )


def _group(name: str) -> str:
    return "everybody" if name == EVERYBODY else " ".join(map(str, json.loads(name))) or "everybody"


def _quotas(quotas: Mapping[str, int] | None, spent: Mapping[str, Product]) -> list[Left]:
    found = []
    for name, quota in (quotas or {}).items():
        mine = [name] if name != EVERYBODY_ELSE else [each for each in spent if each not in (quotas or {})]
        used: Product = 1
        for each in mine:
            used = raised(used, spent.get(each, 1))
        shown = "all others" if name == EVERYBODY_ELSE else name
        found.append(Left(shown, bits_up(used), bits_left(quota, used)))
    return found


def _table(head: str, rows: tuple[Left, ...]) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(head, "spent", "left")
    for each in rows:
        table.add_row(Text(each.name), bits_left_shown(each.spent), bits_left_shown(each.left))
    return table


def _s(number: int) -> str:
    return "" if number == 1 else "s"
