"""Subqueries on aggregates in conditions: asked and charged first, and then constants of the rest."""

from __future__ import annotations

from fractions import Fraction

import duckdb
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator import asking
from noiseless.curator.sql.inner import inner_questions, with_values
from noiseless.curator.sql.known_numbers import decimal_text
from noiseless.errors import BudgetError, BudgetExceededError, NoiselessError, QuestionError
from tests.curator.question.test_subtotals import SCHEMA, TABLE
from tests.curator.small import fresh

MEAN = "SELECT AVG(x) FROM t"
ABOVE = f"SELECT COUNT(*) AS n FROM t WHERE x > ({MEAN})"


@pytest.fixture(scope="module")
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=1000, table="t") as opened:
        yield opened


def charges(asked):
    """The numbers of what was charged."""
    return [entry.number for entry in asked.entries() if entry.kind == "ask"]


def test_the_reported_value_is_the_constant(curator):
    asked = fresh(curator)
    answer = asked.ask(ABOVE, bits=3)
    [mean] = answer.before
    assert mean.question == MEAN
    assert answer.question == f"SELECT COUNT(*) AS n FROM t WHERE x > {decimal_text(Fraction(mean.rows[0].value))}"
    assert answer.factor == mean.factor * 2 == asked.sequence.spent()
    assert len(charges(asked)) == 2
    assert mean.entry < answer.entry
    assert f"question {mean.entry}" in answer.computed[0]
    for each in (mean, answer):
        assert nl.verify(each.certificate).count == each.guarantee.count


def test_repeats_and_known_steps_are_free(curator):
    asked = fresh(curator)
    step = asked.ask(MEAN, bits=3)
    supposing = fresh(curator).preview(ABOVE, bits=3)
    knowing = asked.preview(ABOVE, bits=3)
    assert "supposes 2" in supposing.computed[0]
    assert "it was asked before, and reported" in knowing.computed[0]
    assert supposing.factor == step.factor * 2
    assert knowing.factor == 2
    assert asked.ask(ABOVE, bits=3).factor == 2
    assert asked.ask(ABOVE, bits=3).factor == 1
    assert asked.recall(2).rows == asked.ask(ABOVE, bits=3).rows


def test_values_are_those_of_duckdb(curator):
    """All numbers are exact, so the rest is what SQL gives."""
    connection = duckdb.connect()
    connection.register("t", TABLE)
    for sql in (
        "SELECT COUNT(*) AS n FROM t WHERE x * 5 > (SELECT COUNT(*) FROM t WHERE s = 'yes')",
        "SELECT COUNT(*) AS n FROM t WHERE g IN (SELECT g FROM t WHERE x > 2 GROUP BY g HAVING COUNT(*) > 4)",
        "SELECT COUNT(*) AS n FROM t WHERE g NOT IN (SELECT g FROM t GROUP BY g HAVING COUNT(*) > 400)",
        "SELECT COUNT(*) AS n FROM t WHERE g IN (SELECT g FROM t GROUP BY g HAVING COUNT(*) > 400)",
        "SELECT COUNT(*) AS n FROM t WHERE k = (SELECT k FROM t GROUP BY k ORDER BY COUNT(*) DESC LIMIT 1)",
        "SELECT COUNT(*) FILTER (WHERE x < (SELECT COUNT(DISTINCT x) - 6 FROM t)) AS n FROM t",
        "WITH u AS (SELECT * FROM t WHERE s = 'no') SELECT COUNT(*) AS n FROM u "
        "WHERE x < (SELECT COUNT(*) / 9 FROM u WHERE x > (SELECT COUNT(*) / 20 FROM u))",
        "SELECT SUM(CASE WHEN x BETWEEN 0 AND (SELECT COUNT(*) / 10 FROM t WHERE x > 1) THEN 1 ELSE 0 END) AS n FROM t",
        "WITH u AS (SELECT x FROM t), v AS (SELECT g FROM t) SELECT COUNT(*) AS n FROM v "
        "WHERE (SELECT COUNT(*) FROM u WHERE x > 1) > 3",
        "SELECT COUNT(*) AS n FROM t WHERE s = 'yes' UNION ALL "
        "SELECT COUNT(*) FROM t WHERE x > (SELECT COUNT(*) / 30 FROM t WHERE s = 'no')",
    ):
        found = [row["n"].value for row in fresh(curator).ask(sql).rows]
        assert found == [row[0] for row in connection.sql(sql).fetchall()], sql


def test_names_and_batches(curator):
    amounts = {"AVG(x)": 1, "SUM(y)": 9}
    sql = f"SELECT SUM(y) FROM t WHERE x > ({MEAN})"
    answer = fresh(curator).ask(sql, error=amounts)
    assert answer.before[0].rows[0].upper - answer.before[0].rows[0].lower <= 2
    with pytest.raises(BudgetError, match=r"names 'AVG\(z\)'"):
        fresh(curator).ask(sql, error={**amounts, "AVG(z)": 1})
    asked = fresh(curator)
    both = asked.batch([ABOVE, MEAN], bits=3)
    assert len(both[0].before) == 1
    assert both[1].before == ()
    assert both.factor == asked.sequence.spent()


def test_a_price_that_is_too_high_charges_nothing(curator):
    asked = fresh(curator)
    with pytest.raises(BudgetExceededError, match="with its subqueries; nothing was charged"):
        asked.ask(ABOVE, bits=3, max_bits="3.5")
    assert charges(asked) == []
    assert 3 < asked.ask(ABOVE, bits=3, max_bits=4).cost <= 4


def test_max_bits_is_about_all_steps(curator):
    """The supposed value makes the rest free, and the true one does not: then only the step is charged."""
    sql, asked = "SELECT COUNT(*) FROM t WHERE x > (SELECT COUNT(*) FROM t WHERE x > 6)", fresh(curator)
    with pytest.raises(BudgetExceededError, match="only the earlier steps were charged"):
        asked.ask(sql, max_bits=1)
    assert asked.sequence.spent() == 2
    assert asked.ask(sql, max_bits=1).factor == 2


def test_a_run_that_stops_between_the_steps_is_safe(curator, monkeypatch):
    """The step stays charged and is free afterwards; the rest is charged when it is asked again."""
    asked, right = fresh(curator), asking.Asking.ask

    def stopping(self, sql, terms):
        if sql != MEAN:
            raise KeyboardInterrupt
        return right(self, sql, terms)

    monkeypatch.setattr(asking.Asking, "ask", stopping)
    with pytest.raises(KeyboardInterrupt):
        asked.ask(ABOVE, bits=3)
    monkeypatch.setattr(asking.Asking, "ask", right)
    step = asked.sequence.spent()
    assert len(charges(asked)) == 1
    assert asked.ask(ABOVE, bits=3).factor == 2
    assert asked.sequence.spent() == 2 * step


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        (f"SELECT ({MEAN}) AS a, ({MEAN}) AS b", "has no FROM"),
        ("SELECT AVG(x) - (SELECT AVG(x) FROM t GROUP BY g) FROM t", "may have several rows; add LIMIT 1"),
        ("SELECT COUNT(*) FROM t WHERE x > (SELECT x FROM t)", "a subquery"),
        ("SELECT COUNT(*) FROM t WHERE x > (SELECT COUNT(*) FROM t GROUP BY g)", "may have several rows; add LIMIT 1"),
        ("SELECT COUNT(*) FROM t WHERE x > (SELECT COUNT(*), AVG(x) FROM t)", "exactly one column"),
        ("SELECT COUNT(*) FROM t AS p WHERE x > (SELECT AVG(x) FROM t AS q WHERE q.g = p.g)", "'p' is not the table"),
        ("SELECT COUNT(*) FROM t WHERE EXISTS (SELECT COUNT(*) FROM t)", "EXISTS"),
        ("SELECT COUNT(*) FROM t WHERE x > (SELECT AVG(nothing) FROM t)", "'nothing' does not exist"),
        (f"SELECT COUNT(*) FROM t WHERE nothing > ({MEAN})", "'nothing' does not exist"),
        (f"SELECT COUNT(*) FROM t WHERE s > ({MEAN})", "not a key of 's'"),
    ],
)
def test_refused_with_nothing_charged(curator, sql, why):
    """What a preview refuses is refused before a step is charged, in the same words."""
    asked = fresh(curator)
    with pytest.raises(NoiselessError) as previewed:
        asked.preview(sql, bits=3)
    with pytest.raises(NoiselessError) as refused:
        asked.ask(sql, bits=3)
    assert str(previewed.value) == str(refused.value)
    assert why in str(refused.value)
    assert charges(asked) == []


def test_constants_are_written_exactly():
    text = (
        "SELECT COUNT(*) FROM t WHERE x > (SELECT MIN(x) FROM t) "
        "AND NOT (s IN (SELECT s FROM t GROUP BY s HAVING COUNT(*) > 1))"
    )
    assert [each.several for each in inner_questions(text)] == [False, True]
    assert with_values(text, [[Fraction(-5, 2)], ["it's", "no"]]) == (
        "SELECT COUNT(*) FROM t WHERE x > (-2.5) AND NOT ((s IN ('it''s', 'no')))"
    )
    assert inner_questions("SELECT COUNT(*) FROM t WHERE g IN (SELECT key FROM areas)", {"areas"}) == []
    with pytest.raises(QuestionError, match="came out empty"):
        with_values(ABOVE, [[None]])


def test_a_missing_value_of_a_subquery_is_not_left_out_silently():
    """With a missing value in the list, NOT IN is never true in SQL. Where only truth matters, nothing changes."""
    rows = pa.table({"y": [0, 1, None, 0, 1, 2], "x": [1, 2, 3, 4, 5, 6]})
    schema = nl.Schema(y=nl.Integer(0, 2, missing="apart"), x=nl.Integer(0, 9))
    rare = "y {} (SELECT y FROM t GROUP BY y HAVING COUNT(*) < 2{})"
    with nl.Curator.open(rows, schema, budget=90, table="t") as asked:
        for test in (rare.format("NOT IN", ""), f"NOT ({rare.format('IN', '')})", f"({rare.format('IN', '')}) IS NULL"):
            with pytest.raises(
                QuestionError, match="has a missing value, so it is unknown what is not in it; add HAVING"
            ):
                asked.ask(f"SELECT COUNT(*) FROM t WHERE {test}")
        assert charges(asked) == []
        for test, count in (
            (rare.format("IN", ""), 1),
            (f"x < 6 OR {rare.format('IN', '')}", 6),
            (rare.format("NOT IN", " AND y IS NOT NULL"), 4),
        ):
            assert asked.ask(f"SELECT COUNT(*) FROM t WHERE {test}").rows[0].value == count
