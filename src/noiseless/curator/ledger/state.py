"""What the entries of a ledger say together: the budget and what is left, what is paid for, what was released."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping, Sized
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from operator import itemgetter
from typing import Any

from noiseless.curator.ledger.accounts import accounts_in, largest
from noiseless.curator.ledger.columns import Columns
from noiseless.curator.ledger.compact import PaidKey, Shape, paid_in, released_in, shapes_of, split_columns, unrepeated
from noiseless.curator.ledger.custody import DECIDE, Custody, Hold
from noiseless.curator.ledger.entry import CHARGED, Entry, Link, damaged_error
from noiseless.curator.ledger.formats import check_format
from noiseless.curator.ledger.ground import Ground
from noiseless.curator.ledger.moving import move
from noiseless.curator.ledger.reserve import Reserve, read_reserve
from noiseless.curator.ledger.settled import Settled, Units, prices_of
from noiseless.curator.releases.release import Release, Released, Width, is_loud, is_weighed
from noiseless.curator.releases.written import canonical, topic_of
from noiseless.curator.schema.declaration import Declaration
from noiseless.errors import InputError, LedgerError, SnapshotError
from noiseless.privacy.composition.sequence import EVERYBODY, Cell, Sequence
from noiseless.privacy.composition.weights import Product, raised
from noiseless.privacy.quantizers.ladder import Ladder


@dataclass(frozen=True, slots=True)
class Mark:
    """An entry that carries the hash of a checkpoint, and how much of the state that checkpoint and earlier ones have.

    Everything counted only grows, until the schema changes.
    """

    number: int
    digest: str
    sizes: tuple[int, ...]


class State:
    """A fold of entries. Callers never see a half-folded state: see `Account`."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.facts: dict[str, Any] = {}
        self.last: Entry | Link | None = None
        self.hashes: list[str] = []
        self.questions: list[int] = []
        """The numbers of the entries that asked something, the first one if a question has several steps."""
        self.first: dict[int, int] = {}
        """For every later step of a question, the entry of its first step."""
        self.later: dict[int, list[int]] = {}
        """For the first step of a question, the entries of all later ones."""
        self.schemas: list[int] = []
        """The entries that opened the dataset or changed its schema."""
        self.mark: Mark | None = None
        """The last entry that carries the hash of a checkpoint, if the schema is still the same."""
        self.unkept = 0
        """How many characters the entries since then have."""
        self.paid: dict[PaidKey, int] = {}
        """Everything that is paid for, each with the entry that paid."""
        self.implied_facts: dict[tuple[str, str], None] = {}
        """The facts of cells that were paid for as part of something else."""
        self.widths: dict[tuple[str, str], set[Width]] = {}
        """The bins in which totals were paid for."""
        self.bins: dict[tuple[str, str], list[Width]] = {}
        """The bins in which anything was paid for, in the order of entries."""
        self.released: dict[PaidKey, tuple[Released, bool]] = {}
        """What was released: the numbers, and whether they count missing values where the key counts present ones."""
        self.open: dict[int, Reserve] = {}
        """What entries have reserved and no answer has settled yet."""
        self.settled: dict[int, Settled] = {}
        self.unfinished: dict[int, list[Shape]] = {}
        """The last steps of questions that have not gone on yet, and what they asked."""
        self.columns = Columns()
        """What was paid for and released for very many public cells at once."""
        self.columned: list[int] = []
        """The entries that paid for or released something in columns."""
        self.levels: dict[str, tuple[int, int]] = {}
        """How often something was asked at a stable level, and how often it came at a coarser level than the first."""
        self.settled_spent: dict[str, Product] = {}
        """What each analyst has spent, without what is reserved."""
        self.custody = Custody()
        """What the custodian and the analysts decided."""
        self._outstanding: dict[int, set[PaidKey]] = {}
        """The numbers that each reserve still waits for."""
        self._waiting: dict[PaidKey, list[int]] = {}
        self._listed: list[str] | None = None
        self._facts: dict[str, tuple[str, bool]] = {}
        self._last_family: tuple[Mapping[str, Any], str] = {}, ""
        self._values = ground.values()
        self.charged_cells: dict[str, Cell] = {}
        self._sequence: Sequence | None = None

    @property
    def names(self) -> list[str]:
        """The accounts in order: one for every public cell, or one for everybody."""
        if self._listed is None:  # a ledger of format 1
            self._listed = self._ground.names()
        return self._listed

    @property
    def sequence(self) -> Sequence:
        """The state of the budget."""
        if self._sequence is None:
            self._sequence = self._with(self.open.values())
        return self._sequence

    @property
    def settled_sequence(self) -> Sequence:
        """The state of the budget without what unfinished questions reserve."""
        return self._with(())

    def without(self, hold: Hold | None) -> Sequence:
        """The state of the budget without what one question on hold reserves."""
        return self.sequence if hold is None else self._with(self.open.values(), hold.number)

    @property
    def budget(self) -> int:
        """The declared budget, or the budget that the custodian has raised it to."""
        return int(self.facts["budget"]) if self.custody.budget is None else self.custody.budget

    def _with(self, reserves: Iterable[Reserve], hold: int | None = None) -> Sequence:
        """The budget after the settled prices in the order of entries, then the reserves, without that of one hold."""
        fresh = self.fresh()
        known = {name: self.charged_cells.get(name, fresh) for name in self.names}
        whole = {name for name, cell in known.items() if [*cell.remaining] == [*fresh.remaining]}
        cells = {name: cell if name in whole else self._cell(name) for name, cell in known.items()}
        for reserve in reserves:
            for name, price in reserve.prices().items():
                cells[name] = cells[name].charged(price, {})
        for name, price in self.custody.reserved(hold):
            cells[name] = cells[name].charged(price, {})
        return Sequence(self.budget, self._values, cells, self._ground.rows)

    @property
    def spent(self) -> dict[str, Product]:
        """What each analyst has spent, including what is reserved."""
        return self.spent_without(None)

    def spent_without(self, hold: Hold | None) -> dict[str, Product]:
        """What each analyst has spent, without what one question on hold reserves."""
        spent = dict(self.settled_spent)
        for reserve in self.open.values():
            spent[reserve.analyst] = raised(spent.get(reserve.analyst, 1), reserve.largest())
        return self.custody.spent(spent, None if hold is None else hold.number)

    def fold(self, entry: Entry) -> None:
        """Add one more entry. Refused if it is not the next one or is invalid."""
        if not entry.follows(self.last):
            raise damaged_error(entry.number)
        sizes, settled = self.sizes, len(self.settled)
        try:
            self._fold(entry)
            if (digest := entry.body.get("checkpoint")) is not None:
                self.mark, self.unkept = Mark(entry.number, str(digest), sizes), 0
        except (LedgerError, SnapshotError):
            raise
        except (ValueError, TypeError, AttributeError, ArithmeticError, LookupError, AssertionError, InputError):
            raise damaged_error(entry.number) from None
        self.last = entry
        if entry.kind != "answer" or len(self.settled) != settled:  # in any other case nothing was charged
            self._sequence = None
        self.hashes.append(entry.hash)
        self.unkept += entry.length

    def _fold(self, entry: Entry) -> None:
        body = entry.body
        if entry.kind == "open":
            self._open(body)
        elif entry.kind == "change":
            self._change(body)
        elif entry.kind in CHARGED:
            self._charge(entry)
        elif entry.kind == "answer":
            self._answer(entry)
        elif entry.kind in DECIDE:
            self.custody.fold(entry, self.names, self.budget)
        else:
            raise damaged_error(entry.number)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of all parts of the state that only grow."""
        grown: tuple[Sized, ...] = (self.hashes, self.questions, self.first, self.paid, self.implied_facts)
        return tuple(map(len, (*grown, self.released, self.settled)))

    def _answer(self, entry: Entry) -> None:
        for family, cells, width, numbers in released_in({"released": self._release_columns(entry)}):
            text, rest = self.fact(family, width)
            self._release((text, cells, width), numbers, rest)
            if is_weighed(width):
                self._settle((text, cells, width), entry.number)
                self._note(family, width, numbers)
            if (implied := self.implied(family)) is not None:  # the first number is the number of rows that count
                self._release((implied[0], cells, 1), numbers[:1], implied[1])

    def _release_columns(self, entry: Entry) -> list[Any]:
        """Note what an entry released in columns, and return the rest."""
        asked, known = int(entry.body.get("ask", -1)), self.columns.asked
        single, columns = split_columns(entry.body["released"], lambda text: known.get((asked, text)))
        for family, column in columns:
            self.columns.release(self, family, column)
        if columns:
            self.columned.append(entry.number)
        return single

    def read_columns(self, entry: Entry) -> None:
        """Note only what an entry says in columns."""
        if entry.kind == "answer":
            self._release_columns(entry)
        else:
            self._pay_columns(entry)

    def _release(self, key: PaidKey, numbers: Released, rest: bool) -> None:
        if self.found(key) is None:
            self.released[key] = numbers, rest

    def _open(self, body: Mapping[str, Any]) -> None:
        check_format(body)
        self.schemas.append(len(self.hashes))
        self.declare(body)

    def declare(self, facts: Mapping[str, Any]) -> None:
        """Begin with the facts of a dataset."""
        self.facts = dict(facts)
        self._listed = facts.get("cells")
        declared = facts.get("schema")
        if declared is not None and declared != self._ground.declared:  # a later entry may widen the schema
            private = Declaration.parse(declared).schema.private
            self._values = {name: column.values for name, column in private.items()}

    def _change(self, body: Mapping[str, Any]) -> None:
        """A wider schema or a lower budget. Cells that were split inherit what was spent on the whole."""
        check_format(body)
        self.schemas.append(len(self.hashes))
        self.mark = None
        for reserve in list(self.open.values()):  # its question can no longer be asked, so it stays charged
            self._close(reserve, None, len(self.hashes))
        before, self._listed = list(body["before"]), list(body["cells"])
        private = Declaration.parse(body["schema"]).schema.private
        self._values = {name: column.values for name, column in private.items()}
        self.custody.change(body["budget"] == self.facts["budget"])
        self.facts |= {name: body[name] for name in ("format", "budget", "schema", "cells")}
        origin = [int(place) for place in unrepeated(body["from"])]
        if not origin:
            return
        known = {name: self._cell(name) for name in before}
        if self.names == [EVERYBODY]:
            self.charged_cells = {EVERYBODY: largest(known.values())}
        else:
            self.charged_cells = {name: known[before[place]] for name, place in zip(self.names, origin, strict=True)}
        children: dict[int, list[int]] = {}
        for new, old in enumerate(origin):
            children.setdefault(old, []).append(new)
        move(self, children, body["altered"])

    def payer(self, key: PaidKey) -> int | None:
        """The entry that paid for something, if any did."""
        number = self.paid.get(key)
        return self.columns.payer(*key) if number is None else number

    def found(self, key: PaidKey) -> tuple[Released, bool] | None:
        """What was released, and whether it counts missing values where the key counts those present."""
        known = self.released.get(key)
        return self.columns.found(*key) if known is None else known

    def bins_of(self, text: str, cells: str) -> list[Width]:
        """The bins in which something was paid for, in the order of entries."""
        known, more = self.bins.get((text, cells), []), self.columns.bins_of(text, cells)
        if not more:
            return known
        paid = sorted([*((self.paid[text, cells, width], width) for width in known), *more], key=itemgetter(0))
        return list(dict.fromkeys(width for _, width in paid))

    def totals_of(self, text: str, cells: str) -> set[Width]:
        """The bins in which a total was paid for. For other releases there are none."""
        known, more = self.widths.get((text, cells), set()), self.columns.bins_of(text, cells, refinable=True)
        return known | {width for _, width in more} if more else known

    def implies(self, text: str, cells: str) -> bool:
        """Whether a fact was paid for as part of something else."""
        return (text, cells) in self.implied_facts or self.columns.implies(text, cells)

    def alone(self, texts: Container[str]) -> set[int]:
        """The cells about which something is known that was not released for very many cells at once."""
        keys = chain(((key[0], key[1]) for known in (self.paid, self.released) for key in known), self.implied_facts)
        return {int(cells) for text, cells in keys if text in texts and cells.isdecimal()}

    def question(self, number: int) -> int:
        """The number of the question that an entry asked, counted from 1. It is 0 if the entry asked nothing."""
        first = self.first.get(number, number)
        place = bisect_left(self.questions, first)
        return place + 1 if self.questions[place : place + 1] == [first] else 0

    def before(self, release: Release) -> tuple[int, int]:
        """How often the topic of a release was asked at a stable level, and how often it came at a coarser one."""
        return self.levels.get(release.topic, (0, 0))

    def _note(self, family: Mapping[str, Any], width: Width, numbers: Released) -> None:
        if isinstance(width, Ladder):
            topic = topic_of(family["of"])
            asked, coarser = self.levels.get(topic, (0, 0))
            self.levels[topic] = asked + 1, coarser + is_loud(width, numbers)

    def _charge(self, entry: Entry) -> None:
        body = entry.body
        self._number(entry)
        for name, cell in body.get("cells", {}).items():  # format 1
            self.charged_cells[name] = _read_cell(cell)
        for cells, factor, left in body.get("charged", ()):
            for name in accounts_in(cells, self.names):
                narrowed = {column: int(width) for column, width in left.items()}
                self.charged_cells[name] = self._cell(name).charged(int(factor), narrowed)
        self._pay(entry)
        reserve = self._reserve_of(entry, self.names)
        if "hold" in body:
            self.custody.ask(entry, Fraction(int(body["factor"])) if reserve is None else reserve.largest())
        if reserve is None:
            self._spend(entry.analyst, int(body["factor"]))
        else:
            self.reserve(reserve)

    def _pay(self, entry: Entry) -> None:
        """Note what an entry paid for."""
        for family, cells, width in paid_in({"paid": self._pay_columns(entry)}):
            text, _ = self.fact(family, width)
            key = text, cells, width
            if self.payer(key) is None:
                self.paid[key] = entry.number
                self.bins.setdefault((text, cells), []).append(width)
            if Release.of_kind(family["kind"]).refinable:
                self.widths.setdefault((text, cells), set()).add(width)
            if (implied := self.implied(family)) is not None:
                self.implied_facts[implied[0], cells] = None

    def _pay_columns(self, entry: Entry) -> list[Any]:
        """Note what an entry paid for in columns, and return the rest."""
        single, columns = split_columns(entry.body["paid"])
        for family, column in columns:
            self.columns.pay(entry.number, self, family, column)
        if columns:
            self.columned.append(entry.number)
        return single

    def _reserve_of(self, entry: Entry, names: list[str]) -> Reserve | None:
        """What an entry reserved for numbers that are charged by the answer, if there are any."""
        guarded = []
        for family, cells, width in paid_in({"paid": split_columns(entry.body["paid"])[0]}):
            if is_weighed(width):
                column = str(family["column"]) if Release.of_kind(family["kind"]).refinable else ""
                guarded.append(((self.fact(family, width)[0], cells, width), column))
        if not guarded:
            return None
        charged = entry.body.get("charged", ())
        factors = {name: int(factor) for cells, factor, _ in charged for name in accounts_in(cells, names)}
        return read_reserve(entry.number, entry.analyst, entry.body, factors, guarded, names, self._ground.rows)

    def _number(self, entry: Entry) -> None:
        """Number the question of an entry, or count the entry as a later step of an earlier one."""
        body = entry.body
        if "after" in body:
            after = int(body["after"])
            self.first[entry.number] = first = self.first.get(after, after)
            self.later.setdefault(first, []).append(entry.number)
            self.unfinished.pop(after, None)
        else:
            self.questions.append(entry.number)
        if body.get("more"):
            self.unfinished[entry.number] = shapes_of(body["questions"])

    def reopen(self, entry: Entry) -> None:
        """Reserve what an entry reserved, which no answer has settled yet."""
        reserve = self._reserve_of(entry, self.names)
        assert reserve is not None
        self.reserve(reserve)

    def units(self, entry: Entry, names: list[str]) -> Units:
        """The units of a settled entry with their prices. `names` are the accounts when it was written."""
        reserve, settled = self._reserve_of(entry, names), self.settled[entry.number]
        return () if reserve is None else prices_of(reserve, settled.louds)

    def reserve(self, reserve: Reserve) -> None:
        """Note a reserve, and what it waits for."""
        self.open[reserve.number] = reserve
        self._outstanding[reserve.number] = keys = {key for key in reserve.keys if key not in self.released}
        for key in keys:
            self._waiting.setdefault(key, []).append(reserve.number)

    def _settle(self, key: PaidKey, answer: int) -> None:
        """Settle the reserves that waited for this number and no other."""
        for number in self._waiting.pop(key, []):
            outstanding, reserve = self._outstanding.get(number, set()), self.open.get(number)
            outstanding.discard(key)
            if reserve is None or outstanding:  # a change of the schema closed it, or other numbers are missing
                continue
            self._close(reserve, {each: self.released[each][0][0] for each in reserve.keys}, answer)

    def _close(self, reserve: Reserve, places: dict[PaidKey, int] | None, answer: int) -> None:
        """Charge the bins that came out, or the dearest if none will."""
        for name, price in reserve.prices(places).items():
            self.charged_cells[name] = self._cell(name).charged(price, {})
        for unit in reserve.units if places is not None else ():
            for name in unit.accounts:
                cell = self._cell(name)
                left = {c: min(w, cell.remaining[c]) for c, w in unit.narrowed(places or {}).items()}
                self.charged_cells[name] = cell.charged(1, left)
        louds = () if places is None else tuple(unit.loud(places) for unit in reserve.units)
        loud = None if places is None else any(louds)
        units = prices_of(reserve, louds)
        self.settled[reserve.number] = Settled(reserve.largest(places), answer, loud, louds, units)
        self._spend(reserve.analyst, reserve.largest(places))
        del self.open[reserve.number], self._outstanding[reserve.number]

    def _spend(self, analyst: str, factor: Product) -> None:
        self.settled_spent[analyst] = raised(self.settled_spent.get(analyst, 1), factor)

    def fact(self, family: Mapping[str, Any], width: Width = 1) -> tuple[str, bool]:
        """The fact that a kind of release reveals, as text, and whether it reveals the complement instead.

        A rounded count does not reveal its complement.
        """
        if family is not self._last_family[0]:
            self._last_family = family, canonical(family)
        return self._stated(*self._last_family, width)

    def fact_of(self, release: Release, width: Width = 1) -> tuple[str, bool]:
        """The fact that a release reveals."""
        return self._stated(*release.said(), width)

    def _stated(self, family: Mapping[str, Any], text: str, width: Width) -> tuple[str, bool]:
        if width != 1:
            return text, False
        if text not in self._facts:
            fact, rest = Release.of_kind(family["kind"]).fact(family, self._ground.schema)
            self._facts[text] = canonical(fact), rest
        return self._facts[text]

    def implied(self, family: Mapping[str, Any]) -> tuple[str, bool] | None:
        """The fact that a release also reveals, if any, and whether it reveals the complement of it."""
        implied = Release.of_kind(family["kind"]).implied_family(family)
        return None if implied is None else self.fact(implied)

    def _cell(self, name: str) -> Cell:
        known = self.charged_cells.get(name)
        fresh = self.fresh()
        return fresh if known is None else Cell(known.product, {**fresh.remaining, **known.remaining})

    def fresh(self) -> Cell:
        """An account about which nothing was asked."""
        rows = self._ground.rows
        return Cell(1, {column: rows * (values - 1) + 1 for column, values in self._values.items()})


def _read_cell(fields: Mapping[str, Any]) -> Cell:
    return Cell(int(fields["product"]), {name: int(left) for name, left in fields["remaining"].items()})
