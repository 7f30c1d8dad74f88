import noiseless as nl


def test_blocks_project_onto_overlap_blocks(lopsided):
    x, y = lopsided["X"], lopsided["Y"]
    taxicab = nl.taxicab_partition(x, y)
    assert len(taxicab) == 2
    assert [{a for a, _ in block} for block in taxicab] == [set(b) for b in nl.overlap_partition(x, y)]  # type: ignore[has-type, misc]
    assert [{b for _, b in block} for block in taxicab] == [{"a", "b"}, {"c"}]  # type: ignore[has-type, misc]
