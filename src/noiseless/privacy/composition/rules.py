"""The rules of composition for releases declared together: when each applies, and what it gives.

K_j is the count of release j with everybody else's data fixed. The letters are those of docs/composition.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, prod

from noiseless.privacy.composition.release import Release

Releases = Sequence[Release]


@dataclass(frozen=True, slots=True)
class Rule:
    """A named way to count: where it `applies`, it bounds the joint `count` of a list of releases."""

    letter: str
    name: str
    why: str
    applies: Callable[[Releases], bool]
    count: Callable[[Releases], int]

    def __repr__(self) -> str:
        return f"rule {self.letter}, {self.name}: {self.why}"


def _one_column(releases: Releases) -> bool:
    return len({release.columns for release in releases}) == 1 and len(releases[0].columns) == 1


def _product(releases: Releases) -> int:
    return prod(release.count for release in releases)


def _jumps(releases: Releases) -> int:
    """A: a release changes at most t(K−1) times as one value runs through its range; m cuts leave m + 1 pieces.

    Where t is not known, the release multiplies.
    """
    unknown = [release for release in releases if release.jumps is None]
    return (1 + sum(release.jumps or 0 for release in releases)) * _product(unknown)


def _regions(releases: Releases) -> int:
    """B: e_0 + … + e_d of the K_j − 1: the most regions into which families of K_j − 1 parallel planes cut ℝ^d."""
    dimension = len({column for release in releases for column in release.columns})
    symmetric = [1] + [0] * dimension
    for release in releases:
        for degree in range(dimension, 0, -1):
            symmetric[degree] += symmetric[degree - 1] * (release.count - 1)
    return sum(symmetric)


def _values(releases: Releases) -> int | None:
    """The number of different records in the columns that are read, if finite and declared consistently."""
    domains: dict[str, tuple[int | None, object]] = {}
    for release in releases:
        for column, domain in release.domains().items():
            if domains.setdefault(column, domain) != domain:
                return None
    sizes = [size for size, _ in domains.values() if size is not None]
    return prod(sizes) if len(sizes) == len(domains) else None


def _by_column(releases: Releases) -> int:
    """D: each column separately by A and G; a release that reads several columns multiplies by its count."""
    total = 1
    ordered = sorted(releases, key=lambda release: release.columns)
    for columns, group in groupby(ordered, key=lambda release: release.columns):
        same = list(group)
        total *= _least_of_column(same) if len(columns) == 1 else _product(same)
    return total


def _least_of_column(releases: Releases) -> int:
    counts = [_product(releases), _jumps(releases)]
    size = _values(releases)
    return min(counts if size is None else [*counts, size])


def _sums_of_one_domain(releases: Releases) -> bool:
    return _one_column(releases) and all(
        release.spacing is not None and release.domains() == releases[0].domains() for release in releases
    )


def _in_turn(releases: Releases) -> int:
    """C: a bin of an earlier sum confines the value to its width; count the bins of a later sum within that width."""
    total, finest = releases[0].count, releases[0].spacing
    for release in releases[1:]:
        spacing = release.spacing
        assert spacing is not None
        assert finest is not None
        total *= min(release.count, ceil(finest / spacing) + 1)
        finest = min(finest, spacing)
    return total


def _affine_then_others(releases: Releases) -> int:
    affine = [release for release in releases if release.affine]
    others = [release for release in releases if not release.affine]
    return _regions(affine) * (_by_column(others) if others else 1)


PRODUCT = Rule("P", "product", "counts multiply (NP Thm 6)", bool, _product)
JUMPS = Rule(
    "A", "jumps", "one ordered column: each release adds its jumps, and m jumps leave m + 1 pieces", _one_column, _jumps
)
REGIONS = Rule(
    "B",
    "regions",
    "affine releases cut the space of records along parallel planes; what is not affine multiplies",
    lambda releases: any(release.affine for release in releases),
    _affine_then_others,
)
COLUMNS = Rule("D", "columns", "unrelated columns multiply, each counted on its own", bool, _by_column)
IN_TURN = Rule(
    "C",
    "in turn",
    "sums chosen one after another: counts multiply, but one no finer than the finest so far costs a factor of 2",
    _sums_of_one_domain,
    _in_turn,
)
FINITE = Rule(
    "G",
    "finite values",
    "no more answers than the columns have different records",
    lambda releases: _values(releases) is not None,
    lambda releases: _values(releases) or 1,
)
RULES = (PRODUCT, JUMPS, REGIONS, COLUMNS, FINITE)
"""The rules of a batch that count the releases covering one person; E and F, in batch.py, select these releases. C is
for releases in turn, and `Sequence` implements it."""
