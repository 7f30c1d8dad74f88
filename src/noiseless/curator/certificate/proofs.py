"""Finds proofs of deduced intervals, in the form in which the checker reads them.

The checker needs proofs that are easy to check, not the way in which they were found. So this module tries what the
witnesses name, from the simplest on, and lets the checker's own code decide what is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

from noiseless.curator.certificate.checker import derive
from noiseless.curator.certificate.checker.claims import Claim, Proof
from noiseless.curator.certificate.checker.deductions import Premises, counts_of, premises, proof_of, same
from noiseless.curator.certificate.checker.forms import ONE
from noiseless.curator.certificate.checker.wrong import WrongCertificateError
from noiseless.curator.deduce.interval import Deduced, Multiplier, Witness
from noiseless.curator.plan.plan import Aggregate
from noiseless.curator.releases.reported import Reported
from noiseless.errors import CertificateError

MOST_TRIED = 200
"""The most proofs that are tried for one end of an interval."""
FAILURES = (WrongCertificateError, LookupError, ArithmeticError, ValueError, TypeError, AttributeError)
"""What the checker's code raises if something proves nothing."""


def proofs(
    content: Mapping[str, Any], numbers: Sequence[Mapping[Aggregate, Deduced]], questions: Sequence[int]
) -> list[Any]:
    """The numbers of a certificate with their proofs. `questions` are those of the facts.

    What follows in another way, such as a variance, is stated without a proof.
    """
    try:
        found = premises(content)
    except WrongCertificateError as wrong:
        raise CertificateError(
            f"what follows here cannot be certified: {wrong}; use the certificates of the earlier answers instead"
        ) from None
    lines = [line for own in found.selects for line in own]
    given: list[Any] = []
    for line, own in zip(lines, numbers, strict=True):
        for (aggregate, source), each in zip(line.numbers.items(), own.values(), strict=True):
            if isinstance(source, derive.Asked):
                given.append(Search(found, questions, aggregate, source, each).found() or stated(each))
    return given


def stated(number: Deduced) -> list[Any]:
    """A number without a proof."""
    if number.reported is None:
        return ["stated"]
    ends = [_text(end) for end in (number.lower, number.upper)]
    return ["stated", *ends, number.sure]


def _text(end: Any) -> str | None:
    """An end of an interval; None for one that is infinite."""
    return None if isinstance(end, float) else str(Fraction(end))


@dataclass(frozen=True, slots=True)
class Search:
    """Searches for the proofs of one number. `questions` are the numbers of the questions that the facts are."""

    premises: Premises
    questions: Sequence[int]
    aggregate: Any
    asked: derive.Asked
    number: Deduced

    def found(self) -> list[Any] | None:
        """The number as a certificate has it, with its proofs."""
        shown, claim = self.number.reported, Claim(self.premises.world, self.aggregate[0], self.asked)
        if shown is None:
            proof = self._first(self.number.existing, claim.is_none)
            return None if proof is None else ["none", proof]
        if (known := self._same(shown)) is not None:
            return ["same", str(known)]
        if isinstance(self.number.lower, float) or isinstance(self.number.upper, float):
            return None  # an end that is infinite
        low, high = (Fraction(end) for end in (self.number.lower, self.number.upper))
        asked, turned = self.asked, self.asked.factor < 0
        least, most = sorted((end - asked.shift) / asked.factor for end in (low, high))
        ends = (self.number.above, self.number.below) if turned else (self.number.below, self.number.above)
        below = self._first(ends[0], lambda proof: claim.at_least(least, proof))
        above = self._first(ends[1], lambda proof: claim.at_most(most, proof))
        needed = shown.sure and self.aggregate[0] not in ("count", "sum")
        exists = [self._first(self.number.existing, claim.exists)] if needed else []
        if below is None or above is None or None in exists:
            return None
        return ["sums", str(low), str(high), shown.sure, below, above, *exists]

    def _same(self, shown: Reported) -> int | None:
        """The fact that has the very same number in the same interval."""
        for place, fact in enumerate(self.premises.facts):
            with suppress(*FAILURES):
                known = same(self.aggregate, self.asked, fact, self.premises.world)
                wanted = (shown.value, shown.lower, shown.upper, shown.sure)  # without bounds, the values can differ
                if known and (known.value, known.lower, known.upper, known.sure) == wanted:
                    return place
        return None

    def _first(self, witness: Witness, holds: Callable[[Proof], bool]) -> list[Any] | None:
        """The first proof that holds, as a certificate has it."""
        for written in islice(self._tried(witness), MOST_TRIED):
            with suppress(*FAILURES):
                if holds(proof_of(written, self.premises.facts, self.premises.world)):
                    return written
        return None

    def _tried(self, witness: Witness) -> Iterator[list[Any]]:
        """What may prove it, in this order: public facts alone, more and more exact counts, multiples of one fact.

        If the witness gives multipliers, these are tried instead of multiples of one fact.
        """
        yield [[], []]
        facts = [place for place, number in enumerate(self.questions) if number in witness.questions]
        bases = list(self._bases(facts))
        yield from ([base, []] for base in bases)
        if witness.multipliers:
            for signed in (1, -1):
                for unit in (Fraction(1), self._step()):
                    multiples = list(self._given(witness.multipliers, signed * unit))
                    yield from ([base, multiples] for base in [[], *bases])
            return
        for fact, release, piece in self._pieces(facts):
            for times in dict.fromkeys((Fraction(1), Fraction(-1), self._step(), -self._step())):
                yield [[], [[str(fact), str(release), str(piece), str(times)]]]

    def _step(self) -> Fraction:
        name = self.asked.release.name
        return Fraction(1) if name is None else self.premises.world.columns[name].step

    def _pieces(self, facts: Iterable[int]) -> Iterator[tuple[int, int, int]]:
        """All pieces of some facts, by their places."""
        for fact in facts:
            known = self.premises.facts[fact]
            for release in range(len(known.widths)):
                for piece in range(len(known.pieces(release, self.premises.world.columns))):
                    yield fact, release, piece

    def _bases(self, facts: Iterable[int]) -> Iterator[list[Any]]:
        """Exact counts of the same cells of groups in different public cells, taken together."""
        alike: dict[Any, list[tuple[frozenset[int], list[str]]]] = {}
        for fact in facts:
            known = self.premises.facts[fact]
            for release in range(len(known.widths)):
                with suppress(*FAILURES):
                    forms, _ = counts_of([str(fact), str(release)], self.premises.facts, self.premises.world)
                    kind = replace(forms[0], cells=frozenset()), len(forms)
                    alike.setdefault(kind, []).append((forms[0].cells, [str(fact), str(release)]))
        for listed in alike.values():
            yield from _combined(listed)

    def _given(self, multipliers: Iterable[Multiplier], unit: Fraction) -> Iterator[list[str]]:
        """The pieces that a dual solution uses, each with its multiple."""
        for each in multipliers:
            if each.of not in ("count", "sum"):
                continue  # the checker finds what the numbers of rows and the cells add
            fact, release = self._placed(each)
            known = self.premises.facts[fact].pieces(release, self.premises.world.columns)
            alike = [piece for piece, (form, _) in enumerate(known) if (form.segments == ONE) == (each.of == "count")]
            if each.at < len(alike):  # the last group of labels may be smaller
                yield [str(fact), str(release), str(alike[each.at]), str(-each.factor * unit)]

    def _placed(self, multiplier: Multiplier) -> tuple[int, int]:
        """The places of its fact and of the release in it.

        The questions of a batch are several facts with one number.
        """
        release = multiplier.release
        for fact, number in enumerate(self.questions):
            if number == multiplier.question:
                if release < len(self.premises.facts[fact].widths):
                    return fact, release
                release -= len(self.premises.facts[fact].widths)
        raise AssertionError(f"question {multiplier.question} is not among the facts")


def _combined(listed: list[tuple[frozenset[int], list[str]]]) -> Iterator[list[Any]]:
    """Blocks of different public cells, the largest first, each minus the blocks inside it. Then each block alone."""
    ordered = sorted(listed, key=lambda each: len(each[0]), reverse=True)
    for start in range(len(ordered)):
        base: list[Any] = []
        taken = frozenset[int]()
        for cells, name in sorted(ordered[start:], key=lambda each: len(each[0])):
            if cells.isdisjoint(taken):
                base.append([name])
                taken |= cells
        yield base
    for place, (cells, name) in enumerate(ordered):
        parts, left = list[list[str]](), cells
        for inner, other in ordered[place + 1 :]:
            if inner < left:
                parts.append(other)
                left -= inner
        if parts:
            yield [[name, *parts], *([part] for part in parts)]
            yield [[name, *parts]]
    yield from ([[name]] for _, name in ordered)
