"""Quotas that are granted while a dataset is open, to one analyst or to several who share one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from noiseless.curator.ledger.quota import EVERYBODY_ELSE, quota_left
from noiseless.exact.answers import answers_within
from noiseless.privacy.composition.weights import Product


@dataclass(frozen=True, slots=True)
class Grant:
    """What some analysts may spend together, in bits. A grant with the name of an analyst is theirs alone."""

    name: str
    bits: Fraction
    members: frozenset[str]

    @property
    def own(self) -> bool:
        """Whether it is the quota of one analyst, which replaces the quota declared for them or for all others."""
        return self.members == {self.name}

    @property
    def most(self) -> int:
        """The bits as a number of answers."""
        return answers_within(self.bits, f"quota of {self.name}")

    def part(self, share: Fraction) -> Grant:
        """The grant for a view that has a share of the budget."""
        return replace(self, bits=self.bits * share)


Grants = Callable[[], Iterable[Grant]]
"""The grants as they are now. They are read before every charge."""


def limit_of(
    quotas: Mapping[str, int] | None,
    grants: Iterable[Grant],
    spent: Mapping[str, Product],
    analyst: str,
    extra: Mapping[str, int] | None = None,
) -> Fraction | None:
    """The largest price that all quotas of an analyst allow, declared or granted. None if there are none.

    >>> ada = Grant("ada", Fraction(3), frozenset({"ada"}))
    >>> both = Grant("team", Fraction(4), frozenset({"ada", "bob"}))
    >>> spent = {"ada": 2, "bob": 4}
    >>> limit_of(None, [ada, both], spent, "ada"), limit_of(None, [ada, both], spent, "bob")
    (Fraction(2, 1), Fraction(2, 1))
    >>> limit_of({"*": 2}, [ada], {}, "ada"), limit_of({"*": 2}, [ada], {}, "bob"), limit_of(None, [ada], {}, "bob")
    (Fraction(8, 1), Fraction(2, 1), None)
    """
    mine = [grant for grant in grants if analyst in grant.members]
    limits = [quota_left({EVERYBODY_ELSE: grant.most}, used_by(grant, spent), analyst, extra) for grant in mine]
    if not any(grant.own for grant in mine):
        limits.append(quota_left(quotas, spent, analyst, extra))
    return min((limit for limit in limits if limit is not None), default=None)


def used_by(grant: Grant, spent: Mapping[str, Product]) -> dict[str, Product]:
    """What its members have spent."""
    return {name: spent[name] for name in sorted(grant.members) if name in spent}
