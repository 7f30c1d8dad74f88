"""Theory §6 by brute force: all data of up to four people with up to seven codes, every query kind and every width."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.exact.floor_sum import floor_sum
from noiseless.privacy.quantizers.cuts import ListedCuts, UniformCuts
from tests.laws.worst_case import judge, mean, median, members, rows_of, rows_of_symmetric, variance, worst_count

KINDS: dict[str, tuple[Any, Any]] = {
    "sum": (lambda n, domain: nl.Sum(n, domain=domain), sum),
    "mean": (lambda n, domain: nl.Mean(n, domain=domain), mean),
    "min": (lambda n, domain: nl.Min(n, domain=domain), min),
    "max": (lambda n, domain: nl.Max(n, domain=domain), max),
    "median": (lambda n, domain: nl.Quantile(n, "0.5", domain=domain), median),
    "variance": (lambda n, domain: nl.Variance(n, domain=domain), variance),
}


def points_wide(query, points) -> nl.Quantizer:
    """Bins of this number of grid points, with edges between the points."""
    levels = int((query.high - query.low) / query.step) // points + 1
    low = query.low - query.step / 2
    return nl.Quantizer(low, low + levels * points * query.step, levels)


def quantizers(query):
    """Every width in grid points, and edges on, between and off the grid, also clamped at either end."""
    span = query.high - query.low or Fraction(1)
    yield from (points_wide(query, points) for points in range(1, min(int(span / query.step), 60) + 2))
    for levels in (1, 2, 3, 4, 5, 7, 11, 40):
        yield nl.Quantizer(query.low, query.low + span, levels)
        yield nl.Quantizer(query.low + span / 5, query.low + span * Fraction(4, 5), levels)
        yield nl.Quantizer(query.low - span / 3, query.low + 2 * span, levels)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("top", range(1, 7))
def test_codes(kind, n, top):
    make, function = KINDS[kind]
    query = make(n, nl.Codes(top))
    judge(query, rows_of_symmetric(function, members(nl.Codes(top)), n), quantizers(query))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("values", [(0, "0.5", "1.5"), (-3, -1, 4), (0, 1, 5, 6), ("0.1", "0.3")], ids=str)
def test_finite_values(kind, values):
    make, function = KINDS[kind]
    domain = nl.Values(values)
    for n in (1, 2, 3):
        query = make(n, domain)
        judge(query, rows_of_symmetric(function, members(domain), n), quantizers(query))


@pytest.mark.parametrize("weights", [(1, 2), (3, -2, 1), (1, 1, -1), (2, 0, 2), ("0.5", "1.5")], ids=str)
@pytest.mark.parametrize("domain", [nl.Codes(2), nl.Codes(3), nl.Values([0, 1, 4])], ids=repr)
def test_linear(weights, domain):
    query = nl.Linear(weights, domain=domain)
    people = [members(domain) if weight else [Fraction(0)] for weight in query.weights]
    rows = rows_of(lambda data: sum(w * x for w, x in zip(query.weights, data, strict=True)), people)
    judge(query, [row for row in rows if len(row) > 1], quantizers(query))


@pytest.mark.parametrize("weights", [(1, 2), (3, -2, 1), (1, 1)], ids=str)
def test_too_many_sums_are_bounded_from_above(weights, monkeypatch):
    """Where the sums are not tried out, the bound by the grid is never too small."""
    monkeypatch.setattr("noiseless.privacy.queries.reachable.MOST_SUMS", 0)
    domain = nl.Values([0, 1, 4])
    query = nl.Linear(weights, domain=domain)
    rows = rows_of(
        lambda data: sum(w * x for w, x in zip(query.weights, data, strict=True)), [members(domain)] * query.n
    )
    judge(query, rows, quantizers(query), exact=False)


@pytest.mark.parametrize("kind", ["sum", "max"])
def test_a_count_one_too_small_is_caught(kind, monkeypatch):
    for method in ("densest", "within"):
        honest = getattr(UniformCuts, method)
        monkeypatch.setattr(UniformCuts, method, lambda *given, honest=honest: max(0, honest(*given) - 1))
    with pytest.raises(AssertionError):
        test_codes(kind, 2, 3)


EDGES = st.lists(st.fractions(min_value=-2, max_value=14, max_denominator=4), min_size=2, max_size=7, unique=True).map(
    sorted
)


@given(EDGES, st.integers(1, 3), st.integers(1, 4), st.sampled_from(sorted(KINDS)))
@settings(max_examples=300)
def test_any_edges(edges, n, top, kind):
    make, function = KINDS[kind]
    rows = rows_of_symmetric(function, members(nl.Codes(top)), n)
    judge(make(n, nl.Codes(top)), rows, [nl.Quantizer.from_edges(edges)])


def test_count_of_a_predicate_is_exact_for_one_bit():
    for n in (1, 2, 3, 4):
        quantizer = nl.calibrate(nl.Count(n), bits=1).quantizer
        judge(nl.Count(n), rows_of_symmetric(sum, [0, 1], n), [quantizer])
        assert quantizer.levels == n + 1


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("values", [2, 3, 4])
def test_histograms(n, values):
    """The count of the whole vector of quantised counts, for every width and for uneven edges."""
    query = nl.Histogram(n, range(values))
    rows = rows_of_symmetric(lambda data: tuple(map(data.count, range(values))), range(values), n)
    uneven = [nl.Quantizer.from_edges(edges) for edges in ([-1, 2, 3, 9], [-1, "0.5", 4, 9], [0, 3, "3.5", 6])]
    for quantizer in [*uneven, *(points_wide(query, points) for points in range(1, n + 3))]:
        most, fewest = worst_count(
            lambda counts: tuple(quantizer.index(count, "clamp") for count in counts),  # noqa: B023
            rows,
        )
        guarantee = nl.certify(quantizer, query)
        assert (guarantee.count, guarantee.exact, guarantee.smallest_cell) == (most, True, fewest)


@given(st.integers(2, 6), st.integers(1, 40), st.fractions(min_value=Fraction(1, 9), max_value=9, max_denominator=9))
@settings(max_examples=200)
def test_intervals_by_windows(n, levels, shift):
    """On intervals the worst case is the densest half-open window, tried just below every edge and at both ends."""
    query = nl.Mean(n, 0, 7)
    quantizer = nl.Quantizer(shift - 1, shift + 7, levels)
    tiny = Fraction(1, 10**9)
    inner = [quantizer.edge(k) for k in range(1, levels)]
    starts = [start for edge in inner for start in (edge, edge - tiny, edge - query.sensitivity)]
    starts = [start for start in [*starts, Fraction(0), 7 - query.sensitivity] if 0 <= start <= 7 - query.sensitivity]
    most = max(
        quantizer.index(start + query.sensitivity, "clamp") - quantizer.index(start, "clamp") + 1 for start in starts
    )
    assert nl.certify(quantizer, query).count == most


CUTS = st.tuples(
    st.fractions(-3, 3, max_denominator=5), st.fractions(Fraction(1, 5), 4, max_denominator=5), st.integers(0, 12)
)


@given(CUTS, st.integers(1, 9), st.integers(1, 6), st.one_of(st.none(), st.just(Fraction(1))))
@settings(max_examples=500)
def test_closed_forms_equal_the_list(cuts, steps, times, step):
    """The closed forms for uniform edges say the same as going through the edges one by one."""
    uniform = UniformCuts(*cuts)
    listed = ListedCuts([uniform.start + k * uniform.width for k in range(1, uniform.number + 1)])
    low, high, spread = Fraction(0), Fraction(steps * times), Fraction(steps)
    assert uniform.within(low, high, step) == listed.within(low, high, step)
    assert uniform.densest(spread, low, high, step) == listed.densest(spread, low, high, step)


@given(st.integers(0, 30), st.integers(1, 20), st.integers(0, 50), st.integers(-50, 50))
def test_floor_sum(terms, bottom, slope, offset):
    assert floor_sum(terms, bottom, slope, offset) == sum((slope * j + offset) // bottom for j in range(terms))


def passes(quantizer, query, answers) -> bool:
    return nl.certify(quantizer, query).count <= answers


@given(st.integers(2, 400), st.integers(2, 40))
def test_calibrated_means_on_intervals_are_maximal(n, answers):
    query = nl.Mean(n, 0, 60)
    levels = nl.calibrate(query, count=answers).quantizer.levels
    assert levels == max(answers, n * (answers - 1))
    assert passes(nl.Quantizer(0, 60, levels), query, answers)
    assert not passes(nl.Quantizer(0, 60, levels + 1), query, answers)


@given(st.lists(st.integers(-5, 5).filter(bool), min_size=1, max_size=6), st.integers(2, 20))
def test_calibrated_linear_queries_are_maximal(weights, answers):
    query = nl.Linear(weights, 0, 1)
    levels = nl.calibrate(query, count=answers).quantizer.levels
    assert passes(nl.Quantizer(query.low, query.high, levels), query, answers)
    assert not passes(nl.Quantizer(query.low, query.high, levels + 1), query, answers)


@given(st.integers(2, 50), st.integers(1, 200), st.integers(2, 30))
def test_calibrated_sums_of_codes_are_maximal(n, top, answers):
    query = nl.Sum(n, domain=nl.Codes(top))
    made = nl.calibrate(query, count=answers)
    width = made.quantizer.widest
    assert made.guarantee.count <= answers
    assert made.guarantee.count == min(ceil(top / width) + 1, n * top // width + 1)
    if width > 1:
        finer = nl.Quantizer(
            "-0.5", Fraction(-1, 2) + (width - 1) * (n * top // (width - 1) + 1), n * top // (width - 1) + 1
        )
        assert not passes(finer, query, answers)


@given(st.integers(1, 30), st.integers(1, 60), st.integers(2, 20), st.sampled_from(["min", "median", "identity"]))
def test_calibrated_order_statistics_use_every_answer(n, top, answers, kind):
    domain = nl.Codes(top)
    query = nl.Identity(domain=domain) if kind == "identity" else KINDS[kind][0](n, domain)
    made = nl.calibrate(query, count=answers)
    assert made.guarantee.count == min(answers, top + 1)
    sizes = Counter(made.quantizer.index(code) for code in range(top + 1)).values()
    assert max(sizes) - min(sizes) <= 1


@given(st.integers(1, 60), st.integers(2, 6), st.integers(1, 7))
def test_calibrated_histograms_are_maximal(n, values, answers):
    query = nl.Histogram(n, range(values))
    made = nl.calibrate(query, count=answers)
    width = made.quantizer.widest
    assert made.guarantee.count <= answers
    if width > 1 and answers > 1:
        assert not passes(points_wide(query, int(width) - 1), query, answers)


@given(st.integers(1, 12), st.fractions(min_value=Fraction(1, 50), max_value=20, max_denominator=50))
def test_error_is_kept_with_the_fewest_answers(n, error):
    """Any interval bins of at most twice the error have at least as many answers; tried on uniform ones."""
    query = nl.Mean(n, 0, 10)
    made = nl.calibrate(query, error=error)
    assert made.error <= error
    for levels in range(ceil(10 / (2 * error)), ceil(10 / (2 * error)) + 5):
        assert made.guarantee.count <= nl.certify(nl.Quantizer(0, 10, max(1, levels)), query).count


@given(st.integers(1, 5), st.integers(1, 8), st.fractions(min_value=Fraction(1, 9), max_value=20, max_denominator=9))
def test_error_on_codes_is_the_true_worst_error(n, top, error):
    query = nl.Sum(n, domain=nl.Codes(top))
    made = nl.calibrate(query, error=error)
    worst = max(abs(made.quantizer.midpoint(made.quantizer.index(s, "clamp")) - s) for s in range(n * top + 1))
    assert worst <= made.error <= error


# The deliberately wrong variants: each must be caught by the same judge.


def test_the_lemma_without_plus_one_is_caught(monkeypatch):
    """⌈S/w⌉ answers instead of ⌈S/w⌉ + 1, put into the very place where edges are counted."""
    monkeypatch.setattr(UniformCuts, "densest", lambda cuts, spread, *_: ceil(spread / cuts.width) - 1)
    query = nl.Sum(2, domain=nl.Codes(4))
    with pytest.raises(AssertionError):
        judge(query, rows_of_symmetric(sum, range(5), 2), [points_wide(query, 2)])


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_theorem_8_as_printed_is_caught(n, bits):
    """Its levels let one person cause 2^bits + 1 answers, shown by data on a grid fine enough to attain them."""
    printed = nl.theorem_8_as_printed(nl.Mean(n, 0, 1), bits)
    assert printed.quantizer.levels == n * 2**bits
    assert printed.guarantee.count == 2**bits + 1
    others = Fraction(1, 2 ** (bits + 1)) / (
        n - 1
    )  # together just half a bin, so that a full turn crosses one edge more
    data = [(Fraction(k, 2**bits * 2), *[others] * (n - 1)) for k in range(2**bits * 2 + 1)]
    assert len({printed.quantizer.index(mean(row)) for row in data}) == 2**bits + 1


def test_the_papers_own_counterexample():
    """n = 2, ε = 1, q = 4 and x2 = 1/4: three answers."""
    quantizer = nl.Quantizer(0, 1, levels=4)
    assert len({quantizer.index((Fraction(k, 100) + Fraction(1, 4)) / 2) for k in range(101)}) == 3


def test_a_filtered_grid_must_not_be_floored():
    """Contributions {0, 1/2, 3/2} with bins of 1 have three answers; M floored to 1 would say two."""
    query = nl.Sum(2, domain=nl.Values([0, "0.5", "1.5"]))
    assert nl.certify(nl.Quantizer(0, 4, levels=4), query).count == 3 > floor(Fraction(3, 2)) + 1


def test_related_data_are_outside_the_promise():
    """C5: on ⟦X⟧ = {(0,0),(1,1)} each alone would seem fixed by the other; varying one alone shows two answers."""
    assert nl.certify(nl.Quantizer(0, 2, levels=2), nl.Sum(2, domain=nl.Codes(1))).count == 2


def test_every_dataset_is_tried_alike_by_certify_function():
    for n, top, width in product((1, 2, 3), (1, 2, 3), (1, 2, 3)):
        black_box = nl.certify_function(lambda *people: sum(people) // width, [range(top + 1)] * n)  # noqa: B023
        query = nl.Sum(n, domain=nl.Codes(top))
        known = nl.certify(points_wide(query, width), query)
        assert (black_box.count, black_box.smallest_cell) == (known.count, known.smallest_cell)
