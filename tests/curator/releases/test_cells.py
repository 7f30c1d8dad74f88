"""Numbers of the cells of private groups: their counts by brute force, their intervals by hand. No engine is needed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import noiseless as nl
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.functions.leaves import ColumnOf
from noiseless.curator.releases.cell_sums import CellSums
from noiseless.curator.releases.cross_table import CrossTable
from noiseless.curator.releases.reported import Reported
from noiseless.errors import CompositionError
from tests.curator.releases.small import filtered, part

CATEGORY = nl.Category(*range(3))
GROUPS = Derived(ColumnOf("s", CATEGORY), (Fraction(0), Fraction(2), Fraction(1)), Fraction(0), ("s",), 3)
COLUMN = nl.Integer(0, 3)


def sums(rows, all_rows=False) -> CellSums:
    return CellSums(rows, "s", GROUPS, 3, "x", COLUMN, Fraction(0), all_rows)


def observed(release, width, rows) -> tuple[int, ...]:
    """Rows are pairs of a cell and a code; no cell: not counted; no code: no value."""
    counted = [(cell, code) for cell, code in rows if cell is not None]
    present = [(cell, code) for cell, code in counted if code is not None]
    of = {
        cell: (len(own), sum(own)) for cell in range(3) if (own := [code for place, code in present if place == cell])
    }
    tally = {cell: sum(place == cell for place, _ in counted) for cell in range(3)}
    return release.observe(width, {("tally", GROUPS.name, 1): tally, ("tally of", GROUPS.name, "x"): of})


def most(release, width, own, size) -> int:
    """The most outcomes of one row, over all that the others may be."""
    others = product(own, repeat=size - 1)
    return max(len({observed(release, width, [row, *rest]) for row in own}) for rest in others)


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("size", [2, 3])
def test_counts_of_sums_by_brute_force(width, size):
    values = list(product(range(3), range(4)))
    for release, own in (
        (sums(part(size)), values),
        (sums(filtered(size)), [*values, (None, None)]),
        (sums(part(size), all_rows=True), [*values, *((cell, None) for cell in range(3))]),
        (sums(filtered(size), all_rows=True), [*values, *((cell, None) for cell in range(3)), (None, None)]),
    ):
        found, counted = most(release, width, own, size), release.answers(width)
        assert found <= counted
        if width in (1, 3) and size == 3:
            assert found == counted


def test_counts_of_cells():
    assert CrossTable(part(5), "s", GROUPS, 3).answers(1) == 3
    assert CrossTable(filtered(5), "s", GROUPS, 3).answers(1) == 4
    assert CrossTable(part(5), "s", GROUPS, 3).answers(1, 2) == 6
    with pytest.raises(CompositionError, match="one row per person"):
        sums(part(5)).answers(1, 2)


def test_intervals_of_a_cell():
    release = sums(part(5), all_rows=True)
    released = observed(release, 4, [(0, 3), (0, 2), (0, None), (2, None), (2, None)])
    assert released == (2, 0, 0, 1, 0, 0, 3, 0, 2)
    assert release.report(4, released, "SUM 0") == Reported(5, 4, 6)
    assert release.report(4, released, "AVG 0") == Reported(Fraction(5, 2), 2, 3)
    assert release.report(4, released, "COUNT 0") == Reported(2, 2, 2)
    assert release.report(4, released, "ROWS 2") == Reported(2, 2, 2)
    assert release.report(4, released, "AVG 2") is None
    assert release.report(4, released, "SUM 1") == Reported(0, 0, 0)
