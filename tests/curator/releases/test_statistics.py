"""Variances under conditions, interpolated quantiles, distinct values and sums of products: counts by brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from statistics import variance

import pytest

import noiseless as nl
from noiseless.curator.plan.condition import Within
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.centred_products import CentredProducts
from noiseless.curator.releases.distinct_count import DistinctCount
from noiseless.curator.releases.filtered_variance import FilteredVariance
from noiseless.curator.releases.interpolated import InterpolatedQuantile
from noiseless.curator.releases.order_statistic import NOBODY
from noiseless.curator.releases.spread import enlarged, own_error, root, sample_error
from noiseless.curator.releases.variance import Variance
from tests.curator.releases.small import holds, tables

SOME = Within("s", ((1, 1),))
NONE = Fraction(0)


def part(size: int, plain: bool = True) -> Part:
    return Part((0,), size) if plain else Part((0,), size, SOME, ("s",), 1)


def sums(codes) -> dict:
    """What an engine finds, of rows that count."""
    kept = [code for code in codes if code is not None]
    tally = {code: kept.count(code) for code in set(kept)}
    found = {("squares", "x"): sum(code**2 for code in kept), ("sum", "x"): sum(kept), ("count", "x"): len(kept)}
    return found | {("tally", "x", 1): tally, ("distinct", "x"): len(tally)}


def most(release, width, top: int, others: int, rows: int = 1) -> int:
    """The most answers that one person causes, whatever the others have."""
    values = (*range(top + 1), None)
    found = 0
    for rest in combinations_with_replacement(values, others):
        own = combinations_with_replacement(values, rows)
        found = max(found, len({release.observe(width, sums((*rest, *mine))) for mine in own}))
    return found


@pytest.mark.parametrize("top", [1, 2, 3, 5])
def test_variances_under_a_condition(top):
    attained = 0
    for width in range(1, top + 2):
        release = FilteredVariance(part(4, plain=False), "x", nl.Integer(0, top), NONE)
        found = most(release, width, top, 3)
        assert found <= release.answers(width) <= top + 2
        attained += found == release.answers(width)
        assert most(release, width, top, 1, rows=2) <= release.answers(width, 2)
    assert attained  # so that a count of one less is wrong


def test_a_variance_under_a_condition_by_hand():
    """Codes 0..10 about 5 in bins of 4: Σ in three jumps, squares in bins of 20 fall twice and rise twice."""
    release = FilteredVariance(part(9, plain=False), "x", nl.Integer(0, 10), NONE)
    assert (release.centre, release.far, release.answers(4), release.answers(1)) == (5, 5, 2 + 3 + 2 + 2, 12)
    assert release.answers(10) == 5
    assert release.observe(4, sums([0, 5, 10, None])) == (3, 3, 2)  # 15 and 50
    told = release.report(1, release.observe(1, sums([0, 5, 10, None])), "VAR_SAMP")
    assert told.lower <= 25 <= told.upper
    assert release.report(4, (0, 0, 0), "VAR_POP") is None
    assert release.report(4, release.observe(4, sums([7])), "VAR_SAMP") is None


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_distinct_values(rows):
    release = DistinctCount(part(5, plain=False), "x", ("x",), 4)
    assert most(release, 1, 3, 2, rows) == release.answers(1, rows) == rows + 1
    assert release.question(1).count == 2
    plain = DistinctCount(part(5), "x", ("x",), 4)
    changes = [plain.observe(1, sums((1, 3, own))) for own in range(4)]
    jumps = sum(one != two for one, two in pairwise(changes))
    assert jumps == plain.question(1).jumps({"x": 4}) == 3  # so it is not monotone, and rule A must not say one


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_interpolated_quantiles(share, size):
    column = nl.Integer(0, 3)
    release, some = (InterpolatedQuantile(part(size, plain), "x", column, NONE, share) for plain in (True, False))
    for width in (1, 2, 3, 5):
        for codes in product(range(4), repeat=size):
            ranked, (below, rest) = sorted(codes), divmod(share * (size - 1), 1)
            truth = ranked[int(below)]
            truth += rest * (ranked[min(int(below) + 1, size - 1)] - truth)
            holds(release, width, sums(codes), "PERCENTILE_CONT", truth)
        found = {release.observe(width, sums(codes)) for codes in product(range(4), repeat=size)}
        assert len(found) <= release.answers(width) == 3 * share.denominator // width + 1
        assert most(some, width, 3, size - 1) <= some.answers(width) == release.answers(width) + 1
    assert some.observe(1, sums([None])) == (NOBODY,)
    assert some.report(1, (NOBODY,), "") is None
    alone = InterpolatedQuantile(part(1, plain=False), "x", column, NONE, share)
    assert most(alone, share.denominator, 3, 0) == 5 == alone.answers(share.denominator)  # attained


def test_a_median_between_two_values_by_hand():
    release = InterpolatedQuantile(part(4), "x", nl.Real(10, 20, step=2), NONE, Fraction(1, 2))
    assert release.observe(1, sums([0, 1, 4, 5])) == (5,)  # halves of a code
    assert release.report(1, (5,), "").value == 15
    assert release.width_within(Fraction(1), "") == 3
    assert release.error(3, "") == 1


@pytest.mark.parametrize("tops", [(1, 1), (1, 4), (3, 2), (4, 3)])
def test_sums_of_products(tops):
    """One row moves them through V + 1 integers, whether it counts or not."""
    y, x = (nl.Integer(0, top) for top in tops)
    release = CentredProducts(part(2, plain=False), "y", y, NONE, "x", x)
    (one, two), least = release.centres, release.least
    adds = {0, *((a - one) * (b - two) for a in range(tops[0] + 1) for b in range(tops[1] + 1))}
    assert (min(adds), max(adds) - min(adds)) == (least, release.moved)
    for pairs in product(product(range(tops[0] + 1), range(tops[1] + 1)), repeat=2):
        for kept in (pairs, pairs[:1], ()):
            found = {("products", "y", "x"): sum(a * b for a, b in kept), ("count", "y"): len(kept)}
            found |= {("sum", "y"): sum(a for a, _ in kept), ("sum", "x"): sum(b for _, b in kept)}
            truth = sum((a - one) * (b - two) for a, b in kept)
            assert release.about(0, found) == truth - 2 * least
            assert 0 <= truth - 2 * least <= release.largest
    for width in (1, 2, 5):
        bins = max(len({(start + add - least) // width for add in adds}) for start in range(width))
        many = CentredProducts(part(9, plain=False), "y", y, NONE, "x", x)
        assert bins <= many.answers(width) == -(-many.moved // width) + 1


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("on_grid", [True, False])
def test_variances_of_samples(size, on_grid):
    column = nl.Real(-1, 2, step=1)
    release = Variance(part(size), "x", column, NONE if on_grid else column.step / 2)
    for width, (codes, values) in product((1, 2, 7), tables(column, size)):
        truth = variance([column.number(code) for code in codes] if on_grid else values)
        place = release.observe(width, sums(codes))
        told, root_of = (release.report(width, place, name) for name in ("VAR_SAMP", "STDDEV_SAMP"))
        assert told.lower <= truth <= told.upper
        assert root_of.lower**2 <= truth <= root_of.upper**2
        for name, each in (("VAR_SAMP", told), ("STDDEV_SAMP", root_of)):
            assert each.upper - each.lower <= 2 * release.error(width, name)
    for name in ("VAR_SAMP", "STDDEV_SAMP"):
        assert release.error(release.width_within(Fraction(4), name), name) <= 4


def test_errors_of_samples():
    assert enlarged(5) == Fraction(5, 4)
    assert own_error(Fraction(5), "VAR_SAMP", 5) == (4, "VAR_POP")
    assert sample_error(Fraction(4), "VAR_SAMP", 5) == 5
    error, function = own_error(Fraction(5), "STDDEV_SAMP", 5)
    assert (function, sample_error(error, "STDDEV_SAMP", 5)) == ("STDDEV_POP", 5)
    assert error < 5 / root(Fraction(5, 4), up=False)
