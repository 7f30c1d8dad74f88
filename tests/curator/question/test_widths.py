"""Refusals name functions as questions do, and one bin for everything is divided at once."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.question import widths
from noiseless.curator.question.reading import meaning
from noiseless.curator.releases.stable_level import StableLevel

TABLE = pa.table({"x": [0, 3, 4, 4], "s": [True, False, True, True]})
SCHEMA = nl.Schema(x=nl.Integer(0, 4), s=nl.Boolean())


def test_a_function_that_needs_bits_is_named():
    with nl.Curator.open(TABLE, SCHEMA, budget=9, table="t") as curator:
        with pytest.raises(nl.BudgetError, match="QUANTILE needs bits="):
            curator.ask("SELECT MAX(x) FROM t")
        median = curator.ask("SELECT MEDIAN(x) FROM t", bits=1)
        with pytest.raises(nl.BudgetError, match="not this QUANTILE"):
            curator.refine(median, error=0)


def test_one_bin_for_everything_is_divided_at_once():
    """Its width has more than five significant bits. Trying all numbers up to it would take hours."""
    width = 3 * (10**12 + 39) * 4
    divisors = widths._binary(width)
    assert all(width % each == 0 for each in divisors)
    assert {1, 3, 12, width // 2, width // 3} <= set(divisors)
    assert width not in divisors
    assert widths._binary(29 << 20) == sorted({p << k for p in (1, 29) for k in range(21)} - {29 << 20})


SAME = {
    "SELECT x, s, COUNT(*), AVG(x), SUM(x) FROM t GROUP BY x, s": 1,
    "SELECT x, COUNT(*) FROM t GROUP BY x UNION ALL SELECT x, COUNT(*) FROM t WHERE s GROUP BY x": 2,
    "SELECT s, AVG(x) FROM t GROUP BY s UNION ALL SELECT s, SUM(x) FROM t GROUP BY s": 2,
}


@pytest.mark.parametrize(("sql", "different"), SAME.items())
def test_the_bins_of_a_table_are_chosen_for_one_of_its_cells(sql, different):
    """There may be 10^5 of them."""
    with nl.Curator.open(TABLE, SCHEMA, budget=9, table="t") as curator:
        lines = tuple(meaning(sql, curator._dataset)[1])
        assert len(widths.different(lines)) == different < len(lines)
        assert widths.releases_needed(widths.different(lines)) == widths.releases_needed(lines)


COPIES = []


class Watched(tuple):
    """Released numbers that tell when many of them are copied."""

    def __getitem__(self, place):
        if isinstance(place, slice) and place.stop is None:
            COPIES.append(place)
        return super().__getitem__(place)

    def __iter__(self):
        COPIES.append(slice(None))
        return super().__iter__()


def test_a_cell_of_a_stable_table_is_reported_without_a_copy_of_the_table():
    with nl.Curator.open(TABLE, SCHEMA, budget=9, table="t") as curator:
        answer = curator.ask("SELECT x, s, COUNT(*) FROM t GROUP BY x, s", error=1, stable=True)
        [(release, ladder)] = answer.widths.items()
        assert isinstance(release, StableLevel)
        released, width = Watched([0, *range(3), *[0] * 7]), ladder.widths[0]
        COPIES.clear()
        ends = [release.report(ladder, released, str(cell)).lower for cell in range(10)]
        assert ends == [0, width, 2 * width, *[0] * 7]
        assert not COPIES
