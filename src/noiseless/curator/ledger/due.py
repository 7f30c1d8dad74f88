"""What must be paid now for some questions: neither what is paid already, nor what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from noiseless.curator.ledger.alike import alike
from noiseless.curator.ledger.compact import PaidKey
from noiseless.curator.ledger.priced import Priced, weigh
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.ledger.state import State
from noiseless.curator.question.price import Prices, union
from noiseless.curator.question.widths import Widths
from noiseless.curator.releases.release import Paid, Release, Width, as_bins, is_weighed
from noiseless.exact.answers import MOST_BITS
from noiseless.privacy.composition.questions import Counted
from noiseless.privacy.composition.sequence import EVERYBODY, Sequence, Step
from noiseless.privacy.quantizers.guarded import Bins
from noiseless.privacy.quantizers.ladder import Ladder


@dataclass(frozen=True, slots=True)
class Due:
    """Prices questions, given what the ledger says. `key` is the name under which a release is paid for."""

    prices: Prices
    key: Callable[[Paid], PaidKey]

    def priced(
        self,
        state: State,
        batch: list[Widths],
        most: Fraction | None = None,
        sequence: Sequence | None = None,
        earlier: set[PaidKey] | None = None,
    ) -> Priced | None:
        """What must be paid, as if the budget were unlimited. None if that is nothing.

        Numbers in equal bins are counted jointly. Those in guarded bins get prices that fit, within `most` in all.
        `earlier` is what steps before it are supposed to pay for; what this one pays for is added.
        """
        before = state.sequence if sequence is None else sequence
        implied = {fact for r in union(batch) for fact in _implied(r, state)}
        facts: set[PaidKey] = set() if earlier is None else earlier
        unpaid = [self._unpaid(state, widths, implied, facts) for widths in batch]
        questions = self.prices.questions([_equal(widths) for widths in unpaid])
        units = self.prices.units(union(unpaid), state.before)
        if not questions and not units:
            return None
        step = _endless(before, questions) if questions else None
        after = before if step is None else step.after
        if most is not None and step is not None:
            most = most / step.factor
        return Priced(step, weigh(units, after, state.names, most), before)

    def sure(self, state: State, purchase: Purchase) -> Purchase:
        """The purchase, with all groups one by one if the ledger no longer says the same about those that are alike."""
        if purchase.groups is None or alike(state, purchase.groups, self.key) is purchase.groups:
            return purchase
        assert purchase.whole is not None
        return purchase.whole()

    def _unpaid(
        self, state: State, widths: Widths, implied: set[tuple[str, str]], facts: set[PaidKey]
    ) -> dict[Release, Width]:
        """The releases that must be paid for: neither those paid already, nor those that follow.

        Narrower bins pay only for what is new. `facts` are those that this step pays for already. A fact asked for in
        two ways is paid for once.
        """
        unpaid: dict[Release, Width] = {}
        for release, width in widths.items():
            key = self.key((release, width))
            if key in facts or state.payer(key) is not None:
                continue
            if isinstance(width, Ladder):
                facts.add(key)
                unpaid[release] = width
                continue
            bins, known = as_bins(width), self.known(state, release)
            follows = not bins.guard and self._follows(state, release, implied)
            if follows or any(as_bins(finer).splits(bins) for finer in known):
                continue
            facts.add(key)
            coarser = [wide for each in known if (wide := self._divided(state, release, each, bins))]
            unpaid[release.refined(min(coarser)) if coarser else release] = width
        return unpaid

    def _follows(self, state: State, release: Release, implied: set[tuple[str, str]]) -> bool:
        """Whether another release that is paid for, or is asked for now, also reveals this one."""
        if not implied and not state.implied_facts and not state.columns.implied:
            return False
        fact = self.key((release, 1))[:2]
        return fact in implied or state.implies(*fact)

    def _divided(self, state: State, release: Release, known: Width, bins: Bins) -> int:
        """The width of a known bin of a total that some equal bins divide, or 0."""
        coarse = as_bins(known)
        if coarse.guard and not bins.guard:
            found = state.found(self.key((release, known)))
            if found is None:
                return 0
            (place,), _ = found
            coarse = Bins(coarse.width(place), 0, coarse.ends(place)[0])
        return coarse.wide if bins.splits(coarse) and self._confined(state, release, coarse.wide) else 0

    def _confined(self, state: State, release: Release, width: int) -> bool:
        """Whether the ledger knows that every value in a total is within `width` codes. Batches may have hidden it."""
        names = [self.prices.cell(index) for index in release.part.cells] if self.prices.celled else [EVERYBODY]
        return all(state.sequence.cells[name].remaining[each] <= width for name in names for each in release.reads)

    def known(self, state: State, release: Release) -> set[Width]:
        """The bin widths in which a total was paid for. For other releases none are kept."""
        family, cells, _ = self.key((release, 1))
        return state.totals_of(family, cells)


def _endless(sequence: Sequence, questions: Mapping[str, Counted]) -> Step:
    step = replace(sequence, budget=1 << MOST_BITS).ask(questions)
    return replace(step, after=replace(step.after, budget=sequence.budget))


def _equal(widths: Widths) -> Widths:
    """The releases in equal bins, which are counted jointly."""
    return {release: width for release, width in widths.items() if not is_weighed(width)}


def _implied(release: Release, state: State) -> Iterator[tuple[str, str]]:
    """What a release also reveals, as facts of cells."""
    if release.row_count is not None:
        yield state.fact_of(release.row_count)[0], release.place
