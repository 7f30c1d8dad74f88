"""Whole numbers that are too large are found by planning: what a database says about them depends on the data."""

from __future__ import annotations

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.engines.dialects import InDuckDB
from noiseless.curator.plan.compare import in_sql
from noiseless.curator.plan.functions.term import in_smallest
from noiseless.curator.terms import Terms
from noiseless.errors import QuestionError

SCHEMA = nl.Schema(z=nl.Integer(0, 10**6), y=nl.Integer(0, 10), p=nl.Public(1, 10**6))
TERMS = Terms(bits=4)
SMALL, LARGE = [0, 1, 2], [0, 1, 10**6]
WIDE = "z * z * z * z > y + 1"
CURVED = "SQRT(z / (y + 1)) > 2"
QUESTIONS = [
    "SELECT COUNT(*) FROM t WHERE {}",
    "SELECT COUNT(*) FILTER (WHERE {}) FROM t",
    "SELECT SUM(y) FROM t WHERE NOT ({})",
    "SELECT AVG({}) FROM t",
    "SELECT SUM(CASE WHEN {} THEN 1 ELSE 0 END) FROM t",
    "SELECT COUNT(CASE WHEN {} THEN y END) FROM t",
    "SELECT MEDIAN(y) FROM t WHERE {}",
    "SELECT {} AS far, COUNT(*) FROM t GROUP BY far",
    "SELECT p, COUNT(*) FROM t WHERE {} OR p = 1 GROUP BY p",
]


def opened(values):
    table = pa.table({"z": values, "y": [1, 2, 3], "p": [1, 1, 10**6]})
    return nl.Curator.open(table, SCHEMA, budget=60, table="t", store=":memory:")


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("values", [SMALL, LARGE], ids=["small", "large"])
def test_conditions_beyond_63_bits_are_answered(question, values):
    """10^24 is beyond 63 bits. It was computed in them, and only tables with large values were refused."""
    with opened(values) as curator:
        assert curator.ask(question.format(WIDE), bits=8).rows


def test_the_truth_of_a_wide_condition():
    with opened(LARGE) as curator:
        assert curator.ask(f"SELECT COUNT(*) FROM t WHERE {WIDE}").rows[0].value == 1


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(("condition", "why"), [("z * z * " + WIDE, "38 digits"), (CURVED, "round the quotient")])
def test_what_cannot_be_computed_is_refused_before_it_is_charged(question, condition, why):
    """Whatever the data are: with the same words, a question that is accepted, and nothing charged."""
    said = set()
    for values in (SMALL, LARGE):
        with opened(values) as curator:
            for ask in (curator.preview, curator.ask):
                with pytest.raises(QuestionError, match=why) as refused:
                    ask(question.format(condition.replace("z * z * z", "z * z * z * z * z")), bits=8)
                said.add(str(refused.value))
            assert curator.sequence.spent() == 1
    assert len(said) == 1
    assert "This would be accepted" in said.pop()


def test_the_smallest_whole_numbers_are_used():
    """INTEGER up to 31 bits, then BIGINT, then what holds 38 digits."""
    for times, kind in ((1, "INTEGER"), (3, "BIGINT"), (4, "HUGEINT")):
        text = f"SELECT COUNT(*) FROM t WHERE {' * '.join(['z'] * times)} > y"
        with opened(SMALL) as curator:
            condition = curator._asking.planning.steps(text, TERMS)[0].plan.where
        assert f"AS {kind})" in in_sql(condition, InDuckDB(), str)


@pytest.mark.parametrize(
    ("most", "used"),
    [(2**31 - 1, (True, False)), (2**31, (False, False)), (2**63 - 1, (False, False)), (2**63, (False, True))],
)
def test_the_edges_of_whole_numbers(most, used):
    """As `small` and `wide` of the writer."""
    tried = []

    def write(writer):
        tried.append((writer.small, writer.wide))
        return writer.whole(-most).sql

    assert in_smallest(InDuckDB(), str, write, "it") == f"(-{most})"
    assert tried[-1] == used


def test_38_digits_are_the_most():
    in_smallest(InDuckDB(), str, lambda writer: writer.whole(10**38 - 1).sql, "it")
    with pytest.raises(QuestionError, match="'it' needs whole numbers of more than 38 digits"):
        in_smallest(InDuckDB(), str, lambda writer: writer.whole(10**38).sql, "it")
