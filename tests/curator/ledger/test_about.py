"""Which questions are about some columns: the same as a look through all that is paid for."""

from __future__ import annotations

import pandas as pd
import pytest

import noiseless as nl
from noiseless.curator.ledger.state import State

SCHEMA = nl.Schema(age=nl.Integer(0, 9), pay=nl.Integer(0, 9), region=nl.Public("n", "s"))
TABLE = pd.DataFrame({"age": [1, 2, 3, 4], "pay": [5, 6, 7, 8], "region": ["n", "s", "n", "s"]})
QUESTIONS = [
    ("SELECT AVG(age) FROM t", {"bits": 1}),
    ("SELECT COUNT(*) FROM t WHERE pay > 3", {}),
    ("SELECT region, SUM(age) FROM t GROUP BY region", {"bits": 2}),
    ("SELECT AVG(pay) FROM t WHERE age > 2", {"bits": 3}),
    ("SELECT AVG(age) FROM t", {"bits": 3}),
    ("SELECT AVG(age) FROM t", {"bits": 1}),
]


@pytest.fixture
def account():
    with nl.Curator.open(TABLE, SCHEMA, budget=60, table="t", store=":memory:") as curator:
        yield curator._account, lambda sql, given: curator.ask(sql, **given)


def by_looking(account, names):
    state = account._state
    return sorted(
        {state.question(n) for (family, _, _), n in state.paid.items() if any(name in family for name in names)}
    )


def test_questions_about_columns(account):
    account, ask = account
    found = []
    for question in QUESTIONS:
        ask(*question)
        for names in (["age"], ["pay"], ["pay", "age"], ["region"], ["none"]):
            found.append(account.questions_about(names))
            assert found[-1] == by_looking(account, names)
    assert found[-5:-2] == [[1, 3, 4, 5], [2, 4], [1, 2, 3, 4, 5]]


def test_after_everything_was_read_again(account):
    account, ask = account
    for question in QUESTIONS[:3]:
        ask(*question)
    assert account.questions_about(["age"]) == [1, 3]
    account._state = State(account._prices)  # as after a failure
    assert account.questions_about(["age"]) == [1, 3]
    ask(*QUESTIONS[3])
    assert account.questions_about(["age"]) == [1, 3, 4]
