"""Every joint range of up to three values each, and the definitions of theory §1 in plain Python sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, product

from hypothesis import strategies as st

import noiseless as nl

Pairs = frozenset[tuple[int, int]]


def all_joint_ranges(most: int = 3) -> Iterator[Pairs]:
    """All non-empty subsets of {0..most−1}²; those with fewer values are among them."""
    cells = list(product(range(most), range(most)))
    for chosen in range(1, 2 ** len(cells)):
        yield frozenset(cell for place, cell in enumerate(cells) if chosen >> place & 1)


def joint_ranges(most: int = 8) -> st.SearchStrategy[Pairs]:
    """Larger joint ranges, for Hypothesis."""
    values = st.integers(0, most - 1)
    return st.frozensets(st.tuples(values, values), min_size=1, max_size=3 * most)


def variables(pairs: Pairs) -> tuple[nl.Variable, nl.Variable]:
    """X and Y whose joint range is `pairs`."""
    space = nl.Space({"X": [x for x, _ in sorted(pairs)], "Y": [y for _, y in sorted(pairs)]})
    return space["X"], space["Y"]


def swapped(pairs: Pairs) -> Pairs:
    return frozenset((y, x) for x, y in pairs)


def conditional_ranges(pairs: Pairs) -> dict[int, set[int]]:
    """⟦X|y⟧ for every y."""
    ranges: dict[int, set[int]] = {}
    for x, y in pairs:
        ranges.setdefault(y, set()).add(x)
    return ranges


def sizes(pairs: Pairs) -> tuple[int, list[int]]:
    """|⟦X⟧| and the |⟦X|y⟧|."""
    return len({x for x, _ in pairs}), [len(xs) for xs in conditional_ranges(pairs).values()]


def blocks(pairs: Pairs) -> set[frozenset[int]]:
    """⟦X|Y⟧⋆ by merging conditional ranges that overlap until none do."""
    merged: list[set[int]] = []
    for xs in conditional_ranges(pairs).values():
        touching = [block for block in merged if block & xs]
        merged = [block for block in merged if not block & xs] + [set(xs).union(*touching)]
    return set(map(frozenset, merged))


def definitions(pairs: Pairs) -> dict[str, Fraction]:
    """The ratio that every measure of X and Y has by definition."""
    total, given = sizes(pairs)
    total_y, given_x = sizes(swapped(pairs))
    return {
        "entropy": Fraction(total),
        "conditional_entropy": Fraction(max(given)),
        "disarray": Fraction(min(given)),
        "information": min(Fraction(total, size) for size in given),
        "leakage": max(Fraction(total, size) for size in given),
        "symmetric_leakage": min(
            max(Fraction(total, size) for size in given), max(Fraction(total_y, size) for size in given_x)
        ),
        "transmission": Fraction(total * total_y, len(pairs)),
        "maximin_information": Fraction(len(blocks(pairs))),
    }


def largest_family(given: Iterable[Iterable[int]], allowed: int) -> int:
    """The number of sets in the largest overlap family, by trying them all; 0 if there is none."""
    ranges = [frozenset(each) for each in given]
    values = sorted(frozenset().union(*ranges))
    chains = _connected(ranges, allowed)
    subsets = [frozenset(each) for size in range(1, len(values) + 1) for each in combinations(values, size)]
    candidates = [
        each
        for each in subsets
        if any(part <= each for part in ranges) and all(pair in chains for pair in combinations(sorted(each), 2))
    ]

    def best(chosen: list[frozenset[int]], left: list[frozenset[int]]) -> int:
        found = len(chosen) if all(any(part <= each for each in chosen) for part in ranges) else 0
        for place, each in enumerate(left):
            others = [other for other in left[place + 1 :] if len(other & each) <= allowed]
            found = max(found, best([*chosen, each], others))
        return found

    return best([], candidates)


def _connected(ranges: list[frozenset[int]], allowed: int) -> set[tuple[int, int]]:
    """Pairs of values that a chain of ranges connects."""
    found: set[tuple[int, int]] = set()
    for start in ranges:
        reached, chain = {start}, [start]
        while chain:
            one = chain.pop()
            more = [other for other in ranges if other not in reached and len(one & other) > allowed]
            reached.update(more)
            chain += more
        found.update(pair for end in reached for x in start for z in end for pair in [(min(x, z), max(x, z))])
    return found
