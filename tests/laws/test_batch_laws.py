"""Theory §6, batches: every rule against all data of a tiny population."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import pytest

import noiseless as nl
from noiseless.privacy.composition.rules import IN_TURN as IN_TURN_RULE


def joint_count(functions, domains) -> int:
    """The most different joint answers one person can cause, everybody else fixed; person 0 varies, others alike."""
    first, *others = domains
    return max(
        len({tuple(function((value, *rest)) for function in functions) for value in first}) for rest in product(*others)
    )


TOP, PEOPLE = 4, 2
CODES = range(TOP + 1)


def menu():
    """Mechanisms on one column of codes 0..4 and two people, each with its plain function."""
    makers: list[tuple[Any, Any]] = [
        (nl.Sum(PEOPLE, domain=nl.Codes(TOP)), sum),
        (nl.Min(PEOPLE, domain=nl.Codes(TOP)), min),
        (nl.Max(PEOPLE, domain=nl.Codes(TOP)), max),
        (nl.Variance(PEOPLE, domain=nl.Codes(TOP)), lambda data: (2 * sum(x * x for x in data) - sum(data) ** 2) / 4),
    ]
    for query, function in makers:
        for count in (2, 3, 4):
            mechanism = nl.calibrate(query, count=count)
            yield mechanism, lambda data, f=function, q=mechanism.quantizer: q.index(f(data), "clamp")


MENU = list(menu())


@pytest.mark.parametrize("size", [1, 2, 3])
def test_batches_of_one_column(size):
    tight = 0
    for chosen in combinations_with_replacement(MENU, size):
        batch = nl.Batch([nl.Release.of(mechanism, "x") for mechanism, _ in chosen])
        true = joint_count([function for _, function in chosen], [CODES] * PEOPLE)
        assert batch.account().count >= true
        tight += batch.account().count == true
    assert tight


def test_rule_a_is_attained():
    """Thresholds of one person's value: k releases of one bit give k + 1 joint answers."""
    releases = [nl.Release(("x",), 2) for _ in range(4)]
    functions = [lambda data, t=t: data[0] >= t for t in (1, 2, 3, 4)]
    assert joint_count(functions, [CODES]) == 5 == 1 + sum(release.jumps or 0 for release in releases)


def test_a_release_that_turns_needs_its_pieces():
    """|x−2| and x, K = 2 each, give four joint answers; rule A without the pieces would say three."""
    functions = [lambda data: abs(data[0] - 2) >= 2, lambda data: data[0] >= 2]
    true = joint_count(functions, [CODES])
    turning, plain = nl.Release(("x",), 2, pieces=2), nl.Release(("x",), 2)
    assert nl.Batch([turning, plain]).account().count >= true
    assert joint_count([*functions, lambda data: data[0] >= 4], [CODES]) == 4 > 1 + 1 + 1


LINES = [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1)]


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_affine_releases_of_two_columns(size):
    """Rule B: threshold releases along lines in the plane cut it into at most e0 + e1 + e2 regions; tight for some."""
    grid = list(product(range(9), repeat=2))
    best = 0
    for chosen in combinations(LINES, size):
        cuts = [(a, b, (a * 8 + b * 8) / 2 + place / 3) for place, (a, b) in enumerate(chosen)]
        joint = {tuple(a * x + b * y >= level for a, b, level in cuts) for x, y in grid}
        releases = [nl.Release(tuple(c for c, w in (("x", a), ("y", b)) if w), 2, affine=True) for a, b, _ in cuts]
        count = nl.Batch(releases).account().count
        assert count >= len(joint)
        best = max(best, len(joint))
    assert best == min(2**size, 1 + size + size * (size - 1) // 2) or size == 4


def test_columns_declared_in_two_ways_are_not_capped():
    """A count has two values where the column has ten: the batch is never cheaper than one of its releases."""
    threshold = nl.Release.of(nl.calibrate(nl.Count(2), count=2), "x", about="x >= 3", pieces=1)
    total = nl.Release.of(nl.calibrate(nl.Sum(2, domain=nl.Codes(9)), count=5), "x")
    clamped = nl.Release.of(nl.calibrate(nl.Sum(2, domain=nl.Codes(2)), count=3), "x")
    for batch in ([threshold, total], [clamped, total], [threshold, clamped, total]):
        assert nl.Batch(batch).account().count >= max(release.count for release in batch)
    quantizer = nl.calibrate(nl.Sum(2, domain=nl.Codes(9)), count=5).quantizer
    functions = [lambda d: sum(x >= 3 for x in d), lambda d: quantizer.index(sum(d))]
    assert nl.Batch([threshold, total]).account().count >= joint_count(functions, [range(10)] * 2)


def test_counts_of_two_predicates_are_two_releases():
    made = nl.calibrate(nl.Count(2), count=2)
    both = [nl.Release.of(made, "x", about=f"x >= {t}", pieces=1) for t in (3, 5)]
    assert nl.Batch(both).account().count == 3
    assert joint_count([lambda d: sum(x >= 3 for x in d), lambda d: sum(x >= 5 for x in d)], [range(10)] * 2) == 3
    with pytest.raises(nl.CompositionError, match="needs its predicate"):
        nl.Release.of(made, "x")


@pytest.mark.parametrize("widths", list(product((1, 2, 3, 5), repeat=2)), ids=str)
def test_rule_c_for_sums_in_turn(widths):
    """Whatever the first answer, the second sum can be anything: the transcripts of the best second choice."""
    query = nl.Sum(PEOPLE, domain=nl.Codes(TOP))
    quantizers = [nl.Quantizer("-0.5", Fraction(-1, 2) + w * (8 // w + 1), 8 // w + 1) for w in widths]
    releases = [nl.Release.of(_mechanism(q, query), "x") for q in quantizers]
    assert IN_TURN_RULE.applies(releases)
    for other in CODES:
        joint = {tuple((code + other) // w for w in widths) for code in CODES}
        assert len(joint) <= IN_TURN_RULE.count(releases)
    partial = nl.Release.of(_mechanism(nl.Quantizer(1, 2, 2), query), "x")
    assert not IN_TURN_RULE.applies([partial, releases[1]])


def test_unrelated_columns_multiply_and_finite_columns_cap():
    one = [nl.Release(("x",), 3, values=(4,)), nl.Release(("x",), 3, values=(4,)), nl.Release(("y",), 2, values=(2,))]
    account = nl.Batch(one).account()
    assert (account.count, account.rule.letter) == (8, "D")
    several = nl.Release(("x", "y"), 7, values=(4, 2))
    assert nl.Batch([*one, several]).account().count == 8
    assert nl.Batch([*one, several]).account().rule.letter == "G"


def test_releases_that_look_alike_are_not_repeats():
    """Two thresholds have equal counts and are still two releases: the same object twice is a repeat."""
    first, second = nl.Release(("x",), 2), nl.Release(("x",), 2)
    assert first == second
    assert nl.Batch([first, second]).account().count == 3
    assert nl.Batch([first, first]).account().count == 2


def test_groups_are_the_maximum():
    north, south = (nl.Release(("x",), 4, groups=frozenset({g})) for g in ("north", "south"))
    everybody = nl.Release(("x",), 2)
    account = nl.Batch([north, south, everybody]).account()
    assert account.count == 5
    assert account.worst in ("north", "south")
    assert "rule E" in account.explain()


def test_repeats_and_nested_quantizers_are_free():
    query = nl.Mean(9, 0, 1)
    fine, coarse = nl.Quantizer(0, 1, 12), nl.Quantizer(0, 1, 4)
    made = [nl.Release.of(_mechanism(q, query), "x") for q in (coarse, fine, fine, nl.Quantizer(0, 1, 5))]
    account = nl.Batch(made[:3]).account()
    assert (account.count, account.free) == (nl.certify(fine, query).count, 2)
    assert "rule F" in account.explain()
    assert nl.Batch(made).account().free == 2


def _mechanism(quantizer, query):
    from noiseless.privacy.definitions.noiseless.certify import mechanism

    return mechanism(quantizer, query)


def test_the_papers_rule_against_ours():
    releases = [nl.Release.of(nl.calibrate(nl.Mean(1000 + k, 0, 60), bits=1), "kWh") for k in range(100)]
    account = nl.Batch(releases).account()
    assert account.count == 101
    assert round(account.bits, 2) == 6.66
    assert account.counts["P"] == 2**100
