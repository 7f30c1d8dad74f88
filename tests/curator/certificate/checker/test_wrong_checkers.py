"""A checker with one formula off by one is caught: some honest certificate fails, or another count is found."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import (
    answers,
    columns,
    conditions,
    counts,
    derive,
    divide,
    ranges,
    reports,
    rows,
    spreads,
    weights,
)
from noiseless.curator.certificate.checker.bins import Bins
from tests.curator.certificate.forging import SCHEMA, TABLE, opened
from tests.curator.certificate.questions import GUARDED, GUARDED_GROUPS, QUESTIONS
from tests.curator.small import bought


@pytest.fixture(scope="module")
def honest():
    table = TABLE.append_column("who", pa.array([k // 3 for k in range(TABLE.num_rows)]))
    table = table.append_column("turn", pa.array([k % 3 for k in range(TABLE.num_rows)]))
    made = []
    with opened() as one:
        made += [bought(one, sql, **given) for sql, given in [*GUARDED, *GUARDED_GROUPS, *QUESTIONS]]
    for most in (3, 80):
        schema = nl.Schema({**SCHEMA.columns, "turn": nl.Public()}, unit="who", rows=most, order_by="turn")
        with nl.Curator.open(table, schema, budget=9000, table="t", store=":memory:") as several:
            asked = [(sql, {"bits": 600} if "bits" in given else given) for sql, given in QUESTIONS]
            asked = [*(GUARDED if most == 3 else []), *asked]
            made += [bought(several, sql, **given) for sql, given in asked]
    short_first = sorted(made, key=lambda answer: len(answer.certificate.to_json()))
    return [(answer.certificate, answer.guarantee.count) for answer in short_first]


def caught(honest) -> bool:
    for certificate, count in honest:
        try:
            if nl.verify(certificate).count != count:
                return True
        except nl.CertificateError:
            return True
    return False


def test_the_right_checker_catches_nothing(honest):
    assert not caught(honest)


KINDS = ["total", "filtered total", "filtered mean", "head count", "histogram", "order statistic", "variance"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("off", [1, -1])
@pytest.mark.parametrize("formula", ["answers", "jumps"])
def test_counts(honest, monkeypatch, kind, off, formula):
    if (kind, formula) == ("histogram", "jumps"):
        pytest.skip("nothing is asked together with a histogram")
    right = getattr(counts, formula)
    monkeypatch.setattr(
        counts, formula, lambda release, *given: right(release, *given) + (off if release.kind == kind else 0)
    )
    assert caught(honest)


def _shifted(interval, **ends):
    if interval is None or not isinstance(interval.lower, Fraction):
        return interval
    return replace(interval, **{end: getattr(interval, end) + by for end, by in ends.items()})


@pytest.mark.parametrize("name", ["_total", "_filtered_total", "_filtered_mean", "_order_statistic", "_variance"])
@pytest.mark.parametrize("end", ["value", "lower", "upper"])
def test_reports(honest, monkeypatch, name, end):
    right = getattr(reports, name)
    monkeypatch.setattr(reports, name, lambda *given: _shifted(right(*given), **{end: Fraction(1, 10**9)}))
    assert caught(honest)


def _wrong_condition(condition, codes):
    return condition if condition[0] == "not" else conditions.given_public(condition, codes)


WRONG = {
    "a person of several rows is in one group": (counts, "worst_division", lambda most, rows, groups: most(rows)),
    "the division into one group too many": (
        counts,
        "worst_division",
        lambda most, rows, groups: divide.worst_division(most, rows, groups + 1),
    ),
    "a sum of roundings down": (counts, "floor_sum", lambda r, w, top, offset: divide.floor_sum(r, w, top, 0)),
    "everybody in one group, though many cells": (counts, "_by_cell", lambda widths: {0: tuple(widths)}),
    "groups that share people are apart": (counts, "groups_of", lambda widths: [(release,) for release in widths]),
    "0 is not a contribution": (ranges, "ends", lambda column: (1, column.top)),
    "conditions never change": (derive, "changes", lambda condition, columns: 0),
    "missing values count": (derive, "_present", lambda name, column: conditions.TRUE),
    "conditions on public columns stay": (derive, "given_public", lambda condition, codes: condition),
    "negations of public columns stay": (derive, "given_public", _wrong_condition),
    "no normal form of one column": (derive, "of_one_column", lambda condition, name, column: condition),
    "no rounding": (columns.Column, "rounding", Fraction(0)),
    "a quarter of a step": (columns.Column, "rounding", property(lambda self: 0 if self.on_grid else self.step / 4)),
    "roots downward": (spreads, "root", lambda number, up: Fraction(0)),
    "a unit of dates off": (reports, "date_of", lambda number: columns.date_of(number + 1)),
    "division by what may be 0 is bounded": (rows, "inf", Fraction(10**9)),
    "differences are sums": (
        rows,
        "combined",
        lambda sign, *both: COMBINED(sign.replace("-", "+"), *both),  # type: ignore[has-type]
    ),
    "unknown is false": (
        rows,
        "_test",
        lambda tree, *line: tree[0] == "not" or bool(TEST(tree, *line)),  # type: ignore[has-type]
    ),
    "rules by another name": (answers, "rule_of", lambda releases, schema: ["total"]),
}
COMBINED, TEST = rows.combined, rows._test
RIGHT = {"answers": counts.answers, "jumps": counts.jumps, "moved": ranges.moved, "together": counts.together}
GUARDS = {
    "guarded bins are equal ones": (Bins, "is_loud", lambda self, place: False),
    "every place is a guard": (Bins, "is_loud", lambda self, place: bool(self.guard)),
    "three bins": (counts, "answers", lambda *given: RIGHT["answers"](*given) + (given[1].guard > 0)),
    "one bin": (counts, "answers", lambda *given: 1 if given[1].guard else RIGHT["answers"](*given)),
    "a sum may change with every value": (
        counts,
        "jumps",
        lambda asked, bins, columns: 99 if bins.guard else RIGHT["jumps"](asked, bins, columns),
    ),
    "other numbers change once": (
        counts,
        "jumps",
        lambda asked, bins, columns: 1 if bins.guard else RIGHT["jumps"](asked, bins, columns),
    ),
    "a person moves one more": (ranges, "moved", lambda *given: RIGHT["moved"](*given) + 1),
    "one more joint answer": (weights, "together", lambda *given: RIGHT["together"](*given) + 1),
    "numbers are never about the same people": (weights, "groups_of", lambda widths: []),
    "places of guards come first": (Bins, "_first", lambda self, place: place * (self.wide + self.guard) // 2),
}


@pytest.mark.parametrize("what", GUARDS)
def test_guards(honest, monkeypatch, what):
    monkeypatch.setattr(*GUARDS[what])
    assert caught(honest)


@pytest.mark.parametrize("what", WRONG)
def test_other_formulas(honest, monkeypatch, what):
    monkeypatch.setattr(*WRONG[what])
    assert caught(honest)
