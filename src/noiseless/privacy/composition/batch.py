"""Releases declared together, and the smallest count that a rule proves for them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from noiseless.errors import CompositionError
from noiseless.exact.number import written
from noiseless.exact.outcomes import Outcomes
from noiseless.exact.rounding import bits_up
from noiseless.privacy.composition.release import Release
from noiseless.privacy.composition.rules import RULES, Rule

MOST_COMPARED = 64
"""Up to this number of quantizers of one query, all pairs are compared; beyond it, only equal ones are found."""


class EverybodyElse:
    """Stands for the people in no named group."""

    def __repr__(self) -> str:
        return "people in no named group"


EVERYBODY_ELSE = EverybodyElse()


@dataclass(frozen=True, slots=True, repr=False)
class Accounting:
    """What a batch costs one person, and why.

    `worst` is the public group with the highest count. `free` is the number of releases that follow from others.
    `counts` are the counts by each applicable rule for that group.
    """

    count: int
    rule: Rule
    worst: Hashable
    free: int
    counts: dict[str, int] = field(hash=False)

    def __repr__(self) -> str:
        return self.explain()

    @property
    def bits(self) -> float:
        """log2(count), rounded up, for display."""
        return Outcomes(self.count).bits

    def explain(self) -> str:
        """The count and the rule it comes from, in words."""
        others = ", ".join(f"{letter}: {written(count)}" for letter, count in self.counts.items())
        lines = [
            f"at most {written(self.count)} joint answers ({bits_up(self.count, 3):g} bits) by {self.rule!r}",
            f"({others})",
        ]
        if self.free:
            lines.append(f"{self.free} of the releases are free by {FREE!r}")
        if self.worst is not None:
            lines.append(f"counted for {self.worst!r}, the group with the highest count, by {PARALLEL!r}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Batch:
    """Releases that are all declared before any answer is seen. One row per person.

    >>> import noiseless as nl
    >>> one_bit = [nl.calibrate(nl.Mean(1000 + k, 0, 60), bits=1) for k in range(100)]
    >>> batch = Batch([Release.of(mechanism, "kWh") for mechanism in one_bit])
    >>> batch.account().count
    101
    """

    releases: tuple[Release, ...]

    def __init__(self, releases: Iterable[Release]) -> None:
        object.__setattr__(self, "releases", tuple(releases))
        if not self.releases:
            raise CompositionError("the batch is empty; give at least one release")

    def account(self) -> Accounting:
        """The smallest count: rule F first, then the best rule for each public group, then rule E over the groups."""
        different = without_functions(self.releases)
        accounts = _accounts(different)
        worst = max(accounts, key=lambda group: accounts[group][0])
        count, rule, counts = accounts[worst]
        shown = None if len(accounts) == 1 else worst
        return Accounting(count, rule, shown, len(self.releases) - len(different), counts)


def _least(releases: Sequence[Release]) -> int:
    return max(count for count, _, _ in _accounts(releases).values())


def _accounts(releases: Sequence[Release]) -> dict[Hashable, tuple[int, Rule, dict[str, int]]]:
    """The best rule for every group. Groups that differ only in name, as after GROUP BY, are counted once."""
    general = [release for release in releases if release.groups is None]
    known: dict[object, tuple[int, Rule, dict[str, int]]] = {}
    accounts = {}
    for group, own in own_releases(releases).items():
        shape = frozenset(Counter(map(_shape, own)).items())
        if shape not in known:
            known[shape] = _best(general + own)
        accounts[group] = known[shape]
    return accounts


def _shape(release: Release) -> tuple[object, ...]:
    """All parts of a release that the rules read. Groups with equal parts have equal counts."""
    return release.columns, release.count, release.pieces, release.affine, tuple(release.domains().items())


PARALLEL = Rule(
    "E",
    "parallel",
    "disjoint public groups: the maximum, since each person is in one",
    lambda releases: any(release.groups is not None for release in releases),
    _least,
)
FREE = Rule(
    "F",
    "free",
    "repeats and coarser quantizers of the same query are functions of the others",
    lambda releases: len(without_functions(releases)) < len(releases),
    lambda releases: _least(without_functions(releases)),
)


def without_functions(releases: Iterable[Release]) -> list[Release]:
    """Rule F: drop every release that repeats another, or is a coarser quantizer of the same query."""
    families: dict[object, list[Release]] = defaultdict(list)
    for release in releases:
        key = (release.columns, release.groups, release.about, id(release) if release.query is None else release.query)
        family = families[key]
        if len(family) > MOST_COMPARED:
            families[key] = family if release in family else [*family, release]
        elif not any(known.contains(release) for known in family):
            families[key] = [known for known in family if not release.contains(known)] + [release]
    return [release for family in families.values() for release in family]


def own_releases(releases: Iterable[Release]) -> dict[Hashable, list[Release]]:
    """For each named group, the releases that name it. The people in no named group have an empty list."""
    own: dict[Hashable, list[Release]] = defaultdict(list)
    for release in releases:
        if release.groups is None:
            own[EVERYBODY_ELSE] = []
        for group in release.groups or ():
            own[group].append(release)
    return own


def _best(releases: list[Release]) -> tuple[int, Rule, dict[str, int]]:
    applying = [(rule.count(releases), rule) for rule in RULES if rule.applies(releases)]
    count, rule = min(applying, key=lambda pair: pair[0])
    return count, rule, {rule.letter: count for count, rule in applying}
