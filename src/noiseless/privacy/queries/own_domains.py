"""Queries of people whose domains differ: each has their own interval, codes or finite set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from noiseless.errors import DomainError
from noiseless.privacy.domain import Domain, domain_of
from noiseless.privacy.queries.query import whole


@dataclass(frozen=True)
class OwnDomains:
    """The domain of each person, in the order of the data."""

    domains: tuple[Domain, ...]

    @property
    def n(self) -> int:
        """How many people."""
        return len(self.domains)

    @property
    def domain(self) -> None:
        """None: people's domains differ."""
        return


def domains_of(domains: Iterable[Domain]) -> tuple[Domain, ...]:
    """The domain of each person, checked."""
    given = domains if isinstance(domains, Iterable) else ()
    checked = tuple(domain_of(None, None, domain) for domain in given)
    if not checked:
        raise DomainError("domains is empty; give one Interval, Codes or Values for each person")
    return checked


def most_exposed(cells: Iterable[tuple[Fraction, Domain]]) -> tuple[Fraction, Domain]:
    """The cell that is the smallest share of its person's domain; among equal shares, of the smallest domain."""
    return min(cells, key=lambda cell: (cell[0] / whole(cell[1]), whole(cell[1])))
