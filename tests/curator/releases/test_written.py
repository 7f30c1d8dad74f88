"""Numbers of cells as short texts, read as they were written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noiseless.curator.releases.written import numbers_in, spans


@pytest.mark.parametrize(
    ("text", "cells"),
    [("", []), ("5", [5]), ("0-1", [0, 1]), ("0-3,7", [0, 1, 2, 3, 7]), ("1,3-4,8-10", [1, 3, 4, 8, 9, 10])],
)
def test_ranges(text, cells):
    assert (spans(reversed(cells)), numbers_in(text)) == (text, cells)


@given(st.sets(st.integers(0, 30)))
def test_all_cells_are_read_again(cells):
    assert numbers_in(spans(cells)) == sorted(cells)
