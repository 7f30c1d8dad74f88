"""Certificates of what follows: proofs that the checker accepts, and forged ones that it refuses."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import check_counts, deductions
from noiseless.curator.certificate.checker.claims import Claim
from noiseless.curator.certificate.keys import PrivateKey
from tests.curator.certificate.forging import N, opened, places, resealed

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
    return resealed({**content, "answer": deductions.finish_union(found.union, made)})


@pytest.mark.parametrize("inward", [Fraction(1, 10**6), Fraction(1, 7), Fraction(6, 7), Fraction(1)])
@pytest.mark.parametrize("sql", DERIVED)
def test_a_narrower_interval_is_refused(curator, sql, inward, monkeypatch):
    """However little it is narrower, and although the answer follows from it."""
    content = deepcopy(dict(curator.deduce(sql).certificate.content))
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
