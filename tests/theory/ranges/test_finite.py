import noiseless as nl


def test_equal_sets_are_equal_and_hash_alike():
    assert nl.FiniteRange([1, 2]) == nl.FiniteRange([2, 1, 1]) == {1, 2} == frozenset({1, 2})
    assert hash(nl.FiniteRange([1, 2])) == hash(frozenset({1, 2}))
    assert {frozenset({1, 2})} == {nl.FiniteRange([2, 1])}


def test_set_algebra_stays_a_range():
    union = nl.FiniteRange([1, 2]) | {3}
    assert isinstance(union, nl.FiniteRange)
    assert nl.FiniteRange([1, 2]) & {2, 3} == {2}
    assert nl.FiniteRange([1, 2]) ^ {2, 3} == {1, 3}
    assert nl.FiniteRange([1]) < {1, 2}


def test_repr_is_the_set():
    assert repr(nl.FiniteRange([3, 1])) == "{3, 1}"
    assert repr(nl.FiniteRange(range(100))) == "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …, 99}"
