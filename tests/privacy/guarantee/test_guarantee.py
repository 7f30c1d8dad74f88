"""What the count implies, checked on small mechanisms with the measures of the theory floor; and what it does not."""

import json
from fractions import Fraction
from itertools import product
from math import inf, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noiseless as nl


def bins_of(query, width):
    """Bins of so many codes, edges between the codes."""
    levels = int(query.high) // width + 1
    return nl.Quantizer("-0.5", Fraction(-1, 2) + width * levels, levels)


SIZES = [(1, 3, 2), (2, 3, 1), (2, 3, 2), (2, 4, 3), (3, 2, 2), (2, 2, 9)]
SUMS = [(nl.Sum(n, domain=nl.Codes(top)), width) for n, top, width in SIZES]
MECHANISMS = [(query, bins_of(query, width)) for query, width in SUMS]


def spaces(query, quantizer):
    """For all data of the others, the space of one person's value and the answer."""
    values = range(query.domain.points)
    for others in product(values, repeat=query.n - 1):
        yield nl.Space({"X": list(values), "Y": [quantizer.index(sum(others) + x, "clamp") for x in values]})


@pytest.mark.parametrize(("query", "quantizer"), MECHANISMS)
def test_implied_measures_hold_and_the_worst_attains_them(query, quantizer):
    guarantee = nl.certify(quantizer, query)
    worst = nl.LogRatio(1)
    leaked = nl.LogRatio(1)
    for space in spaces(query, quantizer):
        x, y = space["X"], space["Y"]
        size = nl.entropy(y)
        assert nl.maximin_information(x, y) == nl.symmetric_leakage(x, y) == nl.leakage(y, x) == size
        assert size <= guarantee.capacity
        assert nl.zero_error_capacity(nl.Channel(x, y)).lower.count == size.ratio
        worst, leaked = max(worst, size), max(leaked, nl.leakage(x, y))
    assert worst == guarantee.capacity == guarantee.maximal_leakage
    assert leaked == guarantee.leakage


@pytest.mark.parametrize(("query", "quantizer"), MECHANISMS)
def test_tests_of_one_value_against_another(query, quantizer):
    """|Y_0 Δ Y_1| is 0 or 2, and the best performance over all pairs is what the guarantee says."""
    guarantee = nl.certify(quantizer, query)
    telling = {
        len(space["Y"].given(X=a) ^ space["Y"].given(X=b))
        for space in spaces(query, quantizer)
        for a in space["X"].range
        for b in space["X"].range
    }
    assert telling <= {0, 2}
    assert max(telling) == guarantee.test_performance.ratio
    if guarantee.count > 1:
        assert guarantee.test_performance.bits == min(guarantee.capacity.bits, 1)
    else:
        assert guarantee.test_performance.bits == -inf


@pytest.mark.parametrize(("query", "quantizer"), MECHANISMS)
def test_maximal_leakage_of_random_priors(query, quantizer):
    """Σ_y max_x p(x)·1[y] over max p(x) never grows by more than the count, and a uniform prior attains it."""
    guarantee = nl.certify(quantizer, query)
    generator = np.random.default_rng(0)
    for space in spaces(query, quantizer):
        y = space["Y"].codes
        for prior in [np.ones(len(y)), *generator.random((20, len(y)))]:
            right = sum(prior[y == answer].max() for answer in set(y.tolist()))
            assert right / prior.max() <= guarantee.count + 1e-9


@given(
    st.integers(1, 6),
    st.fractions(Fraction(1, 2), 4, max_denominator=4),
    st.lists(st.integers(1, 50), min_size=60, max_size=60),
)
def test_no_estimator_beats_the_bound(count, p, weights):
    """A numeric adversary: best guess in each of `count` intervals, for a prior of 60 steps on [0, 3]."""
    guarantee = nl.calibrate(nl.Identity(0, 3), count=count).guarantee
    density = np.array(weights) / sum(weights) * 20
    bound = guarantee.estimation_error(p, Fraction(min(weights), sum(weights)) * 20)
    points = (np.arange(60) + 0.5) / 20
    cells = nl.calibrate(nl.Identity(0, 3), count=count).quantizer.apply(points, "index")
    guesses = np.linspace(0, 3, 301)
    fine = np.linspace(-0.5, 0.5, 21)[:, None] / 20 + points
    errors = np.abs(fine[:, :, None] - guesses) ** float(p)
    expected = errors.mean(axis=0) * density[:, None] / 20
    best = sum(expected[cells == cell].sum(axis=0).min() for cell in range(count))
    assert best >= bound * 0.97  # the adversary's integrals are midpoint sums


def test_the_estimation_bound_is_attained_by_the_uniform_prior():
    guarantee = nl.calibrate(nl.Identity(0, 8), count=4).guarantee
    assert guarantee.estimation_error(1, Fraction(1, 8)) == pytest.approx(0.5)
    assert guarantee.estimation_error(2, Fraction(1, 8)) == pytest.approx(1 / 3)
    assert guarantee.estimation_error(1, "1/16", length=8) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"p": 0, "density": 1}, "above 0"),
        ({"p": 1, "density": 0}, "above 0"),
        ({"p": 1, "density": 2}, "exceeds probability 1"),
        ({"p": 1, "density": 1, "length": -1}, "a length up to 1"),
        ({"p": 1, "density": "1/100", "length": 100}, "a length up to 1"),
        ({"p": "1e400", "density": 1}, "too large"),
    ],
)
def test_bad_priors(options, why):
    with pytest.raises(nl.InputError, match=why):
        nl.calibrate(nl.Identity(0, 1), bits=1).guarantee.estimation_error(**options)


def test_a_discrete_domain_has_no_density():
    with pytest.raises(nl.InputError, match="fills an interval"):
        nl.calibrate(nl.Count(5), bits=1).guarantee.estimation_error(1, 1)


@pytest.mark.parametrize(("n", "top", "width"), [(3, 2, 2), (4, 1, 2), (3, 3, 4), (4, 2, 3)])
def test_groups_of_sums(n, top, width):
    query = nl.Sum(n, domain=nl.Codes(top))
    quantizer = bins_of(query, width)
    guarantee = nl.certify(quantizer, query)
    for size in range(1, n + 1):
        most = max(
            len({quantizer.index(sum(others) + sum(group)) for group in product(range(top + 1), repeat=size)})
            for others in product(range(top + 1), repeat=n - size)
        )
        assert guarantee.group(size) >= most
        assert guarantee.group(size) - most <= 1


def test_groups_of_uneven_bins_use_the_narrowest():
    quantizer = nl.Quantizer.from_edges([0, 4, 5, 6, 12])
    guarantee = nl.certify(quantizer, nl.Sum(4, domain=nl.Codes(3)))
    most = max(len({quantizer.index(a + b + o) for a in range(4) for b in range(4)}) for o in range(7))
    assert guarantee.group(2) >= most > -(-2 * 3 // 6) + 1


@pytest.mark.parametrize("size", [0, -1, 1.5, True])
def test_bad_groups(size):
    with pytest.raises(nl.InputError, match="size="):
        nl.calibrate(nl.Count(5), bits=1).guarantee.group(size)


ALL = [
    nl.calibrate(nl.Mean(300, 0, 60), bits=2),
    nl.calibrate(nl.Mean(300, 0, 60), bits=0),
    nl.calibrate(nl.Variance(300, 0, 60), bits=2),
    nl.calibrate(nl.Count(300), bits=1),
    nl.calibrate(nl.Sum(10**9, domain=nl.Codes(10**6)), bits=300),
    nl.calibrate(nl.Identity(0, 60), bits=3),
]


@pytest.mark.parametrize("made", ALL, ids=lambda made: type(made.query).__name__)
def test_json_round_trip(made):
    assert nl.Guarantee.from_json(made.guarantee.to_json()) == made.guarantee


FIELDS = {"definition": "d", "count": "2", "exact": True, "statement": "s", "assumptions": [], "levels": "3",
          "smallest_cell": "1", "domain_size": "2", "discrete": True, "spread": None, "width": None}  # fmt: skip
BROKEN = [{"count": "0"}, {"count": "x"}, {"exact": "no"}, {"smallest_cell": "1/0"}, {"levels": "-1"}, {"other": 1}]


def test_the_fields_alone_are_fine():
    assert nl.Guarantee.from_json(json.dumps(FIELDS)).count == 2


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", *(json.dumps(FIELDS | change) for change in BROKEN)])
def test_bad_json(text):
    with pytest.raises(nl.InputError, match="to_json"):
        nl.Guarantee.from_json(text)


@pytest.mark.parametrize("made", ALL, ids=lambda made: type(made.query).__name__)
def test_explanations_say_what_is_and_is_not_promised(made):
    explained = made.guarantee.explain()
    for part in ("Promise", "Rests on", "Implies", "Does not imply", "not differential privacy", "unrelated"):
        assert part in explained
    assert f"at most {made.guarantee.count} " in explained
    html = made.guarantee._repr_html_()
    assert html.startswith("<")
    assert "not differential privacy" in html


def test_the_explanation_names_the_smallest_cell():
    assert "a single value" in nl.calibrate(nl.Mean(300, 0, 60), bits=2).guarantee.explain()
    assert "a part of size 15/2 of 60" in nl.calibrate(nl.Identity(0, 60), bits=3).guarantee.explain()
    assert nl.calibrate(nl.Mean(300, 0, 60), bits=2).guarantee.leakage.ratio == inf
    assert nl.calibrate(nl.Mean(300, 0, 60), bits=2).guarantee.bits == log2(4)
