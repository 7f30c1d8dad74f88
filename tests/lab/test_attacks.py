"""Adversaries: cases that can be decided by hand, the ends of every curve, bounds that are never beaten, seeds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.lab.attacks.attack import ATTACKS
from noiseless.lab.attacks.curve import advantage, wilson
from noiseless.lab.attacks.disaggregation import Combinations, disaggregation, f_scores, learned_levels
from noiseless.lab.attacks.estimator import estimator
from noiseless.lab.attacks.homogeneity import homogeneity
from noiseless.lab.attacks.household import ADVERSARIES, household
from noiseless.lab.attacks.questions import averaging, bisection, differencing
from noiseless.lab.attacks.tester import certain
from noiseless.lab.attacks.trips import unique_trips
from noiseless.lab.datasets.appliances import House
from noiseless.lab.datasets.panel import Panel
from noiseless.lab.datasets.twins import twin_house, twin_meters, twin_survey, twin_taxi

METERS = twin_meters(homes=30, days=40)


@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_two_households_whose_game_is_decided(adversary):
    """n = 1: the report is one of the two, quantized finely; every adversary is always right."""
    panel = Panel(np.array([[1.0, 5.0, 1.0, 2.0] * 12, [5.0, 1.0, 2.0, 1.0] * 12]), "by hand")
    found = household(panel, 1, [10, None], high=8, adversary=adversary, games=64)
    assert [point.value for point in found.points] == [1.0, 1.0]


@pytest.mark.parametrize("adversary", ADVERSARIES)
def test_the_ends_of_the_curve(adversary):
    """Nothing at 0 bits; with many bits as much as without privacy."""
    found = household(METERS, 4, [0, 12, None], high=10, adversary=adversary, games=2000)
    nothing, many, all_of_it = found.points
    assert nothing.lower == 0.0
    assert many.lower <= all_of_it.value <= many.upper
    assert all_of_it.lower > 0.1
    again = household(METERS, 4, [0, 12, None], high=10, adversary=adversary, games=2000)
    assert again == found
    assert found != household(METERS, 4, [0, 12, None], high=10, adversary=adversary, games=2000, seed=1)


def test_the_printed_theorem_uses_more_levels():
    printed = household(METERS, 4, [1], high=10, rule="printed", games=1000)
    assert "printed" in printed.adversary
    assert printed.points[0].value >= 0


def test_daily_totals():
    found = household(METERS.daily(), 4, [3, None], high=60, games=500)
    assert found.points[1].value > 0.1


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (5, 10), (10, 10), (733, 1000)])
def test_intervals(wins, games):
    low, high = wilson(wins, games)
    assert 0 <= low <= wins / games <= high <= 1
    value, lower, upper = advantage(wins, games)
    assert lower <= value <= upper


def test_three_appliances_by_hand():
    """Levels 0/100, 0/60, 0/45: 105 is 60 + 45, and 100 is the first alone."""
    combinations = Combinations.of({"a": [0, 100], "b": [0, 60], "c": [0, 45]})
    found = combinations.choices[combinations.nearest(np.array([0.0, 105.0, 100.0, 300.0, 161.0]))] / 10
    assert found.tolist() == [[0, 0, 0], [0, 60, 45], [100, 0, 0], [100, 60, 45], [100, 60, 0]]


def test_the_search_finds_what_trying_all_finds():
    house = twin_house(samples=20_000)
    combinations = Combinations.of(learned_levels(house, levels=3))
    mains = np.concatenate([house.mains[:3000], [-5.0, 1e6], house.mains[:500].round(-1)])
    assert (combinations.nearest(mains) == combinations.nearest_by_trying(mains)).all()


def test_f_scores():
    truth = {"a": np.array([0.0, 100, 100, 0]), "b": np.zeros(4)}
    said = {"a": np.array([0.0, 100, 0, 100]), "b": np.zeros(4)}
    assert f_scores(truth, said) == {"a": 0.5, "b": 1.0}


def test_disaggregation_gets_worse_with_fewer_bits():
    found = disaggregation(twin_house(samples=60_000), [0, 3, 6, None], high=12_000)
    scores = [point.value for point in found.points]
    assert scores[0] < scores[-1] - 0.2
    assert scores == sorted(scores) or max(scores) <= scores[-1] + 0.05
    assert scores[-1] > 0.5
    assert set(found.points[0].setting) > {"bits", "fridge", "microwave"}


def test_unique_trips_on_nested_grids():
    found = unique_trips(twin_taxi(trips=20_000), range(0, 24, 2))
    shares = [point.value for point in found.points]
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[-1] > 0.9


@pytest.mark.parametrize("policy", [nl.Collapse, nl.Stretch, nl.Shift])
def test_the_tester_against_the_policies(policy):
    found = [point.value for point in certain(twin_survey(people=200), policy, [1, 10, 30]).points]
    assert found == sorted(found, reverse=True)


def test_shift_hides_more():
    people = twin_survey(people=200)
    shift, collapse = (certain(people, policy, [10]).points[0].value for policy in (nl.Shift, nl.Collapse))
    assert shift < collapse


@pytest.mark.parametrize("p", [0.5, 1, 2, 3])
@pytest.mark.parametrize("tilt", [0, 0.5])
def test_the_bound_of_estimation_is_never_beaten(p, tilt):
    for point in estimator([1, 2, 3, 8], p=p, tilt=tilt).points:
        assert point.value >= point.lower * (1 - 1e-12)
        if tilt == 0 and p >= 1:
            assert point.value == pytest.approx(point.lower, rel=1e-9)  # attained by the middles of equal cells


def test_bad_input():
    with pytest.raises(nl.InputError, match="no adversary 'psychic'"):
        household(METERS, 4, [1], high=10, adversary="psychic")
    with pytest.raises(nl.InputError, match="more than the 30 there are"):
        household(METERS, 30, [1], high=10)
    with pytest.raises(nl.InputError, match="at least one game"):
        household(METERS, 3, [1], high=10, games=0)
    with pytest.raises(nl.InputError, match="even whole numbers"):
        unique_trips(twin_taxi(trips=10), [3])
    with pytest.raises(nl.InputError, match="between 0 and 1"):
        disaggregation(twin_house(samples=100), [1], high=100, train=1.5)
    with pytest.raises(nl.InputError, match="training period is empty"):
        disaggregation(House(np.ones(2), {"a": np.ones(2)}, "short"), [1], high=100, train=0.1)
    with pytest.raises(nl.InputError, match="p=-1"):
        estimator([2], p=-1)


PERSON = nl.Schema(h=nl.Integer(0, 63), g=nl.Public("alone", "others"))


@pytest.fixture(params=[0, 17, 63])
def curator(request):
    table = pa.table({"h": [request.param, 5, 60, 31], "g": ["alone", "others", "others", "others"]})
    with nl.Curator.open(table, PERSON, budget=4, table="t") as made:
        yield made


@pytest.mark.parametrize("attack", [bisection, averaging, differencing])
def test_no_more_is_learned_than_was_charged(curator, attack):
    found = attack(curator, "h", "g = 'alone'")
    assert found.points
    for point in found.points:
        assert 0 <= point.value <= point.setting["charged"] + 1e-9
    assert found.points[-1].setting["charged"] <= 4


def test_bisection_learns_all_that_it_pays_for(curator):
    assert [point.value for point in bisection(curator, "h", "g = 'alone'").points] == [1, 2, 3, 4]


def test_averaging_learns_nothing_more(curator):
    assert len({point.value for point in averaging(curator, "h", "g = 'alone'", most=5).points}) == 1


def test_only_numbers_can_be_bisected(curator):
    with pytest.raises(nl.InputError, match="private column of numbers"):
        bisection(curator, "g", "g = 'alone'")


def test_by_name():
    for name in ATTACKS:
        found = nl.attack(name, "twin", [0, 2] if name != "tester" else [1, 10])
        assert len(found.points) == 2
        assert "<polyline" in found.picture() == found._repr_html_()
        assert len(found.fields()["points"]) == 2
    with pytest.raises(nl.InputError, match="no adversary 'oracle'"):
        nl.attack("oracle")
    with pytest.raises(nl.InputError, match="no such option"):
        nl.attack("trips", "twin", [0], speed=3)


def test_homogeneity():
    table = pa.table({"age": [1, 1, 2, 2, 3, 3], "ill": ["a", "a", "b", "b", "c", "d"]})
    found = homogeneity(table, ["age"], "ill", [1, 2, 3, 6])
    shares = [point.value for point in found.points]
    assert shares[1] == pytest.approx(4 / 6)
    assert shares[-1] == 0.0
