"""NP Thm 8, corrected, for any query: people with their own domains, functions, and queries known by bounds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.privacy.quantizers.cuts import UniformCuts
from tests.laws.worst_case import members, rows_of, worst_count

OWN = [
    ([nl.Codes(2), nl.Codes(4)], [1, 1]),
    ([nl.Codes(2), nl.Codes(4), nl.Codes(1)], [2, -2, 2]),
    ([nl.Values([0, 1, 5]), nl.Codes(3)], [1, 1]),
    ([nl.Codes(1), nl.Values(["0.5", 2]), nl.Codes(2)], [3, -1, "0.5"]),
    ([nl.Values([-1, 4]), nl.Codes(3), nl.Codes(3)], [1, 0, 2]),
]


def quantizers(query):
    """Equal bins over, inside and beyond the range, and bins of some points."""
    span = query.high - query.low
    for levels in (1, 2, 3, 4, 7, 12):
        yield nl.Quantizer(query.low, query.high, levels)
        yield nl.Quantizer(query.low + span / 5, query.high - span / 5, levels)
        yield nl.Quantizer(query.low - span / 7, query.high + span, levels)
    yield nl.Quantizer.from_edges([query.low, query.low + span / 9, query.low + span / 8, query.high])


def worst(function, domains, quantizer) -> tuple[int, Fraction]:
    """The most answers of one person, and the smallest share of a domain that shares one."""
    values = [members(domain) for domain in domains]
    count, share = 1, Fraction(1)
    for row in rows_of(function, values):
        most, fewest = worst_count(lambda value: quantizer.index(value, "clamp"), [row])
        count, share = max(count, most), min(share, Fraction(fewest, len(row)))
    return count, share


def judge(query, function, domains, exact=True) -> None:
    for quantizer in quantizers(query):
        guarantee = nl.certify(quantizer, query)
        count, share = worst(function, domains, quantizer)
        found = guarantee.count, guarantee.smallest_cell / guarantee.domain_size
        assert guarantee.exact or not exact
        assert found == (count, share) if guarantee.exact else found[0] >= count and found[1] <= share, quantizer


def weighted(weights):
    return lambda data: sum(Fraction(w) * x for w, x in zip(weights, data, strict=True))


@pytest.mark.parametrize(("domains", "weights"), OWN, ids=str)
def test_sums_of_people_with_their_own_domains(domains, weights):
    query = nl.WeightedSum(domains, weights)
    judge(query, weighted(weights), domains)
    values = [weighted(weights)(data) for data in product(*map(members, domains))]
    assert (query.low, query.high) == (min(values), max(values))
    assert query.sensitivity == max(max(r) - min(r) for r in rows_of(weighted(weights), list(map(members, domains))))


@pytest.mark.parametrize(("domains", "weights"), OWN, ids=str)
def test_too_many_sums_are_bounded_from_above(domains, weights, monkeypatch):
    monkeypatch.setattr("noiseless.privacy.queries.reachable.MOST_SUMS", 0)
    judge(nl.WeightedSum(domains, weights), weighted(weights), domains, exact=False)


def on_a_grid(domain):
    """An interval, as its eighths."""
    return nl.Values([domain.low + Fraction(k, 8) for k in range(int(domain.span * 8) + 1)])


MIXED = [
    ([nl.Interval(0, 3), nl.Interval(0, 1)], True),
    ([nl.Interval(0, 3), nl.Interval(0, 1), nl.Codes(2)], True),
    ([nl.Interval(0, 3), nl.Codes(2)], False),
    ([nl.Interval(0, "0.5"), nl.Codes(4)], False),
]


@pytest.mark.parametrize(("domains", "exact"), MIXED, ids=str)
@pytest.mark.parametrize("width", [Fraction(3, 4), Fraction(5, 4), Fraction(2)])
def test_intervals_and_sets_together(domains, exact, width):
    """Edges on the eighths; a grid of eighths attains what is said to be attained."""
    query = nl.WeightedSum(domains)
    levels = ceil((query.high - query.low) / width)
    quantizer = nl.Quantizer(query.low, query.low + levels * width, levels)
    grids = [on_a_grid(domain) if isinstance(domain, nl.Interval) else domain for domain in domains]
    count = worst(sum, grids, quantizer)[0]
    guarantee = nl.certify(quantizer, query)
    assert guarantee.count >= count
    assert guarantee.exact is exact
    if exact:
        assert guarantee.count == count
        assert guarantee.smallest_cell == 0


def test_the_largest_window_decides():
    """The mean of the windows, or the first person's, would say too little."""
    query = nl.WeightedSum([nl.Interval(0, 1), nl.Interval(0, 5)], weights=[1, 2])
    assert nl.certify(nl.Quantizer(0, 11, levels=11), query).count == 11
    assert nl.certify(nl.Quantizer(0, 11, levels=11), nl.WeightedSum([nl.Interval(0, 1)] * 11)).count == 2


TABLES = st.lists(st.integers(0, 9), min_size=12, max_size=12)


@given(TABLES, st.integers(1, 8))
@settings(max_examples=60)
def test_any_function_of_finite_domains(table, levels):
    """Two people with three and four values, any table: exact as a function, never too small by its bounds alone."""
    domains = [nl.Codes(2), nl.Values([0, 1, 3, 7])]
    values = dict(zip(product(*map(members, domains)), table, strict=True))
    function = nl.Function(lambda x, y: values[x, y], domains)
    rows = rows_of(lambda data: values[data], list(map(members, domains)))
    moved = max(max(row) - min(row) for row in rows)
    assert (function.low, function.high, function.sensitivity) == (min(table), max(table), moved)
    quantizer = nl.Quantizer(-1, 10, levels)
    count, share = worst(lambda data: values[data], domains, quantizer)
    exact = nl.certify(quantizer, function)
    assert (exact.count, exact.smallest_cell / exact.domain_size) == (count, share)
    for step in (None, 1):
        bounded = nl.Bounded(0, 9, sensitivity=moved, n=2, step=step)
        assert nl.certify(quantizer, bounded).count >= count


def worst_of_bounded(length, moved, n, quantizer) -> int:
    """The proof of tightness: min(R, S·Σx_i) on the grid of steps in S."""
    domains = [[Fraction(k, moved) for k in range(moved + 1)]] * n
    rows = rows_of(lambda data: min(length, moved * sum(data)), domains)
    return worst_count(lambda value: quantizer.index(value, "clamp"), rows)[0]


@pytest.mark.parametrize(("length", "moved", "n"), [(3, 3, 1), (3, 2, 2), (5, 2, 3), (4, 1, 4), (6, 3, 2)])
def test_no_smaller_count_holds_for_all_queries_with_these_bounds(length, moved, n):
    query = nl.Bounded(0, length, moved, n, step=1)
    for quantizer in quantizers(query):
        assert nl.certify(quantizer, query).count == worst_of_bounded(length, moved, n, quantizer)


@pytest.mark.parametrize(("length", "moved", "levels"), [(6, 2, 5), (7, 3, 4), (5, 4, 9), (6, 2, 3)])
def test_the_lemma_for_equal_bins(length, moved, levels):
    """min(q, ⌈qS/R⌉ + 1), and no more."""
    query = nl.Bounded(0, length, moved, n=10)
    guarantee = nl.certify(nl.Quantizer(0, length, levels), query)
    assert guarantee.count == min(levels, ceil(Fraction(levels * moved, length)) + 1)
    assert not guarantee.exact


@given(st.integers(2, 30), st.fractions(Fraction(1, 20), 1, max_denominator=20), st.integers(2, 9))
def test_calibrated_levels_are_the_most_the_lemma_allows(n, moved, answers):
    query = nl.Bounded(0, 1, moved, n)
    levels = nl.calibrate(query, count=answers).quantizer.levels
    assert nl.certify(nl.Quantizer(0, 1, levels), query).count <= answers
    assert nl.certify(nl.Quantizer(0, 1, levels + 1), query).count > answers


@pytest.mark.parametrize(("domains", "weights"), OWN, ids=str)
@pytest.mark.parametrize("answers", [1, 2, 3, 5])
def test_calibrated_sums_keep_the_budget_and_the_error(domains, weights, answers):
    query = nl.WeightedSum(domains, weights)
    made = nl.calibrate(query, count=answers)
    assert made.guarantee.count <= answers
    for data in product(*map(members, domains)):
        assert abs(made.apply(list(data)) - weighted(weights)(data)) <= made.error
    assert nl.calibrate(query, error=2).error <= 2


# The deliberately wrong variants.


def test_the_levels_of_the_paper_are_caught():
    printed = nl.theorem_8_as_printed(nl.Bounded(0, 6, 2, n=3), bits=2)
    assert printed.quantizer.levels == 12
    assert printed.guarantee.count == 5 == worst_of_bounded(12, 4, 3, nl.Quantizer("0.5", "12.5", levels=12))


def test_the_lemma_without_plus_one_is_caught(monkeypatch):
    monkeypatch.setattr(UniformCuts, "densest", lambda cuts, spread, *_: ceil(spread / cuts.width) - 1)
    with pytest.raises(AssertionError):
        test_no_smaller_count_holds_for_all_queries_with_these_bounds(5, 2, 3)
    with pytest.raises(AssertionError):
        test_sums_of_people_with_their_own_domains(*OWN[0])


def test_the_smallest_window_instead_of_the_largest_is_caught(monkeypatch):
    monkeypatch.setattr(nl.WeightedSum, "sensitivity", Fraction(2))
    with pytest.raises(AssertionError):
        test_sums_of_people_with_their_own_domains(*OWN[0])


def test_every_function_agrees_with_the_black_box():
    domains = [nl.Codes(2), nl.Codes(3)]
    black_box = nl.certify_function(lambda x, y: x * y // 2, [range(3), range(4)])
    query = nl.Function(lambda x, y: x * y, domains)
    known = nl.certify(nl.Quantizer(0, 8, levels=4), query)
    assert (black_box.count, black_box.smallest_cell) == (known.count, known.smallest_cell)
    assert prod(domain.points for domain in domains) == 12
