from fractions import Fraction
from itertools import product
from math import prod

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl
from noiseless.privacy.definitions.noiseless.local import split_answers


def test_a_trip():
    made = nl.Local(north=(0, 40), east=(0, 30)).calibrate(bits=6)
    assert dict(made.counts) == {"north": 8, "east": 8}
    assert made.guarantee.count == made.grid.cells == 64
    assert made.guarantee.definition == "local noiseless privacy"
    assert made.error == {"north": Fraction(5, 2), "east": Fraction(15, 8)}
    boxes = made.apply(pl.DataFrame({"north": [1.0, 39.0], "east": [15.0, 2.0]}), output="index")
    assert boxes.rows() == [(0, 4), (7, 0)]


def test_given_bits():
    made = nl.Local(height=(100, 250), smoker=nl.Codes(1)).calibrate(bits={"height": 3, "smoker": 0})
    assert dict(made.counts) == {"height": 8, "smoker": 1}
    assert made.guarantee.count == 8


def test_count_equals_brute_force():
    made = nl.Local(a=nl.Codes(3), b=nl.Codes(4)).calibrate(bits=3)
    cells = {tuple(made.apply({"a": a, "b": b}, output="index").values()) for a, b in product(range(4), range(5))}
    assert len(cells) == made.guarantee.count <= 8


@given(st.integers(1, 5000), st.lists(st.one_of(st.none(), st.integers(2, 20)), min_size=1, max_size=3))
def test_the_split_makes_the_largest_relative_error_smallest(answers, caps):
    """Against every split: the least count of a column that is not exact cannot be larger."""
    most = {f"c{place}": cap for place, cap in enumerate(caps)}
    counts = split_answers(answers, most)
    assert prod(counts.values()) <= answers
    assert all(cap is None or counts[name] <= cap for name, cap in most.items())

    def worst(found):
        return max((0 if cap == found[name] else Fraction(1, found[name])) for name, cap in most.items())

    for least in range(1, 60):
        bar = {name: min(least, cap or least) for name, cap in most.items()}
        if prod(bar.values()) <= answers:
            assert worst(counts) <= worst(bar)


def test_no_answer_is_left_unused():
    counts = split_answers(70, {"a": None, "b": None, "c": 3})
    assert counts == {"a": 5, "b": 4, "c": 3}


@pytest.mark.parametrize(
    ("make", "error", "why"),
    [
        (lambda: nl.Local(), nl.DomainError, "at least one column"),
        (lambda: nl.Local(x=5), nl.DomainError, "column 'x'"),
        (lambda: nl.Local(x=(1, 0)), nl.RangeError, "low=1"),
        (lambda: nl.Local(x=(0, 1)).calibrate(bits=-1), nl.BudgetError, "bits=-1"),
        (lambda: nl.Local(x=(0, 1)).calibrate(bits={"y": 1}), nl.BudgetError, "name each of x once"),
    ],
)
def test_bad_input(make, error, why):
    with pytest.raises(error, match=why):
        make()


def test_the_smallest_count_grows_first():
    assert split_answers(7, dict.fromkeys("abc")) == {"a": 3, "b": 2, "c": 1}
    assert split_answers(63, dict.fromkeys("abc")) == {"a": 5, "b": 4, "c": 3}
    eight = nl.Local(**dict.fromkeys("abcdefgh", (0, 1))).calibrate(bits=7)
    assert sorted(eight.counts.values()) == [1, 2, 2, 2, 2, 2, 2, 2]


def test_columns_have_their_own_guarantees_and_boxes_are_processed():
    made = nl.Local(x=(0, 100), y=(0, 100)).calibrate(bits=2)
    assert made.columns["x"].estimation_error(1, "1/100") == pytest.approx(12.5)
    with pytest.raises(nl.InputError, match="one column"):
        made.guarantee.estimation_error(1, "1/10000")
    assert made.guarantee.smallest_cell == Fraction(2500)
    after = made.then(lambda boxes: sorted(boxes))
    assert after.apply({"x": [1.0], "y": [2.0]}) == ["x", "y"]
    assert after.guarantee == made.guarantee
