"""True and false positives and negatives: every test of every small trial, by the definitions of NHT §3."""

from __future__ import annotations

from dataclasses import replace

import noiseless as nl
from noiseless import LogRatio
from noiseless.theory.hypothesis.verdict import Verdict
from tests.theory.hypothesis.test_trial import every_test, every_trial


def sides_of(space, y):
    """⟦H|⟦X|y⟧⟧."""
    return set(space["H"].given(X=set(space["X"].given(Y=y))))


def follows_the_definitions(verdict, space, test):
    sides = {y: sides_of(space, y) for y in test}
    return (
        verdict.true_positives == {y for y, said in test.items() if said and sides[y] == {True}}
        and verdict.true_negatives == {y for y, said in test.items() if not said and sides[y] == {False}}
        and verdict.false_positives == {y for y, said in test.items() if said and False in sides[y]}
        and verdict.false_negatives == {y for y, said in test.items() if not said and True in sides[y]}
        and verdict.wrong == {y for y, said in test.items() if sides[y] != {said}}
    )


def test_every_test_of_every_small_trial():
    for space, trial in every_trial():
        best = {"positive": 0, "negative": 0, "error": len(trial.reports)}
        for test in every_test(trial):
            verdict = trial.judge(test)
            assert follows_the_definitions(verdict, space, test)
            assert len(verdict.correct) + len(verdict.wrong) == len(trial.reports)
            assert not set(verdict.correct) & set(verdict.wrong)
            assert verdict.error == LogRatio(len(verdict.wrong)) >= trial.least_error
            best["positive"] = max(best["positive"], len(verdict.true_positives))
            best["negative"] = max(best["negative"], len(verdict.true_negatives))
            best["error"] = min(best["error"], len(verdict.wrong))
            if trial.is_consistent(test):
                assert verdict.positive_performance == trial.positive_bound
                assert verdict.negative_performance == trial.negative_bound
                assert verdict.error == trial.least_error
        assert LogRatio(best["positive"]) == trial.positive_bound
        assert LogRatio(best["negative"]) == trial.negative_bound
        assert LogRatio(best["error"]) == trial.least_error


def test_wrong_verdicts_would_be_noticed():
    """False positives only where the hypothesis cannot hold: reports that either side gives are forgotten."""
    wrongs = [
        lambda accepted, without, holding: replace(
            Verdict.of(accepted, without, holding), false_positives=accepted & (without - holding)
        ),
        lambda accepted, without, holding: Verdict.of(accepted, holding, without),
    ]
    for wrong in wrongs:
        assert not all(
            follows_the_definitions(wrong(nl.FiniteRange(y for y in test if test[y]), *trial.ranges), space, test)
            for space, trial in every_trial()
            for test in every_test(trial)
        )


def test_heights():
    """NHT Example 2: 50 of true negatives, 100 of true positives, 20 of reports where every test errs."""
    person = nl.Box(height=(100, 250), mistake=(-10, 10))
    trial = nl.Trial(person, lambda height, mistake: height + mistake, person.where(height="(150, 250]"))
    assert (trial.negative_bound, trial.positive_bound, trial.least_error) == tuple(map(LogRatio, (50, 100, 20)))
    verdict = trial.judge(nl.Intervals("[130, 260]"))
    assert (verdict.true_negatives, verdict.false_positives) == (nl.Intervals("[90, 130)"), nl.Intervals("[130, 160]"))
    assert (verdict.false_negatives, verdict.error) == (nl.Intervals("∅"), LogRatio(30))
