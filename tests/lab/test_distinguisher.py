"""Which of two values does a person have? Games decided by hand, both ends, brute force of what a stranger knows."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import noiseless as nl
from noiseless.lab.attacks import distinguisher as module
from noiseless.lab.attacks.distinguisher import (
    DEFINITIONS,
    TOP,
    Acquaintance,
    Distinguisher,
    Others,
    Recorded,
    Seen,
    Stranger,
    distinguisher,
)
from noiseless.lab.datasets.twins import twin_meters, twin_survey, twin_taxi

DRAW = np.random.default_rng(4)
PEOPLE = Recorded.of(DRAW.uniform(20, 80, 400), 0, 100, "by hand")


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_the_ends_of_the_curve(definition):
    """At 0 bits a coin toss; without privacy everything, for an adversary who knows the others or if there are none."""
    options = {} if definition == "policy" else {"knows": "others"}
    nothing, everything = distinguisher(PEOPLE, [0, None], definition=definition, **options).points
    assert everything.value == 1.0
    if definition == "indistinguishable":  # one telling answer is allowed, and known others make more of it
        assert nothing.value < 1.0
        nothing = distinguisher(PEOPLE, [0], definition=definition).points[0]
    assert nothing.lower == 0.0


def test_the_same_seed_the_same_curve():
    found = [distinguisher(PEOPLE, [1, 2], knows="habits", games=300, seed=seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_two_people_whose_game_is_decided():
    """n = 1: 3 bits are 8 bins. Values in one bin are a coin toss, and others are distinguished."""
    for values, certain in (((10, 90), 1.0), ((13, 24), 0.0), ((12, 13), 1.0)):
        two = Recorded.of(np.array(values, dtype=float), 0, 100, "two")
        report = module._reporting("noiseless", 1, 3, nl.Collapse, None)
        adversary = Distinguisher(lambda *_, two=two: np.array([two.codes] * 500), report, Others(two.codes, 0))
        wins = module._wins(adversary, 500, np.random.default_rng(1))
        assert (wins == 500) == (certain == 1.0)
        assert wins > 200


@pytest.mark.parametrize("definition", ["noiseless", "indistinguishable"])
@pytest.mark.parametrize(("n", "bits"), [(2, 1), (2, 2), (3, 2)])
def test_a_stranger_knows_what_all_data_of_the_others_allow(definition, n, bits):
    """Against every sum of the others on a grid that has all bins; never more telling answers than are promised."""
    report = module._reporting(definition, n, bits, nl.Collapse, None)
    others = Others(PEOPLE.codes, n - 1)
    values = np.array([0, TOP // 3, TOP // 2, TOP])
    sums = np.arange(0, others.most + 1, TOP // 200)
    answers = np.arange(report(np.array([n * TOP]))[0] + 1)
    for pair in product(values, repeat=2):
        images = [set(report(sums + value).tolist()) for value in pair]
        chosen = np.array([pair] * len(answers))
        seen = Stranger(None, report, others).observe(chosen, Seen(answers, None))
        assert seen.tolist() == [[float(answer in image) for image in images] for answer in answers.tolist()]
        if definition == "indistinguishable":
            assert (seen[:, 0] != seen[:, 1]).sum() <= 2**bits


def test_who_knows_the_others_sees_at_most_the_promised_answers():
    """Noiseless privacy: with the others fixed, all values of one person lead to at most 2^bits answers."""
    for n, bits in ((1, 1), (3, 1), (4, 2)):
        report = module._reporting("noiseless", n, bits, nl.Collapse, None)
        for others in Others(PEOPLE.codes, n - 1).drawn(50, np.random.default_rng(0)):
            assert len(set(report(others + np.arange(0, TOP + 1, 97)).tolist())) <= 2**bits


def test_habits_help_and_a_leak_would_show(monkeypatch):
    alone = distinguisher(PEOPLE, [3], knows="nothing").points[0]
    habits = distinguisher(PEOPLE, [3], knows="habits").points[0]
    others = distinguisher(PEOPLE, [3]).points[0]
    assert alone.upper < habits.lower < habits.upper < others.lower
    assert Acquaintance.observe is not Distinguisher.observe
    monkeypatch.setattr(module, "_reporting", lambda *_: lambda sums: sums)  # the wrong variant: exact reports
    assert distinguisher(PEOPLE, [0]).points[0].lower > 0.5


def test_collapse_hides_two_values_in_its_band_and_shift_does_not():
    """Shift leaves only one partner open: whoever picks two values hardly ever picks partners."""
    near = Recorded.of(DRAW.uniform(45, 55, 400), 0, 100, "near")
    collapse, shift = (
        distinguisher(near, [2, 5], definition="policy", policy=policy).points for policy in (nl.Collapse, nl.Shift)
    )
    assert collapse[0].lower == 0.0
    assert collapse[1].lower > 0.5
    assert min(point.value for point in shift) > 0.9


def test_extremes_are_told_apart_from_one_bit_on():
    nothing, one = distinguisher(PEOPLE, [0, 1], pair="extremes").points
    assert nothing.lower == 0.0
    assert one.value == 1.0


def test_all_data_sets():
    for data in (twin_meters(homes=6, days=5), twin_taxi(trips=200), twin_survey()):
        for definition in DEFINITIONS:
            more = {"threshold": 5} if definition == "policy" and data is not None and hasattr(data, "homes") else {}
            found = nl.attack("distinguisher", data, [2], definition=definition, games=50, **more)
            assert len(found.points) == 1
            assert "synthetic" in found.origin


def test_what_cannot_be_accepted():
    for options, said in (
        ({"definition": "mine"}, "definition='mine' does not exist"),
        ({"pair": "three"}, "pair='three' does not exist"),
        ({"knows": "all"}, "knows='all' is not possible"),
        ({"knows": "habits", "definition": "policy"}, "is not possible here"),
        ({"definition": "indistinguishable", "n": 1}, "at least 2"),
        ({"n": 0}, "at least one of each"),
        ({"definition": "policy", "threshold": 99}, "leaves one side empty"),
    ):
        with pytest.raises(nl.InputError, match=said):
            distinguisher(PEOPLE, [1], **options)
    with pytest.raises(nl.TooLargeError, match="too many bins"):
        distinguisher(PEOPLE, [60])
    with pytest.raises(nl.InputError, match="whole number"):
        distinguisher(PEOPLE, ["1/2"], definition="policy")
    with pytest.raises(nl.InputError, match="not below"):
        Recorded.of(np.array([1.0]), 2, 1, "")
    with pytest.raises(nl.InputError, match="all people have the same value"):
        distinguisher(Recorded.of(np.array([1.0, 1.0]), 0, 2, ""), [1])
    with pytest.raises(nl.InputError, match="policy 'hide'"):
        nl.attack("distinguisher", "twin", [1], policy="hide")
