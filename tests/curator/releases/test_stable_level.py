"""Stable levels by brute force: every table of up to four people, every change of one person's data."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

import noiseless as nl
from noiseless.curator.plan.condition import TRUE, Within
from noiseless.curator.plan.part import Part
from noiseless.curator.releases import order_statistic
from noiseless.curator.releases.centred import CentredSquares, CentredTotal
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.interpolated import InterpolatedQuantile
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.stable_level import StableLevel, ladder_from
from noiseless.curator.releases.total import Total
from noiseless.privacy.composition import stable
from noiseless.privacy.quantizers.ladder import Ladder

TOP = 3
X = nl.Integer(0, TOP)
CATEGORY = nl.Category("a", "b", "c", "d")
SHARES = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)]
HALF = Fraction(0)


def part(people: int, plain: bool, rows: int = 1) -> Part:
    return Part((0,), people, TRUE if plain else Within("s", ((1, 1),)), () if plain else ("s",), 1, True, rows)


def releases(people: int, plain: bool, rows: int = 1):
    """Releases whose stability is exact, then those that allow for the furthest that anyone could move them."""
    of = part(people, plain, rows)
    exact: list[Any] = [OrderStatistic(of, "x", X, HALF, share) for share in SHARES]
    exact += [InterpolatedQuantile(of, "x", X, HALF, share) for share in SHARES[1:4]]
    exact += [TallyOfCategory(of, "x", CATEGORY)] + ([] if plain else [HeadCount(of, None)])
    if plain:
        return exact, [Total(of, "x", X, HALF)]
    return exact, [each(of, "x", X, HALF) for each in (FilteredTotal, CentredTotal, CentredSquares)]


def numbers(table) -> dict:
    """What an engine finds in a table of codes, None for rows that do not count."""
    codes = [code for code in table if code is not None]
    tally = {code: codes.count(code) for code in set(codes)}
    found: dict[Any, Any] = {("squares", "x"): sum(code * code for code in codes)}
    found |= {("sum", "x"): sum(codes), ("count", "x"): len(codes), ("count", None): len(codes)}
    for width in (1, 2, 3):
        binned: dict[int, int] = {}
        for code, count in tally.items():
            binned[code - code % width] = binned.get(code - code % width, 0) + count
        found["tally", "x", width] = binned
    found |= {("min", "x"): min(codes, default=0), ("max", "x"): max(codes, default=0)}
    return found


def changed(table, values, rows: int):
    """All tables that differ in the rows of one person, which are consecutive."""
    for first in range(0, len(table), rows):
        own = range(first, min(first + rows, len(table)))
        for new in product(values, repeat=len(own)):
            other = list(table)
            other[first : first + len(own)] = new
            yield tuple(other)


@cache
def tables(people: int, plain: bool):
    return list(product(range(TOP + 1) if plain else (None, *range(TOP + 1)), repeat=people))


def verdicts(people: int, plain: bool, rows: int = 1):
    """For every release, width and table: what is said to be stable, and whether it is."""
    exact, safe = releases(people, plain, rows)
    values = tuple(range(TOP + 1)) if plain else (None, *range(TOP + 1))
    for release in exact + safe:
        for width in (1, 2, 3):
            for table in tables(people, plain):
                said = release.steady(width, 1, numbers(table))
                here = release.observe(width, numbers(table))
                truly = all(release.observe(width, numbers(other)) == here for other in changed(table, values, rows))
                nobody = here == (order_statistic.NOBODY,)
                yield release, release in exact, table, said, here, truly and not nobody


CASES = [(1, True), (2, True), (3, True), (4, True), (1, False), (2, False), (3, False)]


@pytest.mark.parametrize(("people", "plain"), CASES)
def test_no_answer_is_called_stable_that_one_person_could_change_and_none_is_missed(people, plain):
    for release, exact, table, said, here, truly in verdicts(people, plain):
        assert said in (None, here)
        assert said is None or truly, (release, table)
        assert not exact or (said is not None) == truly, (release, table)


def test_four_people_with_order_statistics():
    of = part(4, plain=False)
    for share in (Fraction(1, 2), Fraction(1, 3)):
        release = OrderStatistic(of, "x", X, HALF, share)
        for table in tables(4, False):
            here = release.observe(2, numbers(table))
            others = changed(table, (None, *range(TOP + 1)), 1)
            truly = here != (order_statistic.NOBODY,) and all(release.observe(2, numbers(o)) == here for o in others)
            assert (release.steady(2, 1, numbers(table)) is not None) == truly


@pytest.mark.parametrize("plain", [True, False])
def test_two_rows_of_one_person(plain):
    for release, _, table, said, _, truly in verdicts(2 if not plain else 3, plain, rows=2):
        assert said is None or truly, (release, table)


def test_sentinels_clamped_wrongly_are_caught(monkeypatch):
    """Without the ends as sentinels, the smallest of two people would be called stable."""
    monkeypatch.setattr(OrderStatistic, "steady", without_ends)
    wrong = [each for each in verdicts(2, True) if each[3] is not None and not each[5]]
    assert wrong


def without_ends(self, width, finest, found):
    tally = self._tally(found, finest)
    people = sum(count for _, count in tally)
    if not people:
        return None
    rank = self._rank(people)
    ranks = [min(max(place, 1), people) for place in (rank - 1, rank, rank + 1)]
    places = {order_statistic.code_at(tally, place) // width for place in ranks}
    return tuple(places) if len(places) == 1 else None


def test_a_window_that_is_too_small_is_caught(monkeypatch):
    real = stable.stable_sum
    monkeypatch.setattr(
        "noiseless.curator.releases.release.stable_sum", lambda total, bins, window, most: real(total, bins, 1, most)
    )
    assert any(each[3] is not None and not each[5] for each in verdicts(2, True))


def test_the_first_stable_level_is_reported():
    release = StableLevel(Total(part(3, True), "x", X, HALF))
    ladder = Ladder((1, 4, 8))
    for table in tables(3, True):
        level, *places = release.observe(ladder, numbers(table))
        stays = [release.of.steady(width, 1, numbers(table)) for width in ladder.widths]
        assert all(each is None for each in stays[:level])
        assert (tuple(places) == stays[level]) if places else (level == 3)
        reported = release.report(ladder, (level, *places), "SUM")
        assert reported is not None
        assert reported.lower <= sum(table) <= reported.upper


def test_each_level_has_one_answer_per_person():
    """With the others fixed, a person can cause at most one answer at each level."""
    for plain in (True, False):
        exact, safe = releases(3, plain)
        values = tuple(range(TOP + 1)) if plain else (None, *range(TOP + 1))
        for release in map(StableLevel, exact + safe):
            ladder = Ladder((1, 3))
            for others in product(values, repeat=2):
                found = {release.observe(ladder, numbers((*others, own))) for own in values}
                assert len({level for level, *_ in found}) == len(found)


def test_a_ladder_starts_with_the_error_and_stays_below_one_bin():
    release = StableLevel(Total(part(1000, True), "x", X, HALF))
    assert ladder_from(release, release.width_within(Fraction(10), "SUM")) == Ladder((21, 168))
    assert ladder_from(release, release.width_within(Fraction(300), "SUM")) == Ladder((601,))
    assert ladder_from(release, 10**9) == Ladder((3001,))
    assert release.error(Ladder((21, 84)), "SUM") == 10


def test_the_chance_follows_the_past():
    release = StableLevel(OrderStatistic(part(1000, True), "x", X, HALF, Fraction(1, 2)))
    ladder = Ladder((1,))
    assert release.chance(ladder) == Fraction(8, 1000)
    assert release.chance(ladder, (9, 5)) == (5 + Fraction(8, 10)) / 109
    extremes = StableLevel(OrderStatistic(part(1000, True), "x", X, HALF, Fraction(0)))
    assert extremes.chance(ladder) == Fraction(1, 2)
    assert release.topic == "order statistic x 1/2"


def test_one_flag_for_several_levels_would_be_too_few():
    """Two columns with a level each: one person can cause every combination, so levels multiply."""
    ladder, most = Ladder((2,)), 0
    release = StableLevel(OrderStatistic(part(3, True), "x", X, HALF, Fraction(1, 2)))
    for others in product(range(TOP + 1), repeat=4):
        found = {
            (release.observe(ladder, numbers((*others[:2], x))), release.observe(ladder, numbers((*others[2:], y))))
            for x, y in product(range(TOP + 1), repeat=2)
        }
        quiet = [each for each in found if all(level == 0 for level, *_ in each)]
        assert len(found) <= ladder.levels**2
        assert len(quiet) <= 1
        most = max(most, len(found))
    assert most == ladder.levels**2 > 1 + 2 * (ladder.levels - 1)


def test_an_interpolated_quantile_needs_one_value_more(monkeypatch):
    """Wrong: only the k-th smallest and its neighbours at R places, as without interpolation."""
    monkeypatch.setattr(InterpolatedQuantile, "steady", OrderStatistic.steady)
    monkeypatch.setattr(InterpolatedQuantile, "_rank", lambda self, people: max(1, -(-people * self.share // 1)))
    found = (each for each in verdicts(4, True) if isinstance(each[0], InterpolatedQuantile))
    assert [each for each in found if each[3] is not None and (each[3] != each[4] or not each[5])]
