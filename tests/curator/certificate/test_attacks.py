"""What somebody might try with an unsigned certificate, each way by itself, with the seal renewed."""

from __future__ import annotations

import copy

import pytest

import noiseless as nl
from noiseless.curator.certificate.checker.words import question_of
from tests.curator.certificate.forging import opened, put, resealed

GROUPED = "SELECT region, AVG(age) AS m, COUNT(*) AS n FROM t WHERE ill = 'flu' GROUP BY region"


@pytest.fixture(scope="module")
def content():
    with opened() as curator:
        return dict(curator.ask(GROUPED, bits=4).certificate.content)


def refused(content, words):
    with pytest.raises(nl.CertificateError, match=words):
        nl.verify(resealed(content))


def test_no_releases_for_an_answer_that_needs_some(content):
    refused({**content, "releases": [], "count": "1"}, "needs other releases")
    refused({**content, "releases": [], "count": "1", "rule": ["public numbers"]}, "needs other releases")


def test_fewer_answers_than_needed(content):
    assert int(content["count"]) > 8
    refused({**content, "count": "2"}, "at least .* is needed")
    refused({**content, "count": str(int(content["count"]) - 1)}, "at least .* is needed")
    assert nl.verify(resealed({**content, "count": str(int(content["count"]) + 5)})).count == int(content["count"])


def test_releases_that_are_made_to_look_disjoint():
    """Two numbers of the same people cost more than one: no edit of the cells makes them people of different groups."""
    with opened() as curator:
        content = dict(curator.ask("SELECT AVG(age), MAX(height), AVG(pay) FROM t", bits=9).certificate.content)
    fewer = {**content, "count": "8"}
    refused(fewer, "at least .* is needed")
    refused({**fewer, "cells": [[["n"], "30"], [["s"], "30"]]}, "too many keys")
    refused({**fewer, "cells": [[[], "30"], [[], "30"]]}, "named twice")
    plan = {**content["plan"], "keys": ["region"]}
    grouped = {**fewer, "cells": [[["n"], "30"], [["s"], "30"]], "plan": plan}
    refused({**grouped, "question": question_of(plan, "t")}, "too many rows, or too few")


def test_another_answer(content):
    refused(put(content, ("answer", 1, "m", "value"), "171"), "does not follow")
    refused(put(content, ("answer", 0, "n", "value"), "9"), "does not follow")
    refused({**content, "answer": content["answer"][::-1]}, "does not follow")
    refused({**content, "answer": content["answer"][:1]}, "too few")


def test_another_number_released(content):
    for place in range(len(content["releases"])):
        for integer in range(2, len(content["releases"][place])):
            number = str(int(content["releases"][place][integer]) + 1)
            refused(put(content, ("releases", place, integer), number), "does not follow|impossible|too large")


def test_another_question(content):
    refused({**content, "question": "SELECT 1"}, "not that of the plan")
    refused({**content, "question": content["question"].replace("flu", "cold")}, "not that of the plan")
    refused({**content, "table": "u"}, "not that of the plan")


def test_a_dearer_question_under_the_same_answer(content):
    """The plan and the words are exchanged together: then other releases are needed."""
    plan = copy.deepcopy(content["plan"])
    plan["items"][1][1] = ["kth", ["column", "age"], "1/2"]
    refused({**content, "plan": plan, "question": question_of(plan, "t")}, "where the answer needs")
    plan["items"][1][1] = ["avg", ["column", "pay"]]
    refused(
        {**content, "plan": plan, "question": question_of(plan, "t")}, "needs other|does not follow|is needed|the rule"
    )
    plan["where"] = ["every"]
    refused({**content, "plan": plan, "question": question_of(plan, "t")}, "needs")


def test_another_rule(content):
    refused({**content, "rule": ["total"]}, "rule")
    refused({**content, "rule": content["rule"][:-1]}, "rule")


def test_an_impossible_charge(content):
    refused(put(content, ("ledger", "factor"), "0"), "ledger")
    refused(put(content, ("ledger", "factor"), "1/2"), "ledger")
    refused(put(content, ("ledger", "factor"), "17/2"), "no answer settled it")
    refused(put(content, ("ledger", "entry"), "-1"), "ledger")


def test_wider_bins_than_were_used(content):
    """Wider bins would need fewer answers, but they report other intervals."""
    wider = copy.deepcopy(content)
    for release in wider["releases"]:
        if release[0] == "filtered mean":
            release[1] = str(2 * int(release[1]))
    refused({**wider, "count": "4"}, "does not follow|impossible|too large")


def test_an_unknown_format(content):
    for name in ("noiseless certificate 3", "noiseless certificate", "", None, ["noiseless certificate 2"]):
        refused({**content, "format": name}, "format is unknown|fields|field is missing")
    refused({**content, "format": "noiseless certificate 1"}, "fields are missing or unknown")
    refused({**content, "format": "noiseless microdata certificate 2"}, "fields are missing or unknown")
