"""Intervals for rows that each lie between two codes, against all tables of a few rows."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil
from random import Random

import numpy as np
import pytest

from noiseless.curator.deduce.rows import Grid, Rows
from noiseless.curator.deduce.spreads import different, variance


def drawn(seed):
    """Up to three groups of rows with codes of 0..4: how many, whether they surely count, and between which codes."""
    random = Random(seed)
    groups = []
    for _ in range(random.randint(1, 3)):
        low, high = sorted((random.randint(0, 4), random.randint(0, 4)))
        groups.append((random.randint(1, 2), random.random() < 0.5, low, high))
    return groups


def rows_of(groups):
    counts, sure, low, high = (np.array(column) for column in zip(*groups, strict=True))
    return Rows(counts, sure, low, high).merged()


def tables(groups):
    """The codes that count, in every table that is possible."""
    each = [
        [*((code,) for code in range(low, high + 1)), *([] if sure else [()])]
        for count, sure, low, high in groups
        for _ in range(count)
    ]
    return [[code for row in table for code in row] for table in product(*each)]


def spanned(groups, statistic):
    found = [statistic(codes) for codes in tables(groups) if codes]
    return (min(found), max(found)) if found else None


def kth(share):
    return lambda codes: sorted(codes)[max(1, ceil(share * len(codes))) - 1]


def between(share):
    def statistic(codes):
        codes, place = sorted(codes), share * (len(codes) - 1)
        below, above = codes[int(place)], codes[min(int(place) + 1, len(codes) - 1)]
        return below + (place - int(place)) * (above - below)

    return statistic


def spread(codes):
    return Fraction(len(codes) * sum(code**2 for code in codes) - sum(codes) ** 2, len(codes) ** 2)


SHARES = [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(5, 6), Fraction(1)]


@pytest.mark.parametrize("seed", range(60))
def test_intervals_are_the_smallest(seed):
    groups = drawn(seed)
    rows, grid = rows_of(groups), Grid(Fraction(-3), Fraction(5), Fraction(2), Fraction(0))
    sums = [sum(2 * code - 3 for code in codes) for codes in tables(groups)]
    assert rows.total(grid) == (min(sums), max(sums))
    assert rows.mean(grid) == spanned(groups, lambda codes: Fraction(sum(2 * code - 3 for code in codes), len(codes)))
    for share in SHARES:
        assert rows.ranked(share) == spanned(groups, kth(share))
        assert rows.interpolated(share) == spanned(groups, between(share))
    counts = [len(set(codes)) for codes in tables(groups)]
    assert different(rows) == (min(counts), max(counts))


@pytest.mark.parametrize("seed", range(60))
def test_variances_contain_all(seed):
    groups = drawn(seed)
    least, most = spanned(groups, spread)
    found = variance(rows_of(groups))
    assert found is not None
    low, high = found
    assert low <= least <= most <= high
    if all(sure for _, sure, _, _ in groups):
        assert low == least
        intervals = sorted((low, high) for _, _, low, high in groups)
        if intervals == sorted(intervals, key=lambda ends: ends[1]):
            assert high == most


@pytest.mark.parametrize("seed", range(20))
def test_of_very_many_rows_the_neighbours_are_known(seed, monkeypatch):
    groups = drawn(seed)
    rows = rows_of(groups)
    for share in SHARES:
        exact = rows.interpolated(share)
        with monkeypatch.context() as patched:
            patched.setattr("noiseless.curator.deduce.rows.MOST_SCANNED", -1)
            wide = rows.interpolated(share)
        assert exact is not None
        assert wide is not None
        assert wide[0] <= exact[0] <= exact[1] <= wide[1]
        assert wide == exact or share not in (0, 1)
