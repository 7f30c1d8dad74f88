import numpy as np
import pytest

import noiseless as nl
from noiseless import LogRatio


def test_blocks(lopsided):
    partition = nl.overlap_partition(lopsided["X"], lopsided["Y"])
    assert partition == [{1, 2, 3}, {4}]
    assert len(partition) == 2
    assert partition.block_of(2) == {1, 2, 3}
    assert repr(partition) == "{{1, 2, 3}, {4}}"
    with pytest.raises(nl.UnknownVariableError, match="no block"):
        partition.block_of(9)


def test_of_several_variables(lopsided):
    x, y = lopsided["X"], lopsided["Y"]
    assert nl.overlap_partition((x, y), y) == [{(1, "a"), (2, "a"), (3, "a")}, {(2, "b"), (3, "b")}, {(4, "c")}]


@pytest.mark.parametrize("symbols", [50, 3000])
def test_same_components_as_a_plain_union_find(symbols):
    """Few symbols go through a table of flags, many through sorting."""
    generator = np.random.default_rng(7)
    x, y = generator.integers(0, symbols, (2, symbols))
    parent = {("x", a): ("x", a) for a in x.tolist()} | {("y", b): ("y", b) for b in y.tolist()}

    def root(node):
        while parent[node] != node:
            node = parent[node]
        return node

    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        parent[root(("x", a))] = root(("y", b))
    expected = {}
    for a in set(x.tolist()):
        expected.setdefault(root(("x", a)), set()).add(a)
    space = nl.Space({"X": x, "Y": y})
    assert nl.overlap_partition(space["X"], space["Y"]) == expected.values()
    assert nl.maximin_information(space["X"], space["Y"]) == LogRatio(len(expected))


def test_blocks_of_what_cannot_be_hashed(lopsided):
    with pytest.raises(nl.UnknownVariableError, match="no block"):
        nl.overlap_partition(lopsided["X"], lopsided["Y"]).block_of([1])
