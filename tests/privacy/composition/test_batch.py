import pytest

import noiseless as nl
from noiseless.privacy.composition.release import nested


def test_explanations_name_the_rule():
    account = nl.Batch([nl.Release(("x",), 2), nl.Release(("x",), 3)]).account()
    assert (account.count, account.rule.letter) == (4, "A")
    assert account.counts == {"P": 6, "A": 4, "D": 4}
    assert "at most 4 joint answers (2 bits) by rule A, jumps" in account.explain()


def test_the_least_of_all_rules():
    """Two affine releases of one column by A, two lines in the plane by B, eight values by G."""
    lines = [nl.Release(("x", "y"), 2, affine=True) for _ in range(5)]
    account = nl.Batch(lines).account()
    assert (account.count, account.rule.letter) == (1 + 5 + 10, "B")
    capped = [nl.Release(("x", "y"), 2, affine=True, values=(3, 4)) for _ in range(5)]
    assert nl.Batch(capped).account().count == 12


def test_what_is_not_affine_multiplies():
    lines = [nl.Release(("x", "y"), 2, affine=True) for _ in range(5)]
    assert nl.Batch([*lines, nl.Release(("x",), 3)]).account().count == 16 * 3


def test_groups_and_everybody_else():
    some = nl.Release(("x",), 9, groups=frozenset({"north"}))
    rest = [nl.Release(("x",), 4), nl.Release(("x",), 4)]
    account = nl.Batch([some, *rest]).account()
    assert (account.count, account.worst) == (15, "north")


@pytest.mark.parametrize(
    ("fine", "coarse", "expected"),
    [
        (nl.Quantizer(0, 12, 6), nl.Quantizer(0, 12, 3), True),
        (nl.Quantizer(0, 12, 6), nl.Quantizer(0, 12, 4), False),
        (nl.Quantizer(0, 12, 6), nl.Quantizer(0, 12, 1), True),
        (nl.Quantizer(0, 12, 6), nl.Quantizer(2, 10, 2), True),
        (nl.Quantizer(0, 12, 6), nl.Quantizer(1, 11, 2), True),
        (nl.Quantizer(0, 12, 6), nl.Quantizer(-2, 14, 4), True),
        (nl.Quantizer(0, 12, 6), nl.Quantizer(-2, 14, 8), False),
        (nl.Quantizer.from_edges([0, 1, 3, 12]), nl.Quantizer.from_edges([0, 3, 12]), True),
        (nl.Quantizer.from_edges([0, 1, 3, 12]), nl.Quantizer.from_edges([0, 2, 12]), False),
        (nl.Quantizer(0, 12, 12), nl.Quantizer.from_edges([0, 1, 5, 12]), True),
        (nl.Quantizer.from_edges([0, 4, 6, 8, 12]), nl.Quantizer(0, 12, 3), True),
    ],
)
def test_nested(fine, coarse, expected):
    """Whenever it says nested, the fine bin decides the coarse one."""
    assert nested(fine, coarse) is expected
    if expected:
        bins = {}
        for place in range(-10, 121):
            bins.setdefault(fine.index(f"{place}/10", "clamp"), set()).add(coarse.index(f"{place}/10", "clamp"))
        assert all(len(found) == 1 for found in bins.values())


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: nl.Batch([]), "at least one release"),
        (lambda: nl.Release((), 2), "name each column that is read once"),
        (lambda: nl.Release(("x", "x"), 2), "name each column that is read once"),
        (lambda: nl.Release(("x",), 0), "integers ≥ 1"),
        (lambda: nl.Release(("x",), 2.5), "integers ≥ 1"),
        (lambda: nl.Release(("x",), 2, pieces=0), "integers ≥ 1"),
        (lambda: nl.Release(("x",), 2, values=(0,)), "integers ≥ 1"),
        (lambda: nl.Release(("x",), 2, pieces=2, affine=True), "says it is not"),
        (lambda: nl.Release.of(nl.calibrate(nl.Mean(3, 0, 1), bits=1), "x", groups="north"), "is a text; give a list"),
        (lambda: nl.Release(("x",), 2, groups=frozenset()), "covers no one"),
        (lambda: nl.Release(("x",), 2, values=(1, 2)), "does not fit columns"),
    ],
)
def test_bad_input(make, why):
    with pytest.raises(nl.CompositionError, match=why):
        make()


def test_a_group_may_be_called_anything():
    named = nl.Release(("x",), 9, groups=frozenset({"people in no named group"}))
    assert nl.Batch([named, nl.Release(("x",), 2)]).account().count == 10


def test_large_counts_are_explained():
    assert "about 2^" in nl.Batch([nl.Release(("x",), 3) for _ in range(10_000)]).account().explain()


def test_many_quantizers_of_one_query_are_not_compared_in_pairs():
    query = nl.Mean(9, 0, 1)
    many = [nl.Release.of(nl.mechanism(nl.Quantizer(0, 1, levels), query), "x") for levels in range(1, 300)]
    account = nl.Batch([*many, *many]).account()
    assert account.count >= max(release.count for release in many)
    assert account.free >= 299
