"""What an ask has reserved for numbers in guarded bins, until their answer settles it.

An ask that is charged by the answer reserves its dearest price before the data are read. The answer then charges the
price of what came out. The price follows from the bins in the answer alone, so anyone can compute it again. If nobody
ever computes the answer, the reserve stays charged.

Source: theory §11: docs/pay_by_the_answer.md
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.curator.ledger.compact import PaidKey, rolled, unrolled
from noiseless.curator.ledger.priced import Weighed, account_prices
from noiseless.curator.releases.release import as_bins, is_loud
from noiseless.curator.releases.written import numbers_in, spans
from noiseless.privacy.composition.sequence import EVERYBODY
from noiseless.privacy.composition.weights import Weights

Places = Mapping[PaidKey, int]
"""The places of the bins that came out, by number."""


@dataclass(frozen=True, slots=True)
class ReservedUnit:
    """Numbers that are charged together: which accounts pay, the prices, and which numbers narrow a column for them."""

    accounts: tuple[str, ...]
    cells: tuple[int, ...]
    weights: Weights
    keys: tuple[PaidKey, ...]
    narrowing: Mapping[PaidKey, str]

    def loud(self, places: Places) -> bool:
        """Whether a number came out in a guard, or at a coarser level than the first."""
        return any(is_loud(key[2], (places[key],)) for key in self.keys)

    def price(self, places: Places) -> Fraction:
        """What is charged for the bins that came out."""
        return self.weights.price(self.loud(places))

    def narrowed(self, places: Places) -> dict[str, int]:
        """How many codes the bins that came out leave of each column."""
        left: dict[str, int] = {}
        for key, column in self.narrowing.items():
            width = as_bins(key[2]).width(places[key])
            left[column] = min(width, left.get(column, width))
        return left


@dataclass(frozen=True, slots=True)
class Reserve:
    """What one entry has reserved. `factors` are what it charged each account finally, for numbers in equal bins."""

    number: int
    analyst: str
    factors: Mapping[str, int]
    units: tuple[ReservedUnit, ...]
    rows: int

    @property
    def keys(self) -> set[PaidKey]:
        """All numbers that must be known before it is settled."""
        return {key for unit in self.units for key in unit.keys}

    def prices(self, places: Places | None = None) -> dict[str, Fraction]:
        """The price for each account: the dearest, or that of the bins that came out.

        Everybody's account is charged the dearest unit, or with R rows per person the R dearest multiplied.
        """
        each = ((unit.accounts, unit.weights.dearest if places is None else unit.price(places)) for unit in self.units)
        return account_prices(each, self.rows)

    def largest(self, places: Places | None = None) -> Fraction:
        """The largest price of any account, together with what it was charged finally."""
        prices, one = self.prices(places), Fraction(1)
        return max(self.factors.get(name, 1) * prices.get(name, one) for name in {*self.factors, *prices})


def reserved_fields(weighed: Iterable[Weighed]) -> list[Any]:
    """Cells, their joint count, the price of a loud outcome, and whether sums narrow their columns."""
    return rolled(
        (spans(each.cells), (str(each.weights.count), str(each.weights.loud), each.unit.narrows)) for each in weighed
    )


def read_reserve(
    number: int,
    analyst: str,
    body: Mapping[str, Any],
    factors: Mapping[str, int],
    keys: Iterable[tuple[PaidKey, str]],
    names: list[str],
    rows: int,
) -> Reserve:
    """The reserve of an entry. `keys` are its numbers charged by the answer, with the column each narrows, or ""."""
    of_cell: dict[int, list[tuple[PaidKey, str]]] = {}
    for key, column in keys:
        for cell in numbers_in(key[1]):
            of_cell.setdefault(cell, []).append((key, column))
    units = []
    for cells, count, loud, narrows in unrolled(body["reserved"]):
        places = tuple(numbers_in(cells))
        members = dict(pair for cell in (places if rows > 1 else places[:1]) for pair in of_cell[cell])
        accounts = (EVERYBODY,) if names == [EVERYBODY] else tuple(names[place] for place in places)
        weights = Weights(int(count), Fraction(loud), alone=len(members) == 1)
        narrowing = {key: column for key, column in members.items() if column} if narrows else {}
        units.append(ReservedUnit(accounts, places, weights, tuple(members), narrowing))
    if not units:
        raise ValueError("an empty reserve")
    return Reserve(number, analyst, factors, tuple(units), rows)
