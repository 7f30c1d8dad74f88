"""The certificate of a copy: every rule for its columns, policies and counts, to the last number."""

from __future__ import annotations

import pytest

from noiseless.curator.certificate.checker.copies import check_copy
from noiseless.curator.certificate.checker.numbers import MOST_BITS
from noiseless.curator.certificate.checker.wrong import WrongCertificateError

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
[columns.u]
kind = "real"
low = 0
high = 2
step = 1
[columns.v]
kind = "integer"
low = 0
high = 3
[columns.d]
kind = "date"
low = 2024-01-01
high = 2024-01-05
[columns.g]
kind = "public"
keys = ["a", "b"]
[columns.h]
kind = "public"
"""
UNIT = '[unit]\ncolumn = "who"\nrows = {}\norder_by = "h"\n'
PUBLIC = [{"column": "g", "public": True}, {"column": "h", "public": True}]
CELLS = {"column": "x", "cells of": "3", "answers": "4"}
APART = {"column": "a", "cells from": ["0", "4"], "answers": "3"}
GROUPS = {"column": "s", "groups": ["no", "any", "any"], "answers": "2"}
TRUTH = {"column": "w", "groups": ["False", "True"], "answers": "3"}
POLICY = {
    "columns": ["u", "v"],
    "policy": "Shift",
    "changes": "u",
    "boundary": "half of v",
    "error": "0",
    "epsilon": "0.5",
    "charged as": "12",
}


def content(*private, policies=(), **given):
    answers = [int(fields["answers"]) for fields in private] + [int(fields["charged as"]) for fields in policies]
    count = 1
    for each in answers:
        count *= each
    return {
        "format": "noiseless microdata certificate 2",
        "noiseless": "1",
        "dataset": "0" * 32,
        "table": "t",
        "rows": "1",
        "schema": SCHEMA,
        "columns": [*private, *PUBLIC],
        "policies": list(policies),
        "intervals": True,
        "sort": False,
        "belonging together": [],
        "count per row": str(count),
        "count": str(count),
        "rule": ["cells"],
        "sha256": "",
        "ledger": {"entry": "0", "hash": "0" * 64, "factor": "1"},
        "id": "",
    } | given


def refused(words, *private, **given):
    with pytest.raises(WrongCertificateError, match=words):
        check_copy(content(*private, **given))


def test_counts():
    assert check_copy(content(CELLS)) == 4
    assert check_copy(content(CELLS, APART)) == 12
    assert check_copy(content(GROUPS, rule=["groups"])) == 2
    assert check_copy(content(CELLS, GROUPS, TRUTH, rule=["cells", "groups"])) == 24
    assert check_copy(content(policies=[POLICY], rule=["policy"])) == 12
    assert check_copy(content(CELLS, policies=[POLICY], rule=["cells", "policy"])) == 48
    for more in ({"count": "5"}, {"count per row": "5"}):
        assert check_copy(content(CELLS, **more)) == 4
    refused("and at least 4 is needed", CELLS, count="3")
    refused("the count of a row is at least 4", CELLS, **{"count per row": "3"})


def test_several_rows():
    several = {"schema": SCHEMA + UNIT.format(3), "rule": ["cells", "power of rows"]}
    assert check_copy(content(CELLS, **several, count="64")) == 64
    refused("at least 64 is needed", CELLS, **several, count="63")
    refused("rule", CELLS, **several | {"rule": ["cells"]}, count="64")
    two = {"schema": SCHEMA + UNIT.format(2), "rule": ["cells", "power of rows"]}
    assert check_copy(content(CELLS, **two, count="16")) == 16
    one = {"schema": SCHEMA + UNIT.format(1)}
    assert check_copy(content(CELLS, **one)) == 4
    refused("rule", CELLS, **one, rule=["cells", "power of rows"])


def test_counts_that_no_budget_has():
    """Four answers have three digits: no more rows than 20 000 / 3."""
    most = MOST_BITS // 3
    for rows, words in ((most, "is needed"), (most + 1, "larger than any budget")):
        schema = SCHEMA + UNIT.format(rows)
        refused(words, CELLS, schema=schema, rule=["cells", "power of rows"])
    two = {"column": "x", "cells of": "5", "answers": "2"}
    for rows, words in (
        (MOST_BITS // 2, "is needed"),
        (MOST_BITS // 2 + 1, "rows of a person is impossible|larger than any budget"),
    ):
        refused(words, two, schema=SCHEMA + UNIT.format(rows), rule=["cells", "power of rows"])


def test_the_whole():
    refused("fields are missing", CELLS, more="1")
    less = content(CELLS)
    less.pop("sort")
    with pytest.raises(WrongCertificateError, match="fields are missing"):
        check_copy(less)
    for wrong in ({"rows": "0"}, {"rows": "-1"}, {"table": None}, {"table": ["t"]}):
        refused("no rows or no table", CELLS, **wrong)
    for name in ("intervals", "sort"):
        refused(f"{name} is neither", CELLS, **{name: "true"})
        refused(f"{name} is neither", CELLS, **{name: None})
        assert [check_copy(content(CELLS, **{name: truth})) for truth in (True, False)] == [4, 4]
    assert check_copy(content(CELLS, sha256="0a" * 32)) == 4
    for wrong in ("0", "0A" * 32, "0a" * 33):  # type: ignore[assignment]
        refused("SHA-256", CELLS, sha256=wrong)
    refused("id of the dataset", CELLS, dataset="")
    refused("rule", CELLS, rule=["groups"])
    refused("rule", CELLS, rule=[])


def test_columns_and_their_order():
    refused("no private column")
    refused("out of order", APART, CELLS)
    refused("released twice", CELLS, CELLS)
    refused("released twice", {"column": "u", "cells of": "1", "answers": "3"}, policies=[POLICY])
    refused("released twice", policies=[POLICY, POLICY])
    for wrong in ([CELLS], [*PUBLIC, CELLS], [CELLS, *PUBLIC[::-1]], [CELLS, *PUBLIC, PUBLIC[0]], [CELLS, PUBLIC[0]]):
        refused("public columns are not all there", CELLS, columns=wrong)
    refused("public columns are not all there", CELLS, columns=[CELLS, PUBLIC[0], {"column": "h", "public": False}])


@pytest.mark.parametrize(("width", "answers"), [("1", 10), ("3", 4), ("9", 2), ("10", 1)])
def test_cells_of_a_width(width, answers):
    assert check_copy(content(CELLS | {"cells of": width, "answers": str(answers)})) == answers
    apart = {"column": "a", "cells of": width, "answers": str(answers + 1)}
    assert check_copy(content(apart)) == answers + 1
    for off in (1, -1):
        refused("answers and not", CELLS | {"cells of": width, "answers": str(answers + off)})


def test_cells_that_cannot_be():
    refused("impossible width", CELLS | {"cells of": "0"})
    refused("impossible width", CELLS | {"cells of": "11"})
    for wrong in (CELLS | {"more": "1"}, CELLS | {"cells from": ["0", "5"]}, {"column": "x", "answers": "4"}):
        refused("is a number and has no cells", wrong)
    refused("is a number and has no cells", {"column": "x", "groups": ["a"] * 10, "answers": "1"})


@pytest.mark.parametrize("starts", [["0", "4"], ["0", "1", "9"], list(map(str, range(10)))])
def test_cells_between_cuts(starts):
    fields = {"column": "x", "cells from": starts, "answers": str(len(starts))}
    assert check_copy(content(fields)) == len(starts)
    assert check_copy(content(fields | {"column": "a", "answers": str(len(starts) + 1)})) == len(starts) + 1
    refused("answers and not", fields | {"answers": str(len(starts) + 1)})


@pytest.mark.parametrize("starts", [["0"], [], ["1", "4"], ["0", "4", "4"], ["0", "5", "4"], ["0", "10"], ["0", "11"]])
def test_cuts_that_cannot_be(starts):
    refused("out of order", {"column": "x", "cells from": starts, "answers": str(len(starts))})


def test_groups():
    for groups, answers in ((["no", "yes", "both"], 3), (["a", "b", "c"], 3), (["a", "b", "a"], 2), (["a"] * 3, 1)):
        fields = {"column": "s", "groups": groups, "answers": str(answers)}
        assert check_copy(content(fields, rule=["groups"])) == answers
        refused("answers and not", fields | {"answers": str(answers + 1)}, rule=["groups"])
    assert check_copy(content(TRUTH, rule=["groups"])) == 3
    refused("leave out a value", GROUPS | {"groups": ["a", "b"]})
    refused("leave out a value", GROUPS | {"groups": ["a", "b", "a", "b"]})
    refused("no name", GROUPS | {"groups": ["a", None, "a"]})
    for exchanged in (["yes", "no", "both"], ["both", "no", "yes"]):
        refused("are exchanged", {"column": "s", "groups": exchanged, "answers": "3"})
    for wrong in (GROUPS | {"more": "1"}, {"column": "s", "cells of": "1", "answers": "3"}, {**CELLS, "column": "s"}):
        refused("named values and no groups", wrong)
    refused("named values and no groups", {"column": "s", "cells from": ["0", "1"], "answers": "2"})


@pytest.mark.parametrize("name", ["Collapse", "Stretch", "Shift"])
def test_policies(name):
    assert check_copy(content(policies=[POLICY | {"policy": name}], rule=["policy"])) == 12
    other = POLICY | {"policy": name, "columns": ["v"], "changes": "v", "charged as": "4", "error": "3/2"}
    assert check_copy(content(policies=[other | {"epsilon": "0.0"}], rule=["policy"])) == 4


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        ("a policy is unknown", {"more": "1"}),
        ("a policy is unknown", {"policy": "Guess"}),
        ("columns of numbers", {"changes": "v"}),
        ("columns of numbers", {"columns": ["u", "a"]}),
        ("columns of numbers", {"columns": ["u", "d"]}),
        ("columns of numbers", {"columns": ["u", "s"]}),
        ("impossible error", {"error": "-1/2"}),
        ("impossible error", {"epsilon": "-0.5"}),
        ("not written", {"epsilon": "0.50"}),
        ("not written", {"epsilon": "1"}),
        ("no boundary", {"boundary": ""}),
        ("no boundary", {"boundary": None}),
        ("no boundary", {"boundary": True}),
        ("not charged", {"charged as": "11"}),
        ("not charged", {"charged as": "13"}),
    ],
)
def test_policies_that_cannot_be(words, changed):
    refused(words, policies=[POLICY | changed], rule=["policy"])


def test_columns_that_belong_together():
    def together(*groups):
        return {"belonging together": list(groups), "rule": ["cells", "policy"]}

    for fine in ([["x", "a"]], [["x", "a"], ["x", "u"]], [["x"], ["x", "a", "v"], ["a", "v"]], [["x", "a", "u", "v"]]):
        assert check_copy(content(CELLS, APART, policies=[POLICY], **together(*fine))) == 144
    for wrong, words in (
        ([["x", "s"]], "not released"),
        ([["x", "g"]], "not released"),
        ([["a", "x"]], "group of columns is out of order"),
        ([["x", "x"]], "group of columns is out of order"),
        ([["a", "u"], ["x", "a"]], "groups of columns are out of order"),
        ([["x", "a"], ["x", "a"]], "groups of columns are out of order"),
        (["x"], "not a list"),
    ):
        refused(words, CELLS, APART, policies=[POLICY], **together(*wrong))
