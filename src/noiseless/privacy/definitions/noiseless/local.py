"""Local noiseless privacy: one record of several columns becomes a box of a grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any, Literal

from noiseless.errors import BudgetError, DomainError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, written
from noiseless.exact.readable import number_shown
from noiseless.exact.roots import integer_root
from noiseless.privacy.definitions.noiseless.calibrate import calibrate
from noiseless.privacy.domain import Domain, domain_of
from noiseless.privacy.guarantee.assumptions import CLAMPED, PUBLIC
from noiseless.privacy.guarantee.guarantee import Guarantee
from noiseless.privacy.quantizers.grid import Grid
from noiseless.privacy.quantizers.quantizer import Output, Outside
from noiseless.privacy.queries.linear import Identity
from noiseless.privacy.queries.query import whole
from noiseless.theory.ranges.interval import Interval


@dataclass(frozen=True, slots=True, repr=False)
class LocalMechanism:
    """A grid for one person's record, what it promises, and the worst error of each column."""

    grid: Grid
    guarantee: Guarantee
    counts: Mapping[str, int]
    error: Mapping[str, Fraction]
    columns: Mapping[str, Guarantee]
    """The guarantee of each column, if only that column is released."""
    after: tuple[Callable[[Any], Any], ...] = ()

    def apply(
        self,
        data: Any,
        output: Output = "midpoint",
        outside: Outside = "raise",
        missing: Number | Literal["raise"] = "raise",
    ) -> Any:
        """The box of every record, as `Grid.apply` reports it, after the functions added by `then`."""
        answer = self.grid.apply(data, output, outside, missing)
        for function in self.after:
            answer = function(answer)
        return answer

    def __repr__(self) -> str:
        errors = ", ".join(f"{name} ±{number_shown(error, 'upper')}" for name, error in self.error.items())
        return f"LocalMechanism with {self.grid!r}: errors at most {errors}; {self.guarantee!r}"

    def then(self, function: Callable[[Any], Any]) -> LocalMechanism:
        """The same mechanism with its boxes processed further; the guarantee stays (post-processing)."""
        return replace(self, after=(*self.after, function))


@dataclass(frozen=True, init=False)
class Local:
    """The columns of one person's record, each with bounds (low, high) or a domain.

    >>> trip = Local(north=(0, 40), east=(0, 30)).calibrate(bits=6)
    >>> trip.counts, trip.guarantee.count
    ({'north': 8, 'east': 8}, 64)
    """

    columns: Mapping[str, Domain]

    def __init__(self, **columns: tuple[Number, Number] | Domain) -> None:
        if not columns:
            raise DomainError("a record needs at least one column; write Local(height=(100, 250), …)")
        domains = {name: _domain(name, given) for name, given in columns.items()}
        object.__setattr__(self, "columns", domains)

    def calibrate(self, bits: Number | Mapping[str, Number]) -> LocalMechanism:
        """The finest grid for a budget: bits per column, or in total, split to equalise the relative errors.

        Each column of a record can have any value together with the others, so their counts multiply.

        Source: NP Def 2, Thm 6: docs/theorems.md#np-thm-6
        """
        if isinstance(bits, Mapping):
            if set(bits) != set(self.columns):
                raise BudgetError(f"bits does not match the columns; name each of {', '.join(self.columns)} once")
            counts = {name: answers_within(bits[name]) for name in self.columns}
        else:
            counts = split_answers(answers_within(bits), {name: _most(d) for name, d in self.columns.items()})
        parts = {name: calibrate(Identity(domain=d), count=counts[name]) for name, d in self.columns.items()}
        return LocalMechanism(
            grid=Grid({name: part.quantizer for name, part in parts.items()}),
            guarantee=self._guarantee([part.guarantee for part in parts.values()]),
            counts={name: part.guarantee.count for name, part in parts.items()},
            error={name: part.error for name, part in parts.items()},
            columns={name: part.guarantee for name, part in parts.items()},
        )

    def _guarantee(self, parts: list[Guarantee]) -> Guarantee:
        each, count = "·".join(written(part.count) for part in parts), prod(part.count for part in parts)
        return Guarantee(
            definition="local noiseless privacy",
            count=count,
            exact=True,
            statement=f"counts of a record's columns multiply, {each} = {written(count)}, NP Thm 6: "
            "docs/theorems.md#np-thm-6",
            assumptions=("any value of one column can go with any values of the others", PUBLIC, CLAMPED),
            levels=prod(part.levels for part in parts),
            smallest_cell=prod((part.smallest_cell for part in parts), start=Fraction(1)),
            domain_size=prod((whole(domain) for domain in self.columns.values()), start=Fraction(1)),
            discrete=not any(isinstance(domain, Interval) for domain in self.columns.values()),
            columns=len(self.columns),
        )


def split_answers(answers: int, most: Mapping[str, int | None]) -> dict[str, int]:
    """Counts for every column, their product at most `answers`, that equalise the relative errors 1/(2·count).

    Raising the smallest count first makes the largest relative error as small as it can be, then the next largest. A
    column never gets more answers than it has values.

    >>> split_answers(70, {"a": None, "b": None, "c": 3})
    {'a': 5, 'b': 4, 'c': 3}
    """
    counts = dict.fromkeys(most, 1)
    growing = list(most)
    while growing:
        share = integer_root(answers // prod(counts[name] for name in counts if name not in growing), len(growing))
        full = [name for name in growing if (cap := most[name]) is not None and cap <= share]
        for name in full:
            counts[name] = most[name] or 1
            growing.remove(name)
        if not full:
            counts |= dict.fromkeys(growing, share)
            break
    while growing:
        name = min(growing, key=lambda name: counts[name])
        if counts[name] == most[name] or prod(counts.values()) // counts[name] * (counts[name] + 1) > answers:
            growing.remove(name)
        else:
            counts[name] += 1
    return counts


def _domain(name: str, given: Any) -> Domain:
    if isinstance(given, tuple) and len(given) == 2:
        return domain_of(given[0], given[1], None)
    try:
        return domain_of(None, None, given)
    except DomainError:
        raise DomainError(f"column {name!r} has no domain; give bounds (low, high), Codes(…) or Values(…)") from None


def _most(domain: Domain) -> int | None:
    return None if isinstance(domain, Interval) else domain.points
