"""UNION ALL: several SELECTs are one question with one answer, one price and one certificate."""

from __future__ import annotations

import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import union as checker
from noiseless.curator.certificate.checker.rows import finish
from noiseless.errors import BudgetError, CertificateError, QuestionError
from tests.curator.question.test_subtotals import SCHEMA, TABLE
from tests.curator.small import fresh

COUNTS = "SELECT g, COUNT(*) AS n FROM t WHERE x > 2 GROUP BY g UNION ALL SELECT 'all', COUNT(*) FROM t WHERE x > 2"


@pytest.fixture(scope="module")
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=1000, table="t") as opened:
        yield opened


def shown(answer):
    return [tuple(row[label] for label in answer.labels) for row in answer.rows]


def test_the_rows_are_those_of_the_parts(curator):
    parts = ["SELECT g, AVG(x) AS m FROM t GROUP BY g", "SELECT 'yes', AVG(x) FROM t WHERE s = 'yes'"]
    asked = fresh(curator)
    together = asked.ask(" UNION ALL ".join(parts), error=1)
    alone = [asked.ask(part, error=1) for part in parts]
    assert shown(together) == [row for each in alone for row in shown(each)]
    assert [each.cost for each in alone] == [0, 0]
    assert together.labels == ("g", "m")
    assert together.numbers == ("m",)


@pytest.mark.parametrize("given", [{"bits": 6}, {"error": 2}])
def test_it_costs_what_a_batch_costs(curator, given):
    parts = ["SELECT AVG(x) FROM t", "SELECT AVG(y) FROM t WHERE s = 'yes'", "SELECT AVG(x) FROM t"]
    if "error" in given:
        batch = fresh(curator).batch(parts, **given)
        union = fresh(curator).ask(" UNION ALL ".join(parts), **given)
        assert union.factor == batch.factor
    else:
        assert fresh(curator).preview(" UNION ALL ".join(parts), **given).count <= 2**6


def test_order_and_limit_are_about_all_rows(curator):
    answer = fresh(curator).ask(COUNTS + " ORDER BY n DESC, 1 LIMIT 3")
    numbers = [row["n"].value for row in answer.rows]
    assert answer.rows[0]["g"] == "all"
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == 3


def test_each_select_has_its_own_order_in_parentheses(curator):
    part = "(SELECT g, COUNT(*) FROM t GROUP BY g ORDER BY 2 DESC LIMIT 1)"
    answer = fresh(curator).ask(f"SELECT s, COUNT(*) FROM t GROUP BY s UNION ALL {part}")
    assert [row["s"] for row in answer.rows][:2] == ["no", "yes"]
    assert len(answer.rows) == 3


def test_it_is_recalled_and_repeated_for_free(curator):
    asked = fresh(curator)
    answer = asked.ask(COUNTS)
    assert asked.ask(COUNTS).cost == 0
    assert shown(asked.recall(answer.entry)) == shown(answer)


def test_names_of_errors_are_those_of_the_first_select(curator):
    sql = "SELECT 'x' AS of, AVG(x) AS m FROM t UNION ALL SELECT 'y', AVG(y) FROM t"
    assert all(row["m"].upper - row["m"].lower <= 1 for row in fresh(curator).ask(sql, error={"m": "0.5"}).rows)
    with pytest.raises(BudgetError, match="name 'm'"):
        fresh(curator).preview(sql, error={"n": 1})


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT COUNT(*) FROM t UNION SELECT COUNT(*) FROM t", "write UNION ALL"),
        ("SELECT COUNT(*) FROM t EXCEPT SELECT COUNT(*) FROM t", "EXCEPT is not supported"),
        ("SELECT COUNT(*) FROM t UNION ALL SELECT g, COUNT(*) FROM t GROUP BY g", "2 columns, and the first has 1"),
        ("SELECT g, COUNT(*) FROM t GROUP BY g UNION ALL SELECT k, COUNT(*) FROM t GROUP BY k", "a text in the first"),
        ("SELECT COUNT(*) AS n FROM t UNION ALL SELECT COUNT(*) FROM t ORDER BY m", "not a column of UNION ALL"),
        ("SELECT COUNT(*) AS n FROM t UNION ALL SELECT COUNT(*) FROM t ORDER BY 2", "use 1 to 1"),
        ("SELECT COUNT(*) AS n FROM t UNION ALL SELECT 'a' AS n", "names no table"),
        ("SELECT COUNT(*) AS n FROM t UNION ALL BY NAME SELECT COUNT(*) AS n FROM t", "BY NAME"),
        ("SELECT 'a' AS n FROM t UNION ALL SELECT 'b' FROM t", "asks for no number"),
        (" UNION ALL ".join(["SELECT COUNT(*) FROM t"] * 102), "at most 100"),
        ("WITH u AS (SELECT x FROM t) SELECT COUNT(*) FROM t UNION ALL SELECT COUNT(*) FROM t", "is not used"),
    ],
)
def test_refused(curator, sql, why):
    asked = fresh(curator)
    with pytest.raises(QuestionError) as refused:
        asked.ask(sql)
    assert why in str(refused.value)
    assert asked.sequence.spent() == 1


def test_a_policy_holds_in_every_select():
    schema = nl.Schema(**SCHEMA.columns)
    opened = nl.Curator.open(TABLE, schema, budget=9, table="t", policy={"no_conditions": ["x"]})
    with pytest.raises(QuestionError, match="no conditions on 'x'"):
        opened.ask("SELECT COUNT(*) FROM t WHERE s = 'no' UNION ALL SELECT COUNT(*) FROM t WHERE x > 2")
    opened.close()


def test_a_swapped_select_is_noticed(curator, monkeypatch):
    """The checker finds the rows of every SELECT from its own lines."""
    answer = fresh(curator).ask(COUNTS.replace("x > 2", "x > 3", 1))
    assert nl.verify(answer.certificate).count == answer.guarantee.count
    monkeypatch.setattr(checker, "finish", lambda plan, lines: finish(plan, lines[::-1]))
    with pytest.raises(CertificateError, match="does not follow"):
        nl.verify(answer.certificate)
