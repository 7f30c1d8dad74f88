"""An answer's certificate as a whole: its origin, its rules, its releases and the number of its rows."""

from __future__ import annotations

import pytest

from noiseless.curator.certificate.checker import answers as a
from noiseless.curator.certificate.checker.bins import Bins
from noiseless.curator.certificate.checker.columns import Column, Schema
from noiseless.curator.certificate.checker.conditions import TRUE
from noiseless.curator.certificate.checker.releases import Part, Release
from noiseless.curator.certificate.checker.words import question_of
from noiseless.curator.certificate.checker.wrong import WrongCertificateError

SCHEMA = """
[columns.x]
kind = "integer"
low = 0
high = 9
[columns.w]
kind = "boolean"
missing = "apart"
[columns.g]
kind = "public"
keys = ["a", "b"]
"""
X = ["column", "x"]
COUNT, SUM = ["count"], ["sum", X]
PLAN = {
    "items": [["g", ["key", "g"]], ["n", COUNT], ["s", SUM]],
    "where": ["every"],
    "keys": ["g"],
    "category": None,
    "having": None,
    "order": [],
    "limit": None,
}
ORIGIN = {
    "noiseless": "1",
    "dataset": "0" * 32,
    "ledger": {"entry": "0", "hash": "a" * 64, "factor": "1"},
}


def number(value, lower, upper):
    return {"value": value, "lower": lower, "upper": upper}


FIRST = {"g": "a", "n": number("4", "4", "4"), "s": number("7", "6", "8")}
SECOND = {"g": "b", "n": number("0", "0", "0"), "s": number("0", "0", "0")}


def content(plan=PLAN, **given):
    """Four people of one group, and nobody of the other; the sum of their values in bins of 3."""
    return (
        {
            "format": "noiseless certificate 2",
            "table": "t",
            "rows": "4",
            "schema": SCHEMA,
            "cells": [[["a"], "4"]],
            "plan": plan,
            "question": question_of(plan, "t"),
            "releases": [["total", "3", "2"]],
            "count": "4",
            "rule": ["total"],
            "answer": [FIRST, SECOND],
            "id": "",
        }
        | ORIGIN
        | given
    )


def refused(words, plan=PLAN, **given):
    with pytest.raises(WrongCertificateError, match=words):
        a.check_answer(content(plan, **given))


def test_a_whole():
    assert a.check_answer(content()) == a.check_answer(content(count="5")) == 4
    refused("at least 4 is needed", count="3")
    refused("fields are missing", more="1")
    refused("name of the table", table=None)
    refused("not that of the plan", question="SELECT 1")
    refused("not that of the plan", table="u")
    refused("the rule", rule=["variance"])
    refused("does not follow", answer=[FIRST, FIRST])
    refused("too few", answer=[FIRST])
    refused("too many rows", answer=[FIRST, SECOND, SECOND])
    refused("not a list", answer="ab")
    refused("hash", ledger=ORIGIN["ledger"] | {"hash": ""})


def test_rows_that_having_or_limit_leave_out():
    having = PLAN | {"having": [">", COUNT, ["number", "0"]]}
    limit = PLAN | {"limit": "1"}
    for plan in (having, limit):
        assert a.check_answer(content(plan, answer=[FIRST])) == 4
        refused("does not follow", plan, answer=[FIRST, SECOND])
    assert a.check_answer(content(PLAN | {"limit": "0"}, answer=[])) == 4


def test_what_would_take_too_long(monkeypatch):
    """Two lines of three expressions."""
    monkeypatch.setattr(a, "MOST_WORK", 6)
    assert a.check_answer(content()) == 4
    monkeypatch.setattr(a, "MOST_WORK", 5)
    refused("too long")


def test_releases():
    refused("other releases than there are", releases=[])
    refused("other releases than there are", releases=[["total", "3", "2"]] * 2)
    refused("'variance' where the answer needs a 'total'", releases=[["variance", "3", "2"]])
    refused("impossible", releases=[["total", "3", "13"]], count="99")
    refused("impossible width", releases=[["total", "0", "2"]])
    refused("another number of integers", releases=[["total", "3"]])
    refused("whole number", releases=[["total", "3", "2.0"]])
    refused("not a list", releases=["tot"])


def test_numbers_of_a_histogram_and_of_nobody():
    plan = PLAN | {"items": [["w", ["key", "w"]], ["n", COUNT]], "keys": ["w"], "category": "w"}
    rows = [{"w": key, "n": number(n, n, n)} for key, n in ((False, "1"), (True, "3"), (None, "0"))]
    given = {"cells": [[[], "4"]], "releases": [["histogram", "1", "1", "3", "0"]], "rule": ["histogram"]}
    assert a.check_answer(content(plan, **given, count="3", answer=rows)) == 3
    mean = PLAN | {"items": [["m", ["avg", X]]], "keys": []}
    nobody = {"rows": "0", "cells": [], "releases": [], "count": "1", "rule": ["public numbers"]}
    assert a.check_answer(content(mean, **nobody, answer=[{"m": None}])) == 1
    both = PLAN | {"items": [["g", ["key", "g"]], ["m", ["avg", X]]]}
    means = [{"g": "a", "m": number("7/4", "3/2", "2")}, {"g": "b", "m": None}]
    assert a.check_answer(content(both, answer=means)) == 4


def test_rules_by_their_names():
    one, two = (Part((cell,), 4, TRUE, (), 0) for cell in (0, 1))
    total, other, variance = Release("total", "x", one), Release("total", "x", two), Release("variance", "x", one)
    columns = {"x": Column("real", 9)}
    for releases, single, several in (
        ([], ["public numbers"], ["public numbers", "worst division"]),
        ([total], ["total"], ["total", "worst division"]),
        ([total, other], ["total", "E"], ["total", "worst division"]),
        (
            [total, variance],
            ["total", "variance", "A", "D", "G"],
            ["total", "variance", "worst division", "A", "D", "G"],
        ),
        ([total, other, variance], ["total", "variance", "E", "A", "D", "G"], None),
    ):
        widths = dict.fromkeys(releases, Bins(1))
        assert a.rule_of(widths, Schema(columns, 1)) == single
        if several:
            assert a.rule_of(widths, Schema(columns, 2)) == several
