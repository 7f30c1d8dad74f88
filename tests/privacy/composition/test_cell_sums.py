"""Sums by private groups for a person with several rows: the count is exact, judged by trying all rows."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest

from noiseless.privacy.composition.several_rows import cell_sum_answers

ANY = 10**6


def most_answers(top: int, width: int, rows: int, cells: int, outside: bool) -> int:
    """The most different counts and bins, over all sums that the others may have, that the rows can lead to."""
    values = [(cell, value) for cell in [*range(cells), *([None] if outside else [])] for value in range(top + 1)]
    return max(
        len({_seen(base, width, given) for given in combinations_with_replacement(values, rows)})
        for base in product(range(width), repeat=cells)
    )


def _seen(base, width, given):
    counts, sums = [0] * len(base), list(base)
    for cell, value in given:
        if cell is not None:
            counts[cell] += 1
            sums[cell] += value
    return (*counts, *(total // width for total in sums))


@pytest.mark.parametrize(("cells", "top", "rows"), [(2, 1, 1), (2, 2, 2), (2, 1, 3), (3, 2, 2), (3, 1, 3), (2, 3, 2)])
@pytest.mark.parametrize("outside", [False, True])
def test_the_count_is_exact(cells, top, rows, outside):
    for width in range(1, rows * top + 2):
        found = cell_sum_answers(top, width, ANY, rows, cells, outside)
        assert found[rows] == most_answers(top, width, rows, cells, outside)
        assert list(found) == sorted(found)


def test_dividing_the_rows_in_one_way_only_is_caught():
    """Wrong: the worst division instead of the sum over all of them, which the counts tell apart."""
    assert most_answers(1, 2, 2, 2, False) == 8 > max(2 * 2, 2)
