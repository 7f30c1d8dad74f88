import noiseless as nl


def test_equality_is_that_of_the_blocks():
    space = nl.Space({"X": [1, 2, 3], "Y": ["a", "a", "b"], "Z": ["u", "u", "v"]})
    partition = nl.overlap_partition(space["X"], space["Y"])
    assert partition == nl.overlap_partition(space["X"], space["Z"])
    assert partition == {frozenset({3}), frozenset({1, 2})}
    assert partition != [{1}, {2}, {3}]
    assert partition != 5
