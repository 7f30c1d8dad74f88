"""What follows about every number of a question: the intersection of what each way to know its rows proves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import islice, product
from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.deduce.atoms import TooManyError
from noiseless.curator.deduce.facts import Facts
from noiseless.curator.deduce.inequalities import End, Inequalities
from noiseless.curator.deduce.interval import PUBLIC, Deduced, Witness
from noiseless.curator.deduce.rows import Rows
from noiseless.curator.deduce.sources import sources_of
from noiseless.curator.deduce.spreads import different, variance
from noiseless.curator.deduce.system import relevant, system_of
from noiseless.curator.deduce.target import Target, sum_of, target_of
from noiseless.curator.plan.plan import DISTINCT
from noiseless.curator.question.line import Asked
from noiseless.curator.releases.centred import Given, report_centred
from noiseless.curator.releases.pair import Pair
from noiseless.curator.releases.reported import Reported
from noiseless.curator.releases.spread import SAMPLES, SPREADS, spread
from noiseless.curator.schema.dates import days
from noiseless.privacy.quantizers.guarded import Bins

Range = tuple[Any, Any]
MOST_WORK = 100_000
"""How many variables and entries of inequalities are solved for one question."""
MOST_WAYS = 16
"""How many combinations of earlier releases of the same numbers are looked at."""


@dataclass(slots=True)
class Found:
    """An interval that shrinks, with the reason for each end. None at first: nothing is known."""

    ends: Range | None = None
    below: Witness = PUBLIC
    above: Witness = PUBLIC

    def meet(self, ends: Range, why: Witness) -> None:
        """Intersect with an interval. An end that is no better keeps its reason."""
        if self.ends is None:
            self.ends, self.below, self.above = ends, why, why
            return
        if ends[0] > self.ends[0]:
            self.ends, self.below = (ends[0], self.ends[1]), why
        if ends[1] < self.ends[1]:
            self.ends, self.above = (self.ends[0], ends[1]), why

    @property
    def exact(self) -> bool:
        """Whether the number is known exactly."""
        return self.ends is not None and self.ends[0] == self.ends[1]

    def move(self, ends: Iterable[tuple[int, End]]) -> None:
        """Intersect with single ends: -1 is a lower one, and 1 an upper one."""
        for side, (end, why) in ends:
            assert self.ends is not None
            self.meet((end, self.ends[1]) if side < 0 else (self.ends[0], end), why)


class Numbers:
    """Finds what follows about numbers. Anything that several of them share is found once."""

    def __init__(self, dataset: Dataset, facts: Facts, work: int, exact: bool = False) -> None:
        self.dataset, self.facts, self.left, self.exact = dataset, facts, work, exact

    def of(self, number: Asked) -> Deduced:
        """What follows about a number, in the units that are reported."""
        if number.pair is not None:
            return self._pair(number, number.pair)
        target = target_of(number, self.dataset.schema)
        ways = list(self._ways(target))
        people, found = Found(), Found()
        for rows, why in ways:
            people.meet((rows.fewest, rows.most), why)
        assert people.ends is not None
        several = None if target.function == "COUNT" and people.exact else self._several(target)
        if several is not None and not people.exact:
            people.move(several.count())
        needed = 2 if target.function in SAMPLES else 1
        always = target.function in ("COUNT", "SUM", DISTINCT)
        if not always and people.ends[1] < needed:
            return Deduced(None, None, sure=False, existing=people.above)
        for rows, why in ways:
            ends = ends_of(target, rows, people.ends)
            if ends is not None:
                found.meet(ends, why)
        if target.function == "COUNT":
            found = people
        elif several is not None and not found.exact:
            found.move(self._by_inequalities(several, found, people.ends))
        self._in_units(number, found)
        for reported, why in self._released(number):
            found.meet((reported.lower, reported.upper), why)
        assert found.ends is not None
        sure = always or people.ends[0] >= needed
        existing = PUBLIC if always or not sure else people.below
        return Deduced(*found.ends, sure, found.below, found.above, existing, target.presented)

    def _pair(self, number: Asked, pair: Pair) -> Deduced:
        """A function of two columns, from what follows about the number of rows and the sums that it needs."""
        given, questions = list[Given](), set[int]()
        for release in number.releases:
            found, target = Found(), sum_of(release.itself)
            for rows, why in self._ways(target):
                ends = ends_of(target, rows, (0, 0))
                assert ends is not None
                found.meet(ends, why)
            assert found.ends is not None
            several = None if found.exact else self._several(target)
            if several is not None:
                found.move(several.count() if target.function == "COUNT" else several.total())
            low, high = (int(end) - release.itself.least_sum() for end in found.ends)
            given.append((release.itself, Bins(high - low + 1, 0, low), (0,)))
            questions |= {*found.below.questions, *found.above.questions}
        whole = Found()
        for reported, why in [
            (pair.report(given, number.release.part.size), Witness("cells", tuple(sorted(questions)))),
            *self._released(number),
        ]:
            if reported is None:
                return Deduced(None, None, sure=False, existing=why)
            whole.meet((reported.lower, reported.upper), why)
        assert whole.ends is not None
        return Deduced(*whole.ends, False, whole.below, whole.above)

    def _several(self, target: Target) -> Inequalities | None:
        """The inequalities of several facts, if they may say more than each by itself."""
        if self.left <= 0:
            return None
        names = frozenset[str]().union(*(each.names for each in target.read))
        facts = relevant(self.facts, target, names, self.dataset.schema.public)
        system = system_of(self.dataset, target, facts, names, self.left) if facts else None
        self.left -= 0 if system is None else system.size
        if system is None or self.left < 0:
            return None
        if self.exact and target.function == "COUNT" and not system.settles:
            return None
        return Inequalities(target, system)

    def _by_inequalities(self, several: Inequalities, found: Found, people: Range) -> Iterable[tuple[int, End]]:
        match several.target.function:
            case "SUM":
                return several.total()
            case "AVG":
                return several.mean(people, found.ends)  # type: ignore[arg-type]
            case "ORDER" | "PERCENTILE_CONT" if found.ends is not None:
                return several.ranked(found.ends)
        return ()

    def _ways(self, target: Target) -> Iterator[tuple[Rows, Witness]]:
        read = frozenset[str]().union(*(each.names for each in target.read))
        for source in sources_of(self.facts, target, read):
            try:
                rows = source.rows(target, self.dataset)
            except TooManyError:
                continue
            yield rows, Witness("cells", source.questions) if source.questions else PUBLIC

    def _in_units(self, number: Asked, found: Found) -> None:
        """Convert ends from the unit of the release to the unit of the question. A negative factor swaps them."""
        assert found.ends is not None
        reported = number.in_units(Reported(found.ends[0], *found.ends))
        assert reported is not None
        found.ends = reported.lower, reported.upper
        if number.factor < 0 and number.function not in SPREADS:
            found.below, found.above = found.above, found.below

    def _released(self, number: Asked) -> Iterator[tuple[Reported, Witness]]:
        """The interval that was reported, if the same was released before."""
        known = [self.facts.released.get(release.itself.unrefined, ()) for release in number.releases]
        for each in islice(product(*known), MOST_WAYS):
            given = zip(number.releases, each, strict=True)
            same = [(release, found) for release, found in given]
            reported = _report(number, [found[1:] for _, found in same])
            if reported is not None:
                yield reported, Witness("released", tuple(sorted({found[0] for _, found in same})))


def _report(number: Asked, given: list[Given]) -> Reported | None:
    """A number from earlier releases, in the units of the question. Dates are counted in days."""
    if number.pair is not None:
        return number.pair.report(given, number.release.part.size)
    [(release, width, numbers)] = given[:1]
    found = report_centred(given, number.function) if number.beside else release.report(width, numbers, number.function)
    if found is not None and isinstance(found.lower, date):
        return Reported(days(found.value), days(found.lower), days(found.upper))
    return number.in_units(found)


def ends_of(target: Target, rows: Rows, people: Range) -> Range | None:
    """The interval of a function of some rows. None if certainly no row counts."""
    match target.function:
        case "COUNT":
            return rows.fewest, rows.most
        case "SUM":
            return rows.total(target.grid)
        case "AVG":
            return rows.mean(target.grid)
        case "ORDER" | "PERCENTILE_CONT":
            ranked = rows.ranked if target.function == "ORDER" else rows.interpolated
            ends, grid = ranked(target.share), target.grid
            return None if ends is None else (grid.lower(ends[0]), grid.upper(ends[1]))
        case "COUNT_DISTINCT" if target.of is not None:
            return different(rows)
        case "COUNT_DISTINCT":
            return min(1, rows.fewest), rows.most
    squares = variance(rows)
    if squares is None:
        return None
    assert target.column is not None
    found = spread(squares, target.column.column, target.rounding, target.function, people)
    return None if found is None else (found.lower, found.upper)
