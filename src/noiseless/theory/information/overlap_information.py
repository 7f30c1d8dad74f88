"""δ-overlap information: how many groups of values are distinguished if they may overlap a little."""

from __future__ import annotations

from functools import reduce
from operator import or_

from noiseless.errors import NotCertifiableError, NumberError, TooLargeError
from noiseless.exact.logratio import LogRatio
from noiseless.exact.number import Number, exact_number
from noiseless.theory.capacity.bitsets import members
from noiseless.theory.information.joint_range import Variables, joint_range

MOST_RANGES = 3000


def overlap_information(x: Variables, y: Variables, delta: Number = 0) -> LogRatio:
    """I_δ(X;Y) = log of the size of the largest δ-overlap family. With δ = 0 it is maximin information.

    Two values of X are δ-connected if a chain of conditional ranges ⟦X|y⟧ leads from one to the other, each sharing
    more than δ·|⟦X⟧| values with the next. A δ-overlap family consists of different sets of values such that each is
    δ-connected and contains some ⟦X|y⟧, any two share at most δ·|⟦X⟧| values, and every ⟦X|y⟧ lies inside one of them.

    The largest is found by merging: ranges that share more must lie in one set, and so must unions that do. What is
    left is a family if its sets are δ-connected. Otherwise there is none, and that is refused, as is a δ that is not
    below every |⟦X|y⟧|/|⟦X⟧|. Proof: docs/measures/overlap_information.md

    Guarantee: I⋆ ≤ I_δ ≤ log |⟦Y⟧|; it never falls as δ grows and no function of Y has more, wherever both exist.
    Source: Rangi and Franceschetti, reconstructed: docs/measures/overlap_information.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 3, 3, 4, 5], "Y": ["a", "a", "a", "b", "b", "b"]})
    >>> overlap_information(space["X"], space["Y"]), overlap_information(space["X"], space["Y"], "0.2")
    (log2(1) = 0 bits, log2(2) = 1 bits)
    """
    joint = joint_range(x, y)
    share = exact_number(delta, "delta")
    smallest = int(joint.sizes_given_y().min())
    if share < 0:
        raise NumberError(f"delta={delta} is below 0; use a share of the range, 0 or more")
    if share * joint.x_size >= smallest:
        raise NotCertifiableError(
            f"delta={delta} is not below {smallest}/{joint.x_size}, the smallest share that a value of Y leaves "
            f"possible, so families are not limited; use a smaller delta"
        )
    ranges = [0] * joint.y_size
    for place, output in zip(joint.x.tolist(), joint.y.tolist(), strict=True):
        ranges[output] |= 1 << place
    different = list(dict.fromkeys(ranges))
    if len(different) > MOST_RANGES:
        raise TooLargeError(f"Y has {len(different)} different conditional ranges; use at most {MOST_RANGES}")
    return LogRatio(len(_family(different, int(share * joint.x_size))))


def _family(ranges: list[int], allowed: int) -> list[int]:
    """The largest family, each set as the bits of an integer; any two may share `allowed` values."""
    chained = _merged_chains(ranges, allowed)
    family = chained
    while len(merged := _merged_chains(family, allowed)) < len(family):
        family = merged
    if not all(_connected(each, chained) for each in family if each not in chained):
        raise NotCertifiableError(
            "no family of connected sets overlaps this little, so the information does not exist; use another delta"
        )
    return family


def _merged_chains(sets: list[int], allowed: int) -> list[int]:
    """The unions of chains of sets, each sharing more than allowed with the next."""
    left, unions = list(sets), []
    while left:
        chain, found = [left.pop()], []
        while chain:
            one = chain.pop()
            found.append(one)
            chain += [other for other in left if (one & other).bit_count() > allowed]
            left = [other for other in left if (one & other).bit_count() <= allowed]
        unions.append(reduce(or_, found))
    return unions


def _connected(whole: int, chained: list[int]) -> bool:
    """Whether any two values of a set lie together in the union of some chain."""
    return all(not whole & ~reduce(or_, (each for each in chained if each >> x & 1)) for x in members(whole))
