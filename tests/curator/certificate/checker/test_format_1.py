"""Certificates of format 1, as they were written then, still verify; those that were charged more too."""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.certificate.certificate import Certificate
from noiseless.curator.certificate.checker import WrongCertificateError, check_counts, check_file, format_1
from noiseless.curator.certificate.checker.conditions import FALSE, TRUE

LINES = (Path(__file__).parent / "format_1.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("place", range(len(LINES)))
def test_they_verify_with_their_signatures(place):
    found = nl.verify(LINES[place])
    assert found.signed
    assert found.count <= int(found.certificate.content["count"])  # older rules were dearer


@pytest.mark.parametrize("place", range(len(LINES)))
def test_what_was_charged_is_at_least_what_is_needed(place):
    content = json.loads(LINES[place])["content"]
    count = check_counts(content)
    assert check_counts({**content, "count": str(count + 3)}) == count <= int(content["count"])
    with pytest.raises(WrongCertificateError, match="is needed"):
        check_counts({**content, "count": str(count - 1)})


@pytest.mark.parametrize(("place", "field", "value"), [(1, "changes", "0"), (0, "reads", ["age"]), (2, "changes", "1")])
def test_what_follows_from_a_condition_is_computed_from_it(place, field, value):
    content = json.loads(LINES[place])["content"]
    for release in content["releases"]:
        release[field] = value
    with pytest.raises(WrongCertificateError, match="condition"):
        check_counts(content)


def test_a_release_that_is_charged_less_than_it_needs():
    content = json.loads(LINES[0])["content"]
    for place, release in enumerate(content["releases"]):
        for field, value in (("answers", "1"), ("rows", "101"), ("width", "0"), ("kind", "guess"), ("released", [])):
            other = copy.deepcopy(content)
            other["releases"][place][field] = value
            assert release[field] != value
            with pytest.raises(WrongCertificateError):
                check_counts(other)


def test_copies_were_written_without_their_assumptions_at_first():
    content = json.loads(LINES[3])["content"]
    count = int(content["count"])
    content.pop("assumptions")
    assert check_counts(content) == count
    content["columns"][0]["answers"] = "1"
    with pytest.raises(WrongCertificateError, match="answers"):
        check_counts(content)


def test_many_cells_in_few_words():
    content = json.loads(LINES[0])["content"]
    for cells in ("0-9999999", "0-99999999999", "5-3", "0-1-2-9999999", "", "-1", "0,,1"):
        other = copy.deepcopy(content)
        other["releases"] = [{**other["releases"][0], "cells": cells}]
        with pytest.raises(WrongCertificateError):
            check_counts(other)


def test_a_copy_of_format_1_must_have_what_its_file_has(tmp_path):
    """Called by the old name, a certificate without columns once passed for any file."""
    (tmp_path / "raw.csv").write_text("name,x\nann,1\nbob,2\n")
    with nl.Curator.open(pa.table({"x": [1, 2]}), nl.Schema(x=nl.Integer(0, 9)), budget=9, table="t") as curator:
        made = curator.release(tmp_path / "out.csv", bits=1)
    content = {k: v for k, v in made.certificate.content.items() if k not in ("id", "sort")}
    content |= {"format": "noiseless microdata certificate 1"}
    digest = hashlib.sha256((tmp_path / "raw.csv").read_bytes()).hexdigest()
    found = nl.verify(Certificate(content), file=tmp_path / "out.csv")
    assert (found.count, found.whole, found.signed) == (2, False, False)
    for forged in ({"columns": [], "count": "1", "count per row": "1"}, {}):
        with pytest.raises(nl.CertificateError):
            nl.verify(Certificate(content | forged | {"sha256": digest}), file=tmp_path / "raw.csv")


SCHEMA = """
[columns.x]
kind = "integer"
low = 0
high = 9
[columns.a]
kind = "integer"
low = 0
high = 9
missing = "apart"
[columns.s]
kind = "category"
values = ["no", "yes", "both"]
[columns.w]
kind = "boolean"
missing = "apart"
[columns.g]
kind = "public"
keys = ["a", "b"]
"""
UNIT = '[unit]\ncolumn = "who"\nrows = {}\norder_by = "g"\n'
LEDGER = {"entry": "1", "hash": "0" * 64, "factor": "1"}
TOTAL = {"kind": "total", "column": "x", "condition": ["every"], "reads": [], "changes": "0", "cells": "0-1"}
TOTAL |= {"rows": "5", "whole": True, "width": "3", "released": ["15"], "answers": "4"}  # type: ignore[dict-item]
"""The sum of five codes from 0 to 9, in bins of 3."""
COUNT = {"kind": "head count", "counted": None, "condition": ["within", "x", [["5", "9"]]], "reads": ["x"]}
COUNT |= {"changes": "1", "cells": "0", "rows": "5", "whole": False, "width": "1", "released": ["5"], "answers": "2"}  # type: ignore[dict-item]


def answered(*releases, **given):
    names = format_1.FIELDS - {"format", "rows", "schema", "releases", "count", "ledger"}
    return (
        dict.fromkeys(names, "")
        | {
            "format": "noiseless certificate 1",
            "rows": "5",
            "schema": SCHEMA,
            "releases": list(releases),
            "count": "4" if TOTAL in releases else "2",
            "ledger": LEDGER,
        }
        | given
    )


def refused(words, content):
    with pytest.raises(WrongCertificateError, match=words):
        check_counts(content)


def test_an_answer_and_its_numbers():
    assert check_counts(answered(TOTAL)) == check_counts(answered(TOTAL | {"answers": "5"}, count="4")) == 4
    assert check_counts(answered(TOTAL, rows="6")) == 4
    assert check_counts(answered(COUNT)) == 2
    refused("fields are missing", answered(TOTAL, more=""))
    refused("more rows than the table", answered(TOTAL, rows="4"))
    refused("is not 3", answered(TOTAL | {"answers": "3"}))
    refused("is impossible", answered(TOTAL | {"released": ["16"]}))
    refused("named twice", answered(TOTAL, TOTAL))
    refused("at least 4 is needed", answered(TOTAL, count="3"))
    refused("not written as ranges", answered(TOTAL | {"cells": "1-0"}))


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("unknown kind", {"kind": "guess"}),
        ("no column, or one too many", {"column": "x"}),
        ("columns it reads", {"reads": []}),
        ("columns it reads", {"reads": ["a"]}),
        ("number of changes", {"changes": "2"}),
        ("no rows or no columns", {"width": "0"}),
        ("no rows or no columns", {"rows": "0"}),
        ("no rows or no columns", {"condition": ["every"], "reads": [], "changes": "0"}),
        ("unknown column", {"condition": ["within", "z", [["5", "9"]]]}),
        ("unknown column", {"condition": ["missing", "z"]}),
        ("condition is unknown", {"condition": ["like", "x"]}),
    ],
)
def test_releases_that_cannot_be(words, changed):
    refused(words, answered(COUNT | changed))


def test_kinds_and_their_columns_and_conditions():
    without = {name: value for name, value in TOTAL.items() if name != "column"}
    refused("no column, or one too many", answered(without))
    for kind in ("total", "variance"):
        some = {"kind": kind, "condition": COUNT["condition"], "reads": ["x"], "changes": "1"}
        refused("has a condition", answered(TOTAL | some))


def test_counts_of_values_that_are_there():
    there = COUNT | {"counted": "a", "condition": ["within", "a", [["0", "9"]]], "reads": ["a"]}
    assert check_counts(answered(there)) == 2
    assert check_counts(answered(there | {"condition": ["missing", "a"]})) == 2
    assert check_counts(answered(there, there | {"counted": None}, count="9")) >= 2  # two releases
    assert check_counts(answered(COUNT | {"rows": "1", "released": ["1"]})) == 2
    public = ["every", COUNT["condition"], ["within", "g", [["0", "0"]]]]
    assert check_counts(answered(COUNT | {"condition": public})) == 2


def test_conditions_in_codes():
    columns = format_1.read_schema(SCHEMA).columns  # type: ignore[attr-defined]
    read = ["within", "x", [["7", "9"], ["0", "2"]]]
    within = ("within", "x", ((0, 2), (7, 9)))
    for node, condition in (
        (read, within),
        (["missing", "a"], ("missing", "a")),
        (["not", read], ("not", within)),
        (["not", ["not", read]], within),
        (["every"], TRUE),
        (["some"], FALSE),
        (["every", read, ["missing", "a"]], ("every", frozenset({within, ("missing", "a")}))),
    ):
        assert format_1._condition(node, columns) == condition


def test_cells_in_ranges(monkeypatch):
    assert format_1._spans("0-3,7") == [(0, 3), (7, 7)]
    assert format_1._spans("0") == [(0, 0)]
    for wrong in ("1-0", "0-3,2-1"):
        with pytest.raises(WrongCertificateError, match="ranges"):
            format_1._spans(wrong)
    release = format_1._release(COUNT | {"cells": "0-2,7"}, format_1.read_schema(SCHEMA).columns)  # type: ignore[attr-defined]
    assert release.part.cells == (0, 1, 2, 7)
    monkeypatch.setattr(format_1, "MOST_CELLS", 5)
    assert check_counts(answered(TOTAL | {"cells": "0-2,7"}, COUNT, count="99")) > 4
    refused("than possible", answered(TOTAL | {"cells": "0-3,7"}, COUNT, count="99"))


def test_references_to_the_ledger():
    for content in (answered(TOTAL), copied(CELLS)):
        for wrong in ({"entry": "0"}, {"factor": "0"}, {"entry": "-1"}):
            refused("impossible", content | {"ledger": LEDGER | wrong})
        refused("incomplete", content | {"ledger": LEDGER | {"more": "1"}})
        assert check_counts(content | {"ledger": LEDGER | {"entry": "2", "factor": "2"}}) == 4


PUBLIC = {"column": "g", "public": True}
CELLS = {"column": "x", "cells of": "3", "answers": "4"}
GROUPS = {"column": "s", "groups": ["no", "any", "any"], "answers": "2"}
POLICY = {"columns": ["x", "s"], "charged as": "30"}


def copied(*columns, count="4", **given):
    names = format_1.FIELDS_OF_COPY - {"format", "rows", "schema", "columns", "policies", "count", "ledger"}
    return (
        dict.fromkeys(names, "")
        | {
            "format": "noiseless microdata certificate 1",
            "schema": SCHEMA,
            "rows": "5",
            "columns": list(columns),
            "policies": [],
            "count per row": count,
            "count": count,
            "ledger": LEDGER,
        }
        | given
    )


def test_a_copy_and_its_numbers():
    assert check_counts(copied(CELLS)) == check_counts(copied(CELLS, PUBLIC)) == 4
    assert check_counts(copied(GROUPS, count="2")) == 2
    assert check_counts(copied(CELLS, GROUPS, count="8")) == 8
    truth = {"column": "w", "groups": ["False", "True"], "answers": "3"}
    assert check_counts(copied(truth, count="3")) == 3
    assert check_counts(copied(CELLS | {"answers": "5"})) == check_counts(copied(CELLS, count="5")) == 4
    for width, answers in (("1", 10), ("9", 2), ("10", 1)):
        assert check_counts(copied(CELLS | {"cells of": width, "answers": "99"}, count="99")) == answers
        apart = CELLS | {"column": "a", "cells of": width, "answers": "99"}
        assert check_counts(copied(apart, count="99")) == answers + 1
    refused("x' has 4 answers and not 3", copied(CELLS | {"answers": "3"}))
    refused("the count of a row is 4", copied(CELLS, **{"count per row": "3"}))
    refused("at least 4 is needed", copied(CELLS, **{"count per row": "4", "count": "3"}))
    refused("fields are missing", copied(CELLS, more=""))
    refused("released twice", copied(CELLS, CELLS, count="99"))
    refused("released twice", copied(CELLS, PUBLIC, PUBLIC))
    refused("shown as something else", copied(CELLS, PUBLIC | {"public": False}))
    refused("no private column", copied(PUBLIC))
    refused("no private column", copied())
    refused("cells have no width", copied(CELLS | {"cells of": "0"}))
    refused("cells have no width", copied(CELLS | {"more": "1"}))
    refused("neither cells nor groups", copied(GROUPS | {"more": "1"}))
    refused("has a gap", copied(GROUPS | {"groups": ["a", "b"]}))
    refused("has a gap", copied(GROUPS | {"groups": ["a", "b", "a", "a"]}))


def test_policies_of_a_copy():
    without = copied(CELLS)
    without.pop("policies")
    assert check_counts(without) == 4
    assert check_counts(copied(count="30", policies=[POLICY])) == 30
    assert check_counts(copied(count="31", policies=[POLICY | {"charged as": "31"}])) == 30
    other = CELLS | {"column": "a", "answers": "5"}
    assert check_counts(copied(other, count="150", policies=[POLICY])) == 150
    refused("not charged", copied(count="99", policies=[POLICY | {"charged as": "29"}]))
    refused("policy is released twice", copied(CELLS, count="999", policies=[POLICY]))
    refused("policy is released twice", copied(count="999", policies=[POLICY, POLICY]))


def test_copies_of_several_rows():
    assert check_counts(copied(CELLS, count="64", schema=SCHEMA + UNIT.format(3))) == 64
    refused("at least 64 is needed", copied(CELLS, count="63", schema=SCHEMA + UNIT.format(3)))
    most = format_1.MOST_BITS // 2  # type: ignore[attr-defined]  # a count of 2 has two digits
    two = CELLS | {"cells of": "5", "answers": "2"}
    refused("is needed", copied(two, count="2", schema=SCHEMA + UNIT.format(most)))
    refused("is needed", copied(CELLS, schema=SCHEMA + UNIT.format(format_1.MOST_BITS // 3)))  # type: ignore[attr-defined]
    refused("larger than any budget", copied(CELLS, schema=SCHEMA + UNIT.format(format_1.MOST_BITS // 3 + 1)))  # type: ignore[attr-defined]


def test_of_a_file_names_and_rows_are_compared(tmp_path):
    """And no values: how far those were rounded is not in a certificate of format 1."""
    content = copied(CELLS, PUBLIC, rows="2", intervals=False)
    for text, words in (("x,g\n99,a\n1,z\n", ""), ("x\n99\n1\n", "other columns"), ("x,g\n1,a\n", "number of rows")):
        (tmp_path / "out.csv").write_text(text)
        if words:
            with pytest.raises(WrongCertificateError, match=words):
                check_file(content, tmp_path / "out.csv")
        else:
            assert check_file(content, tmp_path / "out.csv") == 2
