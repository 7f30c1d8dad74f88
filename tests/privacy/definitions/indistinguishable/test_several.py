"""Several answers as one vector: by listing all data, on grids inside intervals, and the wrong sums and products."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.privacy.definitions.indistinguishable.several import telling_vectors


def by_listing(answers, values, n):
    """Every datum, the vectors each value of each person can lead to, every pair of values."""
    best = 0
    for person in range(n):
        led_to = {}
        for data in product(values, repeat=n):
            sums = [sum(w * v for w, v in zip(weights, data, strict=True)) for _, weights in answers]
            vector = tuple(q.index(total, "clamp") for (q, _), total in zip(answers, sums, strict=True))
            led_to.setdefault(data[person], set()).add(vector)
        best = max([best, *(len(one ^ other) for one, other in combinations(led_to.values(), 2))])
    return best


def made(weights, levels, values):
    query = nl.Linear(weights, domain=nl.Values(values))
    return nl.Quantizer(query.low, query.high, levels), query


WEIGHTS = st.lists(st.sampled_from([-1, 0, 1, 2, 3]), min_size=3, max_size=3).filter(any)
PARTS = st.lists(st.tuples(WEIGHTS, st.integers(1, 5)), min_size=1, max_size=3)


@settings(max_examples=50, deadline=None)
@given(PARTS, st.sets(st.integers(0, 4), min_size=2, max_size=3))
def test_finite_data_by_listing(parts, values):
    values = sorted(map(Fraction, values))
    answers = [made(weights, levels, values) for weights, levels in parts]
    listed = by_listing([(q, query.weights) for q, query in answers], values, 3)
    assert telling_vectors(answers) == (listed, listed)
    found = nl.Indistinguishable(2).certify_several(answers)
    assert (found.telling, found.exact, found.holds) == (listed, True, listed <= 4)


@settings(max_examples=20, deadline=None)
@given(PARTS)
def test_intervals_are_bounded(parts):
    """All data on a fine grid inside the intervals: never more telling vectors than the bound."""
    answers = []
    for weights, levels in parts:
        query = nl.Linear(weights, low=0, high=6)
        answers.append((nl.Quantizer(query.low, query.high, levels), query))
    at_least, at_most = telling_vectors(answers)
    grid = by_listing([(q, query.weights) for q, query in answers], [Fraction(3 * k, 2) for k in range(5)], 3)
    assert grid <= at_most
    assert at_least <= at_most
    assert at_least >= max(nl.Indistinguishable(1).certify(*answer).telling for answer in answers)


def test_answers_to_the_same_query_are_one_finer_answer():
    """Bins that end at the edges of both."""
    mean = nl.Mean(n=4, low=0, high=60)
    total = nl.Sum(n=4, low=0, high=60)
    parts = [nl.Quantizer(0, 60, levels=levels) for levels in (4, 5)]
    alone = [nl.Indistinguishable(3).certify(part, mean).telling for part in parts]
    scaled = nl.Quantizer(0, 240, levels=5)
    found = nl.Indistinguishable(3).certify_several([(parts[0], mean), (scaled, total)])
    edges = sorted({part.edge(k) for part in parts for k in range(part.levels + 1)})
    assert found.exact
    assert found.telling == nl.Indistinguishable(3).certify(nl.Quantizer.from_edges(edges), mean).telling
    same = nl.Indistinguishable(3).certify_several([(parts[0], mean)] * 3)
    assert same.telling == alone[0]


def test_a_vector_tells_more_than_its_parts_together():
    """The wrong variant adds or multiplies the telling answers of the parts: 1 and 2, but 8 vectors are telling."""
    values = [Fraction(0), Fraction(1)]
    answers = [made(weights, 3, values) for weights in ([2, 2, 0, 2], [0, 1, 2, 1])]
    assert [nl.Indistinguishable(1).certify(*answer).telling for answer in answers] == [1, 2]
    listed = by_listing([(q, query.weights) for q, query in answers], values, 4)
    assert telling_vectors(answers)[1] == listed == 8


def test_the_bound_of_the_theory_is_kept_where_data_are_too_many(monkeypatch):
    """∏|image given x| + ∏|image given x'|, against all vectors by listing."""
    from noiseless.privacy.definitions.indistinguishable import several

    values = [Fraction(k) for k in range(3)]
    answers = [made([1, 1, 2], 4, values), made([1, -1, 1], 3, values)]
    exact = telling_vectors(answers)
    monkeypatch.setattr(several, "MOST_SUMS", 2)
    at_least, at_most = telling_vectors(answers)
    assert at_least <= exact[0] <= at_most <= 12
    monkeypatch.setattr(several, "_largest_image", lambda answers, weights: 1)
    assert telling_vectors(answers)[1] < exact[0]  # the wrong variant: one vector for each value


def test_what_cannot_be_accepted(monkeypatch):
    mean, other = nl.Mean(n=3, low=0, high=60), nl.Mean(n=4, low=0, high=60)
    quantizer = nl.Quantizer(0, 60, levels=3)
    promise = nl.Indistinguishable(3)
    for wrong in ([], [(quantizer, "mean")]):
        with pytest.raises(nl.InputError, match="pairs of a quantizer"):
            promise.certify_several(wrong)
    with pytest.raises(nl.InputError, match="same n and domain"):
        promise.certify_several([(quantizer, mean), (quantizer, other)])
    many = nl.Quantizer(0, 60, levels=2**17)
    with pytest.raises(nl.TooLargeError, match="fewer levels"):
        promise.certify_several([(many, mean), (many, mean)])
    weighted = nl.Linear([1, 2, 3], low=0, high=60)
    with pytest.raises(nl.TooLargeError, match="fewer levels"):
        promise.certify_several([(many, mean), (nl.Quantizer(0, 360, levels=3), weighted)])
    found = promise.certify_several([(quantizer, mean), (nl.Quantizer(0, 360, levels=3), weighted)])
    assert not found.exact
    assert "At most" in found.explain()
    assert "Exactly" in promise.certify_several([(quantizer, mean)]).explain()


def test_related_people_by_listing():
    """A joint range that is not a product: the image given a value, over the data that are possible with it."""
    possible = [(0, 0, 1), (0, 1, 1), (1, 1, 0), (2, 2, 2), (2, 0, 1)]
    space = nl.Space({name: [row[k] for row in possible] for k, name in enumerate("abc")})
    space = space.derive(total=lambda a, b, c: a + b + c, least=lambda a, b, c: min(a, b, c))
    found = nl.Indistinguishable(1).certify_related([space[name] for name in "abc"], (space["total"], space["least"]))
    for k, name in enumerate("abc"):
        images = {}
        for row in possible:
            images.setdefault(row[k], set()).add((sum(row), min(row)))
        wanted = max(len(one ^ other) for one, other in combinations(images.values(), 2))
        assert dict(found.telling_of)[name] == wanted
    assert found.telling == 4
    assert not found.holds
    assert "does not hold" in found.explain()
    with pytest.raises(nl.SpaceError, match="at least one"):
        nl.Indistinguishable(1).certify_related([], space["total"])


def test_a_promise_for_unrelated_people_fails_for_related_ones():
    """One who infects the three others: unrelated, 2 answers are telling; related, all 5."""
    sick = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 3)]
    for possible, telling in ((product((0, 1), range(4)), 2), (sick, 5)):
        one, others = zip(*possible, strict=True)
        space = nl.Space({"one": one, "others": others}).derive(total=lambda one, others: one + others)
        assert nl.Indistinguishable(1).certify_related([space["one"]], space["total"]).telling == telling
    count = nl.Count(n=4)
    assert nl.Indistinguishable(1).certify(nl.Quantizer("-1/2", "9/2", levels=5), count).telling == 2
