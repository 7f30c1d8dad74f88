"""Short texts of many releases: each is read as what was written, and no longer than it must be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.curator.ledger import compact
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance
from noiseless.curator.releases.written import canonical
from tests.curator.small import AGE

COLUMN = AGE.private["age"]


def total(*cells):
    return Total(Part(cells, 4), "age", COLUMN, Fraction(0))


def spread(*cells):
    return Variance(Part(cells, 4), "age", COLUMN, Fraction(0))


TEXTS = [
    ([], []),
    (["8"], [["8", "1"]]),
    (["8", "8", "8"], [["8", "3"]]),
    (["8", "8", "8", "8"], [["8", "4"]]),
    (["8", "1"], [["8", "1"], ["1", "1"]]),
    (["8", "1"] * 2, [["8 1", "2"]]),
    (["8", "1"] * 3, [["8 1", "3"]]),
    (["8", "1", "8"], [["8", "1"], ["1", "1"], ["8", "1"]]),
    (["8", "1", "1"] * 2, [["8 1 1", "2"]]),
    ([*map(str, range(16))] * 2, [[" ".join(map(str, range(16))), "2"]]),
    ([*map(str, range(17))] * 2, [[str(k), "1"] for k in [*range(17)] * 2]),
    (["8", "1", "8", "1", "8"], [["8", "1"], ["1", "1"]] * 2 + [["8", "1"]]),
]


@pytest.mark.parametrize(("texts", "runs"), TEXTS)
def test_texts_that_repeat(texts, runs):
    assert compact.repeated(texts) == runs
    assert compact.unrepeated(runs) == texts


@given(st.lists(st.sampled_from("123"), max_size=40))
def test_what_repeats_is_read_again(texts):
    assert compact.unrepeated(compact.repeated(texts)) == texts


def test_format_1_has_widths_one_by_one():
    assert compact.unrepeated(["8", "1", "8"]) == ["8", "1", "8"]


PARTS = [
    ([(0,), (1,), (2,)], ["0..2"]),
    ([(0,), (1,)], ["0..1"]),
    ([(0,), (2,)], ["0", "2"]),
    ([(2,), (1,)], ["2", "1"]),
    ([(7,), (8,), (3,), (4,), (5,)], ["7..8", "3..5"]),
    ([(0, 1), (2,), (3,)], ["0-1", "2..3"]),
    ([(0,), (1, 2), (3,)], ["0", "1-2", "3"]),
    ([()], [""]),
]


@pytest.mark.parametrize(("cells", "parts"), PARTS)
def test_parts_that_follow_each_other_are_one_text(cells, parts):
    paid = [(total(*each), 8) for each in cells]
    [written] = compact.paid_fields(compact.of_releases(paid))
    assert written == {"release": paid[0][0].family(), "parts": [[part, "8"] for part in parts]}
    assert list(compact.paid_in({"paid": [written]})) == list(compact.of_releases(paid))
    numbers = [(place, -place) for place in range(len(cells))]
    [released] = compact.released_fields(zip(paid, numbers, strict=True))
    assert (released["parts"], released["width"]) == (parts, "8")
    assert list(compact.released_in({"released": [released]})) == [
        (*pair, found) for pair, found in zip(compact.of_releases(paid), numbers, strict=True)
    ]


def test_other_widths_and_other_kinds_are_apart():
    paid = [(total(0), 8), (total(1), 4), (total(2), 4), (spread(0), 8), (total(3), 4)]
    first, second = compact.paid_fields(compact.of_releases(paid))
    assert first["parts"] == [["0", "8"], ["1..3", "4"]]
    assert second == {"release": spread(0).family(), "parts": [["0", "8"]]}
    found = compact.released_fields((pair, (place,)) for place, pair in enumerate(paid))
    assert [(each["width"], each["parts"], each["numbers"]) for each in found] == [
        ("8", ["0"], "0"),
        ("4", ["1..3"], "1 2 4"),
        ("8", ["0"], "3"),
    ]


def test_numbers_that_are_too_few_are_refused():
    [written] = compact.released_fields([((total(0), 8), (1,)), ((total(1), 8), (2,))])
    with pytest.raises(ValueError, match="zip"):
        list(compact.released_in({"released": [{**written, "numbers": "1"}]}))


def test_format_1_says_of_every_release_where_it_is():
    fields = {**total(0).family(), "cells": "0-3", "rows": "4", "whole": True}
    family = total(0).family()
    assert list(compact.paid_in({"paid": [[fields, "8"]]})) == [(family, "0-3", 8)]
    old = {"released": [[canonical([fields, 8]), ["5", "-1"]]]}
    assert list(compact.released_in(old)) == [(family, "0-3", 8, (5, -1))]
    copy = {"kind": "copy"}
    assert list(compact.paid_in({"paid": [[copy, "1"]]})) == [(copy, "", 1)]
