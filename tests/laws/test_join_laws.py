"""With everybody else's rows fixed, one person's row causes no more answers to a question with JOIN than is promised.

The person's values run through all they can be: with a row in the public table, without one, missing.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.dataset.public_tables import read_public_tables
from noiseless.curator.engines.request import Request
from noiseless.curator.plan.condition import TRUE
from noiseless.curator.plan.functions.lookup import LookUp
from noiseless.curator.sql.joins import Joined
from tests.curator.joined import GIVEN, QUESTIONS, curator
from tests.curator.small import OTHERS, SCHEMA, rows_of, shown, table

ATTAINED = [0, 2, 3, 4, 7, 11, 16, 19, 20, 22]
IDS = [sql for _, sql, _ in QUESTIONS]


def most_answers(columns: str, sql: str, given: dict) -> tuple[int, int]:
    """The most answers that one person's row causes, and the most promised."""
    most, promised = 0, set()
    tables = range(len(OTHERS)) if columns in SCHEMA.columns else [2]
    for others in tables:
        answers = [curator(others, row).ask(sql, **given) for row in rows_of(columns)]
        most = max(most, len(set(map(shown, answers))))
        promised |= {(others, answer.guarantee.count) for answer in answers}
        assert nl.verify(answers[0].certificate).count == answers[0].guarantee.count
    assert len(promised) == len(tables)
    return most, max(count for _, count in promised)


@pytest.mark.parametrize(("columns", "sql", "given"), QUESTIONS, ids=IDS)
def test_one_person_causes_no_more_answers_than_promised(columns, sql, given):
    most, promised = most_answers(columns, sql, given)
    assert most <= promised
    if (columns, sql, given) in [QUESTIONS[place] for place in ATTAINED]:
        assert most == promised


def changed(weights: list[int], words: list[str]):
    source = pa.table({"s": ["no", "yes"], "weight": weights, "word": words})
    return read_public_tables({"sizes": {"source": source, "key": "s"}}, Request("t"))


BEFORE, AFTER = changed([1, 5], ["small", "large"]), changed([5, 1], ["large", "small"])
ASKED = "SELECT SUM(weight) FROM t LEFT JOIN sizes USING (s)"


def transcripts() -> tuple[int, int]:
    """The most pairs of answers before and after a public table changed, and the most charged for them."""
    most = charged = 0
    for others in range(len(OTHERS)):
        seen = set()
        for row in rows_of("s"):
            first = curator(others, row, BEFORE)
            second = nl.Curator(curator(others, row, AFTER)._dataset, first._account)
            seen.add((shown(first.ask(ASKED, bits=4)), shown(second.ask(ASKED, bits=4))))
            charged = max(charged, int(second.sequence.spent()))
        most = max(most, len(seen))
    return most, charged


def test_a_changed_public_table_makes_another_question():
    most, charged = transcripts()
    assert most <= charged
    first = curator(2, rows_of("s")[0], BEFORE)
    second = nl.Curator(curator(2, rows_of("s")[0], AFTER)._dataset, first._account)
    assert first.ask(ASKED, bits=4).rows != second.ask(ASKED, bits=4).rows
    assert first.ask(ASKED, bits=4).cost == second.ask(ASKED, bits=4).cost == 0
    assert first.recall(1).rows == first.ask(ASKED, bits=4).rows
    with pytest.raises(nl.QuestionError, match="public table 'sizes' has changed since this was asked"):
        second.recall(1)


def test_a_name_instead_of_the_content_is_caught(monkeypatch):
    """Wrong: the ledger knows a look-up by the name of its column, and answers from the old table."""
    monkeypatch.setattr(LookUp, "__str__", lambda self: "sizes.weight")
    with pytest.raises(AssertionError):
        test_a_changed_public_table_makes_another_question()


@pytest.fixture(scope="module")
def true():
    """The same tables in a database of their own, with the small table as declared."""
    rows = [*(row for column in "sad" for row in rows_of(column)), *(row for each in OTHERS for row in each)]
    database = duckdb.connect()
    for name, given in GIVEN.items():
        database.register(name, given["source"])
    database.register("raw", table(rows))
    database.execute(
        "CREATE TABLE t AS SELECT coalesce(h, 0) AS h,"
        " CASE WHEN a IN (2, 4, 6) THEN a WHEN a = 99 THEN 6 ELSE 4 END AS a,"
        " CASE WHEN d < '2024-01-01' THEN DATE '2024-01-01' ELSE d END AS d,"
        " CASE WHEN s IN ('no', 'yes') THEN s ELSE 'unknown' END AS s, b, g, k FROM raw"
    )
    with nl.Curator.open(table(rows), SCHEMA, 9000, table="t", public=GIVEN) as asked:
        yield database, asked


def wrong_answers(database, asked) -> list[str]:
    """The questions whose answers do not hold what a database answers to the same words."""
    found = []
    for _, sql, _ in QUESTIONS:
        answer = asked.ask(sql, bits=40)
        keys = len(answer.labels) - len(answer.numbers)
        expected = {row[:keys]: row[keys:] for row in database.execute(sql).fetchall()}
        rows = [[row[label] for label in answer.labels] for row in answer.rows]
        numbers = {tuple(row[:keys]): row[keys:] for row in rows}
        truths = {key: expected.get(key, [None] * len(row)) for key, row in numbers.items()}
        held = all(all(map(holds, row, truths[key])) for key, row in numbers.items())
        found += [] if held and expected.keys() <= numbers.keys() else [sql]
    return found


def holds(number, truth) -> bool:
    """Whether a number of an answer holds the truth. Over zero rows it is 0 or nothing."""
    if truth is None or number is None:
        return truth is None and (number is None or number.value == 0)
    return number.lower <= truth <= number.upper


def test_answers_are_those_of_a_database(true):
    assert wrong_answers(*true) == []


def test_an_inner_join_that_keeps_all_rows_is_caught(true, monkeypatch):
    database, asked = true
    monkeypatch.setattr(Joined, "kept", property(lambda self: TRUE))
    asked._dataset.understood.clear()
    assert QUESTIONS[0][1] in wrong_answers(database, asked)
    asked._dataset.understood.clear()
