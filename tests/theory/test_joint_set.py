"""Continuous variables against finite ones: on a grid of unit cells, measures are numbers of cells."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product
from math import inf
from operator import or_
from random import Random

import pytest

import noiseless as nl
from noiseless import LogRatio
from noiseless.theory.joint_set import JointSet, joint_set

BETWEEN = [
    "information",
    "leakage",
    "conditional_entropy",
    "disarray",
    "symmetric_leakage",
    "transmission",
    "maximin_information",
]


def unit(number):
    return f"[{number}, {number + 1})"


def union(cells):
    return reduce(
        or_, (nl.Box(**{name: unit(at) for name, at in zip("abc", cell, strict=False)}).all for cell in cells)
    )


def both(cells, labels):
    """The same relation twice: unit cells with a map of them, and a finite space with a variable."""
    x = nl.Continuous(union(cells))
    mapped = x.map({label: union(c for c in cells if labels[c] == label) for label in {labels[c] for c in cells}})
    names = "abc"[: len(cells[0])]
    columns = {name: [cell[place] for cell in cells] for place, name in enumerate(names)}
    space = nl.Space({**columns, "m": [labels[cell] for cell in cells]})
    return x, mapped, space


def random_cases(seed, number, dimension):
    random = Random(seed)
    every = list(product(range(3), repeat=dimension))
    for _ in range(number):
        cells = sorted(random.sample(every, random.randint(1, min(len(every), 9))))
        yield both(cells, {cell: random.choice("uvw") for cell in every})


def lengths(block):
    """The unit cells of a set of numbers."""
    return {n for n in range(3) if n in block}


def agrees(x, mapped, space):
    pairs = [
        (x["a"], x["b"], space["a"], space["b"]),
        (x["a"], mapped, space["a"], space["m"]),
        (mapped, x["b"], space["m"], space["b"]),
        (x, mapped, space["a", "b"], space["m"]),
        (mapped, x["b", "a"], space["m"], space["a", "b"]),
    ]
    for one, other, finite, finite_other in pairs:
        for name in BETWEEN:
            measure = getattr(nl, name)
            if measure(one, other) != measure(finite, finite_other):
                return False
        if nl.unrelated(one, other) != nl.unrelated(finite, finite_other):
            return False
    return True


def test_every_measure_is_that_of_the_grid():
    for case in random_cases(1, 8, 2):
        assert agrees(*case)


def test_a_wrong_joint_set_would_be_noticed(monkeypatch):
    """The product of the shadows, as if all were unrelated."""

    def wrong(*variables):
        found = joint_set(*variables)
        sides = [(name, found.boxes.onto(name).first) for name in found.boxes.names]
        return JointSet(nl.Box(**dict(sides)).all, found.groups, found.values)

    for module in ("information.joint_range", "information.overlap_partition", "information.transmission", "unrelated"):
        monkeypatch.setattr(f"noiseless.theory.{module}.joint_set", wrong)
    assert not all(agrees(*case) for case in random_cases(1, 8, 2))


def test_partitions_are_those_of_the_grid():
    for x, mapped, space in random_cases(2, 12, 2):
        found = nl.overlap_partition(x["a"], x["b"])
        assert {frozenset(lengths(block)) for block in found} == set(
            map(frozenset, nl.overlap_partition(space["a"], space["b"]))
        )
        assert reduce(or_, found) == x["a"].range
        assert nl.overlap_partition(mapped, x["b"]) == list(nl.overlap_partition(space["m"], space["b"]))
        blocks = nl.taxicab_partition(x["a"], x["b"])
        grid = [{(n, k) for n, k in product(range(3), repeat=2) if {"a": n, "b": k} in block} for block in blocks]
        assert nl.taxicab_partition(space["a"], space["b"]) == grid
        for blocks in (nl.taxicab_partition(x["a"], mapped), nl.taxicab_partition(mapped, x["a"])):
            pairs = [{(n, v) for v, part in block.items() for n in lengths(part)} for block in blocks]  # type: ignore[attr-defined]
            assert nl.taxicab_partition(space["a"], space["m"]) == pairs


def test_unrelated_given_others_is_that_of_the_grid():
    verdicts = set()
    for x, mapped, space in random_cases(3, 12, 3):
        assert nl.unrelated(x["a"], x["b"], x["c"]) == nl.unrelated(*(space[name] for name in "abc"))
        found = nl.conditionally_unrelated(x["a"], x["b"], given=mapped)
        assert found == nl.conditionally_unrelated(space["a"], space["b"], given=space["m"])
        assert nl.conditionally_unrelated(x["a"], mapped, given=x["c"]) == nl.conditionally_unrelated(
            space["a"], space["m"], given=space["c"]
        )
        verdicts.add(found)
    assert verdicts == {True, False}


def test_what_is_given():
    for x, mapped, space in random_cases(4, 15, 2):
        for value in mapped.range:
            assert lengths(x["a"].given({mapped: value})) == space["a"].given(m=value)
        assert x.given({mapped: set(mapped.range)}) == x.range
        for n in space["a"].range:
            assert lengths(x["b"].given(a=Fraction(n) + Fraction(1, 3))) == space["b"].given(a=n)
            assert mapped.values_given(a=unit(n)) == space["m"].given(a=n)
            assert nl.entropy(x["b"], a=n) == nl.entropy(space["b"], a=n)
            assert nl.information_gain(x["b"], a=n) == nl.information_gain(space["b"], a=n)


def test_maps_of_a_number_with_each_other():
    x = nl.Continuous("[0, 4]")
    half, odd = x.map({0: "[0, 2)", 1: "[2, 4]"}), x.map({0: "[0, 1) ∪ [2, 3)", 1: "[1, 2) ∪ [3, 4]"})
    assert nl.unrelated(half, odd)
    assert not nl.unrelated(half, half)
    assert nl.transmission(half, odd) == LogRatio(1)
    assert nl.leakage(half, half) == nl.transmission(half, half) == nl.maximin_information(half, half) == LogRatio(2)
    assert nl.min_capacity(half, odd) == LogRatio(2)
    assert nl.overlap_partition(half, half) == [{0}, {1}]
    assert nl.taxicab_partition(half, odd) == [set(product([0, 1], repeat=2))]
    ends = x.map({"inside": "(0, 4]"}, repeats="{0}")
    assert nl.leakage(half, ends) == LogRatio(2)
    assert (ends.given(0), ends.values_given({half: 1})) == (nl.Intervals("{0}"), {"inside"})
    assert nl.transmission(x, half) == LogRatio(2)
    assert nl.unrelated(x, x.map({"all": "[0, 4]"}))


def test_what_is_not_certifiable():
    x = nl.Continuous(nl.Box(a=(0, 1), b=(0, 1)))
    endless = x.map({1: nl.Box(a="[0, 1/2)", b=(0, 1))}, repeats=nl.Box(a="[1/2, 1]", b=(0, 1)))
    for one, other in ((x, x), (x, x["a"]), (x["a"], x["a"])):
        with pytest.raises(nl.NotCertifiableError, match="share a coordinate"):
            nl.overlap_partition(one, other)
        with pytest.raises(nl.NotCertifiableError, match="share a coordinate"):
            nl.taxicab_partition(one, other)
        assert nl.transmission(one, other).ratio == nl.maximin_information(one, other).ratio == inf
        assert nl.leakage(one, other).ratio == inf
        assert not nl.unrelated(one, other)
    for ask in (nl.transmission, nl.overlap_partition, nl.taxicab_partition, nl.unrelated):
        with pytest.raises(nl.NotCertifiableError, match="infinitely many values"):
            ask(x["a"], endless)
    with pytest.raises(nl.NotCertifiableError, match="infinitely many; use a map"):
        nl.min_capacity(x, x["a"])
    line = nl.Continuous(nl.Box(a=(0, 1), b=(0, 1)) | nl.Box(a=(2, 2), b=(0, 1)))
    flat = nl.Continuous(nl.Box(a=(0, 1), b="{0} ∪ [1, 2]"))
    assert nl.leakage(line["a"], line["b"]) == LogRatio(1)
    assert nl.leakage(flat["b"], flat["a"]) == LogRatio(1)
    null = nl.Continuous(nl.Box(a=(0, 1), b=(0, 1)) | nl.Box(a=(1, 3), b=(0, 0)))
    assert nl.leakage(null["b"], null["a"]).ratio == inf


def test_a_missing_point_has_no_measure():
    x = nl.Continuous(nl.Box(a=(0, 1), b=(0, 1)) - nl.Box(a=(1, 1), b=(1, 1)))
    assert not nl.unrelated(x["a"], x["b"])
    assert nl.transmission(x["a"], x["b"]) == LogRatio(1)


def test_where_the_map_repeats():
    box = nl.Box(a=(0, 1), b=(0, 1))
    x = nl.Continuous(box)
    y = x.map({1: box.where(a="[0, 1/2)")}, repeats=box.where(a="[1/2, 1]"))
    assert y.given({"a": 1, "b": 0}) == nl.Box(a=(1, 1), b=(0, 0)).all
    with pytest.raises(nl.UnknownVariableError, match="not a value"):
        y.given({"a": 0, "b": 0})


def test_what_is_refused():
    x, other = nl.Continuous(nl.Box(a=(0, 1), b=(0, 1))), nl.Continuous("[0, 1]")
    mapped = other.map({0: "[0, 1]"})
    with pytest.raises(nl.UnknownVariableError, match="no coordinate 'c'"):
        x["c"]
    with pytest.raises(nl.SpaceError, match="one twice"):
        x["a", "a"]
    with pytest.raises(nl.UnknownVariableError, match="no coordinate"):
        other.given(a=1)
    with pytest.raises(nl.SpaceError, match="map of this variable"):
        x.given({mapped: 0})
    with pytest.raises(nl.SpaceError, match="a dict from maps"):
        other.given("low")
    with pytest.raises(nl.InputError, match="at least two"):
        nl.conditionally_unrelated(x["a"], given=x["b"])
    with pytest.raises(nl.UnknownVariableError, match="occur jointly"):
        x.given(a=2)
    for ask in (nl.unrelated, nl.transmission, nl.overlap_partition):
        with pytest.raises(nl.SpaceError, match="itself and its maps"):
            ask(x, other)
        with pytest.raises(nl.SpaceError, match="itself and its maps"):
            ask(x, nl.Space({"X": [1]})["X"])
    with pytest.raises(nl.InputError, match="at least two"):
        nl.unrelated(x)
