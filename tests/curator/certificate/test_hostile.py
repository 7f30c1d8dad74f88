"""Whatever somebody writes in place of anything: a refusal in bounded time, and never another error."""

from __future__ import annotations

import json
import time
from contextlib import suppress

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.curator.certificate.checker import WrongCertificateError, check_counts
from noiseless.curator.certificate.checker.words import question_of
from tests.curator.certificate.forging import SCHEMA, TABLE, at, opened, places, put, resealed

SQL = [
    ("SELECT region, AVG(age) / 2 AS m, COUNT(*) FROM t WHERE pay > 3 OR ill = 'flu' GROUP BY region", {"bits": 5}),
    ("SELECT well, COUNT(*) AS n FROM t WHERE year = 2024 GROUP BY well HAVING n > 2 ORDER BY n LIMIT 3", {}),
    ("SELECT VAR_POP(age), MEDIAN(born), SUM(pay) FROM t", {"bits": 9}),
]
WORDS = [
    "column",
    "count",
    "sum",
    "kth",
    "key",
    "number",
    "within",
    "in",
    "not",
    "every",
    "some",
    "missing",
    "+",
    "and",
]
WORDS += ["age", "pay", "region", "well", "n", "1", "-1", "1/2", "1e999999999", "9" * 4301, "1/" + "9" * 4000, "total"]
LEAVES = st.none() | st.booleans() | st.sampled_from(WORDS) | st.text(max_size=3)
NODES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=2), inner),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    with opened() as curator:
        made = [dict(curator.ask(sql, **given).certificate.content) for sql, given in SQL]
    with nl.Curator.open(TABLE, SCHEMA, budget=900, table="t") as curator:
        to = tmp_path_factory.mktemp("copies") / "out.parquet"
        copied = curator.release(to, bits={"age": 3, "pay": 3, "height": 2, "born": 2})
    return [*made, dict(copied.certificate.content)]


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_tree_in_place_of_any_node(contents, data):
    content = data.draw(st.sampled_from(contents))
    path = data.draw(st.sampled_from([path for path in places(content) if path]))
    other = put(content, path, data.draw(NODES))
    if path[0] == "plan" and data.draw(st.booleans()):
        try:
            other["question"] = question_of(other["plan"], other["table"])
        except Exception:
            other["question"] = ""
    start = time.process_time()
    with suppress(nl.CertificateError):
        nl.verify(json.dumps({"content": dict(resealed(other).content), "key": "", "signature": ""}))
    assert time.process_time() - start < 5


NUMBERS = [
    "1e999999999",
    "1E+999999999",
    "9" * 4000,
    "-" + "9" * 4000,
    "9" * 10**6,
    "1/" + "7" * 4000,
    "nan",
    "Infinity",
]
NUMBERS += ["１２", "1_000", " 1", "+1", "0x10", "1/0", "0/1", "2/4", "١"]


def test_numbers_of_every_spelling_everywhere(contents):
    """A number is refused, or is one that nobody can check; it never takes long."""
    start = time.process_time()
    for content in contents:
        numeric = [path for path in places(content) if str(at(content, path)).lstrip("-").replace("/", "").isdigit()]
        assert len(numeric) > 5
        for path in numeric:
            for number in NUMBERS:
                try:
                    check_counts(put(content, path, number))
                except WrongCertificateError:
                    continue
                raise AssertionError((path, number[:20]))
    assert time.process_time() - start < 60


def nested(depth, word, leaf):
    for _ in range(depth):
        leaf = [word, leaf]
    return leaf


MANY = 20_000
"""Enough that whoever compares all with all needs minutes."""


def hostile(content):
    """Deep trees, wide ones, large declarations."""
    schema = content["schema"]
    for depth in (200, 5000, 100_000):
        yield put(content, ("plan", "where"), nested(depth, "not", ["every"]))
        yield put(content, ("plan", "having"), nested(depth, "not", ["=", ["count"], ["number", "1"]]))
        yield put(content, ("plan", "items", 0, 1), nested(depth, "+", ["count"]))
    many = [["count"] for _ in range(MANY)]
    yield put(content, ("plan", "having"), ["and", *(["=", one, one] for one in many)])
    yield put(content, ("plan", "where"), ["every", *(["not", ["every"]] for _ in range(MANY))])
    yield put(content, ("plan", "order"), [[one, "ascending"] for one in many])
    yield put(content, ("plan", "items"), [[str(place), one] for place, one in enumerate(many)])
    yield {**content, "cells": [[["n"], "1"]] * MANY}
    yield {**content, "cells": [[[str(place)], "1"] for place in range(MANY)]}
    yield {**content, "releases": [["total", "1", "0"]] * MANY}
    yield {**content, "schema": schema.replace("high = 100", "high = 1e999999999")}
    yield {**content, "schema": schema.replace("high = 100", f"high = 1{'0' * 4200}")}
    yield {**content, "schema": schema.replace("high = 100", f"high = 1{'0' * 5000}")}
    yield {**content, "schema": schema.replace("high = 100", 'high = "1e999999999"')}
    yield {**content, "schema": "a = " + "[" * 100_000}
    yield {**content, "schema": "a" * 10**7}
    for rows in (10_000, 10**12):
        unit = f'[unit]\ncolumn = "who"\nrows = {rows}\norder_by = "year"\n'
        yield {**content, "schema": schema + unit}
        wide = ", ".join(f'"v{place}"' for place in range(MANY))
        yield {**content, "schema": schema.replace('values = ["no", "flu", "cold"]', f"values = [{wide}]") + unit}
    keys = ", ".join(f'"k{place}"' for place in range(MANY))
    yield {**content, "schema": schema.replace('keys = ["n", "s", "e"]', f'keys = ["n", "s", {keys}]')}


@pytest.mark.parametrize("place", range(3))
def test_what_is_deep_wide_or_large(contents, place):
    for content in hostile(contents[place]):
        start = time.process_time()
        with suppress(WrongCertificateError):
            check_counts(content)
        assert time.process_time() - start < 10


def test_many_rows_of_a_person_and_many_values():
    """A histogram whose count no budget could pay for is refused before it is computed."""
    from noiseless.curator.certificate.checker.counts import _ways

    assert _ways(2, 3) == 6
    assert _ways(10_000, 10_000) > 2**9_999
    for rows, values in ((10_000, 10**6), (3, 10**4000)):
        with pytest.raises(WrongCertificateError, match="larger than any budget"):
            _ways(rows, values)


def test_contents_that_are_not_of_texts():
    for content in ({}, {"format": 1}, {"format": "noiseless certificate 2", "rows": 1.5}, {1: 2}, [], None, "x"):
        with pytest.raises(WrongCertificateError):
            check_counts(content)


@pytest.mark.parametrize(
    "schema",
    [
        "[columns.x]\nkind = 'boolean'\n" + ".".join(["a"] * 40_000) + " = 1\n",
        "[columns." + ".".join(["x"] * 40_000) + ']\nkind = "boolean"\n',
        '[columns.x]\nkind = "real"\nlow = 0\nhigh = 1.' + "1" * 400_000 + "\nstep = 1\n",
        '[columns.x]\nkind = "real"\nlow = 0\nhigh = "1.' + "1" * 400_000 + '"\nstep = 1\n',
        "[columns.x]\nkind = {" + "a.".join([""] * 9000) + "b = 1}\n",
    ],
)
def test_schemas_that_would_take_for_ever(schema):
    with nl.Curator.open(pa.table({"x": [True]}), nl.Schema(x=nl.Boolean()), budget=3, table="t") as curator:
        content = dict(curator.ask("SELECT COUNT(*) FROM t WHERE x").certificate.content)
    started = time.monotonic()
    with pytest.raises(WrongCertificateError):
        check_counts(content | {"schema": schema})
    assert time.monotonic() - started < 20  # seconds too many would be a way to stop whoever verifies
