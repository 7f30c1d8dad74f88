"""A subquery in a condition and the rest together cause no more answers than both were charged.

The person's row runs through all it can be; the constant of the rest follows from what the subquery reported.
"""

from __future__ import annotations

import pytest

from tests.curator.small import OTHERS, fresh, prepared, rows_of, shown

QUESTIONS = [
    ("h a", "SELECT COUNT(*) FROM t WHERE h > (SELECT AVG(a) / 2 FROM t)", {"bits": 2}),
    ("h", "SELECT SUM(h), COUNT(*) FROM t WHERE h >= (SELECT MEDIAN(h) FROM t)", {"bits": 2}),
    ("s", "SELECT s, COUNT(*) FROM t WHERE s IN (SELECT s FROM t GROUP BY s HAVING COUNT(*) > 1) GROUP BY s", {}),
    ("h", "SELECT COUNT(*) FROM t WHERE h >= (SELECT COUNT(*) FROM t WHERE h > 1)", {}),
]


def played(columns: str, sql: str, given: dict) -> tuple[int, int, int]:
    """The most transcripts that one person's row causes, the most charged for them, and for the rest alone."""
    most = charged = alone = 0
    for others in OTHERS:
        seen = set()
        for row in rows_of(columns):
            asked = fresh(prepared(row, *others))
            answer = asked.ask(sql, **given)
            seen.add((*map(shown, answer.before), shown(answer)))
            assert asked.sequence.spent() <= answer.factor
            charged = max(charged, int(asked.sequence.spent()))
            alone = max(alone, answer.guarantee.count)
        most = max(most, len(seen))
    return most, charged, alone


@pytest.mark.parametrize(("columns", "sql", "given"), QUESTIONS, ids=[sql for _, sql, _ in QUESTIONS])
def test_both_steps_are_charged(columns, sql, given):
    most, charged, _ = played(columns, sql, given)
    assert most <= charged


def test_charging_the_rest_alone_would_be_too_little():
    """The wrong way to count is caught: some person causes more transcripts than the rest has answers."""
    assert any(most > alone for most, _, alone in (played(*each) for each in QUESTIONS))
