"""The taxicab partition: pairs that can be reached from each other by changing one coordinate at a time."""

from __future__ import annotations

from typing import Any

from noiseless.theory.coding import Integers
from noiseless.theory.information.joint_range import Variables, joint_range
from noiseless.theory.information.overlap_partition import components
from noiseless.theory.information.partition import Partition
from noiseless.theory.variable import as_variable


def taxicab_partition(x: Variables, y: Variables) -> Partition:
    """The partition of ⟦X,Y⟧ whose blocks project onto the blocks of the overlap partitions of X and of Y.

    Source: TIFS Def II.2 (Nair): docs/measures/taxicab_partition.md

    >>> from noiseless import Space
    >>> space = Space({"X": [1, 2, 2, 3], "Y": ["a", "a", "b", "c"]})
    >>> taxicab_partition(space["X"], space["Y"])
    {{(1, 'a'), (2, 'a'), (2, 'b')}, {(3, 'c')}}
    """
    x, y = as_variable(x), as_variable(y)
    joint = joint_range(x, y)

    def pairs(places: Integers) -> list[tuple[Any, Any]]:
        return list(zip(x.column[joint.x[places]], y.column[joint.y[places]], strict=True))

    return Partition(components(joint.x, joint.y, x.size, y.size)[joint.x], pairs)
