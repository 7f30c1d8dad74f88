"""The words of a certificate, letter by letter."""

from __future__ import annotations

import pytest

from noiseless.curator.certificate.checker.words import question_of
from tests.curator.certificate.checker.small import PLAN

X, D, G = ["column", "x"], ["column", "d"], ["column", 'g"h']
COUNT, ONE = ["count"], ["number", "1"]


def words(**given):
    return question_of(PLAN | given, "t")


def test_questions():
    assert words() == 'SELECT COUNT(*) AS "n" FROM "t"'
    assert question_of(PLAN, 'a"b') == 'SELECT COUNT(*) AS "n" FROM "a""b"'
    items = [["a", ["key", 'g"h']], ["b", ["sum", X]]]
    assert words(items=items, keys=['g"h', "k"]) == (
        'SELECT "g""h" AS "a", SUM("x") AS "b" FROM "t" GROUP BY "g""h", "k"'
    )
    whole = words(
        where=["missing", X],
        keys=["k"],
        having=["=", COUNT, ONE],
        order=[[COUNT, "ascending"], [["key", "k"], "descending"]],
        limit="0",
    )
    assert whole == (
        'SELECT COUNT(*) AS "n" FROM "t" WHERE ("x" IS NULL) GROUP BY "k" HAVING (COUNT(*) = 1) '
        'ORDER BY COUNT(*), "k" DESC LIMIT 0'
    )


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (["count", X], 'COUNT("x")'),
        (["avg", X], 'AVG("x")'),
        (["var_pop", X], 'VAR_POP("x")'),
        (["stddev_pop", X], 'STDDEV_POP("x")'),
        (["kth", X, "0"], 'MIN("x")'),
        (["kth", X, "1"], 'MAX("x")'),
        (["kth", X, "1/2"], 'MEDIAN("x")'),
        (["kth", X, "9/10"], 'QUANTILE("x", 0.9)'),
        (["kth", X, "1/3"], 'QUANTILE("x", 1/3)'),
        (["+", ["count"], ["*", ["sum", X], ONE]], '(COUNT(*) + (SUM("x") * 1))'),
        (["text", "it's"], "'it''s'"),
        (["truth", True], "TRUE"),
        (["truth", False], "FALSE"),
        (["date", "2024-01-31"], "DATE '2024-01-31'"),
    ],
)
def test_expressions(tree, text):
    assert words(order=[[tree, "ascending"]]).endswith(f" ORDER BY {text}")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("0", "0"),
        ("-7", "-7"),
        ("12345678901234567", "12345678901234567"),
        ("3/2", "1.5"),
        ("-3/2", "-1.5"),
        ("-1/4", "-0.25"),
        ("1/1000000000000", "0.000000000001"),
        ("1/10000000000000", "1/10000000000000"),
        ("1/3", "1/3"),
        ("10000000000001/1000000000000", "10.000000000001"),
    ],
)
def test_numbers(number, text):
    """As decimals, where those have at most twelve places."""
    assert words(order=[[["number", number], "ascending"]]).endswith(f" ORDER BY {text}")


@pytest.mark.parametrize(
    ("test", "text"),
    [
        (["<>", COUNT, ONE], "(COUNT(*) <> 1)"),
        (["not", ["=", ONE, COUNT]], "NOT (1 = COUNT(*))"),
        (["and", ["=", COUNT, ONE], ["<", ONE, COUNT]], "((COUNT(*) = 1) AND (1 < COUNT(*)))"),
        (["or", ["=", COUNT, ONE], ["<", ONE, COUNT]], "((COUNT(*) = 1) OR (1 < COUNT(*)))"),
    ],
)
def test_having(test, text):
    assert words(having=test).endswith(f" HAVING {text}")


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (["some"], "FALSE"),
        (["every", ["every"], ["some"]], "(TRUE AND FALSE)"),
        (["some", ["missing", X], ["missing", G]], '(("x" IS NULL) OR ("g""h" IS NULL))'),
        (["not", ["missing", X]], 'NOT ("x" IS NULL)'),
        (["in", G, ["a", "b'"]], "(\"g\"\"h\" IN ('a', 'b'''))"),
        (["in", G, [["number", "2024"], ["number", "-1"]]], '("g""h" IN (2024, -1))'),
        (["in", G, [False, True]], '("g""h" IN (FALSE, TRUE))'),
        (["within", X, []], '("x" IN ())'),
        (["within", X, [["1", "1"], ["3", "7/2"]]], '("x" = 1 OR "x" BETWEEN 3 AND 3.5)'),
        (["within", X, [["-3", "-1/2"]]], '("x" BETWEEN -3 AND -0.5)'),
        (["within", D, [["2024-01-01", "2024-01-31"]]], "(\"d\" BETWEEN DATE '2024-01-01' AND DATE '2024-01-31')"),
    ],
)
def test_conditions(condition, text):
    assert words(where=condition) == f'SELECT COUNT(*) AS "n" FROM "t" WHERE {text}'
