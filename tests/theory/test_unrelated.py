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


def test_what_several_reveal_is_the_intersection_if_they_are_unrelated_given_x():
    """TIFS Def II.1, on every joint range of three variables of two values: equal then, and inside otherwise."""
    strict = 0
    for chosen in range(1, 256):
        points = [place for place in range(8) if chosen >> place & 1]
        space = nl.Space({name: [point >> shift & 1 for point in points] for shift, name in enumerate("XYZ")})
        x = space["X"]
        equal = True
        for y, z in {(point >> 1 & 1, point >> 2 & 1) for point in points}:
            both, each = set(x.given(Y=y, Z=z)), set(x.given(Y=y)) & set(x.given(Z=z))
            assert both <= each
            equal &= both == each
        if nl.conditionally_unrelated(space["Y"], space["Z"], given=x):
            assert equal
        strict += not equal
    assert strict
