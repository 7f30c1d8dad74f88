"""The grammar: what is understood, and what is refused by name."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

import noiseless as nl
from noiseless.curator.plan.condition import (
    FALSE,
    TRUE,
    Missing,
    Not,
    Within,
    every,
    negation,
    of_one_column,
    some,
    statement,
)
from noiseless.curator.plan.plan import Aggregate, Arithmetic, Constant, KeyOf
from noiseless.curator.sql.conditions import condition
from noiseless.curator.sql.read import read
from tests.curator.small import SCHEMA


def where(text: str):
    return read(f"SELECT COUNT(*) FROM t WHERE {text}", SCHEMA, "t").where


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("h > 1", Within("h", ((2, 3),))),
        ("h > 1.5", Within("h", ((2, 3),))),
        ("1 < h", Within("h", ((2, 3),))),
        ("h = 1.5", Within("h", ())),
        ("h <> 1", Within("h", ((0, 0), (2, 3)))),
        ("h >= -7 AND TRUE", Within("h", ((0, 3),))),
        ("h BETWEEN 1 AND 2", every([Within("h", ((1, 3),)), Within("h", ((0, 2),))])),
        ("h IN (0, 2, 3)", Within("h", ((0, 0), (2, 3)))),
        ("NOT h IN (0)", Not(Within("h", ((0, 0),)))),
        ("x IS NULL", Missing("x")),
        ("x IS NOT NULL", Not(Missing("x"))),
        ("x < -0.5 OR FALSE", Within("x", ((0, 0),))),
        ("s IS NULL", Within("s", ((2, 2),))),
        ("s = 'yes'", Within("s", ((1, 1),))),
        ("s <> 'yes'", Within("s", ((0, 0), (2, 2)))),
        ("b", Within("b", ((1, 1),))),
        ("b = FALSE", Within("b", ((0, 0),))),
        ("b IS TRUE", every([Within("b", ((1, 1),)), Not(Missing("b"))])),
        ("g = 's' OR h < 1", some([Within("g", ((1, 1),)), Within("h", ((0, 0),))])),
        ("k >= 2", Within("k", ((1, 1),))),
        ("d >= DATE '2024-01-02'", Within("d", ((1, 2),))),
        ("d = '2024-01-02'", Within("d", ((1, 1),))),
        ("t.h > 1 AND (h) > 1", Within("h", ((2, 3),))),
        ("H > 1", Within("h", ((2, 3),))),
        ("TRUE", TRUE),
        ("FALSE AND h > 1", FALSE),
    ],
)
def test_conditions_become_codes(text, meant):
    assert where(text) == meant


ATOMS = ["h > 1", "h = 2", "x IS NULL", "NOT b", "TRUE", "FALSE", "h IN (0, 3)", "g = 's'", "k >= 2 AND h < 3"]
CONNECTED = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.tuples(st.sampled_from([" AND ", " OR "]), st.lists(inner, min_size=2, max_size=5)).map(
        lambda made: f"({made[0].join(made[1])})"
    ),
    max_leaves=20,
)


def pair_by_pair(node):
    """The definition: every AND and OR connects two conditions."""
    match node:
        case exp.Paren():
            return pair_by_pair(node.this)
        case exp.And() | exp.Or():
            join = every if isinstance(node, exp.And) else some
            return join([pair_by_pair(node.this), pair_by_pair(node.expression)])
        case exp.Not():
            return negation(pair_by_pair(node.this))
    return condition(node, SCHEMA, "t")


@given(CONNECTED)
def test_chains_mean_the_same_as_pairs(text):
    parsed = sqlglot.parse_one(f"SELECT COUNT(*) FROM t WHERE {text}", dialect="duckdb")
    assert where(text) == pair_by_pair(parsed.args["where"].this)


def test_a_thousand_alternatives():
    schema = nl.Schema(n=nl.Integer(0, 5000))

    def about(text: str):
        return read(f"SELECT COUNT(*) FROM t WHERE {text}", schema, "t").where

    codes = [3 * k for k in range(1000)]
    many = about(" OR ".join(f"n = {code}" for code in codes))
    listed = about(f"n IN ({', '.join(map(str, codes))})")
    assert many == some([Within("n", ((code, code),)) for code in codes])
    assert of_one_column(many, "n", 5000, False) == listed == Within("n", tuple((code, code) for code in codes))
    assert statement(many, str) == f"({statement(listed, str)})" == f"((n IN ({', '.join(map(str, codes))})))"
    with pytest.raises(nl.QuestionError, match="more than 1000 ranges"):
        about(" OR ".join(f"n = {code}" for code in [*codes, 4000]))


def test_a_whole_statement():
    plan = read(
        "SELECT g, 2 * AVG(h) AS m, COUNT(*) FROM t WHERE h > 0 GROUP BY g HAVING m > 1 AND COUNT(*) >= 2 "
        "ORDER BY m DESC, g LIMIT 5;",
        SCHEMA,
        "t",
    )
    mean = Arithmetic("*", Constant(Fraction(2)), Aggregate("AVG", "h"))
    assert [item.label for item in plan.items] == ["g", "m", "COUNT(*)"]
    assert plan.items[1].expression == mean
    assert plan.keys == ("g",)
    assert plan.order == ((mean, True), (KeyOf("g"), False))
    assert plan.limit == 5
    assert plan.aggregates() == (Aggregate("AVG", "h"), Aggregate("COUNT"))


REFUSED = [
    ("SELECT AVG(h) FROM t JOIN u ON TRUE", "JOIN"),
    ("SELECT AVG(h) FROM t, u", "JOIN"),
    ("SELECT AVG(h) FROM t WHERE h IN (SELECT h FROM t)", "subquery"),
    ("SELECT AVG(h) FROM t WHERE h > (SELECT AVG(h) FROM t)", "subquery"),
    ("SELECT AVG(h) OVER () FROM t", "OVER"),
    ("SELECT DISTINCT g FROM t GROUP BY g", "DISTINCT"),
    ("SELECT SUM(DISTINCT h) FROM t", "DISTINCT"),
    ("SELECT COUNT(DISTINCT h, a) FROM t", "several values"),
    ("SELECT COUNT(DISTINCT 1) FROM t", "does not use the table"),
    ("SELECT CORR(h, s) FROM t", "'s' is a text"),
    ("SELECT QUANTILE_CONT(d, 0.5) FROM t", "'d' is a date"),
    ("SELECT REGR_COUNT(h, a) FROM t", "REGR_COUNT"),
    ("WITH u AS (SELECT 1) SELECT COUNT(*) FROM u", "names no table"),
    ("SELECT AVG(h) FILTER (WHERE a > SUM(a)) FROM t", "SUM"),
    ("SELECT AVG(h) FROM t; SELECT AVG(a) FROM t", "more than one statement"),
    ("DROP TABLE t", "anything but SELECT"),
    ("SELECT AVG(h) FROM t UNION SELECT AVG(a) FROM t", "write UNION ALL"),
    ("SELECT AVG(h) FROM t LIMIT 1 OFFSET 1", "OFFSET"),
    ("SELECT AVG(h) FROM t TABLESAMPLE 10 PERCENT", "TABLESAMPLE"),
    ("SELECT AVG(h) FROM t QUALIFY 1", "not a condition"),
    ("SELECT AVG(h & 1) FROM t", "BITWISE AND"),
    ("SELECT ROUND(AVG(h), 0.5) FROM t", "ROUND"),
    ("SELECT my_function(h) FROM t", "MY_FUNCTION in"),
    ("SELECT AVG(h) FROM t WHERE s SIMILAR TO 'y%'", "SIMILAR TO"),
    ("SELECT AVG(h) FROM t WHERE my_function(h) > 1", "MY_FUNCTION in"),
    ("SELECT AVG(h) FROM t WHERE h > s", "different kinds"),
    ("SELECT AVG(h) FROM t WHERE h > a + NULL", "never true"),
    ("SELECT AVG(h) FROM t WHERE h = NULL", "IS NULL"),
    ("SELECT AVG(h) FROM t WHERE h IS NULL", "IS NULL needs a column declared with missing='apart'"),
    ("SELECT AVG(h) FROM t WHERE h = 'a'", "is a text, and the column holds numbers"),
    ("SELECT AVG(h) FROM t WHERE s = 'maybe'", "not a key of 's'"),
    ("SELECT AVG(h) FROM t WHERE s < 'yes'", "have no order"),
    ("SELECT AVG(h) FROM t WHERE g = 'west'", "not a key of 'g'; use one of 'n', 's', 'e'"),
    ("SELECT AVG(h) FROM t WHERE d > 'yesterday'", "not a date"),
    ("SELECT AVG(hight) FROM t", "column 'hight' does not exist"),
    ("SELECT h FROM t", "neither aggregated nor grouped"),
    ("SELECT * FROM t", "lists single rows"),
    ("SELECT g FROM t GROUP BY g", "asks for no number"),
    ("SELECT 1 FROM t", "does not use the table"),
    ("SELECT s, COUNT(*) FROM t GROUP BY s, LOWER(s) || 'x', s", "twice"),
    ("SELECT s, MEDIAN(h) FROM t GROUP BY s", "a quantile by private groups"),
    ("SELECT s, COUNT(DISTINCT h) FROM t GROUP BY s", "DISTINCT"),
    ("SELECT AVG(s) FROM t", "AVG needs numbers, and 's' is a text"),
    ("SELECT SUM(d) FROM t", "SUM needs numbers, and 'd' is a date"),
    ("SELECT MIN(g) FROM t", "MIN needs numbers, and 'g' is a text"),
    ("SELECT MIN(d) + 1 FROM t", "calculates with"),
    ("SELECT QUANTILE(h, 2) FROM t", "from 0 to 1"),
    ("SELECT AVG(h) FROM u", "table 'u' does not exist"),
    ("SELECT AVG(h) FROM main.t", "another database"),
    ("SELECT AVG(h) FROM 'file.csv'", "does not exist; write FROM t"),
    ("SELECT AVG(h)", "FROM t"),
    ("SELECT AVG(h) FROM t ORDER BY 7", "not a position in SELECT"),
    ("SELECT AVG(h) FROM t LIMIT -1", "LIMIT"),
    ("SELECT AVG(h FROM t", "not valid SQL"),
    ("", "empty"),
    ("SELECT AVG(h) FROM t WHERE h BETWEEN SYMMETRIC 3 AND 1", "SYMMETRIC"),
    ("SELECT AVG(h) FROM t WHERE " + "(" * 5000 + "TRUE" + ")" * 5000, "nested|not valid SQL"),
    ("SELECT AVG(h) FROM t WHERE h > 1e99999", "exponent"),
    ("x" * 30_000, "characters"),
]


@pytest.mark.parametrize(("sql", "word"), REFUSED, ids=[word for _, word in REFUSED])
def test_refused_by_name(sql, word):
    with pytest.raises(nl.InputError, match=word):
        read(sql, SCHEMA, "t")


def test_labels_do_not_collide():
    plan = read("SELECT AVG(h), AVG(h), SUM(h) AS x, SUM(a) AS x FROM t", SCHEMA, "t")
    assert [item.label for item in plan.items] == ["AVG(h)", "AVG(h)_2", "x", "x_2"]


@pytest.mark.parametrize("name", ["PERCENTILE_CONT", "PERCENTILE_DISC"])
def test_percentiles_within_groups(name):
    """Beside others, by themselves and twice: their text is written with another number of commas."""
    one = f"{name}(0.9) WITHIN GROUP (ORDER BY h)"
    for listed in (one, f"{one}, AVG(h)", f"{one}, {one}, QUANTILE_DISC(h, 0.5), QUANTILE_CONT(h, 0.5)"):
        plan = read(f"SELECT {listed} FROM t", SCHEMA, "t")
        assert len(plan.items) == listed.count("0.9") + listed.count("AVG") + listed.count("QUANTILE_")
