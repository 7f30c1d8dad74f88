"""Theory §1 on all joint ranges up to 3×3, and beyond by Hypothesis; and what the laws would catch."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given

import noiseless as nl
from tests.laws.information_laws import LAWS, REAL, agrees_with_definition, data_processing
from tests.laws.joint_ranges import Pairs, all_joint_ranges, joint_ranges

BY_NAME = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)


@BY_NAME
def test_every_joint_range_up_to_three_by_three(law):
    assert [pairs for pairs in all_joint_ranges() if not law(REAL, pairs)] == []


@BY_NAME
@given(pairs=joint_ranges())
def test_larger_joint_ranges(law, pairs):
    assert law(REAL, pairs)


def _blocks_of_conditional_ranges(x, y):
    """Overlap without chains: each conditional range a block of its own."""
    return [x.given(**{y.name: value}) for value in y.range]


MUTANTS = {
    "entropy": lambda x, **given: nl.LogRatio(len(x.space) if not isinstance(x, tuple) else len(x[0].space)),
    "conditional_entropy": nl.disarray,
    "disarray": nl.conditional_entropy,
    "information": nl.leakage,
    "leakage": nl.information,
    "symmetric_leakage": lambda x, y: max(nl.leakage(x, y), nl.leakage(y, x)),
    "transmission": lambda x, y: nl.entropy(x) + nl.entropy(y) - nl.maximin_information(x, y),
    "maximin_information": lambda x, y: nl.entropy(y),
    "information_gain": lambda x, **given: nl.entropy(x, **given),
    "overlap_partition": _blocks_of_conditional_ranges,
    "taxicab_partition": lambda x, y: [{pair} for pair in nl.joint(x, y).range],
    "min_capacity": lambda x, y: min(nl.entropy(x), nl.entropy(y)),
    "pointwise_leakage": lambda x, y, prior=None: nl.leakage(x, y),
    "overlap_information": lambda x, y, delta=0: nl.maximin_information(x, y),
}


@cache
def _samples() -> list[Pairs]:
    return list(all_joint_ranges())


@pytest.mark.parametrize("measure", REAL)
def test_a_wrong_measure_breaks_a_law(measure):
    """Not only the definition, which restates the measure, but the other laws too where one speaks of it."""
    wrong = {**REAL, measure: MUTANTS[measure]}
    others = [law for law in LAWS if law is not agrees_with_definition]
    assert any(not law(wrong, pairs) for pairs in _samples() for law in others)


def test_leakage_by_an_average_would_break_data_processing():
    """The mean size over y in place of the least one (which is transmission) is not safe under post-processing."""
    wrong = {**REAL, "leakage": nl.transmission}
    assert any(not data_processing(wrong, pairs) for pairs in _samples())
