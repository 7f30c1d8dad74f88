"""Codes that attain the lower end of a capacity: returned, checked, and found in powers above two."""

from fractions import Fraction
from itertools import combinations, product
from math import comb, sqrt

import pytest

import noiseless as nl
from noiseless.theory.capacity import code
from noiseless.theory.capacity.deadline import Deadline
from noiseless.theory.capacity.plateau_search import plateau_search
from tests.theory.capacity.graphs import channel_of, cycle, kneser, paley, petersen


def confused(channel, one, other):
    return all(channel.confusable(x, y) for x, y in zip(one, other, strict=True))


@pytest.fixture
def quick(monkeypatch):
    """A tenth of the steps is enough here; a longer search only adds to what a shorter one finds."""
    monkeypatch.setattr(code, "STEPS", code.STEPS // 10)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("channel", [cycle(5), cycle(7), petersen(), channel_of(4, [(0, 1), (1, 2), (2, 3)])])
def test_no_two_words_of_a_code_are_confused(channel):
    capacity = nl.zero_error_capacity(channel)
    words, number = capacity.code, len(capacity.code)
    assert nl.Rate(Fraction(number), len(words[0])) == capacity.lower
    assert len(set(words)) == number
    assert not any(confused(channel, one, other) for one, other in combinations(words, 2))


@pytest.mark.usefixtures("quick")
def test_the_33_words_of_the_seven_cycle():
    """Baumert and others 1971: α(C7³) = 33, which beats the ten pairs."""
    capacity = nl.zero_error_capacity(cycle(7))
    assert (len(capacity.code), capacity.lower, capacity.exact) == (33, nl.Rate(Fraction(33), 3), False)
    assert capacity.lower_by == "33 words never confused in 3 uses"


def test_a_deterministic_channel_has_one_word_for_each_output():
    channel = nl.Channel({x: {x // 3} for x in range(10)})
    assert sorted(nl.zero_error_capacity(channel).code) == [(0,), (3,), (6,), (9,)]


@pytest.mark.parametrize(("elements", "size"), [(5, 2), (6, 2), (7, 2), (7, 3)])
def test_kneser_graphs_are_exact(elements, size):
    """Lovász 1979: the subsets that share an element are the best code."""
    capacity = nl.zero_error_capacity(kneser(elements, size))
    assert (capacity.lower.count, capacity.exact) == (comb(elements - 1, size - 1), True)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("prime", [5, 13, 17])
def test_paley_graphs_attain_the_square_root(prime):
    """They are their own complements, so pairs (x, ax) with a non-square a are never confused, and theta is √p."""
    capacity = nl.zero_error_capacity(paley(prime), time_limit=30)
    assert (capacity.lower, capacity.exact) == (nl.Rate(Fraction(prime), 2), True)
    assert float(capacity.upper.count) == pytest.approx(sqrt(prime), abs=1e-6)


def test_powers():
    channel = nl.Channel({"a": {0, 1}, "b": {1}, "c": {2}})
    cube = nl.strong_power(channel, 3)
    assert cube.inputs == tuple(product("abc", repeat=3))
    for one, other in product(cube.inputs, repeat=2):
        assert cube.confusable(one, other) == confused(channel, one, other)
    assert nl.strong_power(channel, 1).inputs == (("a",), ("b",), ("c",))
    for uses in (0, 1.5, True, "2"):
        with pytest.raises(nl.ChannelError, match="uses="):
            nl.strong_power(channel, uses)
    with pytest.raises(nl.TooLargeError, match="use fewer"):
        nl.strong_power(channel, 20)


def test_a_wrong_code_is_found():
    nl.BlockCode(cycle(5), ((0, 0), (1, 2), (2, 4), (3, 1), (4, 3)))
    for wrong in (((0, 0), (1, 1)), ((0,), (0,)), ((0, 0), (1, 2), (1, 3))):
        with pytest.raises(nl.ChannelError, match="can be confused"):
            nl.BlockCode(cycle(5), wrong)


def test_searching_is_the_same_again_and_never_wrong():
    neighbours = [[(v - 1) % 9, (v + 1) % 9] for v in range(9)]
    found = plateau_search(neighbours, 500, Deadline.after(60))
    assert found == plateau_search(neighbours, 500, Deadline.after(60))
    assert len(found) == 4
    assert not any(other in neighbours[one] for one, other in combinations(found, 2))
    assert plateau_search(neighbours, 500, Deadline.after(0)) == []
