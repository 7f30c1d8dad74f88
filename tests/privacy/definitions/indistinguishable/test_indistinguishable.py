"""Indistinguishability: every number of theory §5 and §10, brute force, and what the paper's theorem leaves out."""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import factorial

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.privacy.definitions.indistinguishable.telling import telling_answers_of


def by_listing(quantizer, weights, values):
    """Every datum, the bins each value of each person can lead to, every pair of values."""
    best = 0
    for person in range(len(weights)):
        led_to = {}
        for data in product(values, repeat=len(weights)):
            total = sum(weight * value for weight, value in zip(weights, data, strict=True))
            led_to.setdefault(data[person], set()).add(quantizer.index(total, "clamp"))
        best = max([best, *(len(one ^ other) for one, other in combinations(led_to.values(), 2))])
    return best


WEIGHTS = st.lists(st.sampled_from([-2, -1, 0, 1, 1, 2, 3]), min_size=1, max_size=3).filter(any)
VALUES = st.sets(st.integers(0, 6), min_size=2, max_size=4)
HALF = Fraction(1, 2)


@settings(max_examples=200, deadline=None)
@given(WEIGHTS, VALUES, st.integers(1, 9), st.integers(0, 3), st.integers(0, 3))
def test_finite_data_by_listing(weights, values, levels, before, after):
    values = sorted(map(Fraction, values))
    query = nl.Linear(weights, domain=nl.Values(values))
    quantizer = nl.Quantizer(query.low - before * HALF - HALF, query.high + after * HALF, levels)
    found = nl.Indistinguishable(2).certify(quantizer, query)
    assert found.telling == by_listing(quantizer, weights, values)
    assert found.holds == (found.telling <= 4)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 12))
def test_codes_by_listing(n, top, levels):
    assume((top + 1) ** n < 300)
    query = nl.Sum(n=n, domain=nl.Codes(top))
    for quantizer in (nl.Quantizer(0, n * top, levels), nl.Quantizer(-HALF, n * top + HALF, levels)):
        listed = by_listing(quantizer, [1] * n, [Fraction(code) for code in range(top + 1)])
        assert telling_answers_of(quantizer, query) == listed


def by_windows(quantizer, weights):
    """With x_i known the sum fills a window; all windows that differ, every pair."""
    total, best = sum(weights), 0
    for weight in set(weights):
        rest = total - weight
        edges = [quantizer.edge(k) for k in range(quantizer.levels + 1)]
        changes = {Fraction(0), Fraction(weight), *(p for e in edges for p in (e, e - rest) if 0 <= p <= weight)}
        places = sorted(changes)
        places += [(a + b) / 2 for a, b in pairwise(places)]
        windows = [
            frozenset(range(quantizer.index(p, "clamp"), quantizer.index(p + rest, "clamp") + 1)) for p in places
        ]
        best = max([best, *(len(one ^ other) for one, other in combinations(set(windows), 2))])
    return best


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(1, 20))
def test_intervals_by_every_window(weights, levels):
    query = nl.Linear(weights, low=0, high=1)
    quantizer = nl.Quantizer(0, sum(weights), levels)
    found = telling_answers_of(quantizer, query)
    assert found == by_windows(quantizer, weights)
    s = levels * Fraction(max(weights), sum(weights))
    formula = s.__floor__() + s.__ceil__() - 1
    if levels > 1:
        assert found <= max(formula, 2)
        if 2 * max(weights) <= sum(weights):
            assert found == formula


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=3), st.sets(st.integers(-2, 40), min_size=2, max_size=9))
def test_any_edges(weights, edges):
    quantizer = nl.Quantizer.from_edges(sorted(Fraction(edge, 2) for edge in edges))
    assert telling_answers_of(quantizer, nl.Linear(weights, low=0, high=1)) == by_windows(quantizer, weights)


TABLE = {2: [(3, 1), (5, 2), (9, 6), (17, 14)], 3: [(5, 1), (8, 3), (14, 9), (26, 21)]}


@pytest.mark.parametrize(("n", "bits"), [(n, bits) for n in TABLE for bits in (1, 2, 3, 4)])
def test_largest_number_of_levels(n, bits):
    """Theory §10: the exact largest q, and the paper's."""
    mean, promise = nl.Mean(n=n, low=0, high=60), nl.Indistinguishable(bits)
    largest, printed = TABLE[n][bits - 1]
    found = promise.calibrate(mean)
    assert found.quantizer == nl.Quantizer(0, 60, largest)
    assert found.holds
    assert nl.theorem_5_as_printed(mean, bits) == printed
    for more in range(largest + 1, 4 * largest):
        assert not promise.certify(nl.Quantizer(0, 60, more), mean).holds


@pytest.mark.parametrize("weights", [[1, 1], [3, 1], [5, 1, 1], [10, 1], [7, 2, 2], [2, 2, 3]])
@pytest.mark.parametrize("bits", [0, 1, "1.6", 2, 3])
def test_no_more_levels_are_safe(weights, bits):
    query, promise = nl.Linear(weights, low=0, high=1), nl.Indistinguishable(bits)
    found = promise.calibrate(query)
    safe = [q for q in range(1, 80) if telling_answers_of(nl.Quantizer(0, sum(weights), q), query) <= promise.allowed]
    assert found.quantizer.levels == max(safe)
    assert found.error == Fraction(sum(weights), 2 * max(safe))


@pytest.mark.parametrize(
    "query",
    [
        nl.Mean(n=4, domain=nl.Codes(10)),
        nl.Count(n=5),
        nl.Linear([3, 5, 6, 6], domain=nl.Codes(1)),
        nl.Sum(2, domain=nl.Values([0, 1, 7])),
    ],
)
@pytest.mark.parametrize("bits", [0, 1, 2, 3])
def test_grids(query, bits):
    """The finest bins of whole steps: any with fewer steps break the promise."""
    found = nl.Indistinguishable(bits).calibrate(query)
    assert found.holds
    points = found.quantizer.widest / query.step
    for fewer in range(1, int(points)):
        levels = int((query.high - query.low) / query.step) // fewer + 1
        low = query.low - query.step / 2
        finer = nl.Quantizer(low, low + levels * fewer * query.step, levels)
        assert not nl.Indistinguishable(bits).certify(finer, query).holds


def test_theorem_5_is_false_for_discrete_data():
    """Theory §5: {0,1}⁴, c = (3,5,6,6), ε = 3, q = 10 satisfies the printed condition, and 10 answers tell."""
    query = nl.Linear([3, 5, 6, 6], domain=nl.Values([0, 1]))
    assert nl.theorem_5_as_printed(query, 3) == 10
    found = nl.Indistinguishable(3).certify(nl.Quantizer(0, 20, 10), query)
    assert (found.telling, found.holds) == (10, False)
    assert nl.Indistinguishable(3).certify(nl.Quantizer(0, 20, 10), nl.Linear([3, 5, 6, 6], low=0, high=1)).holds


def test_theorem_5_is_false_for_related_data():
    """Six people, ε = 2: the printed q is 6. If what the others can be depends on x1, all six bins can tell."""
    mean = nl.Mean(n=6, low=0, high=1)
    assert nl.theorem_5_as_printed(mean, 2) == 6
    quantizer = nl.Quantizer(0, 1, 6)
    assert nl.Indistinguishable(2).certify(quantizer, mean).holds
    data = [
        (x1, *[(Fraction(2 * k + 1, 12) * 6 - x1) / 5] * 5) for x1, ks in ((0, (0, 2, 4)), (1, (1, 3, 5))) for k in ks
    ]
    assert all(0 <= value <= 1 for row in data for value in row)
    seen = [quantizer.index(sum(row) / 6) for row in data]
    space = nl.Space({"x1": [row[0] for row in data], "seen": seen})
    assert nl.telling_answers(space["x1"], space["seen"]) == 6 > 4


def test_one_person_alone():
    """n = 1: |Δ| = 2 for every q ≥ 2, so the promise says nothing."""
    alone = nl.Identity(low=0, high=1)
    for levels in (2, 3, 1000):
        assert telling_answers_of(nl.Quantizer(0, 1, levels), alone) == 2
    assert telling_answers_of(nl.Quantizer(0, 1, 1), alone) == 0
    with pytest.raises(nl.BudgetError, match="the promise is empty"):
        nl.Indistinguishable(1).calibrate(alone)
    assert nl.Indistinguishable(0).calibrate(alone).quantizer.levels == 1


def test_without_a_quantizer():
    """(12) depends on units: the same mean in metres and in centimetres."""
    promise = nl.Indistinguishable(3)
    metres = promise.certify_unquantized(nl.Mean(n=4, low=0, high=2))
    centimetres = promise.certify_unquantized(nl.Mean(n=4, low=0, high=200))
    assert (metres.length, metres.holds) == (1, True)
    assert (centimetres.length, centimetres.holds) == (100, False)
    assert promise.certify_unquantized(nl.Linear([5, 1], low=0, high=1)).length == 2
    assert promise.certify_unquantized(nl.Identity(low=0, high=1)).length == 0
    with pytest.raises(nl.InputError, match="fill an interval"):
        promise.certify_unquantized(nl.Count(n=3))


def test_leakage_of_the_mean_grows_with_n():
    """NHT Fig. 8 reversed: at the paper's q, and at the exact one, L0 rises with n at every ε."""
    for bits in (2, 3, 4):
        for levels_of in (
            lambda mean, bits=bits: nl.theorem_5_as_printed(mean, bits),
            lambda mean, bits=bits: nl.Indistinguishable(bits).calibrate(mean).quantizer.levels,
        ):
            found = []
            for n in range(2, 9):
                mean = nl.Mean(n=n, low=0, high=1)
                levels = levels_of(mean)
                found.append(nl.query_leakage(nl.Quantizer(0, 1, levels), mean))
                if levels >= n:
                    assert found[-1].ratio == factorial(n) * Fraction(levels, n) ** n
            assert found == sorted(found)
            assert found[0] < found[-1]


def test_explained():
    text = nl.Indistinguishable(3).calibrate(nl.Mean(n=300, low=0, high=60)).explain()
    assert "1499 answers, at most 8" in text
    assert "holds" in text
    assert "does not hold" in nl.Indistinguishable(1).certify(nl.Quantizer(0, 60, 900), nl.Mean(300, 0, 60)).explain()


def test_bad_input():
    with pytest.raises(nl.BudgetError, match="negative"):
        nl.Indistinguishable(-1)
    promise = nl.Indistinguishable(2)
    with pytest.raises(nl.InputError, match="weighted sum"):
        promise.calibrate(nl.Max(n=3, low=0, high=1))
    with pytest.raises(nl.InputError, match="a quantizer and a weighted sum"):
        promise.certify(nl.Mean(3, 0, 1), nl.Quantizer(0, 1, 3))
    with pytest.raises(nl.TooLargeError, match="too many sums"):
        promise.certify(nl.Quantizer(0, 10**9, 4), nl.Linear([3**k for k in range(15)], domain=nl.Values([0, 1, 2, 5])))
    with pytest.raises(nl.TooLargeError, match="outweighs"):
        promise.calibrate(nl.Linear([10**6, 1], low=0, high=1))
    with pytest.raises(nl.TooLargeError, match="outweighs all the others"):
        promise.certify(nl.Quantizer(0, 4, 10**6), nl.Linear([3, 1], low=0, high=1))


def test_a_length_is_compared_with_the_power_itself():
    found = nl.Indistinguishable("0.5").certify_unquantized(nl.Mean(n=2, low=0, high="1.2"))
    assert (found.length, found.holds) == (Fraction(6, 5), True)


def test_wide_grids_are_not_walked_step_by_step():
    found = nl.Indistinguishable(0).calibrate(nl.Sum(10, domain=nl.Codes(10**7)))
    assert found.holds
    assert nl.Indistinguishable(3).calibrate(nl.Mean(10**9, domain=nl.Codes(10**6))).holds
