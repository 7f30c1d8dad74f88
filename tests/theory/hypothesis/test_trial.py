"""Trials: every test of every small trial, and the numbers of NHT Example 2."""

from __future__ import annotations

from itertools import product
from math import inf, log

import pytest

import noiseless as nl
from noiseless import LogRatio

SAMPLES = list(product(range(3), repeat=3))
"""Reports of three sources, each of three reports; sources 0 and 1 do not have what the hypothesis says, 2 has."""


def every_trial():
    for reports in SAMPLES:
        for holds in ([False, False, True], [False, True, True]):
            space = nl.Space({"X": [0, 1, 2], "Y": list(reports), "H": holds})
            yield space, nl.Trial(space["X"], space["Y"], space["H"])


def every_test(trial):
    reports = list(trial.reports)
    for said in product([False, True], repeat=len(reports)):
        yield dict(zip(reports, said, strict=True))


def correct(space, test):
    """By the definition: ⟦H|⟦X|y⟧⟧ is what the test says."""
    found = set()
    for y in space["Y"].range:
        sources = space["X"].given(Y=y)
        if set(space["H"].given(X=set(sources))) == {test[y]}:
            found.add(y)
    return found


def test_no_test_is_better_than_a_consistent_one():
    for space, trial in every_trial():
        best = 0
        for test in every_test(trial):
            right = correct(space, test)
            assert trial.correct(test) == right
            assert trial.performance(test) == LogRatio(len(right))
            assert right <= set(trial.telling)
            best = max(best, len(right))
            possible = all(
                y in space["Y"].given(H=said) if said in space["H"].range else False for y, said in test.items()
            )
            assert trial.is_consistent(test) == possible
            if possible:
                assert trial.performance(test) == trial.bound
        assert LogRatio(best) == trial.bound
        assert trial.is_consistent(trial.consistent)


def test_the_pull_back_never_falls_under_post_processing_and_the_literal_measure_does_not():
    for space, trial in every_trial():
        for processed in product(range(2), repeat=3):
            after = space.derive(Z=lambda Y, to=processed: to[Y])
            coarser = nl.Trial(after["X"], after["Z"], after["H"])
            assert coarser.pull_back >= trial.pull_back
            revealed = sum(space["Y"].given(X=x) <= set(trial.telling) for x in range(3))
            assert trial.pull_back == LogRatio.of(3, revealed)
    space = nl.Space({"X": range(5), "Y": ["a", "b", "a", "b", "c"], "H": [False, False, True, True, True]})
    merged = space.derive(Z=lambda Y: "c" if Y == "c" else "ab")
    before, after = (nl.Trial(each["X"], each[name], each["H"]) for each, name in ((space, "Y"), (merged, "Z")))
    assert after.privacy < before.privacy  # the papers' measure, though nobody is easier to find out
    assert after.pull_back == before.pull_back


def test_the_pull_back_of_a_box():
    """Against a fine grid of the box: nobody with a report in (140, 160] is found out."""
    person = nl.Box(height=(100, 250), mistake=(-10, 10))
    trial = nl.Trial(person, lambda height, mistake: height + mistake, person.where(height="(150, 250]"))
    grid = [(100.25 + h / 2, -9.75 + m / 2) for h in range(300) for m in range(40)]
    revealed = sum(h + m in trial.telling for h, m in grid) / len(grid)
    assert abs(1 / float(trial.pull_back.ratio) - revealed) < 0.01
    assert trial.pull_back == LogRatio.of(150 * 20, 150 * 20 - 20 * 20)
    turned = nl.Trial(person, lambda height, mistake: 3 - height / 2 - mistake / 2, person.where(height="(150, 250]"))
    assert turned.pull_back == trial.pull_back
    constant = nl.Trial(person, lambda height: 7, person.where(height="(150, 250]"))
    assert constant.pull_back.ratio == inf


def test_trials_of_two_values_by_any_name():
    space = nl.Space({"X": [1, 2, 3, 4], "Y": ["a", "b", "b", "c"], "H": ["short", "short", "tall", "tall"]})
    trial = nl.Trial(space["X"], space["Y"], space["H"])
    assert trial.values == ("short", "tall")
    assert trial.correct(lambda y: "short" if y == "a" else "tall") == {"a", "c"}
    assert trial.privacy == LogRatio.of(3, 2)
    for test in (lambda y: "huge", {"a": "short"}, 5):
        with pytest.raises(nl.InputError, match="hypothesis"):
            trial.correct(test)


@pytest.mark.parametrize(("mistake", "size", "nats"), [(10, 170, -0.125163), (20, 190, -0.236389)])
def test_example_2(mistake, size, nats):
    """NHT Example 2: the overlap is (140, 160]."""
    person = nl.Box(height=(100, 250), mistake=(-mistake, mistake))
    trial = nl.Trial(person, lambda height, mistake: height + mistake, person.where(height="(150, 250]"))
    assert trial.overlap == nl.Intervals(f"({150 - mistake}, {150 + mistake}]")
    test = nl.Intervals(f"(150, {250 + mistake}]")
    assert trial.is_consistent(test)
    assert trial.performance(test) == trial.bound == LogRatio(150)
    assert trial.privacy == LogRatio.of(size, 150)
    assert round(log(150 / size), 6) == nats
    wrong = nl.Intervals(f"[{100 - mistake}, {150 - mistake}]")  # accepts where it cannot hold
    assert not trial.is_consistent(wrong)
    assert trial.performance(wrong) < trial.bound


def test_joint_reports_and_any_values():
    space = nl.Space(
        {"X": [1, 2, 3], "Y": [1, 1, 2], "Z": [1, 1, 1], "H": [frozenset({1}), frozenset({2}), frozenset({2})]}
    )
    trial = nl.Trial(space["X"], space["Y", "Z"], space["H"])
    assert trial.telling == {(2, 1)}
    assert trial.pull_back == LogRatio(3)


def test_reports_may_be_scaled_and_moved():
    box = nl.Box(x=(0, 4), y=(0, 1))
    trial = nl.Trial(box, lambda x, y: 3 - (2 * x + y) / 2, box.where(x="[2, 4]"))
    assert trial.ranges == (nl.Intervals("(0.5, 3]"), nl.Intervals("[-1.5, 1]"))


def test_maps_of_a_continuous_variable():
    """The same as a finite trial on unit cells."""
    reports, holds = ["a", "b", "b", "c", "c", "a"], [True, False, True, False, False, True]
    x = nl.Continuous("[0, 6)")
    cells = {y: " ∪ ".join(f"[{k}, {k + 1})" for k in range(6) if reports[k] == y) for y in "abc"}
    sides = {h: " ∪ ".join(f"[{k}, {k + 1})" for k in range(6) if holds[k] == h) for h in (True, False)}
    mapped = nl.Trial(x, x.map(cells), x.map(sides))
    space = nl.Space({"X": range(6), "Y": reports, "H": holds})
    finite = nl.Trial(space["X"], space["Y"], space["H"])
    assert (mapped.ranges, mapped.values, mapped.pull_back) == (finite.ranges, finite.values, finite.pull_back)
    assert mapped.judge({"a": True, "b": True, "c": True}) == finite.judge({"a": True, "b": True, "c": True})
    with pytest.raises(nl.SpaceError, match="hypothesis is not a map"):
        nl.Trial(x, x.map(cells), nl.Continuous("[0, 6)").map(sides))
    with pytest.raises(nl.SpaceError, match="two values"):
        nl.Trial(x, x.map(sides), x.map(cells))
    with pytest.raises(nl.NotCertifiableError, match="infinitely many values"):
        nl.Trial(x, x.map({7: "[0, 1)"}, repeats="[1, 6)"), x.map(sides))


def test_what_is_no_trial():
    space = nl.Space({"X": [1, 2, 3], "Y": [1, 2, 3], "H": ["a", "b", "c"]})
    with pytest.raises(nl.SpaceError, match="two values"):
        nl.Trial(space["X"], space["Y"], space["H"])
    with pytest.raises(nl.SpaceError, match="is not a variable"):
        nl.Trial(space["X"], space["Y"], "H")
    box = nl.Box(x=(0, 1), y=(0, 1))
    with pytest.raises(nl.RangeError, match="everywhere in the box or nowhere"):
        nl.Trial(box, lambda x: x, box.where(x=(0, 1)))
    with pytest.raises(nl.RangeError, match="affine function"):
        nl.Trial(box, lambda x, y: x * y, box.where(x=(0, 0.5)))
    with pytest.raises(nl.RangeError, match="three variables of a space; or give a box"):
        nl.Trial(box, "x", box.where(x=(0, 0.5)))
    with pytest.raises(nl.InputError, match="give the reports at which it accepts"):
        nl.Trial(box, lambda x: x, box.where(x=(0, 0.5))).correct(lambda y: True)
