"""Numbers of the cells of private groups: their counts by brute force, their intervals by hand. No engine is needed."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.functions.leaves import ColumnOf
from noiseless.curator.releases.cell_spreads import CellSpreads
from noiseless.curator.releases.cell_sums import CellSums
from noiseless.curator.releases.cross_table import CrossTable
from noiseless.curator.releases.reported import Reported
from noiseless.errors import CompositionError
from tests.curator.releases.small import filtered, part

CATEGORY = nl.Category(*range(3))
GROUPS = Derived(ColumnOf("s", CATEGORY), (Fraction(0), Fraction(2), Fraction(1)), Fraction(0), ("s",), 3)
COLUMN = nl.Integer(0, 3)


def sums(rows) -> CellSums:
    return CellSums(rows, "s", GROUPS, 3, "x", COLUMN, Fraction(0))


def spreads(rows, column=COLUMN) -> CellSpreads:
    return CellSpreads(rows, "s", GROUPS, 3, "x", column, Fraction(0))


def observed(release, width, rows) -> tuple[int, ...]:
    """Rows are pairs of a cell and a code; no cell: not counted."""
    of = {
        cell: (len(own), sum(own), sum(code**2 for code in own))
        for cell in range(3)
        if (own := [code for place, code in rows if place == cell])
    }
    sums = {cell: found[:2] for cell, found in of.items()}
    return release.observe(width, {("tally of", GROUPS.name, "x"): sums, ("squares of", GROUPS.name, "x"): of})


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
        (spreads(part(size)), values),
        (spreads(filtered(size)), [*values, (None, None)]),
    ):
        found, counted = most(release, width, own, size), release.answers(width)
        assert found <= counted
        if (width in (1, 3) and release.kind == "sums of groups") or width == 1:
            assert found == counted or size == 2


def test_a_larger_column_needs_all_changes_of_the_squares():
    """Of codes 0..6 in bins of 3 and of 3·3: the sum changes twice, the squares once down and once up."""
    release = spreads(part(4), nl.Integer(0, 6))
    others = combinations_with_replacement(product([0], range(7)), 3)
    found = max(len({observed(release, 3, [(0, code), *rest]) for code in range(7)}) for rest in others)
    assert 3 * found == release.answers(3) == 3 * (1 + 2 + 1 + 1)


def test_counts_of_cells():
    assert CrossTable(part(5), "s", GROUPS, 3).answers(1) == 3
    assert CrossTable(filtered(5), "s", GROUPS, 3).answers(1) == 4
    assert CrossTable(part(5), "s", GROUPS, 3).answers(1, 2) == 6
    assert sums(part(5)).answers(1, 2) == 3 * 7 + 3 * 4 * 4  # both rows in one cell, or in two
    with pytest.raises(CompositionError, match="one row per person"):
        spreads(part(5)).answers(1, 2)


def test_intervals_of_a_cell():
    release = sums(part(5))
    released = observed(release, 4, [(0, 3), (0, 2)])
    assert released == (2, 0, 0, 1, 0, 0)
    assert release.report(4, released, "SUM 0") == Reported(5, 4, 6)
    assert release.report(4, released, "AVG 0") == Reported(Fraction(5, 2), 2, 3)
    assert release.report(4, released, "COUNT 0") == Reported(2, 2, 2)
    assert release.report(4, released, "AVG 2") is None
    assert release.report(4, released, "SUM 1") == Reported(0, 0, 0)


def test_the_variance_of_a_cell():
    release = spreads(part(5))
    released = observed(release, 1, [(0, 3), (0, 2), (2, 1)])
    assert released == (2, 0, 1, 5, 0, 1, 0, 0, 0)
    assert release.report(1, released, "VAR_POP 2") == Reported(0, 0, 0)
    assert release.report(1, released, "VAR_SAMP 2") is None
    assert release.report(1, released, "VAR_POP 1") is None
    assert release.report(1, released, "AVG 0") == Reported(Fraction(5, 2), Fraction(5, 2), Fraction(5, 2))
    found = release.report(1, released, "VAR_POP 0")  # squares of 1 and 0, in a bin of 0 and 1
    assert (found.lower, found.upper) == (0, Fraction(1, 4))
    for rows in product(product(range(2), range(4)), repeat=3):
        for width in (1, 2, 3):
            released = observed(release, width, rows)
            for cell in range(2):
                own = [code for place, code in rows if place == cell]
                found = release.report(width, released, f"VAR_POP {cell}")
                if own:
                    truth = Fraction(sum(code**2 for code in own), len(own)) - Fraction(sum(own), len(own)) ** 2
                    assert found.lower <= truth <= found.upper


@pytest.mark.parametrize("number", ["SUM(x * y)", "AVG(x * y), COUNT(x * y)", "VAR_POP(x * y)"])
def test_a_function_without_a_value_in_any_row_that_counts(number):
    """It has no grid in the certificate, which verifies nevertheless."""
    schema = nl.Schema(x=nl.Integer(0, 3, missing="apart"), y=nl.Integer(0, 3), s=nl.Category("a", "b"))
    rows = {"x": [1, None, 3], "y": [0, 1, 2], "s": ["a", "b", "a"]}
    with nl.Curator.open(pa.table(rows), schema, budget=30, table="t", store=":memory:") as curator:
        answer = curator.ask(f"SELECT s, COUNT(*), {number} FROM t WHERE x IS NULL GROUP BY s", bits=6)
        assert [row["COUNT(*)"].value for row in answer.rows] == [0, 1]
        assert nl.verify(answer.certificate).count == answer.guarantee.count
