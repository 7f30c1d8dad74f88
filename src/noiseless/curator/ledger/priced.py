"""What a purchase costs now: a count for numbers in equal bins, and prices by the answer for those in guarded bins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, prod

from noiseless.curator.question.price import Unit
from noiseless.privacy.composition.sequence import EVERYBODY, Sequence, Step
from noiseless.privacy.composition.weights import Product, Weights


@dataclass(frozen=True, slots=True)
class Weighed:
    """A unit of numbers that are charged by the answer, with its prices and the accounts that it charges."""

    unit: Unit
    cells: tuple[int, ...]
    accounts: tuple[str, ...]
    weights: Weights


@dataclass(frozen=True, slots=True)
class Priced:
    """The price of a purchase: the step of the numbers in equal bins, if any, and the prices of the others."""

    step: Step | None
    weighed: tuple[Weighed, ...]
    before: Sequence

    def after(self, loud: bool) -> Sequence:
        """The budget after the dearest outcome, or after the quiet one."""
        counted = self.before if self.step is None else self.step.after
        if not self.weighed:
            return counted
        cells = dict(counted.cells)
        units = ((each.accounts, each.weights.dearest if loud else each.weights.quiet) for each in self.weighed)
        for name, price in account_prices(units, counted.rows).items():
            cells[name] = cells[name].charged(price, {})
        return replace(counted, cells=cells)

    @property
    def fits(self) -> bool:
        """Whether the budget allows the dearest outcome. This is the only place that compares them."""
        after = self.after(loud=True)
        return after.spent() <= after.budget

    @property
    def counted(self) -> Product:
        """The largest factor of the numbers in equal bins."""
        return 1 if self.step is None else self.step.factor

    @property
    def dearest(self) -> Product:
        """The largest price of any account, whatever comes out: this must be left."""
        return self._largest([(each, each.weights.dearest) for each in self.weighed])

    @property
    def quiet(self) -> Product:
        """The largest price of any account if every number comes out in a wide bin."""
        return self._largest([(each, each.weights.quiet) for each in self.weighed])

    @property
    def chance(self) -> Fraction | None:
        """The chance of a loud outcome for the account most likely to have one. None if nothing depends on it."""
        return max((each.unit.chance for each in self.weighed if each.weights.count > 1), default=None)

    @property
    def grown(self) -> list[str]:
        """The accounts that pay."""
        factors = {} if self.step is None else self.step.factors
        pays = {name for name, factor in factors.items() if factor > 1}
        pays |= {name for each in self.weighed if each.weights.count > 1 for name in each.accounts}
        return [name for name in self.before.cells if name in pays]

    @property
    def by_account(self) -> dict[str, Fraction]:
        """The dearest price for every account that pays."""
        return self._prices([(each, each.weights.dearest) for each in self.weighed])

    def _largest(self, prices: list[tuple[Weighed, Fraction]]) -> Product:
        if not prices:
            return self.counted
        largest = max(self._prices(prices).values(), default=Fraction(1))
        return int(largest) if largest == int(largest) else largest

    def _prices(self, prices: list[tuple[Weighed, Fraction]]) -> dict[str, Fraction]:
        factors = {} if self.step is None else self.step.factors
        rates = account_prices(((each.accounts, price) for each, price in prices), self.before.rows)
        names = dict.fromkeys([*factors, *rates])
        return {name: Fraction(factors.get(name, 1)) * rates.get(name, Fraction(1)) for name in names}


def account_prices(units: Iterable[tuple[tuple[str, ...], Fraction]], rows: int) -> dict[str, Fraction]:
    """The price for each account. Everybody's is charged the dearest unit, or the R dearest multiplied for R rows."""
    everybody: list[Fraction] = []
    found: dict[str, Fraction] = {}
    for accounts, price in units:
        if accounts == (EVERYBODY,):
            everybody.append(price)
        else:
            found |= dict.fromkeys(accounts, price)
    if everybody:
        found[EVERYBODY] = prod(sorted(everybody, reverse=True)[:rows], start=Fraction(1))
    return found


def weigh(units: list[Unit], after: Sequence, names: list[str], most: Fraction | None) -> tuple[Weighed, ...]:
    """The cheapest prices that leave the dearest outcome within the budget, and within `most` for the question.

    `after` is the budget after the numbers in equal bins. Accounts with different budgets left may get other prices.
    """
    celled = names != [EVERYBODY]
    shared = 1 if celled else min(after.rows, len(units))
    rooms: dict[Product, Fraction] = {}

    def room(name: str) -> Fraction:
        product = after.cells[name].product
        if product not in rooms:
            left = Fraction(after.budget) / product
            rooms[product] = _root(left if most is None else min(left, most), shared)
        return rooms[product]

    found = []
    for unit in units:
        chosen: dict[Fraction, Weights] = {}
        alike: dict[Weights, list[int]] = {}
        for cell in unit.cells:
            left = room(names[cell] if celled else EVERYBODY)
            if left not in chosen:
                chosen[left] = Weights.cheapest(unit.count, unit.chance, left)
            alike.setdefault(chosen[left], []).append(cell)
        for weights, cells in alike.items():
            accounts = tuple(names[cell] for cell in cells) if celled else (EVERYBODY,)
            found.append(Weighed(unit, tuple(cells), accounts, weights))
    return tuple(found)


def _root(number: Fraction, degree: int) -> Fraction:
    """The largest integer whose power of this degree is at most the number, which itself is the first power."""
    if degree == 1:
        return number
    low, high = 1, 1 << (floor(number).bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return Fraction(low)
