"""Checks that a ledger is as it was written: no entry changed, removed or added, and all sums right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, prod
from typing import Any

from noiseless.curator.ledger.charge import bits_between, payers
from noiseless.curator.ledger.compact import one_by_one, paid_in, released_in, unrepeated, unrolled
from noiseless.curator.ledger.entry import CHARGED, Entry, damaged_error
from noiseless.curator.ledger.journal import Checkpoint
from noiseless.curator.ledger.replay import verify_checkpoints
from noiseless.curator.ledger.verify_decisions import DECISIONS, Decisions
from noiseless.curator.releases.release import Release, Width, as_bins, is_loud, is_weighed
from noiseless.curator.releases.written import canonical, numbers_in
from noiseless.curator.schema.declaration import Declaration
from noiseless.errors import LedgerError
from noiseless.exact.rounding import bits_down
from noiseless.privacy.quantizers.ladder import Ladder

Account = tuple[Fraction, Mapping[str, int]]
"""What was spent on the people of a cell, and what is left of narrowed columns."""
FRESH: Account = (Fraction(1), {})
UNIT = 1 << 64
"""Products are rounded up to multiples of 1/UNIT."""
Key = tuple[str, str, Width]


@dataclass(frozen=True, slots=True)
class Open:
    """What an ask reserved: for each unit its accounts, count, loud price, numbers, and the columns they narrow."""

    factors: Mapping[str, int]
    units: tuple[tuple[tuple[str, ...], int, Fraction, Mapping[Key, str]], ...]

    def prices(self, rows: int, found: Mapping[Key, int] | None = None) -> dict[str, Fraction]:
        """The dearest price of every account, or that of the bins found."""
        each: list[tuple[tuple[str, ...], Fraction]] = []
        for accounts, count, loud, keys in self.units:
            quiet = loud / (loud - count + 1) if count > 1 else Fraction(1)
            guard = found is not None and any(is_loud(key[2], (found[key],)) for key in keys)
            dearest = max(quiet, loud) if count > 1 else Fraction(1)
            each.append((accounts, dearest if found is None else quiet if not guard else loud if count > 1 else quiet))
        if ("",) not in [accounts for accounts, _ in each]:
            return {name: price for accounts, price in each for name in accounts}
        total = Fraction(1)
        for price in sorted((price for _, price in each), reverse=True)[:rows]:
            total *= price
        return {"": total}

    def largest(self, rows: int, found: Mapping[Key, int] | None = None) -> Fraction:
        """The largest price of any account, with what it was charged for numbers in equal bins."""
        prices = self.prices(rows, found)
        return max(prices.get(name, Fraction(1)) * self.factors.get(name, 1) for name in {*prices, *self.factors})

    def outcome(self, found: Mapping[Key, int]) -> str:
        """Quiet, or loud if a number is in a guard. Reserved if some numbers were never computed."""
        keys = [key for _, _, _, numbers in self.units for key in numbers]
        if not all(key in found for key in keys):
            return "reserved"
        return "loud" if any(is_loud(key[2], (found[key],)) for key in keys) else "quiet"


def verify_ledger(entries: Sequence[Entry], checkpoints: Iterable[Checkpoint] = ()) -> int:
    """The number of entries. Refused at the first entry that is wrong, and at the first wrong checkpoint.

    The chain reveals entries that were changed, removed or inserted. It contains no secret: someone who can rewrite the
    whole ledger can write another consistent one, or cut off its end. Certificates protect against that. They are
    signed, and they carry the numbers and hashes of their entries.
    """
    ledger = _Ledger()
    for place, entry in enumerate(entries):
        if not entry.follows(entries[place - 1] if place else None) or (entry.kind == "open") != (place == 0):
            raise damaged_error(place)
        try:
            adds_up = ledger.takes(entry)
        except (KeyError, ValueError, TypeError, AttributeError, LookupError, ZeroDivisionError):
            adds_up = False
        if not adds_up:
            raise LedgerError(f"entry {place} of the ledger does not add up; restore the ledger from a backup")
    verify_checkpoints(entries, checkpoints)
    return len(entries)


@dataclass(frozen=True, slots=True)
class Spent:
    """A charged entry: its number among these, its largest price, who paid, and what the most charged group lost and
    has left. What is charged by the answer was quiet or loud. If no answer has settled it yet, its dearest price is
    reserved."""

    number: int
    entry: Entry
    factor: Fraction
    paid_by: str
    taken: float
    left: float
    outcome: str = ""


def spending(entries: Iterable[Entry]) -> Iterator[Spent]:
    """Every question, in order. The steps of one question are one."""
    ledger = _Ledger()
    first: dict[int, int] = {}
    found: dict[int, Spent] = {}
    for entry in entries:
        before, waiting = dict(ledger.accounts), dict(ledger.open)
        spent = ledger.spent_without(entry.body.get("hold") if entry.kind in CHARGED else None)
        ledger.takes(entry)
        if entry.kind in CHARGED:
            reserve = ledger.open.get(entry.number)
            prices = {} if reserve is None else reserve.prices(ledger.rows)
            grown = [name for name, (product, _) in ledger.accounts.items() if product > before.get(name, FRESH)[0]]
            paid_by = payers(dict.fromkeys([*grown, *(n for n, p in prices.items() if p > 1)]), ledger.names or [""])
            factor = Fraction(int(entry.body["factor"])) if reserve is None else reserve.largest(ledger.rows)
            taken = bits_between(spent, ledger.spent)
            outcome = "" if reserve is None else "reserved"
            if "after" in entry.body:
                first[entry.number] = first.get(int(entry.body["after"]), int(entry.body["after"]))
            found[entry.number] = Spent(0, entry, factor, paid_by, taken, ledger.left, outcome)
        for number in waiting:
            if number in ledger.settled:
                taken = max(0.0, found[number].taken + bits_between(spent, ledger.spent))
                factor, outcome = ledger.settled[number], waiting[number].outcome(ledger.found)
                found[number] = replace(found[number], factor=factor, taken=taken, left=ledger.left, outcome=outcome)
    questions: dict[int, list[Spent]] = {}
    for number, step in found.items():
        questions.setdefault(first.get(number, number), []).append(step)
    yield from (_joined(place, steps) for place, steps in enumerate(questions.values(), start=1))


def _joined(number: int, steps: Sequence[Spent]) -> Spent:
    """The steps of one question as one: what they were charged together, and the dearest outcome."""
    factor, taken = prod((step.factor for step in steps), start=Fraction(1)), sum(step.taken for step in steps)
    outcome = next((each for each in ("reserved", "loud", "quiet") if any(s.outcome == each for s in steps)), "")
    paid_by = next((step.paid_by for step in steps if step.factor > 1), steps[0].paid_by)
    return replace(
        steps[0], number=number, factor=factor, paid_by=paid_by, taken=taken, left=steps[-1].left, outcome=outcome
    )


class _Ledger:
    """The accounts, added up independently of `State`."""

    def __init__(self) -> None:
        self.budget = 0
        self.declared = 0
        self.rows = 1
        self.decisions = Decisions()
        self._tops: dict[str, int] = {}
        self.names: list[str] = []
        self.accounts: dict[str, Account] = {}
        self.open: dict[int, Open] = {}
        self.settled: dict[int, Fraction] = {}
        self.found: dict[Key, int] = {}

    @property
    def left(self) -> float:
        """What the most charged group can still spend, in bits."""
        return bits_down(max(1, self.budget // self.spent) if self.spent.denominator == 1 else self.budget / self.spent)

    @property
    def spent(self) -> Fraction:
        """What the most charged group spent, as a product, with what is reserved."""
        return self.spent_without(None)

    def spent_without(self, hold: object) -> Fraction:
        """What the most charged group spent, without what one question on hold reserves."""
        products = {name: product for name, (product, _) in self.accounts.items()}
        for reserve in self.open.values():
            for name, price in reserve.prices(self.rows).items():
                products[name] = _up(products.get(name, Fraction(1)) * price)
        for name, price in self.decisions.reserved(hold):
            products[name] = _up(products.get(name, Fraction(1)) * price)
        return max(products.values(), default=Fraction(1))

    def takes(self, entry: Entry) -> bool:
        body = entry.body
        if entry.kind == "open":
            self.budget = self.declared = int(body["budget"])
            self.names = list(body.get("cells", []))
            self._declared(body.get("schema"))
        elif entry.kind == "change":
            return self._changed(body)
        elif entry.kind in CHARGED:
            self.decisions.release(body)
            return self._charged(body) and self._reserved(entry) and self._allowed(entry)
        elif entry.kind == "answer":
            self._answered(body)
        elif entry.kind in DECISIONS:
            return self._decided(entry)
        return True

    def _allowed(self, entry: Entry) -> bool:
        """Whether no hold, freeze or price stands in the way, and everything that is reserved still fits."""
        reserve = self.open.get(entry.number)
        dearest = Fraction(int(entry.body["factor"])) if reserve is None else reserve.largest(self.rows)
        asks, frozen = self.decisions.asks(entry, dearest), self.decisions.frozen and dearest > 1
        return asks and not frozen and (not self.decisions.holds or self.spent <= self.budget)

    def _decided(self, entry: Entry) -> bool:
        """Whether a decision fits those before it, and a hold into the budget."""
        if entry.kind == "grant":
            self.budget *= self.decisions.granted(entry)
        return self.decisions.takes(entry, self.names) and (entry.kind != "hold" or self.spent <= self.budget)

    def _declared(self, text: str | None) -> None:
        if text is not None:
            schema = Declaration.parse(text).schema
            self.rows, self._tops = schema.rows, {name: column.top for name, column in schema.private.items()}

    def _guards(self, family: Mapping[str, Any], width: Width) -> bool:
        """Whether bins are as wide as one person's row can move a sum or a count. Others need more than the ledger."""
        top = self._tops.get(family.get("column", ""), 0)
        window = Release.of_kind(family["kind"]).window_of(family, top)
        return self.rows > 1 or isinstance(width, Ladder) or as_bins(width).keeps(window)

    def _reserved(self, entry: Entry) -> bool:
        """Whether an ask reserved what it must: prices whose weights sum to at most 1, within the budget."""
        guarded = [(canonical(f), cells, width, f) for f, cells, width in paid_in(entry.body) if is_weighed(width)]
        rows = entry.body.get("reserved", [])
        if bool(guarded) != bool(rows) or not all(self._guards(each[3], each[2]) for each in guarded):
            return False
        units: list[tuple[tuple[str, ...], int, Fraction, Mapping[Key, str]]] = []
        covered: set[int] = set()
        for cells, count, loud, narrows in unrolled(rows):
            places = set(numbers_in(cells))
            members = {
                (text, part, width): Release.of_kind(family["kind"]).narrowed(family) if narrows else ""
                for text, part, width, family in guarded
                if not places.isdisjoint(numbers_in(part))
            }
            known, price = int(count), Fraction(loud)
            if not members or known < 1 or not (price >= known or (len(members) == 1 and known == 2 and price > 1)):
                return False
            covered |= places
            accounts = ("",) if self.names == [""] else tuple(self.names[place] for place in sorted(places))
            units.append((accounts, known, price, members))
        if covered != {place for _, part, _, _ in guarded for place in numbers_in(part)}:
            return False  # someone who is in a sum would not pay for it
        if units:
            factors = {name: grown for name, grown, _ in self._grown(entry.body)}
            self.open[entry.number] = Open(factors, tuple(units))
        return not units or self.spent <= self.budget

    def _answered(self, body: Mapping[str, Any]) -> None:
        """Settle what the answer completes: charge the bins found, and note what they leave of narrowed columns."""
        for family, cells, width, numbers in released_in({"released": one_by_one(body["released"])}):
            if is_weighed(width):
                self.found.setdefault((canonical(family), cells, width), numbers[0])
        for number, reserve in list(self.open.items()):
            if all(key in self.found for _, _, _, keys in reserve.units for key in keys):
                self._close(number, self.found)

    def _close(self, number: int, found: Mapping[Key, int] | None) -> None:
        reserve = self.open.pop(number)
        prices = reserve.prices(self.rows, found)
        for name, price in prices.items():
            before, left = self.accounts.get(name, FRESH)
            self.accounts[name] = _up(before * price), left
        self.settled[number] = reserve.largest(self.rows, found)
        for accounts, _, _, keys in reserve.units if found is not None else ():
            for name in accounts:
                product, left = self.accounts[name]
                narrow: dict[str, int] = dict(left)
                for key, column in keys.items():
                    if column:
                        width = as_bins(key[2]).width((found or {})[key])
                        narrow[column] = min(width, narrow.get(column, width))
                self.accounts[name] = product, narrow

    def _changed(self, body: Mapping[str, Any]) -> bool:
        """Whether a change is allowed: the budget may not grow, and no account may shrink."""
        for number in list(self.open):  # a question of the earlier schema stays charged
            self._close(number, None)
        self._declared(body["schema"])
        self.decisions.holds.clear()
        lower, names = 1 <= int(body["budget"]) <= self.budget, list(body["cells"])
        if int(body["budget"]) != self.declared:
            self.budget = self.declared = int(body["budget"])
        if origin := [int(place) for place in unrepeated(body["from"])]:
            known = {name: self.accounts.get(name, FRESH) for name in body["before"]}
            if names == [""]:
                left = {column: width for _, shrunk in known.values() for column, width in shrunk.items()}
                for column in left:
                    left[column] = max((shrunk.get(column, 0) for _, shrunk in known.values()), default=0)
                everywhere = all(column in shrunk for column in left for _, shrunk in known.values())
                self.accounts = {"": (max(product for product, _ in known.values()), left if everywhere else {})}
            else:
                self.accounts = {name: known[body["before"][old]] for name, old in zip(names, origin, strict=True)}
        self.names = names
        return lower

    def _charged(self, body: Mapping[str, Any]) -> bool:
        """Whether a charge is right: its factor is the largest growth, and no account is over budget or left out."""
        factor, largest = int(body["factor"]), 1
        for name, grown, left in self._grown(body):
            before, known = self.accounts.get(name, FRESH)
            if grown < 1 or before * grown > self.budget or any(w > known.get(column, w) for column, w in left.items()):
                return False
            largest = max(largest, grown)
            self.accounts[name] = _up(before * grown), {**known, **left}
        return largest == factor and (factor == 1 or any(True for _ in paid_in(body)))

    def _grown(self, body: Mapping[str, Any]) -> Iterator[tuple[str, int, Mapping[str, int]]]:
        for name, cell in body.get("cells", {}).items():  # format 1 stores products
            grown, rest = divmod(int(cell["product"]), self.accounts.get(name, FRESH)[0])
            yield name, 0 if rest else int(grown), {column: int(width) for column, width in cell["remaining"].items()}
        for cells, factor, left in body.get("charged", ()):
            for name in [self.names[index] for index in numbers_in(cells)] if cells else [""]:
                yield name, int(factor), {column: int(width) for column, width in left.items()}


def _up(product: Fraction) -> Fraction:
    return Fraction(ceil(product * UNIT), UNIT)
