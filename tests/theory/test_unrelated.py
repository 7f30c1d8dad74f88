from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl

ROWS = st.lists(st.tuples(*[st.integers(0, 1)] * 4), min_size=1, max_size=12)


def is_product(rows) -> bool:
    return set(rows) == set(product(*(set(column) for column in zip(*rows, strict=True))))


@given(ROWS)
def test_unrelated_is_a_product_range(rows):
    space = nl.Space([dict(zip("ABCD", row, strict=True)) for row in rows])
    a, b, c, d = (space[name] for name in "ABCD")
    assert nl.unrelated(a, b, c) == is_product([row[:3] for row in rows])
    assert nl.unrelated((a, b), c) == is_product([(row[:2], row[2]) for row in rows])
    expected = all(is_product([row[:3] for row in rows if row[3] == seen]) for seen in {row[3] for row in rows})
    assert nl.conditionally_unrelated(a, b, c, given=d) == expected


def test_a_variable_is_unrelated_to_itself_only_if_constant():
    space = nl.Space({"X": [1, 2], "C": [0, 0]})
    assert not nl.unrelated(space["X"], space["X"])
    assert nl.unrelated(space["C"], space["C"])
    assert nl.unrelated(space["X"], space["C"])


def test_one_variable_is_not_enough():
    with pytest.raises(nl.InputError, match="at least two"):
        nl.unrelated(nl.Space({"X": [1]})["X"])
