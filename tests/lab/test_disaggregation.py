"""Which appliances are on? Three appliances by hand, the search against trying all, bits against F-scores."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import noiseless as nl
from noiseless.lab.attacks.combinations import Combinations, learned_levels, learned_rest
from noiseless.lab.attacks.disaggregation import Explainer, disaggregation, f_scores
from noiseless.lab.datasets.appliances import House
from noiseless.lab.datasets.twins import twin_house

ALL = np.array([[(k >> bit) & 1 for bit in range(3)] for k in range(8)] * 50, dtype=float)
BY_HAND = House(ALL @ [100.0, 200, 400], dict(zip("abc", (ALL * [100.0, 200, 400]).T, strict=True)), "by hand")
"""Every combination of three appliances of 100, 200 and 400 watts."""


def test_three_appliances_by_hand():
    """Levels 0/100, 0/60, 0/45: 105 is 60 + 45, and 100 is the first alone."""
    combinations = Combinations.of({"a": [0, 100], "b": [0, 60], "c": [0, 45]})
    found = combinations.choices[combinations.nearest(np.array([0.0, 105.0, 100.0, 300.0, 161.0]))] / 10
    assert found.tolist() == [[0, 0, 0], [0, 60, 45], [100, 0, 0], [100, 60, 45], [100, 60, 0]]


def test_all_is_known_with_enough_bits():
    """Eight loads from 0 to 700: eight bins of 100 tell all, four of 200 leave the first appliance in the dark."""
    found = disaggregation(BY_HAND, [0, 1, 2, 3, None], high=800)
    assert [point.value for point in found.points[-2:]] == [1.0, 1.0]
    two_bits = found.points[2].parts
    assert (two_bits["b"], two_bits["c"], two_bits["a"] < 1) == (1.0, 1.0, True)
    scores = [point.value for point in found.points]
    assert scores == sorted(scores)
    assert scores[0] < 0.5


def test_levels_are_learned():
    assert learned_levels(BY_HAND) == {"a": [0.0, 100.0], "b": [0.0, 200.0], "c": [0.0, 400.0]}
    assert learned_rest(BY_HAND) == [0.0]


def test_a_report_stands_for_the_usual_load():
    """One bin of 0 to 1,000 that was mostly 200 in training stands for 200, not for its middle."""
    mains = np.array([200.0, 200, 200, 0, 900])
    explainer = Explainer(House(mains, {"b": np.minimum(mains, 200)}, "by hand"), nl.Quantizer(0, 1000, 1))
    assert explainer._usual(explainer.quantizer, np.full(3, 500.0)).tolist() == [200.0] * 3
    unseen = nl.Quantizer(0, 1000, 10)
    assert explainer._usual(unseen, np.array([50.0, 450.0])).tolist() == [0.0, 450.0]


@pytest.mark.parametrize("levels", [2, 3])
def test_the_search_finds_what_trying_all_finds(levels):
    house = twin_house(samples=20_000)
    combinations = Combinations.of(learned_levels(house, levels=levels))
    mains = np.concatenate([house.mains[:3000], [-5.0, 1e6], house.mains[:500].round(-1)])
    assert (combinations.nearest(mains) == combinations.nearest_by_trying(mains)).all()


def test_f_scores():
    truth = {"a": np.array([False, True, True, False])}
    said = {"a": np.array([False, True, False, True]), "(rest)": np.ones(4, dtype=bool)}
    assert f_scores(truth, said) == {"a": 0.5}


def test_what_is_never_on_does_not_count():
    """Saying that all is off would be right about the heater, and say nothing."""
    never = House(BY_HAND.mains, {**BY_HAND.appliances, "heater": np.zeros(400)}, "by hand")
    found, without = (disaggregation(house, [1], high=800).points[0] for house in (never, BY_HAND))
    assert found.parts.keys() == {"a", "b", "c"}
    assert found.value == without.value
    with pytest.raises(nl.InputError, match="no appliance is on"):
        disaggregation(House(np.ones(9), {"a": np.zeros(9)}, "dark"), [1], high=100)


def test_saying_always_on_is_beside():
    """On half of the time: twice a half over one and a half."""
    found = disaggregation(BY_HAND, [0], high=800)
    assert found.points[0].setting[found.beside] == pytest.approx(2 / 3)


def test_disaggregation_gets_worse_with_fewer_bits():
    found = disaggregation(twin_house(samples=60_000), [0, 2, 4, 8, None], high=12_000)
    scores = [point.value for point in found.points]
    assert all(fewer.value <= more.upper for fewer, more in pairwise(found.points))
    assert scores[0] < 0.3 < 0.5 < scores[-1]
    assert found.points[0].parts.keys() >= {"fridge", "microwave"}
    assert all(point.lower <= point.value <= point.upper for point in found.points)
    assert found == disaggregation(twin_house(samples=60_000), [0, 2, 4, 8, None], high=12_000)


def test_bad_input():
    with pytest.raises(nl.InputError, match="between 0 and 1"):
        disaggregation(twin_house(samples=100), [1], high=100, train=1.5)
    with pytest.raises(nl.InputError, match="training period is empty"):
        disaggregation(House(np.ones(2), {"a": np.ones(2)}, "short"), [1], high=100, train=0.1)
    with pytest.raises(nl.InputError, match="nothing is left"):
        disaggregation(House(np.ones(0), {"a": np.ones(0)}, "none"), [1], high=100)
    with pytest.raises(nl.InputError, match="levels=1"):
        disaggregation(twin_house(samples=100), [1], high=100, levels=1)
    with pytest.raises(nl.TooLargeError, match="combinations"):
        Combinations.of({str(k): [0.0, 1.0, 2.0] for k in range(20)})
