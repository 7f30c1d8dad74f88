"""Numbers of cells as short texts, read as they were written."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.curator.plan.condition import Within
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.centred_products import CentredProducts
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.written import canonical, numbers_in, spans
from noiseless.curator.schema.scale import Integer
from noiseless.errors import LedgerError


@pytest.mark.parametrize(
    ("text", "cells"),
    [("", []), ("5", [5]), ("0-1", [0, 1]), ("0-3,7", [0, 1, 2, 3, 7]), ("1,3-4,8-10", [1, 3, 4, 8, 9, 10])],
)
def test_ranges(text, cells):
    assert (spans(reversed(cells)), numbers_in(text)) == (text, cells)


@given(st.sets(st.integers(0, 30)))
def test_all_cells_are_read_again(cells):
    assert numbers_in(spans(cells)) == sorted(cells)


KINDS = {
    "total",
    "filtered total",
    "filtered mean",
    "head count",
    "histogram",
    "order statistic",
    "variance",
    "microdata",
}


def test_kinds_are_known_by_name_and_others_are_refused():
    assert {Release.of_kind(kind).kind for kind in KINDS} == KINDS
    with pytest.raises(LedgerError, match="unknown kind 'mode'"):
        Release.of_kind("mode")


def test_kinds_are_found_in_a_process_that_loaded_none_of_them():
    code = (
        "from noiseless.curator.releases.release import Release; import sys;"
        "assert not any('copied_rows' in name for name in sys.modules); print(Release.of_kind('microdata').__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("CopiedRows\n", "")


def test_families_are_written_once_and_only_for_the_same_rows():
    """Parts that differ only in cells share what is written; any other condition, column or kind has its own."""
    ages, heights = Integer(0, 9), Integer(0, 99)
    second = [("age", ages), ("age", heights), ("height", heights)]
    part = Part((0,), 5, Within("age", ((0, 3),)), ("age",), 1)
    others = [part, replace(part, cells=(1,)), replace(part, condition=Within("age", ((0, 4),)))]
    others += [replace(part, changes=2), replace(part, columns=("age", "height")), Part((2,), 4, part.condition)]
    made: list[Release] = [
        FilteredTotal(each, name, column, Fraction(0))
        for each in others
        for name, column in (("age", ages), ("height", heights), ("age", heights))
    ]
    made += [OrderStatistic(each, "age", ages, Fraction(0), Fraction(k, 4)) for each in others for k in (1, 2)]
    made += [CentredProducts(each, "age", ages, Fraction(0), *more) for each in others for more in second]
    made += [HeadCount(each, ages, counted) for each in others for counted in (None, "age", "height")]
    for release in [*made, *made]:
        assert release.said()[:2] == (release.family(), canonical(release.family()))
    assert made[0].said()[0] is made[3].said()[0]
    assert made[0].said()[0] is not made[6].said()[0]
