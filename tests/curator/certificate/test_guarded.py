"""Certificates of numbers in guarded bins, from real curators: each verifies, and each forgery is refused."""

from __future__ import annotations

import copy
from fractions import Fraction

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import WrongCertificateError, check_counts
from tests.curator.certificate.forging import SCHEMA, TABLE, forged, opened, put, resealed
from tests.curator.certificate.questions import GUARDED, GUARDED_GROUPS, QUESTIONS
from tests.curator.small import bought

BATCH = [
    "SELECT AVG(age) FROM t",
    "SELECT region, AVG(age), COUNT(*) FROM t WHERE region <> 'e' GROUP BY region",
    "SELECT year, AVG(age), AVG(height), COUNT(pay) FROM t GROUP BY year",
]


def several(rows):
    """Twenty people of three rows each, of which so many count."""
    table = TABLE.append_column("who", pa.array([k // 3 for k in range(TABLE.num_rows)]))
    table = table.append_column("turn", pa.array([k % 3 for k in range(TABLE.num_rows)]))
    schema = nl.Schema({**SCHEMA.columns, "turn": nl.Public()}, unit="who", rows=rows, order_by="turn")
    return nl.Curator.open(table, schema, budget=9000, table="t", store=":memory:")


def content_of(answer):
    return copy.deepcopy(dict(answer.certificate.content))


def verified(answer):
    """The content of a certificate that verifies."""
    assert nl.verify(answer.certificate.to_json()).count == answer.guarantee.count
    return content_of(answer)


def bins(content):
    return [row[1] for row in content["releases"]]


@pytest.fixture(scope="module", params=[1, 2, 80])
def curator(request):
    with opened() if request.param == 1 else several(request.param) as opening:
        yield opening


def test_every_kind_of_number(curator):
    """With one row, with two, and with more rows per person than the table has."""
    found = [verified(bought(curator, sql, **given)) for sql, given in GUARDED]
    with_guards = [content for content in found if any("+" in each for each in bins(content))]
    assert all(("weights" in content) == (content in with_guards) for content in found)
    kinds = {row[0] for content in with_guards for row in content["releases"] if "+" in row[1]}
    centred = {"centred total", "centred squares", "centred products"}
    assert kinds == {"total", "filtered total", "head count", "variance", *centred}


def test_private_groups():
    """Every cell has numbers of its own, and D cells have D answers, or one more if a person may be in none."""
    with opened() as curator:
        found = [verified(bought(curator, sql, **given)) for sql, given in GUARDED_GROUPS]
    assert [content["count"] for content in found[:2]] == ["4", "25"]
    assert found[1]["centred"]
    assert found[1]["rule"][-1] == "H"
    assert ["weights" in content for content in found] == [True, True, True, False, True]  # too many rows to list


def test_questions_of_the_grammar(curator):
    """Whatever fits 0.9 bits, or this error."""
    tried = 0
    for place, (sql, _) in enumerate(QUESTIONS[::2]):
        try:
            answer = bought(curator, sql, **({"bits": "0.9"} if place % 2 else {"error": 100}))
        except nl.BudgetError:
            continue
        tried += "weights" in verified(answer)
    assert tried >= 3


def test_repeats_are_free_and_have_no_weights(curator):
    for _ in range(2):
        content = verified(curator.ask("SELECT SUM(age) FROM t WHERE year = 2024", bits="0.4"))
    assert (content["weights"], content["ledger"]["factor"]) == ([], "1")
    assert "answer" not in content["ledger"]


def test_batches_and_recalled_answers(curator):
    """A number that belongs to two questions is charged with those of both."""
    with (several if curator.schema.rows > 1 else lambda _: opened())(curator.schema.rows) as fresh:
        batch = [verified(answer) for answer in fresh.batch(BATCH, bits="0.9")]
        again = [verified(fresh.recall(1, place)) for place in range(len(BATCH))]
    assert [each["weights"] for each in again] == [each["weights"] for each in batch]
    assert max(int(row[4]) for content in batch for row in content["weights"]) > 0
    factor = Fraction(batch[0]["ledger"]["factor"])
    assert all(Fraction(row[3]) <= factor for content in batch for row in content["weights"])


def test_refinements_of_guarded_answers():
    """The bin that came out is divided, from where it begins."""
    origins = set()
    for rows, error in ((1, 1000), (1, 400), (2, 400)):
        with opened() if rows == 1 else several(rows) as curator:
            answer = curator.ask("SELECT region, SUM(age) AS s FROM t GROUP BY region", error=error)
            for finer in (100, 3, 0):
                answer = curator.refine(answer, error=finer)
                origins |= {"@" in each for each in bins(verified(answer))}
    assert origins == {True, False}


def test_a_piece_below_the_origin_is_reported_from_0():
    """Bins of 24 from 5 on: codes 0 to 4 are in the bin at place −1."""
    with opened() as curator:
        content = content_of(curator.ask("SELECT SUM(age) AS s FROM t", error=0))
    content |= {"releases": [["total", "24@5", "-1"]], "count": "6"}
    content["answer"] = [{"s": {"value": "2", "lower": "0", "upper": "4"}}]
    assert nl.verify(resealed(content)).count == 6
    refused(put(content, ("answer", 0, "s", "lower"), "-19"), "does not follow")
    refused(put(content, ("releases", 0, 2), "-2"), "impossible")
    for origin in ("24@24", "24@29"):
        refused(put(content, ("releases", 0, 1), origin), "impossible origin")


def refused(content, words):
    with pytest.raises(nl.CertificateError, match=words):
        nl.verify(resealed(content))


@pytest.fixture(scope="module")
def quiet():
    """A sum in a wide bin: 1984+100, K = 2."""
    with opened() as curator:
        content = content_of(curator.ask("SELECT SUM(age) AS s FROM t", error=1000))
    assert content["releases"] == [["total", "1984+100", "2"]]
    assert content["weights"] == [[["0"], "2", "333/16", "333/317", "0"]]
    return content


@pytest.fixture(scope="module")
def loud():
    """Two sums under a condition, the first in a guard: K = 4."""
    with opened() as curator:
        content = content_of(curator.ask("SELECT SUM(pay) AS s, SUM(age) AS n FROM t WHERE age > 30", error=300))
    assert bins(content) == ["601+80", "601+100"]
    assert int(content["releases"][0][2]) % 2 == 1
    return content


def rebinned(content, text, place, first, last):
    """The sum in other bins, with the interval that follows."""
    other = put(content, ("releases", 0), ["total", text, str(place)])
    ends = {"value": str(Fraction(first + last, 2)), "lower": str(first), "upper": str(last)}
    return put(other, ("answer", 0, "s"), ends)


def test_narrow_guards_and_wide_bins(quiet):
    """M = 100, so V = 101: one less than V − 1 is refused, V − 1 is not."""
    assert nl.verify(resealed(rebinned(quiet, "100+100", 4, 400, 499)))
    refused(rebinned(quiet, "100+99", 4, 398, 497), "guards of a total are narrower than the 100 it can move")
    refused(rebinned(quiet, "99+100", 4, 398, 496), "wide bins of a total are narrower than the 100 it can move")


def test_the_interval_of_a_bin(quiet):
    refused(rebinned(quiet, "1984+100", 2, 2085, 4067), "does not follow")
    refused(rebinned(quiet, "1984+100", 2, 2084, 4066), "does not follow")
    assert nl.verify(resealed(rebinned(quiet, "1984+100", 4, 4168, 6000)))  # the last bin, clipped
    refused(rebinned(quiet, "1984+100", 4, 4168, 6151), "does not follow")


def test_places_that_do_not_exist(quiet):
    for place in (-1, 5, 6):
        refused(rebinned(quiet, "1984+100", place, 0, 1), "impossible")


@pytest.mark.parametrize("text", ["1984+0100", "01984+100", "1984+0", "1984+100@0", "1984+100@5", "1984+", "1984 +100"])
def test_bins_have_one_spelling(quiet, text):
    refused(put(quiet, ("releases", 0, 1), text), "whole number|not written that way")


def test_a_quiet_price_for_a_loud_place(quiet, loud):
    refused(rebinned(quiet, "1984+100", 1, 1984, 2083), "not that of a loud outcome")
    row = loud["weights"][0]
    k, a = int(row[1]), Fraction(row[2])
    assert (k, row[0], row[3]) == (4, ["0", "1"], str(a))
    refused(put(loud, ("weights", 0, 3), str(a / (a - 3))), "not that of a loud outcome")


def test_a_price_that_is_not_the_quiet_one(quiet):
    for price in ("333/319", "1", "333/16", "2"):
        refused(put(quiet, ("weights", 0, 3), price), "not that of a quiet outcome")
    dearer = put(quiet, ("ledger", "factor"), "333/16")
    refused(put(dearer, ("weights", 0, 3), "333/16"), "not that of a quiet outcome")
    with_others = put(dearer, ("weights", 0), [["0"], "2", "333/16", "333/16", "1"])
    assert nl.verify(resealed(with_others))  # a number of another question may have been loud


def test_a_loud_price_below_the_count(quiet, loud):
    """Alone, every a above 1 is valid; with others, a is at least K."""
    a = Fraction(15, 4)
    refused(put(loud, ("weights", 0, 2), str(a)), "too low for 4 joint answers")
    alone = put(put(quiet, ("weights", 0), [["0"], "2", "9/8", "9", "0"]), ("ledger", "factor"), "9")
    assert nl.verify(resealed(alone))
    refused(put(alone, ("weights", 0, 4), "1"), "too low for 2 joint answers")
    refused(put(alone, ("weights", 0), [["0"], "2", "1", "1", "0"]), "too low for 2 joint answers")


def test_a_count_below_what_is_needed(quiet, loud):
    refused(put(loud, ("weights", 0, 1), "3"), "at least 4 are needed")
    refused(put(quiet, ("weights", 0), [["0"], "1", "1", "1", "0"]), "at least 2 are needed")
    refused({**quiet, "count": "1"}, "at least 2 is needed")
    refused({**loud, "count": "3"}, "at least 4 is needed")


def test_weights_belong_to_guarded_bins(quiet):
    refused({name: value for name, value in quiet.items() if name != "weights"}, "guarded bins without weights")
    with opened() as curator:
        mixed = content_of(curator.ask("SELECT AVG(age), MIN(age) FROM t", error=20))
        equal = content_of(curator.ask("SELECT SUM(age) AS s FROM t", bits=2))
    refused({**equal, "weights": []}, "all bins are equal")
    place = next(place for place, row in enumerate(mixed["releases"]) if "+" not in row[1])
    refused(put(mixed, ("weights", 0, 0), [str(place)]), "a number in equal bins is charged by the answer")


def test_what_the_ledger_charged(quiet):
    refused(put(quiet, ("ledger", "factor"), "333/319"), "charged less than the price")
    refused(put(quiet, ("ledger", "factor"), "1"), "charged less than the price")
    refused(put(quiet, ("ledger", "factor"), "666/634"), "lowest terms")
    refused(put(quiet, ("ledger", "answer"), quiet["ledger"]["entry"]), "not after its question")
    unsettled = {name: value for name, value in quiet["ledger"].items() if not name.startswith("answer")}
    refused({**quiet, "ledger": unsettled}, "no answer settled it")
    refused({**quiet, "ledger": {**unsettled, "factor": "2"}}, "no answer settled it")
    refused({**quiet, "ledger": {**unsettled, "answer": "2"}}, "incomplete")
    refused({**quiet, "ledger": {**unsettled, "answer_hash": "0" * 64}}, "incomplete")


def test_guards_of_one_row_do_not_serve_two(quiet):
    unit = '\n[unit]\ncolumn = "who"\nrows = 2\norder_by = "year"\n'
    refused({**quiet, "schema": quiet["schema"] + unit}, "guards of a total are narrower than the 200")


def test_copies_are_not_charged_by_the_answer(tmp_path):
    with nl.Curator.open(TABLE, SCHEMA, budget=9, table="t") as curator:
        content = content_of(curator.release(tmp_path / "out.csv", columns=["well"], bits=2))
    assert nl.verify(resealed(content))
    content["ledger"] |= {"answer": "9", "answer_hash": "0" * 64}
    refused(content, "not possible")


CLAIMS = [
    ("dataset",),
    ("noiseless",),
    ("schema",),
    ("count",),
    ("ledger", "entry"),
    ("ledger", "hash"),
    ("ledger", "factor"),
    ("ledger", "answer"),
    ("ledger", "answer_hash"),
    ("weights",),
    ("weights", 0, 0),
    ("weights", 0, 1),
    ("weights", 0, 4),
]
"""What only a signature or the ledger can vouch for. Numbers may have been paid for before, or with others."""


@pytest.mark.parametrize("name", ["quiet", "loud"])
def test_any_change_is_noticed(name, request):
    content = request.getfixturevalue(name)
    tried = 0
    for path, other in forged(content):
        if path[0] in ("plan", "cells", "schema", "question"):
            continue  # as for equal bins
        tried += 1
        with pytest.raises(WrongCertificateError):
            check_counts(other)
        try:
            nl.verify(resealed(other))
        except nl.CertificateError:
            continue
        assert path == ("id",) or path in CLAIMS, (path, other)
        if path[0] == "weights":
            _check_claim(content["weights"], other["weights"])
    assert tried > 150


def _check_claim(before, after):
    """No row more than before, none for fewer joint answers, none cheaper."""
    for (places, count, loud, price, _), row in zip(before, after, strict=False):
        assert set(row[0]) <= set(places)
        assert int(row[1]) >= int(count)
        assert (row[2], row[3]) == (loud, price)
    assert len(after) <= len(before)
