"""Theory §6, a person with several rows, against every way to divide and fill them."""

from __future__ import annotations

from itertools import product

import pytest

import noiseless as nl
from noiseless.privacy.composition import several_rows
from tests.laws.adaptive import D, M


@pytest.mark.parametrize(("top", "width", "rows", "groups"), [(1, 2, 4, 2), (2, 3, 3, 2), (1, 1, 3, 3), (3, 2, 2, 3)])
def test_several_rows_by_brute_force(top, width, rows, groups):
    """All ways a person can divide rows among groups and fill them, against all sums of the others."""
    most = 0
    for place in product(range(groups), repeat=rows):
        for others in product(range(width), repeat=groups):
            seen = set()
            for codes in product(range(top + 1), repeat=rows):
                sums = list(others)
                for group, code in zip(place, codes, strict=True):
                    sums[group] += code
                seen.add(tuple(total // width for total in sums))
            most = max(most, len(seen))
    assert several_rows.grouped_sum_answers(top, width, rows, groups) == most


def test_the_safe_closed_form_is_not_below():
    for top, width, rows, groups in product((1, 2, 5), (1, 2, 3, 7), (1, 2, 4, 7), (1, 2, 3, 9)):
        m = min(groups, rows)
        closed = (-(-top // width) * -(-rows // m) + 1) ** m
        assert several_rows.grouped_sum_answers(top, width, rows, groups) <= closed


def test_other_counts_of_several_rows():
    assert several_rows.sum_answers(3, 2, 2) == max(
        len({(a + b + o) // 2 for a in range(4) for b in range(4)}) for o in range(2)
    )
    assert several_rows.histogram_answers(2, 3) == len({tuple(sorted(d)) for d in product(range(3), repeat=2)})
    assert several_rows.predicate_answers(4) == 5
    worst = max(
        len({(3 * (a * a + b * b + o * o) - (a + b + o) ** 2) // 4 for a in range(3) for b in range(3)})
        for o in range(3)
    )
    assert several_rows.variance_answers(top=2, width=4, rows=2, all_rows=3) >= worst


def test_a_sequence_of_several_rows():
    start = nl.Sequence.start({"x": D}, budget=10**6, rows=3)
    assert start.cells[""].remaining == {"x": 3 * M + 1}
    step = start.ask(nl.PlainSum("x", 4, 30, M))
    assert (step.factor, step.after.cells[""].remaining["x"]) == (4, 4)
    assert step.after.ask(nl.OtherQuestion(("x",), 35)).factor == 35
    assert step.after.ask(nl.Together((nl.OtherQuestion(("x",), 35), nl.PlainSum("x", 2, 30, M)))).factor == 35 * 3
    with pytest.raises(nl.CompositionError, match="several_rows"):
        step.after.ask(nl.ExactHistogram("x", D))
    with pytest.raises(nl.CompositionError, match="rows=3"):
        nl.Sequence.start({"x": D}, budget=9, rows=3, cells=["a"])
