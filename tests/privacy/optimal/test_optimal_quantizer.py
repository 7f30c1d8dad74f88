"""Optimal cells against every partition of few points, the closed form against fine grids, and what is not optimal."""

from fractions import Fraction
from itertools import pairwise, product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.privacy.optimal.partition import best_cuts, smallest_of
from noiseless.theory.spread.linear import LinearSpread

MASSES = st.dictionaries(st.integers(0, 12), st.integers(1, 3), min_size=1, max_size=5)


def partitions(points):
    """Every way to divide a list into cells."""
    if not points:
        yield []
        return
    first, *rest = points
    for cells in partitions(rest):
        yield [[first], *cells]
        for place in range(len(cells)):
            yield [*cells[:place], [first, *cells[place]], *cells[place + 1 :]]


def are_intervals(cells):
    """No cell has a value between two of another."""
    ends = sorted((min(cell), max(cell)) for cell in cells)
    return all(high < low for (_, high), (low, _) in pairwise(ends))


def good(cells, width):
    return all(max(cell) - min(cell) <= width for cell in cells)


@settings(max_examples=150, deadline=None)
@given(MASSES.filter(lambda masses: sum(masses.values()) <= 8), st.integers(1, 14))
def test_every_partition_of_the_points(masses, width):
    points = [value for value, number in masses.items() for _ in range(number)]
    allowed = [cells for cells in partitions(points) if good(cells, width)]
    fewest = min(map(len, allowed))
    largest = max(min(map(len, cells)) for cells in allowed)
    error = Fraction(width, 2)
    assert nl.optimal_quantizer(masses, error=error, against="maximin").cells == fewest
    best = nl.optimal_partition(masses, error=error)
    assert min(best.cells) == largest
    assert sum(best.cells) == len(points)
    assert nl.optimal_quantizer(masses, error=error).limit == Fraction(largest, len(points))


@settings(max_examples=150, deadline=None)
@given(MASSES, st.integers(1, 14))
def test_every_partition_of_the_values(masses, width):
    """A quantizer keeps a value's points together, and its cells are intervals, weighed by their points."""
    total = sum(masses.values())
    allowed = [cells for cells in partitions(list(masses)) if good(cells, width) and are_intervals(cells)]
    largest = max(min(sum(masses[value] for value in cell) for cell in cells) for cells in allowed)
    best = nl.optimal_quantizer(masses, error=Fraction(width, 2))
    assert best.smallest.lower == best.smallest.upper == Fraction(largest, total) <= best.limit
    assert len(best.shares) == best.cells
    for value in masses:
        assert abs(best.quantizer.midpoint(best.quantizer.index(value)) - value) <= Fraction(width, 2)


def greedy(masses, width):
    """Each cell ends as soon as it has as much as the others need; here simply: as long as can be."""
    values = sorted(masses)
    cells = [[values[0]]]
    for value in values[1:]:
        if value - cells[-1][0] <= width:
            cells[-1].append(value)
        else:
            cells.append([value])
    return min(sum(masses[value] for value in cell) for cell in cells)


def test_plain_greedy_is_not_exact():
    """Theory §7: positions 10, 14, 19, masses 6, 1, 2, w = 5: the optimum is 3."""
    masses = {10: 6, 14: 1, 19: 2}
    assert greedy(masses, 5) == 2
    assert nl.optimal_quantizer(masses, error="2.5").smallest.lower == Fraction(3, 9)


def test_a_level_set_can_be_split():
    """{0, 1a, 1b, 2} with w = 1: {0, 1a}, {1b, 2}."""
    assert nl.optimal_partition({0: 1, 1: 2, 2: 1}, error="0.5").cells == [2, 2]
    best = nl.optimal_quantizer({0: 1, 1: 2, 2: 1}, error="0.5")
    assert (best.smallest.lower, best.limit) == (Fraction(1, 4), Fraction(1, 2))


@pytest.mark.parametrize("query", [nl.Linear([1, 1, 0], domain=nl.Codes(1)), nl.Linear([2, 1, 1], domain=nl.Codes(1))])
def test_a_policy_that_splits_is_applied_to_data(query):
    """Every triple of codes gets a report within the error, and the cells are as large as promised."""
    best = nl.optimal_partition(query, error="0.5")
    counts = {}
    for data in product(range(2), repeat=3):
        report = best.apply(np.array(data))
        assert abs(report - query.evaluate(np.array(data))) <= Fraction(1, 2)
        counts[report] = counts.get(report, 0) + 1
    assert sorted(counts.values()) == sorted(best.cells)
    assert min(best.cells) >= nl.optimal_quantizer(query, error="0.5").smallest.lower * 8
    weighted = nl.optimal_partition(nl.Linear([1, -2, 0], domain=nl.Values([0, 1, 3])), error=1)
    found = [weighted.apply(np.array(data)) for data in product((0, 1, 3), repeat=3)]
    assert sorted(found.count(report) for report in set(found)) == sorted(weighted.cells)
    with pytest.raises(nl.DomainError, match="n=3"):
        best.apply(np.array([0, 1]))
    with pytest.raises(nl.InputError, match="weighted sum"):
        nl.optimal_partition({0: 1}, error=1).apply([0])


def test_mean_of_two():
    """Theory §7: γ = 1.6 gives edges −2, −.75, .2322, .75, 2 and 1.633 nats against the uniform 2.079."""
    mean = nl.Mean(n=2, low=-2, high=2)
    best = nl.optimal_quantizer(mean, error=Fraction(10, 16))
    edges = [float(edge) for edge in best.quantizer.edges]
    assert edges == pytest.approx([-2, -0.75, 0.2322, 0.75, 2], abs=5e-5)
    assert best.leakage.nats == pytest.approx(1.633, abs=5e-4)
    even = nl.optimal_quantizer(mean, error=Fraction(10, 16), against="maximin")
    assert (even.quantizer, even.leakage.nats) == (nl.Quantizer(-2, 2, 4), pytest.approx(2.079, abs=5e-4))
    assert best.limit - best.smallest.lower < Fraction(1, 10**9)
    for gamma in range(1, 9):
        even = nl.optimal_quantizer(mean, error=Fraction(1, gamma), against="maximin")
        q = max(1, 2 * gamma)
        assert even.cells == q
        assert even.leakage.nats == pytest.approx(log(q * q / 2))
        assert even.maximin.nats == pytest.approx(log(q))


LINEAR = st.lists(st.sampled_from([1, 1, 1, 2, 3, -1]), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(LINEAR, st.integers(1, 40))
def test_the_closed_form_keeps_its_promises(weights, tenths):
    query = nl.Linear(weights, low=0, high=1)
    error = (query.high - query.low) * Fraction(tenths, 60)
    best = nl.optimal_quantizer(query, error=error)
    assert best.quantizer.widest <= 2 * error
    assert (best.quantizer.low, best.quantizer.high) == (query.low, query.high)
    assert 0 <= best.limit - best.smallest.lower <= best.limit / 10**6
    assert best.leakage <= nl.optimal_quantizer(query, error=error, against="maximin").leakage


@settings(max_examples=25, deadline=None)
@given(LINEAR, st.integers(6, 30))
def test_the_closed_form_is_the_best_of_a_fine_grid(weights, tenths):
    """Edges on a grid of 240 places, by dynamic programming on the exact shares, come close and never pass it."""
    query, places = nl.Linear(weights, low=0, high=1), 240
    spread = LinearSpread.of([abs(weight) for weight in weights], query.low)
    length = query.high - query.low
    width = length * Fraction(tenths, 60)
    shares = [spread.share_below(query.low + length * Fraction(k, places)) for k in range(places + 1)]
    scale = 10**15
    starts = [round(share * scale) for share in shares]
    reach = [starts[min(places, k + int(width / length * places))] for k in range(places)]
    found = Fraction(smallest_of(best_cuts(starts, reach, split=False)[0]), scale)
    limit = nl.optimal_quantizer(query, error=width / 2).limit
    assert limit * Fraction(7, 10) <= found <= limit + Fraction(1, 10**12)


def test_order_statistics():
    least = nl.optimal_quantizer(nl.Min(n=3, low=0, high=1), error="0.15")
    shares = [share.lower for share in least.shares]
    assert sum(shares) == 1
    assert min(shares) == least.limit == Fraction(3, 10) ** 3
    codes = nl.optimal_quantizer(nl.Max(n=2, domain=nl.Codes(3)), error="0.5")
    assert codes.smallest.lower == Fraction(4, 16)


def test_a_function_on_a_box():
    """TIFS Example IV.1: x1² + 2·x2² on [−2, 2]², γ = 2: twelve bins of 1, values i + ½."""
    box = nl.Box(x1=(-2, 2), x2=(-2, 2))
    even = nl.optimal_quantizer(lambda x1, x2: x1**2 + 2 * x2**2, error="0.5", against="maximin", box=box)
    assert even.quantizer == nl.Quantizer(0, 12, 12)
    assert [even.quantizer.midpoint(k) for k in range(12)] == [k + Fraction(1, 2) for k in range(12)]
    best = nl.optimal_quantizer(lambda x1, x2: x1**2 + 2 * x2**2, error="0.7", box=box)
    assert best.quantizer.widest <= Fraction(14, 10)
    assert best.smallest.lower <= best.limit
    even = nl.optimal_quantizer(lambda x1, x2: x1**2 + 2 * x2**2, error="0.7", against="maximin", box=box)
    assert best.smallest.lower > even.smallest.upper


def test_a_linear_function_as_a_box_agrees_with_the_closed_form():
    box, error = nl.Box(a=(-2, 2), b=(-2, 2)), Fraction(10, 16)
    exact = nl.optimal_quantizer(nl.Mean(n=2, low=-2, high=2), error=error)
    found = nl.optimal_quantizer(lambda a, b: (a + b) / 2, error=error, box=box)
    assert found.smallest.lower <= exact.limit <= found.limit
    assert found.smallest.lower > exact.limit * Fraction(97, 100)


def test_corollary_iv_1():
    """Its condition, connected level sets, is not what makes uniform bins best: an interval of values is.

    x1² + 2·x2² above 4 has level sets in four pieces, and uniform bins are still best (every level is reached). On
    two intervals the identity has connected level sets (single points), and uniform bins over the range are not best.
    """
    gap = nl.optimal_quantizer(dict.fromkeys([0, 1, 10, 11], 1), error="0.5", against="maximin")
    assert gap.cells == 2 < nl.Quantizer(0, 11, levels=11).levels
    square = nl.Box(x1=(-2, 2), x2=(-2, 2))
    at_five = [(x, y) for x in (-2, 2) for y in (-1, 1) if x**2 + 2 * y**2 == 6]
    assert len(at_five) == 4  # in four corners that no path at that level joins: |x1| ≤ 2 keeps |x2| ≥ 1
    assert nl.optimal_quantizer(lambda x1, x2: x1**2 + 2 * x2**2, error=2, against="maximin", box=square).cells == 3


def test_large_counts():
    """300 people with 151 codes: 7^999 points and more, still exact."""
    best = nl.optimal_quantizer(nl.Sum(n=60, domain=nl.Codes(30)), error=100)
    assert best.smallest.exact
    assert best.smallest.lower <= best.limit
    assert nl.optimal_quantizer(nl.Sum(n=10**6, domain=nl.Codes(30)), error=100, against="maximin").cells == 149254


def test_the_mechanism_it_makes():
    best = nl.optimal_quantizer(nl.Mean(n=20, low=0, high=60), error=2)
    assert best.mechanism.guarantee.count == nl.certify(best.quantizer, nl.Mean(n=20, low=0, high=60)).count
    assert best.quality == Fraction(1, 2)
    with pytest.raises(nl.InputError, match="mechanism"):
        _ = nl.optimal_quantizer({0: 1, 1: 1}, error=1).mechanism


def test_trade_off():
    curve = nl.trade_off(nl.Mean(n=2, low=-2, high=2), [Fraction(1, gamma) for gamma in (1, 2, 4)], against="maximin")
    assert curve.cells.tolist() == [2, 4, 8]
    assert curve.leakage.tolist() == [1, 3, 5]
    assert curve.maximin.tolist() == [1, 2, 3]
    assert curve.d_min.tolist() == pytest.approx([4 * 2**0.5 / q for q in (2, 4, 8)])
    assert curve.quality.tolist() == [1, 2, 4]
    finer = nl.trade_off(nl.Mean(n=3, low=0, high=1), np.linspace(0.03, 0.4, 12))
    assert all(a >= b for a, b in pairwise(finer.leakage.tolist()))
    assert "<polyline" in finer.picture() == finer._repr_html_()
    assert np.isnan(nl.trade_off({0: 1, 5: 2}, [1]).d_min).all()


def test_regions():
    best = nl.optimal_quantizer(nl.Mean(n=2, low=-2, high=2), error="0.5", against="maximin")
    assert best.regions().count("<path") == 4
    assert "1.5" in best.regions()
    for wrong in (nl.Mean(n=3, low=0, high=1), nl.Mean(n=2, domain=nl.Codes(2))):
        with pytest.raises(nl.InputError, match="two"):
            nl.optimal_quantizer(wrong, error=1, against="maximin").regions()


@pytest.mark.parametrize("against", ["maximin", "leakage"])
def test_bad_input(against):
    mean = nl.Mean(n=2, low=0, high=1)
    for wrong in (0, -1):
        with pytest.raises(nl.BudgetError, match="above 0"):
            nl.optimal_quantizer(mean, error=wrong, against=against)
    with pytest.raises(nl.InputError, match="the spread of a Histogram"):
        nl.optimal_quantizer(nl.Histogram(n=3, values=["a", "b"]), error=1, against=against)
    with pytest.raises(nl.InputError, match="only for a function"):
        nl.optimal_quantizer(mean, error=1, against=against, box=nl.Box(x=(0, 1)))


def test_bad_input_of_one_kind():
    mean = nl.Mean(n=2, low=0, high=1)
    with pytest.raises(nl.BudgetError, match="'maximin'"):
        nl.optimal_quantizer(mean, error=1, against="everything")
    with pytest.raises(nl.BudgetError, match="larger error"):
        nl.optimal_quantizer(mean, error="1e-9")
    with pytest.raises(nl.BudgetError, match="larger error"):
        nl.optimal_quantizer(lambda x: x, error="1e-4", box=nl.Box(x=(0, 1)))
    with pytest.raises(nl.TooLargeError, match="18 different weights"):
        nl.optimal_quantizer(nl.Linear([3**k for k in range(20)], 0, 1), error=10)
    with pytest.raises(nl.RangeError, match="function with box="):
        nl.optimal_quantizer(nl.Variance(n=3, low=0, high=1), error="0.1")
    with pytest.raises(nl.InputError, match="no points to split"):
        nl.optimal_partition(mean, error=1)
    with pytest.raises(nl.DomainError, match="all weights are zero"):
        nl.Linear([0, 0], low=0, high=1)


def test_a_quantizer_narrower_than_the_range():
    """Its end bins hold all that is beyond, so the smallest is inside."""
    mean = nl.Mean(n=2, low=0, high=1)
    narrow = nl.Quantizer("0.4", "0.6", 4)
    listed = nl.Quantizer.from_edges(["0.4", "0.45", "0.5", "0.55", "0.601"])
    assert nl.query_leakage(narrow, mean) == nl.query_leakage(listed, mean)
    assert nl.query_leakage(narrow, mean).ratio == 1 / (Fraction(1, 2) - 2 * Fraction(9, 20) ** 2)


@pytest.mark.parametrize("quantizer", [nl.Quantizer(0, 2, 2), nl.Quantizer.from_edges([0, 1, 3])])
def test_an_answer_that_one_point_gives_leaks_everything(quantizer):
    """Theory C2 and C6: the answer [1, 2] occurs, at (1, 1) alone."""
    mean = nl.Mean(n=2, low=0, high=1)
    assert nl.query_leakage(quantizer, mean).ratio == np.inf
    assert nl.adversary_estimate(quantizer, mean).d_min.squared == 0


def test_a_box_with_gaps():
    box = nl.Box(x="[0, 1] | [10, 11]")
    assert nl.optimal_quantizer(lambda x: x, error="0.51", box=box, against="maximin").cells == 2
    best = nl.optimal_quantizer(lambda x: x, error="0.51", box=box)
    assert best.cells == 2
    assert best.smallest.lower > Fraction(49, 100)
    assert best.limit >= Fraction(1, 2)
    assert nl.optimal_quantizer(lambda x: x, error=20, box=box).limit == 1


def test_the_mechanism_keeps_the_error_over_gaps():
    query = nl.Sum(2, domain=nl.Values([0, 1, 100]))
    assert nl.optimal_quantizer(query, error="0.5", against="maximin").mechanism.error <= Fraction(1, 2)


def test_odd_curves_and_boxes():
    mean = nl.Mean(n=2, low=0, high=1)
    for wrong in ([], 0.5, "0.5"):
        with pytest.raises(nl.InputError, match="error"):
            nl.trade_off(mean, wrong)
    many = nl.trade_off(nl.Mean(n=10**9, low=0, high=1), ["0.1"], against="maximin")
    assert np.isnan(many.leakage).all()
    with pytest.raises(nl.RangeError, match="no measure"):
        nl.optimal_quantizer(lambda x, y: x + y, error=1, box=nl.Box(x=(1, 1), y=(0, 1)))
    huge = nl.optimal_quantizer(lambda x, y: x + y, error="1e199", box=nl.Box(x=(0, "1e200"), y=(0, "1e200")))
    assert huge.smallest.lower > 0


def test_very_unequal_cells_are_found_soon():
    """The best smallest cell is about 2^-800 of all; a bisection that only halves would need as many passes."""
    best = nl.optimal_quantizer(nl.Mean(n=150, domain=nl.Codes(50)), error="0.5")
    assert best.smallest.exact
    assert nl.optimal_quantizer(nl.Min(n=1000, low=0, high=1), error="0.13").cells == 4
    with pytest.raises(nl.TooLargeError, match="1000 people"):
        nl.optimal_quantizer(nl.Mean(n=10**9, low=0, high=1), error="0.1")
    assert nl.optimal_quantizer(nl.Max(n=10**6, domain=nl.Codes(100)), error=5, against="maximin").cells == 10


@pytest.mark.parametrize("function", [lambda x, y: np.array([x, y]), lambda x, y: (x, y), lambda x, y: [x, x + y]])
def test_functions_of_several_values_are_refused_in_a_sentence(function):
    box = nl.Box(x=(0, 1), y=(0, 1))
    with pytest.raises(nl.NumberError, match="instead of one number for each point") as refused:
        nl.optimal_quantizer(function, error="0.1", box=box)
    assert len(str(refused.value)) < 200
    with pytest.raises(nl.InputError, match="instead of one number for each point"):
        nl.Boundary("z", function).above(nl.Box(x=(0, 1), y=(0, 1), z=(0, 1))).measure  # noqa: B018
