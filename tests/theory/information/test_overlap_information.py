"""δ-overlap information: the largest family by trying every family of sets, and values known by hand."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from random import Random

import pytest
from tests.laws.joint_ranges import largest_family

import noiseless as nl
from noiseless import LogRatio
from noiseless.theory.information.overlap_information import _family, _merged_chains


def space_of(ranges):
    rows = [(x, place) for place, values in enumerate(ranges) for x in values]
    return nl.Space({"X": [x for x, _ in rows], "Y": [y for _, y in rows]})


def information(ranges, allowed):
    """0 stands for: there is no family."""
    values = sorted(set().union(*ranges))
    space = space_of(ranges)
    try:
        return nl.overlap_information(space["X"], space["Y"], Fraction(allowed, len(values))).ratio
    except nl.NotCertifiableError:
        return 0


def test_by_trying_every_family():
    random = Random(5)
    seen = set()
    for _ in range(150):
        size, allowed = random.randint(3, 6), random.choice([0, 1, 1, 2])
        if allowed + 1 > size:
            continue
        most = min(size, allowed + 2)
        ranges = [random.sample(range(size), random.randint(allowed + 1, most)) for _ in range(random.randint(1, 5))]
        found = information(ranges, allowed)
        assert found == largest_family(ranges, allowed)
        seen.add(found)
    assert {0, 1, 2, 3} <= seen


HARD = [{0, 1, 2}, {1, 2, 3}, {0, 3, 4}]
"""The first two are one chain, whose union shares 0 and 3 with the third; but nothing connects 1 with 4."""
JOINED = [{0, 3}, {1, 3}, {1, 2}, {0, 2, 3}, {0, 1}, {1, 2, 3}, {2, 3}]
"""Two chains, {0, 1} and the others, whose unions share 0 and 1."""


def test_unions_that_overlap_too_much():
    assert information(HARD, 1) == largest_family(HARD, 1) == 0
    assert information(JOINED, 1) == largest_family(JOINED, 1) == 1
    assert len(_merged_chains([sum(1 << x for x in each) for each in JOINED], 1)) == 2
    assert information(HARD, 0) == 1


def test_only_merging_chains_would_be_wrong():
    """Without the second merge the sets overlap too much, and without the check they are not connected."""
    bits = [sum(1 << x for x in each) for each in HARD]
    assert len(_merged_chains(bits, 1)) == 2
    with pytest.raises(nl.NotCertifiableError, match="no family"):
        _family(bits, 1)


def test_without_the_third_condition_delta_0_would_not_be_maximin():
    """{1} and {2} alone would be a family, though {1, 2} is a conditional range as well."""
    space = space_of([{1}, {1, 2}, {2}])
    assert nl.overlap_information(space["X"], space["Y"]) == nl.maximin_information(space["X"], space["Y"])
    assert nl.overlap_information(space["X"], space["Y"]) == LogRatio(1)


def test_intervals_that_overlap_a_little():
    """Noise of ±2 around 0, 4, 8, …: neighbours share one value of 4n + 5."""
    ranges = [range(4 * k, 4 * k + 5) for k in range(6)]
    space = space_of(ranges)
    assert nl.overlap_information(space["X"], space["Y"]) == LogRatio(1)
    assert nl.overlap_information(space["X"], space["Y"], Fraction(1, 25)) == LogRatio(6)
    assert nl.overlap_information(space["X"], space["Y"], "0.0399") == LogRatio(1)


def test_not_symmetric():
    space = space_of([{0, 1}, {1, 2}])
    assert nl.overlap_information(space["X"], space["Y"], "1/3") == LogRatio(2)
    with pytest.raises(nl.NotCertifiableError, match="not below 1/2"):
        nl.overlap_information(space["Y"], space["X"], "1/2")
    assert nl.overlap_information(space["Y"], space["X"], "1/3") == LogRatio(1)


def test_what_is_refused(dice):
    with pytest.raises(nl.NumberError, match="below 0"):
        nl.overlap_information(dice["number"], dice["even"], -1)
    with pytest.raises(nl.NotCertifiableError, match="not below 3/6"):
        nl.overlap_information(dice["number"], dice["even"], "0.5")
    with pytest.raises(nl.NumberError):
        nl.overlap_information(dice["number"], dice["even"], inf)
    many = nl.Space({"X": range(3001)})
    with pytest.raises(nl.TooLargeError, match="at most 3000"):
        nl.overlap_information(many["X"], many["X"])
