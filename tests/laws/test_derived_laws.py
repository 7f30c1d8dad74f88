"""A derived column is booked as a column of its own: whatever is asked of it and of its columns, one person causes no
more transcripts than was charged. All of one person's values, real tables, adaptive questions, exact equality."""

from __future__ import annotations

from itertools import permutations
from math import prod

import pytest

import noiseless as nl
from noiseless.privacy.composition.questions import ExactHistogram, PlainSum
from tests.curator.small import OTHERS, SCHEMA, fresh, prepared, rows_of, shown

WHOLE = nl.Schema(
    dict(SCHEMA.columns),
    both=nl.Derived("h + a"),
    apart=nl.Derived("h * x"),
    turned=nl.Derived("ABS(h - 1) * 2"),
    more=nl.Derived("h > x"),
    kind=nl.Derived("CASE WHEN h > 1 THEN 'high' WHEN a > 3 THEN 'old' ELSE 'none' END"),
)
QUESTIONS = {
    "h a": [
        ("SELECT SUM(both) FROM t", {"bits": 2}),
        ("SELECT SUM(h) FROM t", {"bits": 1}),
        ("SELECT AVG(a) FROM t", {"bits": 1}),
        ("SELECT MEDIAN(both) FROM t", {"bits": 2}),
        ("SELECT kind, COUNT(*) FROM t GROUP BY kind", {}),
        ("SELECT COUNT(*) FROM t WHERE both >= 5", {}),
        ("SELECT SUM(turned) FROM t WHERE kind <> 'old'", {"bits": 2}),
        ("SELECT AVG(both * h) FROM t", {"bits": 2}),
    ],
    "h x": [
        ("SELECT SUM(apart) FROM t", {"bits": 2}),
        ("SELECT COUNT(apart) FROM t", {}),
        ("SELECT more, COUNT(*) FROM t GROUP BY more", {}),
        ("SELECT SUM(turned) FROM t", {"bits": 2}),
        ("SELECT AVG(x) FROM t WHERE more", {"bits": 2}),
        ("SELECT COUNT(*) FROM t WHERE h > x", {}),
    ],
}


def curator(others: int, row: tuple, bits: int = 900) -> nl.Curator:
    return fresh(prepared(row, *OTHERS[others], schema=WHOLE), bits)


ALONE = [(columns, *asked) for columns, listed in QUESTIONS.items() for asked in listed]


@pytest.mark.parametrize(("columns", "sql", "given"), ALONE, ids=[sql for _, sql, _ in ALONE])
def test_one_question_causes_no_more_answers_than_promised(columns, sql, given):
    for others in range(len(OTHERS)):
        answers = [curator(others, row).ask(sql, **given) for row in rows_of(columns)]
        [count] = {answer.guarantee.count for answer in answers}
        assert len(set(map(shown, answers))) <= count


def transcripts(columns: str, asked: list) -> tuple[int, int]:
    """The most transcripts of one person, and the most that was charged for them."""
    most, charged = 0, 0
    for others in range(len(OTHERS)):
        seen = set()
        for row in rows_of(columns):
            opened = curator(others, row)
            answers = [opened.ask(sql, **given) for sql, given in asked]
            seen.add(tuple(map(shown, answers)))
            charged = max(charged, int(opened.sequence.spent()))
            assert int(opened.sequence.spent()) <= prod(answer.factor for answer in answers)
        most = max(most, len(seen))
    return most, charged


ORDERS = [(columns, order) for columns, listed in QUESTIONS.items() for order in list(permutations(listed, 3))[::17]]


@pytest.mark.parametrize(("columns", "order"), ORDERS, ids=[str(place) for place in range(len(ORDERS))])
def test_questions_about_a_derived_column_and_its_columns(columns, order):
    most, charged = transcripts(columns, list(order))
    assert most <= charged


@pytest.mark.parametrize("columns", QUESTIONS)
def test_batches_of_derived_columns_and_their_columns(columns):
    for listed in list(permutations(QUESTIONS[columns], 3))[::29]:
        for others in range(len(OTHERS)):
            answered = [
                curator(others, row).batch([sql for sql, _ in listed], bits=2 if any(g for _, g in listed) else None)
                for row in rows_of(columns)
            ]
            assert len({tuple(map(shown, answers)) for answers in answered}) <= min(
                answers.count for answers in answered
            )


def test_a_histogram_of_a_derived_column_says_nothing_of_its_columns(monkeypatch):
    """Wrong: the exact histogram of `kind` confines `h`."""
    asked = [QUESTIONS["h a"][4], ("SELECT SUM(h) FROM t", {"bits": 2}), ("SELECT SUM(a) FROM t", {"bits": 2})]
    most, charged = transcripts("h a", asked)
    assert most <= charged
    monkeypatch.setattr(ExactHistogram, "after", lambda self, left: dict.fromkeys(left, 1))
    most, charged = transcripts("h a", asked)
    assert most > charged


def test_a_sum_of_a_derived_column_says_nothing_of_its_columns(monkeypatch):
    """Wrong: a sum of `both` confines `h` and `a` too."""
    asked = [("SELECT SUM(both) FROM t", {"bits": 2}), ("SELECT SUM(h) FROM t", {"bits": 2})]
    right = PlainSum.after
    assert transcripts("h a", asked)[0] <= transcripts("h a", asked)[1]

    def wrong(self, left):
        found = right(self, left)
        return found | ({"h": 1, "a": 1} if self.column == "both" else {})

    monkeypatch.setattr(PlainSum, "after", wrong)
    most, charged = transcripts("h a", asked)
    assert most > charged
