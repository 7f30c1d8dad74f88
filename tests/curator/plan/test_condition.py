"""Conditions on codes: normal forms and the engine agree with three-valued logic, row by row."""

from __future__ import annotations

from itertools import pairwise

import duckdb
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from noiseless.curator.plan.condition import (
    FALSE,
    TRUE,
    Missing,
    Within,
    columns_read,
    every,
    given_public,
    holds,
    negation,
    of_one_column,
    others,
    ranges,
    some,
    statement,
    truth_changes,
)

TOP = 4
RANGES = st.lists(st.tuples(st.integers(0, TOP), st.integers(0, TOP)), max_size=3).map(ranges)


def conditions(names: str):
    atoms = st.builds(Within, st.sampled_from(names), RANGES) | st.builds(Missing, st.sampled_from(names))
    return st.recursive(
        atoms | st.sampled_from([TRUE, FALSE]),
        lambda inner: _several(inner).map(every) | _several(inner).map(some) | inner.map(negation),
        max_leaves=6,
    )


def _several(inner):
    return st.lists(inner, max_size=3)


def truth(condition, row):
    """By the definition, apart from the module's own evaluation."""
    match condition:
        case Within(name, spans):
            code = row[name]
            return None if code is None else any(first <= code <= last for first, last in spans)
        case Missing(name):
            return row[name] is None
    if hasattr(condition, "part"):
        inner = truth(condition.part, row)
        return None if inner is None else not inner
    truths = [truth(part, row) for part in condition.parts]
    if type(condition).__name__ == "Every":
        return False if False in truths else None if None in truths else True
    return True if True in truths else None if None in truths else False


CODES = [*range(TOP + 1), None]


@given(conditions("x"))
def test_the_normal_form_of_one_column(condition):
    normal = of_one_column(condition, "x", TOP, apart=True)
    kept = [truth(condition, {"x": code}) is True for code in CODES]
    assert kept == [holds(normal, code) is True for code in CODES]
    assert [holds(condition, code) for code in CODES] == [truth(condition, {"x": code}) for code in CODES]
    assert truth_changes(normal, TOP, apart=True) == sum(a != b for a, b in pairwise(kept))
    assert (normal == TRUE) == all(kept)
    assert (normal == FALSE) == (not any(kept))


@given(conditions("x"), conditions("x"))
def test_equal_truths_have_equal_normal_forms(one, two):
    same = all((truth(one, {"x": c}) is True) == (truth(two, {"x": c}) is True) for c in CODES)
    assert (of_one_column(one, "x", TOP, True) == of_one_column(two, "x", TOP, True)) == same


BEYOND = st.lists(st.tuples(st.integers(-3, TOP + 3), st.integers(-3, TOP + 3)), max_size=4).map(ranges)


@given(BEYOND, BEYOND, BEYOND, st.booleans())
def test_codes_beyond_the_column_do_not_matter(one, two, three, apart):
    condition = some([every([Within("x", one), negation(Within("x", two))]), negation(some([Within("x", three)]))])
    true = ranges((code, code) for code in range(TOP + 1) if holds(condition, code))
    whole = true == ((0, TOP),) and not apart
    assert of_one_column(condition, "x", TOP, apart) == (TRUE if whole else Within("x", true) if true else FALSE)


@given(conditions("xg"), st.integers(0, TOP))
def test_what_is_left_once_public_keys_are_known(condition, key):
    if "Missing(column='g')" in repr(condition):
        return  # a public key is never missing
    left = given_public(condition, {"g": key})
    assert "g" not in columns_read(left)
    for code in CODES:
        assert (truth(left, {"x": code, "g": key}) is True) == (truth(condition, {"x": code, "g": key}) is True)


@settings(deadline=None, max_examples=60)
@given(conditions("xy"))
def test_the_engine_agrees(condition):
    rows = [{"x": x, "y": y} for x in CODES for y in CODES]
    with duckdb.connect() as connection:
        connection.register("t", pa.Table.from_pylist(rows, pa.schema({"x": pa.int8(), "y": pa.int8()})))
        found = connection.execute(f"SELECT x, y FROM t WHERE {statement(condition, str)}").fetchall()
    assert sorted(map(str, found)) == sorted(str((r["x"], r["y"])) for r in rows if truth(condition, r) is True)


@given(RANGES)
def test_the_other_codes(spans):
    inside = {code for first, last in spans for code in range(first, last + 1)}
    outside = {code for first, last in others(spans, TOP) for code in range(first, last + 1)}
    assert inside | outside == set(range(TOP + 1))
    assert not inside & outside
