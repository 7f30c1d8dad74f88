"""Certificates of what follows: proofs that the checker accepts, and forged ones that it refuses."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from math import inf
from typing import Any

import pandas as pd
import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import check_counts, deductions
from noiseless.curator.certificate.checker.claims import Claim
from noiseless.curator.certificate.checker.union import finish_union
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.deduce import system
from tests.curator.certificate.forging import TABLE, N, opened, places, resealed

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("SELECT age, COUNT(*) FROM t WHERE region = 'n' GROUP BY age", {}),
    ("SELECT ill, COUNT(*) FROM t GROUP BY ill", {}),
    ("SELECT COUNT(*) FROM t WHERE pay >= 10", {}),
    ("SELECT region, SUM(age) FROM t GROUP BY region", {"bits": 3}),
    ("SELECT MEDIAN(age) FROM t", {"bits": 2}),
    ("SELECT AVG(pay) FROM t WHERE age >= 50", {"bits": 4}),
]
DERIVED = [
    "SELECT COUNT(*) FROM t WHERE age BETWEEN 20 AND 60 AND region = 'n'",
    "SELECT AVG(age) FROM t WHERE age > 30 AND region = 'n'",
    "SELECT MEDIAN(age) AS m, MIN(age) AS low, MAX(age) AS high FROM t WHERE region = 'n' AND age <> 17",
    "SELECT COUNT(*) FROM t WHERE ill <> 'no' AND age < 40",
    "SELECT region, AVG(age) AS mean FROM t GROUP BY region",
    "SELECT SUM(pay) AS total, COUNT(pay) AS n FROM t WHERE pay >= 10",
    "SELECT MEDIAN(age) FROM t",
    "SELECT SUM(height) FROM t",
    "SELECT 100 * AVG(age) AS share FROM t WHERE region = 's'",
    "SELECT region, COUNT(*) FILTER (WHERE ill = 'flu') AS flu FROM t GROUP BY region",
]


@pytest.fixture(scope="module")
def curator():
    with opened() as curator:
        for sql, given in ASKED:
            curator.ask(sql, **given)
        yield curator


@pytest.mark.parametrize("sql", DERIVED)
def test_every_end_has_a_proof(curator, sql):
    found = curator.deduce(sql)
    verified = nl.verify(found.certificate)
    assert (verified.count, verified.unproved) == (1, 0)
    assert [*verified.certificate.content["answer"][0]] == [*found.labels]


def test_what_no_sum_proves_is_stated_and_said(curator):
    verified = nl.verify(curator.deduce("SELECT VAR_POP(age) FROM t WHERE region = 'n'").certificate)
    assert verified.unproved == 1
    assert not verified.whole


def narrower(written: Any, inward: Fraction, side: int) -> Any:
    """The same number, with one end moved inward."""
    kind, *ends, sure, below, above = written[:6]
    ends[side] = str(Fraction(ends[side]) + (inward if side == 0 else -inward))
    return [kind, *ends, sure, below, above, *written[6:]]


def with_its_answer(content: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> nl.Certificate:
    """As a forger writes it who claims some numbers: the answer follows from these."""
    with monkeypatch.context() as patched:
        for name in ("at_least", "at_most", "exists"):
            patched.setattr(Claim, name, lambda *_: True)
        found, given = deductions.premises(content), iter(content["numbers"])
        made = [
            [(line.keys, deductions._intervals(line, given, found.facts, found.world)) for line in own]
            for own in found.selects
        ]
    return resealed({**content, "answer": finish_union(found.union, made)})


@pytest.mark.parametrize("inward", [Fraction(1, 10**6), Fraction(1, 7), Fraction(6, 7), Fraction(1)])
@pytest.mark.parametrize("sql", DERIVED)
def test_a_narrower_interval_is_refused(curator, sql, inward, monkeypatch):
    """However little it is narrower, and although the answer follows from it."""
    nothing_narrower(curator.deduce(sql), inward, monkeypatch)


def nothing_narrower(found: nl.Answer, inward: Fraction, monkeypatch: pytest.MonkeyPatch) -> None:
    content = deepcopy(dict(found.certificate.content))
    assert nl.verify(with_its_answer(content, monkeypatch)).count == 1
    for place, each in enumerate(content["numbers"]):
        for side in (0, 1) if each[0] == "sums" and Fraction(each[2]) - Fraction(each[1]) >= inward else ():
            numbers = [*content["numbers"]]
            numbers[place] = narrower(each, inward, side)
            with pytest.raises(nl.CertificateError, match="does not follow from the facts"):
                nl.verify(with_its_answer({**content, "numbers": numbers}, monkeypatch))


@pytest.mark.parametrize("off", [Fraction(1, 10**6), Fraction(1, 2), Fraction(-1, 2), Fraction(1), Fraction(-1)])
def test_an_exact_number_is_no_other_one(curator, off, monkeypatch):
    content = deepcopy(dict(curator.deduce(DERIVED[0]).certificate.content))
    [[kind, low, high, *rest]] = content["numbers"]
    assert (kind, low) == ("sums", high)
    content["numbers"] = [[kind, *[str(Fraction(low) + off)] * 2, *rest]]
    with pytest.raises(nl.CertificateError, match="does not follow from the facts"):
        nl.verify(with_its_answer(content, monkeypatch))


@pytest.mark.parametrize("number", ["COUNT(*)", "SUM(age)", "COUNT(DISTINCT ill)"])
def test_a_count_or_a_sum_of_no_rows_is_not_none(curator, number):
    unasked = next(age for age in range(101) if age not in TABLE["age"].to_pylist())
    found = curator.deduce(f"SELECT {number} AS n FROM t WHERE age = {unasked} AND region = 'n'")
    assert found.rows[0]["n"].lower == found.rows[0]["n"].upper == 0
    above = curator.deduce(f"SELECT COUNT(*) FROM t WHERE age = {unasked} AND region = 'n'").certificate.content
    for given in (["none", above["numbers"][0][5]], ["stated"]):
        content = {**found.certificate.content, "numbers": [given]}
        with pytest.raises(nl.CertificateError, match="there always is one"):
            nl.verify(resealed(content))


def test_a_fact_of_another_public_cell_proves_nothing(curator):
    content = deepcopy(dict(curator.deduce(DERIVED[0]).certificate.content))
    text = str(content["facts"][0]["plan"])
    assert "'n'" in text
    content["facts"][0]["plan"] = _replaced(content["facts"][0]["plan"], "n", "s")
    with pytest.raises(nl.CertificateError):
        nl.verify(resealed(content))


def test_counts_that_do_not_add_up_are_refused(curator):
    content = deepcopy(dict(curator.deduce(DERIVED[0]).certificate.content))
    released = content["facts"][0]["releases"][0]
    released[2] = str(int(released[2]) + N)
    with pytest.raises(nl.CertificateError):
        nl.verify(resealed(content))


def test_no_field_can_be_left_out_or_changed(curator):
    """Every place of a certificate: removed, or with another text. What still verifies says the same."""
    original = dict(curator.deduce(DERIVED[0]).certificate.content)
    assert check_counts(original) == 1
    changed = 0
    for path in list(places(original))[1:]:
        if path[0] in ("id", "schema", "table", "noiseless", "dataset") or path[-1] in ("hash", "entry"):
            continue  # names, which nothing else says
        content = deepcopy(original)
        holder: Any = content
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = "1" if holder[path[-1]] != "1" else "2"
        try:
            nl.verify(resealed(content))
        except nl.CertificateError:
            changed += 1
            continue
        assert content["answer"] == original["answer"], path
    assert changed > 50


def test_a_signed_deduction_is_trusted(tmp_path):
    file = tmp_path / "key"
    key = PrivateKey.new(file)
    with opened(key=file) as curator:
        curator.ask(*ASKED[1][:1])
        verified = nl.verify(curator.deduce("SELECT COUNT(*) FROM t WHERE ill = 'flu'").certificate, key=key.public)
    assert verified.trusted


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {name: _replaced(each, old, new) for name, each in value.items()}
    if isinstance(value, list):
        return [_replaced(each, old, new) for each in value]
    return new if value == old else value


OF_EVERY_KIND: list[tuple[list[str], dict[str, Any], str]] = [
    (
        ["SELECT PERCENTILE_CONT(0.3) WITHIN GROUP (ORDER BY age) FROM t"],
        {"bits": 4},
        "SELECT QUANTILE(age, 0.5) AS m, MIN(age) AS low FROM t",
    ),
    (
        ["SELECT PERCENTILE_CONT(0.75) WITHIN GROUP (ORDER BY pay) FROM t WHERE age < 60"],
        {"bits": 4},
        "SELECT QUANTILE(pay, 0.8) FROM t WHERE age < 60",
    ),
    (
        ["SELECT VAR_POP(age) FROM t WHERE region = 'n' AND pay < 30"],
        {"bits": 12},
        "SELECT COUNT(*) AS n, SUM(age) AS total FROM t WHERE region = 'n' AND pay < 30",
    ),
    (
        ["SELECT ill, VAR_POP(age) FROM t GROUP BY ill"],
        {"bits": 30},
        "SELECT COUNT(*) AS n, SUM(age) AS total, AVG(age) AS mean FROM t WHERE ill <> 'no'",
    ),
    (["SELECT ill, SUM(age) FROM t GROUP BY ill"], {"bits": 30}, "SELECT AVG(age) FROM t WHERE ill = 'flu'"),
    (["SELECT SUM(pay - age) FROM t"], {"bits": 4}, "SELECT SUM(pay - age) FROM t WHERE age < 99"),
    (
        ["SELECT COUNT(*) FROM t WHERE age < 30", "SELECT AVG(age) FROM t WHERE pay > 10", "SELECT SUM(age) FROM t"],
        {"bits": 9},
        "SELECT AVG(age) AS mean, COUNT(*) FILTER (WHERE age < 50) AS n FROM t",
    ),
    (["SELECT age, COUNT(*) FROM t GROUP BY age"], {}, "SELECT AVG(age) FROM t WHERE region = 'n' OR age < 50"),
]
"""Questions that are asked together, on which terms, and one of which something follows."""


@pytest.mark.parametrize(("asked", "terms", "derived"), OF_EVERY_KIND)
def test_facts_of_every_kind_prove_something(asked, terms, derived):
    with opened() as curator:
        curator.batch(asked, **terms)
        found = curator.deduce(derived)
        assert found.facts == (1,)
        assert nl.verify(found.certificate).unproved == 0


def test_counts_that_are_put_together_prove_something(monkeypatch):
    """Neighbouring labels of large tables are one row of the inequalities, and the last one is shorter."""
    monkeypatch.setattr(system, "WIDER", (16,))
    with opened() as curator:
        curator.ask("SELECT age, COUNT(*) FROM t GROUP BY age")
        curator.ask("SELECT COUNT(*) FROM t WHERE region = 'n'")
        curator.ask("SELECT COUNT(*) FROM t WHERE age < 50 AND ill = 'no'")
        for low in (20, 64, 96):
            found = curator.deduce(f"SELECT COUNT(*) FROM t WHERE age >= {low} AND ill <> 'no'")
            assert nl.verify(found.certificate).unproved == 0


TABLES = [
    "SELECT ill, CASE WHEN age < 40 THEN 'young' WHEN age < 65 THEN 'old' ELSE 'very old' END AS a, "
    "CASE WHEN pay >= 20 THEN 'much' ELSE 'little' END AS p, COUNT(*) FROM t WHERE born IS NOT NULL GROUP BY ill, a, p",
    "SELECT CASE WHEN region = 'n' THEN age >= 30 ELSE age >= 50 END AS a, well, COUNT(*) FROM t GROUP BY a, well",
]
OF_TABLES = [
    "SELECT COUNT(*) FROM t WHERE age < 40 AND born IS NOT NULL",
    "SELECT AVG(age) FROM t WHERE pay >= 20 AND born IS NOT NULL AND ill = 'flu'",
    "SELECT MEDIAN(age) AS m, MAX(pay) AS high FROM t WHERE ill = 'no' AND born IS NOT NULL AND pay IS NOT NULL",
    "SELECT SUM(age) AS total, COUNT(*) FILTER (WHERE well) AS n FROM t WHERE age >= 50",
    "SELECT region, COUNT(*) FILTER (WHERE age >= 40) AS n FROM t GROUP BY region",
]


@pytest.mark.parametrize("sql", OF_TABLES)
def test_cross_tables_prove_what_follows_from_them(sql, monkeypatch):
    """Cells that differ only in columns that a question does not read are put together."""
    with opened() as curator:
        for table in TABLES:
            curator.ask(table)
        found = curator.deduce(sql)
        assert nl.verify(found.certificate).unproved == 0
        nothing_narrower(found, Fraction(1, 7), monkeypatch)
        nothing_narrower(found, Fraction(1), monkeypatch)


HEIGHTS = pd.DataFrame({"h": [1.0, None, 3.5, 4.0, None, 9.0] * 4})
HEIGHT = nl.Schema(h=nl.Real(0, 10, step="0.5", missing="apart"))


def test_a_question_that_stopped_is_a_fact_as_far_as_it_went():
    """Of two steps, the first was charged, and the policy allows no second."""
    with nl.Curator.open(HEIGHTS, HEIGHT, budget=20, table="t", policy={"most_bits": "3.4"}) as curator:
        with pytest.raises(nl.BudgetExceededError, match="only the earlier steps were charged"):
            curator.ask("SELECT COUNT(h), AVG(h) FROM t", error="0.3")
        found = curator.deduce("SELECT COUNT(h) AS n FROM t WHERE h IS NOT NULL")
        assert (found.rows[0]["n"].lower, found.rows[0]["n"].upper, found.facts) == (16, 16, (1,))
        content = dict(found.certificate.content)
        assert nl.verify(found.certificate).unproved == 0
        released = content["facts"][0]["releases"]
        assert [each is None for each in released] == [False, True]
        forged = {**content, "facts": [{**content["facts"][0], "releases": [None, None]}]}
        with pytest.raises(nl.CertificateError):
            nl.verify(resealed(forged))
        asked = curator.ask("SELECT COUNT(h) FROM t").certificate
        with pytest.raises(nl.CertificateError):  # an answer itself needs all of its releases
            nl.verify(resealed({**asked.content, "releases": [None]}))


@pytest.mark.parametrize("bits", [None, 1, 2])
def test_an_interval_without_ends_is_stated(bits):
    """Also where the same sums were released, and were reported with another number between the missing ends."""
    table = pd.DataFrame({"x": [0, 2, 1], "y": [10, 20, 20]})
    with nl.Curator.open(
        table, nl.Schema(x=nl.Integer(0, 2), y=nl.Integer(10, 20, step=10)), budget=20, table="t"
    ) as curator:
        if bits is not None:
            curator.ask("SELECT CORR(y, y) FROM t", bits=bits)
        found = curator.deduce("SELECT REGR_SLOPE(y, x) AS xs, REGR_SLOPE(y, y) AS ys FROM t")
        assert nl.verify(found.certificate).unproved >= 1
        assert (found.rows[0]["xs"].lower, found.rows[0]["xs"].upper) == (-inf, inf)
