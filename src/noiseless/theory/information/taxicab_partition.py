"""The taxicab partition: pairs that can be reached from each other by changing one coordinate at a time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

from noiseless.theory.cell_map import CellMap
from noiseless.theory.coding import Integers
from noiseless.theory.information.joint_range import AnyVariables, are_continuous, finite_pair, joint_range
from noiseless.theory.information.overlap_partition import components, refuse_shared
from noiseless.theory.information.partition import Partition
from noiseless.theory.information.set_partition import SetPartition
from noiseless.theory.joint_set import joint_set


def taxicab_partition(x: AnyVariables, y: AnyVariables) -> Partition:
    """The partition of ⟦X,Y⟧ whose blocks project onto the blocks of the overlap partitions of X and of Y.

    Blocks of coordinates are boxes over both. With a map, a block lists for each of its values what goes with it.

    Source: TIFS Def II.2 (Nair): docs/measures/taxicab_partition.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 2, 3], "Y": ["a", "a", "b", "c"]})
    >>> taxicab_partition(space["X"], space["Y"])
    {{(1, 'a'), (2, 'a'), (2, 'b')}, {(3, 'c')}}
    """
    if are_continuous(x, y) and not (isinstance(x, CellMap) and isinstance(y, CellMap)):
        return SetPartition(_sets(x, y))
    x, y = finite_pair(x, y)
    joint = joint_range(x, y)

    def pairs(places: Integers) -> list[tuple[Any, Any]]:
        return list(zip(x.column[joint.x[places]], y.column[joint.y[places]], strict=True))

    return Partition(components(joint.x, joint.y, x.size, y.size)[joint.x], pairs)


def _sets(x: Any, y: Any) -> Iterator[Any]:
    """The blocks of continuous variables: boxes over both, or for each value of a map what goes with it."""
    if isinstance(x, CellMap):
        yield from _sets(y, x)
        return
    refuse_shared(x, y)
    joint = joint_set(x, y)
    for block in joint.blocks():
        pairs = [(place, left) for place, left in joint.fibres() if left & block]
        if isinstance(y, CellMap):
            yield {value: joint.named(left) for place, left in pairs for value in joint.named(place)}
        else:
            yield reduce(or_, (left.times(place) for place, left in pairs))
