"""Weights that the checker accepts sum to at most 1 over all that one person can cause: brute force on tiny tables."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from noiseless.curator.certificate.checker import weights
from noiseless.curator.certificate.checker.bins import Bins
from noiseless.curator.certificate.checker.columns import Column, Schema
from noiseless.curator.certificate.checker.conditions import TRUE
from noiseless.curator.certificate.checker.counts import together
from noiseless.curator.certificate.checker.ranges import check_bins, largest, moved
from noiseless.curator.certificate.checker.releases import Part, Release
from noiseless.curator.certificate.checker.weights import Row, _check_price
from noiseless.curator.certificate.checker.wrong import WrongCertificateError

TOP = 2
COLUMNS = {"x": Column("real", TOP), "y": Column("real", TOP)}


def release(kind, rows, name="x"):
    plain = kind in ("total", "variance")
    ranges = ((1, TOP),) if kind == "head count" else ((0, 0), (2, TOP))
    part = Part((0,), rows, TRUE if plain else ("within", name, ranges), () if plain else (name,), 1)
    return Release(kind, None if kind == "head count" else name, part)


def integer(asked, table):
    """The number of a table of pairs. Conditions are that a code is above 0, and high codes count less in one."""
    codes = [row["xy".index((*asked.reads, "x")[0])] for row in table]
    match asked.kind:
        case "total":
            return sum(codes)
        case "head count":
            return sum(code > 0 for code in codes)
        case "filtered total":
            return sum(code for code in codes if code != 1)
    return len(codes) * sum(code**2 for code in codes) - sum(codes) ** 2


def caused(widths, rows, r):
    """For everybody else's data: the places of all numbers that r rows of one person can cause."""
    records = list(product(range(TOP + 1), repeat=2))
    for others in product(records, repeat=rows - r):
        found = set()
        for own in product(records, repeat=r):
            found.add(tuple(bins.place(integer(asked, own + others)) for asked, bins in widths.items()))
        yield found


def accepted(widths, k, a, needed, loud):
    """The price that the checker accepts for an outcome. None if it accepts none."""
    for price in {a, a / (a - k + 1)} if a > k - 1 else {a}:
        try:
            _check_price(Row(tuple(range(len(widths))), k, a, price, 0), needed, loud)
        except WrongCertificateError:
            continue
        return price
    return None


def heaviest(widths, rows, r, k, a, needed):
    """The largest sum of weights over what one person can cause. None if the checker refuses a price."""
    prices = {loud: accepted(widths, k, a, needed, loud) for loud in (False, True)}
    if None in prices.values():
        return None
    bins = list(widths.values())
    sums = []
    for outcomes in caused(widths, rows, r):
        louds = [any(each.is_loud(place) for each, place in zip(bins, y, strict=True)) for y in outcomes]
        sums.append(sum(1 / prices[loud] for loud in louds))
    return max(sums)


def guarded(asked, r):
    """The narrowest guarded bins that are allowed, and wider ones."""
    least = max(1, moved(asked, COLUMNS, r))
    return [Bins(least, least), Bins(least + 1, least), Bins(least, least + 2)]


ALONE = ["total", "head count", "filtered total", "variance"]
PAIRS = [("total", "total y"), ("total", "variance"), ("head count", "filtered total"), ("head count", "total")]


@pytest.mark.parametrize("kind", ALONE)
def test_one_number(kind):
    """Every a above 1 is valid, and nothing is wasted: some table reaches 1."""
    reached = set()
    for rows, r in ((2, 1), (3, 1), (2, 2)):
        asked = release(kind, rows)
        for bins, a in product(guarded(asked, r), (Fraction(9, 8), Fraction(2), Fraction(40))):
            check_bins(asked, bins, COLUMNS, r)
            k = together({asked: bins}, COLUMNS, r)
            reached.add(heaviest({asked: bins}, rows, r, k, a, k))
    assert max(reached) == 1


@pytest.mark.parametrize("kinds", PAIRS, ids=str)
def test_two_numbers(kinds):
    """Two sums of one column: three joint answers; two columns or other kinds: four."""
    reached = []
    for rows, r in ((2, 1), (2, 2)):
        one, two = (release(kind.removesuffix(" y"), rows, "y" if kind.endswith("y") else "x") for kind in kinds)
        for first, second in product(guarded(one, r)[:2], guarded(two, r)[:2]):
            widths = {one: first, two: second}
            k = together(widths, COLUMNS, r)
            reached += [heaviest(widths, rows, r, k, Fraction(a), k) for a in (k, k + 1, 10 * k)]
            assert k == 1 or heaviest(widths, rows, r, k, k - Fraction(1, 9), k) is None
    assert all(each <= 1 for each in reached)
    assert max(reached) == 1


@pytest.mark.parametrize(("kind", "r"), [("total", 1), ("filtered total", 1), ("head count", 2)])
@pytest.mark.parametrize(("wide", "guard", "a"), [(0, -1, Fraction(40)), (-1, 0, Fraction(9, 8))])
def test_narrower_guards_or_wide_bins_would_be_wrong(kind, r, wide, guard, a):
    """V − 2 instead of V − 1: the checker refuses such bins, and rightly so. (Tiny variances are too sparse.)"""
    asked = release(kind, 4)
    least = moved(asked, COLUMNS, r)
    bins = Bins(least + wide, least + guard)
    with pytest.raises(WrongCertificateError, match="narrower"):
        check_bins(asked, bins, COLUMNS, r)
    assert heaviest({asked: bins}, 4, r, 2, a, 2) > 1


def test_a_smaller_count_would_be_wrong():
    """A checker that asks for K − 1 accepts weights that sum to more than 1."""
    one, two = release("total", 2), release("total", 2, "y")
    widths = {one: Bins(2, 2), two: Bins(2, 2)}
    assert together(widths, COLUMNS, 1) == 4
    assert heaviest(widths, 2, 1, 3, Fraction(30), 4) is None
    assert heaviest(widths, 2, 1, 3, Fraction(30), 3) > 1


@pytest.mark.parametrize(
    ("row", "needed", "loud", "words"),
    [
        (Row((0,), 2, Fraction(8), Fraction(8, 7), 0), 2, False, ""),
        (Row((0,), 2, Fraction(8), Fraction(8), 0), 2, True, ""),
        (Row((0,), 2, Fraction(9, 8), Fraction(9), 0), 2, False, ""),
        (Row((0,), 2, Fraction(1), Fraction(1), 0), 2, True, "too low"),
        (Row((0,), 2, Fraction(9, 8), Fraction(9), 1), 2, False, "too low"),
        (Row((0, 1), 2, Fraction(9, 8), Fraction(9), 0), 2, False, "too low"),
        (Row((0,), 3, Fraction(9, 8), Fraction(9), 0), 2, False, "too low"),
        (Row((0,), 2, Fraction(8), Fraction(8), 0), 2, False, "quiet"),
        (Row((0,), 2, Fraction(8), Fraction(8), 1), 2, False, ""),
        (Row((0,), 2, Fraction(8), Fraction(7), 1), 2, False, "quiet"),
        (Row((0,), 2, Fraction(8), Fraction(8, 7), 1), 2, True, "loud"),
        (Row((0,), 2, Fraction(8), Fraction(8, 7), 0), 2, True, "loud"),
        (Row((0, 1), 4, Fraction(8), Fraction(8, 5), 0), 4, False, ""),
        (Row((0, 1), 4, Fraction(8), Fraction(8, 7), 0), 4, False, "quiet"),
        (Row((0, 1), 3, Fraction(8), Fraction(8, 6), 0), 4, False, "at least 4 are needed"),
        (Row((0, 1), 5, Fraction(8), Fraction(2), 0), 4, False, ""),
        (Row((0,), 1, Fraction(1), Fraction(1), 0), 1, False, ""),
        (Row((0,), 1, Fraction(5), Fraction(5), 0), 1, True, "cannot change"),
        (Row((0,), 1, Fraction(1), Fraction(1), 0), 2, False, "at least 2 are needed"),
    ],
)
def test_prices(row, needed, loud, words):
    if words:
        with pytest.raises(WrongCertificateError, match=words):
            _check_price(row, needed, loud)
    else:
        _check_price(row, needed, loud)


CELLS = [Release("total", "x", Part(cells, 9, TRUE, (), 0)) for cells in ((0,), (1,), (0, 1), (2,))]
SETTLED = {"entry": "1", "hash": "a" * 64, "factor": "8", "answer": "2", "answer_hash": "b" * 64}


def checked(rows, person=1, factor="8", places=(0, 0, 0, 0), **changed):
    """Check rows about four sums: of one cell, of another, of both, of a third."""
    content = {"weights": rows, "ledger": {**SETTLED, "factor": factor}, **changed}
    bins = Bins(2 * person, 2 * person)
    integers = {asked: [place] for asked, place in zip(CELLS, places, strict=True)}
    weights.check_weights(content, dict.fromkeys(CELLS, bins), integers, Schema(COLUMNS, person))


def quiet(*places, k="2", others="0"):
    a = Fraction(8)
    return [list(places), k, "8", str(a / (a - int(k) + 1)), others]


def test_rows_about_the_same_people():
    checked([])
    checked([quiet("0"), quiet("1"), quiet("3")])
    checked([quiet("0", "2", k="3"), quiet("1", "2", k="3"), quiet("3")])
    checked([quiet("0", "1", "2", k="8"), quiet("3")], person=2, factor="64/7")
    checked([quiet("0", "3", k="4", others="1")], person=2)


@pytest.mark.parametrize(
    ("rows", "given", "words"),
    [
        ([quiet("0"), quiet("0")], {}, "charged twice"),
        ([quiet("0"), quiet("0", "2", k="4")], {"person": 2}, "charged twice"),
        ([quiet("0", "1", k="3")], {}, "different people"),
        ([quiet("0"), quiet("2")], {}, "charged separately"),
        ([quiet("0", "3", k="4")], {"person": 2}, "different people"),
        ([quiet("2", "0", k="3")], {}, "out of order"),
        ([quiet("0", "0", k="3")], {}, "out of order"),
        ([quiet("-1")], {}, "out of order"),
        ([quiet()], {}, "out of order"),
        ([quiet("4")], {}, "not released"),
        ([quiet("0", k="0")], {}, "impossible count"),
        ([quiet("0", others="-1")], {}, "impossible count"),
        ([quiet("0", "2", k="2")], {}, "at least 3 are needed"),
        ([quiet("0", "1", "2", k="7")], {"person": 2}, "at least 8 are needed"),
        ([quiet("0")], {"factor": "9/8"}, "charged less"),
        ([quiet("0")], {"places": (1, 0, 0, 0)}, "loud"),
        ([quiet("0"), quiet("3")], {"person": 2, "factor": "9/7"}, "charged less"),
        ([quiet("0")], {"ledger": {"entry": "1", "hash": "a" * 64, "factor": "8"}}, "no answer settled"),
    ],
)
def test_rows_that_are_refused(rows, given, words):
    with pytest.raises(WrongCertificateError, match=words):
        checked(rows, **given)


def test_the_prices_of_several_rows_multiply():
    """A person with two rows may be in two groups, and is charged both; with one row the dearer."""
    checked([quiet("0"), quiet("3")], person=2, factor="64/49")
    checked([quiet("0"), quiet("3")], person=1, factor="8/7")
    checked([quiet("0")], person=2, factor="8/7")


def test_no_more_work_than_for_honest_ones(monkeypatch):
    monkeypatch.setattr(weights, "MOST_WORK", 6)
    checked([quiet("0", "2", k="3"), quiet("1", "2", k="3")])
    with pytest.raises(WrongCertificateError, match="too long"):
        checked([quiet("0", "2", k="3"), quiet("1", "2", k="3"), quiet("3")])
    monkeypatch.setattr(weights, "MOST_BITS", 0)
    with pytest.raises(WrongCertificateError, match="larger than any budget"):
        checked([quiet("0")])


def test_every_place_of_a_tiny_range_is_some_outcome():
    """So the brute force above is not of empty sets."""
    asked = release("total", 3)
    bins = Bins(2, 2)
    found = set().union(*caused({asked: bins}, 3, 1))
    assert found == {(place,) for place in range(bins.place(largest(asked, COLUMNS)) + 1)}
