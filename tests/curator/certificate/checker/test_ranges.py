"""How far one person's rows move a number, by brute force; and the bins that this allows."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import counts, ranges
from noiseless.curator.certificate.checker import releases as checked
from noiseless.curator.certificate.checker.bins import Bins
from noiseless.curator.certificate.checker.columns import MOST_ROWS, Column
from noiseless.curator.certificate.checker.conditions import TRUE
from noiseless.curator.certificate.checker.wrong import WrongCertificateError
from noiseless.curator.plan.condition import Within
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance
from noiseless.privacy.composition.questions import Together
from noiseless.privacy.quantizers import guarded

LOW, STEP, TOP = Fraction(-1), Fraction(2, 3), 2
"""Codes 0, 1, 2 are −1, −1/3, 1/3. In units of step/2 they are −3, −1, 1."""
COLUMNS = {"x": Column("real", TOP, low=LOW, step=STEP), "y": Column("real", 1)}
KINDS = ["total", "filtered total", "head count", "variance"]
OTHER = object()


def release(kind, rows, name: str | None = "x", reads=("x",)):
    """One of the kinds, over so many rows. All but totals and variances have a condition: that the code is above 0."""
    plain = kind in ("total", "variance", "order statistic")
    part = checked.Part((0,), rows, TRUE if plain else OTHER, () if plain else reads, 1)
    return checked.Release(kind, None if kind == "head count" else name, part)


def variance(codes):
    return len(codes) * sum(code**2 for code in codes) - sum(codes) ** 2


INTEGER: dict[str, Callable[[tuple[int, ...]], int]] = {
    "total": sum,
    "filtered total": lambda codes: sum(-3 + 2 * code for code in codes if code) + 3 * len(codes),
    "head count": lambda codes: sum(code > 0 for code in codes),
    "variance": variance,
}


def reached(kind, rows, r, others):
    """All integers that r of the rows can cause."""
    assert len(others) == rows - r
    return {INTEGER[kind](own + others) for own in product(range(TOP + 1), repeat=r)}


@pytest.mark.parametrize("kind", KINDS)
def test_a_person_moves_a_number_no_further(kind):
    """The filtered total is bounded by any condition, so this one need not reach its bound."""
    for rows, r in product((1, 2, 3, 4), (1, 2, 3)):
        if r > rows:
            continue
        found = [reached(kind, rows, r, others) for others in product(range(TOP + 1), repeat=rows - r)]
        farthest = max(max(each) - min(each) for each in found)
        assert farthest <= ranges.moved(release(kind, rows), COLUMNS, r)
        assert max(map(max, found)) <= ranges.largest(release(kind, rows), COLUMNS)
        assert min(map(min, found)) >= 0
        if kind != "filtered total":
            assert farthest == ranges.moved(release(kind, rows), COLUMNS, r)
            assert max(map(max, found)) == ranges.largest(release(kind, rows), COLUMNS)


@pytest.mark.parametrize("kind", KINDS)
def test_guards_and_wide_bins_hold_all_that_a_person_moves(kind):
    for rows, r in product((1, 3, 8), (1, 2, 5)):
        asked = release(kind, rows)
        least = max(1, ranges.moved(asked, COLUMNS, min(r, rows)))
        for bins in (Bins(least, least), Bins(least + 9, least), Bins(least, least + 9), Bins(10**9, 10**9)):
            ranges.check_bins(asked, bins, COLUMNS, r)
        for bins, words in ((Bins(least - 1, least), "wide bins"), (Bins(least, least - 1), "guards")):
            if bins.guard:
                with pytest.raises(WrongCertificateError, match=f"{words} of a {kind} are narrower than"):
                    ranges.check_bins(asked, bins, COLUMNS, r)


@pytest.mark.parametrize("kind", ["filtered mean", "histogram", "order statistic"])
def test_other_kinds_have_equal_bins_from_0(kind):
    for bins, words in ((Bins(10**6, 10**6), "guarded"), (Bins(2, origin=1), "origin")):
        with pytest.raises(WrongCertificateError, match=words):
            ranges.check_bins(release(kind, 5), bins, COLUMNS, 1)


def test_only_totals_have_an_origin_and_within_the_first_bin():
    ranges.check_bins(release("total", 5), Bins(4, origin=3), COLUMNS, 1)
    for kind, origin in (("total", 4), ("total", 5), ("variance", 1), ("head count", 1), ("filtered total", 1)):
        with pytest.raises(WrongCertificateError, match="impossible origin"):
            ranges.check_bins(release(kind, 5), Bins(4, origin=origin), COLUMNS, 1)


def test_bins_are_no_wider_than_everything():
    widest = {"total": 5, "filtered total": 9, "variance": 5, "order statistic": 3, "filtered mean": 2 * MOST_ROWS}
    for kind, most in {**widest, "head count": 10**9, "histogram": 10**9}.items():
        for width in (1, most):
            ranges.check_bins(release(kind, 2), Bins(width), COLUMNS, 1)
        for width in (0, -1, most + 1):
            with pytest.raises(WrongCertificateError, match="impossible width"):
                ranges.check_bins(release(kind, 2), Bins(width), COLUMNS, 1)


def both(rows):
    """The four kinds as the curator and the checker see them."""
    scale = nl.Real(LOW, LOW + TOP * STEP, step=STEP)
    plain, some = Part((0,), rows), Part((0,), rows, Within("x", ((1, 2),)), ("x",), 1)
    yield Total(plain, "x", scale, Fraction(0)), release("total", rows)
    yield FilteredTotal(some, "x", scale, Fraction(0)), release("filtered total", rows)
    yield HeadCount(some, None), release("head count", rows)
    yield Variance(plain, "x", scale, Fraction(0)), release("variance", rows)


def test_windows_counts_and_intervals_are_those_of_the_curator():
    from noiseless.curator.certificate.checker import reports

    functions = {"total": ("SUM", "AVG"), "variance": ("VAR_POP", "STDDEV_POP")}
    for rows, r in product((1, 2, 5), (1, 2, 3)):
        for ours, theirs in both(rows):
            assert ours.window(r) == ranges.moved(theirs, COLUMNS, r) + 1
            window = ours.window(r) or 1
            for wide, guard in product((max(1, window - 1), window + 3), (max(1, window - 1), window + 1)):
                bins, own = Bins(wide, guard), guarded.Bins(wide, guard)
                assert counts.answers(theirs, bins, COLUMNS, r) == ours.answers(own, r)
                last = bins.place(ranges.largest(theirs, COLUMNS))
                for place, function in product(range(last + 1), functions.get(theirs.kind, ("SUM",))):
                    told = ours.report(own, (place,), function)
                    found = reports.report(theirs, bins, (place,), COLUMNS, function.lower(), 0)
                    assert told is not None
                    assert found is not None
                    assert (found.value, found.lower, found.upper) == (told.value, told.lower, told.upper)
                for wrong in (-1, last + 1):
                    with pytest.raises(WrongCertificateError, match="impossible"):
                        reports.possible(theirs, bins, (wrong,), COLUMNS)


def test_a_bin_below_the_origin_is_clipped_at_0():
    from noiseless.curator.certificate.checker import reports

    (ours, theirs), *_ = both(5)  # sums of codes 0..10
    bins, own = Bins(4, origin=3), guarded.Bins(4, 0, 3)
    assert counts.answers(theirs, bins, COLUMNS, 9) == ours.answers(own, 9) == 3  # 0–2, 3–6, 7–10
    for place in (-1, 0, 1):
        reports.possible(theirs, bins, (place,), COLUMNS)
        found, told = reports.report(theirs, bins, (place,), COLUMNS, "sum", 0), ours.report(own, (place,), "SUM")
        assert found is not None
        assert told is not None
        assert (found.lower, found.upper) == (told.lower, told.upper)
    assert reports.report(theirs, bins, (-1,), COLUMNS, "sum", 0).lower == 5 * LOW
    for place in (-2, 2):
        with pytest.raises(WrongCertificateError, match="impossible"):
            reports.possible(theirs, bins, (place,), COLUMNS)


def test_joint_counts_are_those_of_the_curator():
    """A guarded plain sum has one jump, other guarded numbers multiply; equal bins beside them as ever."""
    fresh = {"x": TOP + 1}
    every = list(both(5))
    for (our_one, one), (our_two, two) in product(every, repeat=2):
        for (first, own), (second, other) in product(bins_of(one), bins_of(two)):
            if one != two:
                asked = Together((our_one.question(own), our_two.question(other)))
                assert counts.joint({one: first, two: second}, COLUMNS, 1, signatures=False) == asked.factor(fresh), (
                    one,
                    two,
                )


def bins_of(asked):
    """Equal bins, guarded ones, and one guarded bin for everything."""
    least, most = ranges.moved(asked, COLUMNS, 1), ranges.largest(asked, COLUMNS)
    yield (Bins(1), 1) if asked.kind == "head count" else (Bins(2), 2)
    yield Bins(least + 1, least), guarded.Bins(least + 1, least)
    yield Bins(most + 1, least), guarded.Bins(most + 1, least)
