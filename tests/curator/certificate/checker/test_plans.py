"""Plans, read strictly: what each node may be, and which aggregates it asks for."""

from __future__ import annotations

import pytest

from noiseless.curator.certificate.checker.columns import Column
from noiseless.curator.certificate.checker.conditions import TRUE
from noiseless.curator.certificate.checker.plans import aggregate_of, read_plan
from noiseless.curator.certificate.checker.wrong import WrongCertificateError
from tests.curator.certificate.checker.small import PLAN

COLUMNS = {
    "x": Column("real", 4),
    "i": Column("integer", 4, apart=True),
    "d": Column("date", 4),
    "s": Column("category", 1, keys=("no", "yes"), places={"no": 0, "yes": 1}),
    "g": Column("public", 1, keys=("a", "b"), places={"a": 0, "b": 1}),
    "n": Column("public", 1, keys=(3, 5), places={"3": 0, "5": 1}),
    "b": Column("public", 1, keys=(True, False), places={True: 0, False: 1}),
    "free": Column("public", -1),
}
X, D = ["column", "x"], ["column", "d"]
COUNT, SUM, LAST = ["count"], ["sum", X], ["kth", D, "1"]
ONE, DAY, TEXT, TRUTH = ["number", "1"], ["date", "2024-01-31"], ["text", "a"], ["truth", True]


def read(**given):
    return read_plan(PLAN | given, COLUMNS)


def refused(words, **given):
    with pytest.raises(WrongCertificateError, match=words):
        read(**given)


def test_a_plan():
    plan = read()
    assert (plan.items, plan.where, plan.keys, plan.category) == ([("n", COUNT)], TRUE, (), None)
    assert (plan.having, plan.order, plan.limit) == (None, [], None)
    assert (plan.aggregates, plan.nodes) == ((("count", None, ""),), 1)
    more = read(
        items=[["a", SUM], ["b", ["/", SUM, COUNT]]],
        where=["within", X, [["1", "2"]]],
        keys=["g", "n"],
        having=["not", ["and", [">", COUNT, ONE], ["=", ["key", "g"], TEXT]]],
        order=[[LAST, "descending"], [["key", "n"], "ascending"]],
        limit="0",
    )
    assert more.where == ("within", "x", ((1, 2),))
    assert (more.keys, more.limit) == (("g", "n"), 0)
    assert more.order == [(LAST, True), (["key", "n"], False)]
    assert more.aggregates == (("sum", "x", ""), ("count", None, ""), ("kth", "d", "1"))
    assert more.nodes == 1 + 3 + 8 + 2  # of the items, of HAVING and of ORDER BY


def test_fields():
    refused("fields of the plan", more="1")
    for wrong in ({name: value for name, value in PLAN.items() if name != "limit"}, [], None, list(PLAN)):
        with pytest.raises(WrongCertificateError, match="fields of the plan"):
            read_plan(wrong, COLUMNS)


def test_labels():
    refused("labels", items=[])
    refused("labels", items=[["n", COUNT], ["n", SUM]])
    refused("label is not a text", items=[[["n"], COUNT]])
    refused("label is not a text", items=[["n", COUNT], [None, COUNT]])
    refused("not a pair", items=[["n", COUNT, COUNT]])


def test_an_answer_must_ask_something():
    for constant in (ONE, DAY, TRUTH):
        refused("only a constant", items=[["n", COUNT], ["c", constant]])
    for constant in (ONE, DAY, TEXT, TRUTH):
        assert read(order=[[constant, "ascending"]]).nodes == 2
    refused("does not ask for a number", items=[["g", ["key", "g"]]], keys=["g"])


def test_orders_and_limits():
    refused("no direction", order=[[COUNT, "upward"]])
    refused("no direction", order=[[COUNT, "ascending"], [COUNT, ""]])
    refused("below 0", limit="-1")
    refused("whole number", limit="1.5")
    assert [read(limit=limit).limit for limit in ("0", "1")] == [0, 1]


def test_keys():
    assert read(keys=["g", "s"], category="s").category == "s"
    refused("not names", keys="g")
    refused("not names", keys=[["g"]])
    refused("not names", keys=["g", None])
    refused("unknown, or the same twice", keys=["z"])
    refused("unknown, or the same twice", keys=["g", "g"])
    for keys, category in ((["s"], None), (["g"], "s"), (["g"], "g"), (["s"], "g"), ([], "s")):
        refused("not the one grouped by", keys=keys, category=category)
    refused("no declared keys", keys=["free"])
    refused("no declared keys", keys=["g", "free"])
    refused("no declared keys", keys=["x"], category="x")


def test_every_column_may_be_grouped_by():
    two = {"s": COLUMNS["s"], "one": Column("public", 0, keys=("a",), places={"a": 0})}
    items = [["o", ["key", "one"]], ["n", COUNT]]
    plan = read_plan(PLAN | {"keys": ["one", "s"], "category": "s", "items": items}, two)
    assert (plan.keys, plan.category) == (("one", "s"), "s")


def test_by_a_private_category_only_rows_are_counted():
    by = {"keys": ["s"], "category": "s"}
    assert read(**by, items=[["s", ["key", "s"]], ["n", COUNT], ["m", ["+", COUNT, COUNT]]]).nodes == 5
    for other in (["sum", X], ["count", X]):
        refused("allows COUNT", **by, items=[["n", other]])
        refused("allows COUNT", **by, items=[["n", COUNT], ["m", other]])


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        "count",
        {"count": "1"},
        None,
        ["guess"],
        ["number"],
        ["text", ["a"]],
        ["truth", "true"],
        ["date", "2024-01-31", "x"],
        ["key", "x", "y"],
        ["count", "x"],
        ["kth", X],
        ["kth", X, 1],
        ["sum"],
        ["sum", X, "1"],
        ["guess", X],
        ["+", COUNT],
        ["+", COUNT, COUNT, COUNT],
        ["%", COUNT, COUNT],
    ],
)
def test_expressions_that_are_not_known(wrong):
    for given in ({"items": [["n", COUNT], ["m", wrong]]}, {"order": [[wrong, "ascending"]]}):
        refused("expression is", **given)
    with pytest.raises(WrongCertificateError):
        read(having=["=", COUNT, wrong])


def test_values_that_are_not_well_written():
    refused("whole number", order=[[["number", "1.0"], "ascending"]])
    refused("not grouped by", items=[["n", COUNT], ["g", ["key", "g"]]])
    refused("not grouped by", items=[["n", COUNT], ["g", ["key", "n"]]], keys=["g"])
    refused("not declared", items=[["n", ["sum", ["column", "z"]]]])


@pytest.mark.parametrize("operation", "+-*/")
def test_only_numbers_are_calculated_with(operation):
    for fine in (COUNT, SUM, ONE, ["+", ONE, SUM], ["kth", X, "1/2"]):
        assert read(items=[["n", [operation, fine, COUNT]]]).items
        assert read(items=[["n", [operation, COUNT, fine]]]).items
    for wrong in (LAST, DAY, TEXT, TRUTH, ["key", "g"], ["key", "n"], ["key", "b"]):
        for both in ([wrong, COUNT], [COUNT, wrong]):
            refused("not a number", items=[["n", [operation, *both]]], keys=["g", "n", "b"])


def test_functions_need_numbers():
    for function in ("sum", "avg", "var_pop", "stddev_pop"):
        for name in ("x", "i"):
            assert read(items=[["n", [function, ["column", name]]]]).aggregates == ((function, name, ""),)
        for name in ("d", "s", "g"):
            refused("needs numbers", items=[["n", [function, ["column", name]]]])
    assert read(items=[["n", LAST]]).aggregates == (("kth", "d", "1"),)
    refused("needs numbers", items=[["n", ["kth", ["column", "s"], "1"]]])
    for name in COLUMNS:
        assert read(items=[["n", ["count", ["column", name]]]]).aggregates == (("count", name, ""),)


def test_shares():
    for share in ("0", "1/2", "1"):
        assert read(items=[["n", ["kth", X, share]]]).aggregates == (("kth", "x", share),)
    for share in ("-1/2", "3/2", "-1", "2"):
        refused("share", items=[["n", ["kth", X, share]]])


TYPES = {
    "number": [COUNT, SUM, ONE, ["kth", X, "1"], ["+", ONE, ONE], ["key", "n"]],
    "date": [LAST, DAY],
    "text": [TEXT, ["key", "g"]],
    "truth": [TRUTH, ["key", "b"]],
}


def test_only_values_of_one_type_are_compared():
    for one, left in TYPES.items():
        for two, right in TYPES.items():
            for first in left:  # type: ignore[attr-defined]
                for second in right:  # type: ignore[attr-defined]
                    given = {"keys": ["g", "n", "b"], "having": ["<=", first, second]}
                    if one == two:
                        assert read(**given).having == given["having"]
                    else:
                        refused("different types", **given)


@pytest.mark.parametrize("comparison", ["=", "<>", "<", "<=", ">", ">="])
def test_comparisons(comparison):
    assert read(having=[comparison, COUNT, ONE]).nodes == 4
    refused("test is unknown", having=[comparison, COUNT])
    refused("test is unknown", having=[comparison, COUNT, ONE, ONE])


def test_tests():
    same = ["=", COUNT, ONE]
    for test, nodes in ((["not", same], 4), (["and", same], 4), (["or", same, same, same], 10)):
        assert read(having=test).nodes == 1 + nodes
    for wrong in (["not"], ["not", same, same], ["and"], ["or"], ["xor", same], COUNT, ["like", COUNT, ONE]):
        refused("test is unknown", having=wrong)
        refused("test is unknown", having=["and", same, wrong])
    for wrong in ([], "x", {}):  # type: ignore[assignment]
        refused("test is not a list", having=wrong)
        refused("test is not a list", having=["not", wrong])


def test_aggregates():
    assert aggregate_of(["count"]) == ("count", None, "")
    assert aggregate_of(["count", X]) == ("count", "x", "")
    assert aggregate_of(["kth", X, "1/2"]) == ("kth", "x", "1/2")
    for wrong in (["count", X, X], ["kth", X], ["sum", ["row", "x"]], ["sum", "x"], ["most", X], ["count", ["column"]]):
        with pytest.raises(WrongCertificateError, match="unknown"):
            aggregate_of(wrong)
