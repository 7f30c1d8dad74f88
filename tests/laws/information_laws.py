"""The inequalities of theory §1, each a predicate of the measures and one joint range.

The measures come in as a mapping from name to function, so that the same laws judge the real ones and the
deliberately wrong ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import noiseless as nl
from tests.laws.joint_ranges import Pairs, blocks, conditional_ranges, definitions, largest_family, swapped, variables

Measures = Mapping[str, Callable[..., Any]]

REAL: Measures = {
    name: getattr(nl, name)
    for name in (
        "entropy",
        "conditional_entropy",
        "disarray",
        "information",
        "leakage",
        "symmetric_leakage",
        "transmission",
        "maximin_information",
        "information_gain",
        "overlap_partition",
        "taxicab_partition",
        "min_capacity",
        "pointwise_leakage",
        "overlap_information",
    )
}


def agrees_with_definition(m: Measures, pairs: Pairs) -> bool:
    x, y = variables(pairs)
    for name, ratio in definitions(pairs).items():
        value = m[name](x) if name == "entropy" else m[name](x, y)
        if value.ratio != ratio:
            return False
    return True


def symmetric_ones_are_symmetric(m: Measures, pairs: Pairs) -> bool:
    x, y = variables(pairs)
    symmetric = ("maximin_information", "symmetric_leakage", "transmission", "min_capacity")
    return all(m[name](x, y) == m[name](y, x) for name in symmetric)


def maximin_below_symmetric_below_leakage(m: Measures, pairs: Pairs) -> bool:
    x, y = variables(pairs)
    return bool(m["maximin_information"](x, y) <= m["symmetric_leakage"](x, y) <= m["leakage"](x, y))


def information_below_leakage(m: Measures, pairs: Pairs) -> bool:
    x, y = variables(pairs)
    return bool(nl.LogRatio(1) <= m["information"](x, y) <= m["leakage"](x, y) <= m["entropy"](x))


def entropies_and_information_fit(m: Measures, pairs: Pairs) -> bool:
    """I0 = H0(X) − H0(X|Y), L0 = H0(X) − d0(X|Y), T0 = H0(X) + H0(Y) − H0(X,Y)."""
    x, y = variables(pairs)
    total = m["entropy"](x)
    return bool(
        m["information"](x, y) == total - m["conditional_entropy"](x, y)
        and m["leakage"](x, y) == total - m["disarray"](x, y)
        and m["transmission"](x, y) == total + m["entropy"](y) - m["entropy"]((x, y))
    )


def gain_lies_between(m: Measures, pairs: Pairs) -> bool:
    """Kolmogorov's gain at one y is least I0 and most L0, and both are reached."""
    x, y = variables(pairs)
    gains = [m["information_gain"](x, Y=value) for value in conditional_ranges(pairs)]
    return bool(min(gains) == m["information"](x, y) and max(gains) == m["leakage"](x, y))


def unrelated_tells_nothing(m: Measures, pairs: Pairs) -> bool:
    x, y = variables(pairs)
    nothing = all(m[name](x, y) == nl.LogRatio(1) for name in ("leakage", "maximin_information", "transmission"))
    return nothing if nl.unrelated(x, y) else m["transmission"](x, y) > nl.LogRatio(1)


def deterministic_equalities(m: Measures, pairs: Pairs) -> bool:
    """Y = g(X): I⋆ = L0(Y;X) = L0^s = log|⟦Y⟧| ≤ L0(X;Y)."""
    if any(len(ys) > 1 for ys in conditional_ranges(swapped(pairs)).values()):
        return True
    x, y = variables(pairs)
    size = m["entropy"](y)
    same = m["maximin_information"](x, y) == m["leakage"](y, x) == m["symmetric_leakage"](x, y) == size
    return bool(same and size <= m["leakage"](x, y))


def data_processing(m: Measures, pairs: Pairs) -> bool:
    """Z = g(Y), for every g on up to three values, never raises L0(X;·) nor I⋆(X;·)."""
    x, y = variables(pairs)
    for images in post_processings(y.size):
        z = _processed(y, dict(zip(y.range, images, strict=True)))
        if any(m[name](x, z) > m[name](x, y) for name in ("leakage", "maximin_information", "min_capacity")):
            return False
    return True


def post_processings(size: int) -> Iterator[tuple[int, ...]]:
    """Every way to merge up to three values, and one way to merge more."""
    if size > 3:
        return iter([tuple(place // 2 for place in range(size))])
    every = product(range(size), repeat=size)
    return (images for images in every if all(i <= len(set(images[:place])) for place, i in enumerate(images)))


def _processed(y: nl.Variable, places: Mapping[Any, int]) -> nl.Variable:
    return y.space.derive(Z=lambda Y: places[Y])["Z"]


def partitions_are_the_components(m: Measures, pairs: Pairs) -> bool:
    """Overlap blocks are the merged conditional ranges; taxicab blocks are the pairs over them."""
    x, y = variables(pairs)
    expected = blocks(pairs)
    over = [frozenset(pair for pair in pairs if pair[0] in block) for block in expected]
    return bool(m["overlap_partition"](x, y) == expected and m["taxicab_partition"](x, y) == over)


def min_capacity_lies_between(m: Measures, pairs: Pairs) -> bool:
    """I⋆ ≤ C ≤ H0(X), H0(Y); the number of outputs if Y is a function of X, by trying every function otherwise."""
    x, y = variables(pairs)
    found, ranges = m["min_capacity"](x, y), [sorted(ys) for ys in conditional_ranges(swapped(pairs)).values()]
    bounds = m["maximin_information"](x, y) <= found <= min(m["entropy"](x), m["entropy"](y))
    if len(pairs) > 12:
        return bool(bounds)
    return bool(bounds and found == nl.LogRatio(max(len(set(outputs)) for outputs in product(*ranges))))


def surprise_follows_from_the_prior(m: Measures, pairs: Pairs) -> bool:
    """Uniform: L0. Otherwise the largest growth of the chance to guess any function of X, over all y."""
    if not _is_function(pairs):
        return True
    x, y = variables(pairs)
    if m["pointwise_leakage"](x, y) != m["leakage"](x, y):
        return False
    values = sorted({value for value, _ in pairs})
    weights = {value: Fraction(1, 2 ** (place + 1)) for place, value in enumerate(values)}
    weights[values[-1]] *= 2  # so that they sum to 1
    growth = [Fraction(1) / sum(weights[value] for value in xs) for xs in conditional_ranges(pairs).values()]
    return bool(m["pointwise_leakage"](x, y, weights) == nl.LogRatio(max(growth)))


def overlap_information_is_the_largest_family(m: Measures, pairs: Pairs) -> bool:
    """By trying every family of sets; where there is none, the measure refuses."""
    x, y = variables(pairs)
    ranges = list(conditional_ranges(pairs).values())
    if x.size > 4:
        return True
    found = [_with_overlap(m, x, y, allowed) for allowed in range(min(map(len, ranges)))]
    return found == [largest_family(ranges, allowed) for allowed in range(len(found))]


def overlap_information_grows_with_overlap(m: Measures, pairs: Pairs) -> bool:
    """I⋆ = I_0 ≤ I_δ ≤ I_δ' ≤ log |⟦Y⟧| for δ < δ'; functions of Y have no more, wherever both exist."""
    x, y = variables(pairs)
    smallest = min(len(xs) for xs in conditional_ranges(pairs).values())
    found = [_with_overlap(m, x, y, allowed) for allowed in range(smallest)]
    there = [each for each in found if each]
    if found[0] != m["maximin_information"](x, y).ratio or there != sorted(there) or there[-1] > y.size:
        return False
    merged = _processed(y, {value: place // 2 for place, value in enumerate(y.range)})
    after = [_with_overlap(m, x, merged, allowed) for allowed in range(smallest)]
    return all(coarse <= fine or not fine for fine, coarse in zip(found, after, strict=True))


def _with_overlap(m: Measures, x: nl.Variable, y: nl.Variable, allowed: int) -> Any:
    """The size of the family; 0 if there is none."""
    try:
        return m["overlap_information"](x, y, Fraction(allowed, x.size)).ratio
    except nl.NotCertifiableError:
        return 0


def _is_function(pairs: Pairs) -> bool:
    return all(len(ys) == 1 for ys in conditional_ranges(swapped(pairs)).values())


LAWS = [
    agrees_with_definition,
    symmetric_ones_are_symmetric,
    maximin_below_symmetric_below_leakage,
    information_below_leakage,
    entropies_and_information_fit,
    gain_lies_between,
    unrelated_tells_nothing,
    deterministic_equalities,
    partitions_are_the_components,
    data_processing,
    min_capacity_lies_between,
    surprise_follows_from_the_prior,
    overlap_information_is_the_largest_family,
    overlap_information_grows_with_overlap,
]
