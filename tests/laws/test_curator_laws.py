"""With everybody else's rows fixed, one person's row causes no more answers than the question promises.

Every kind of question and column; the person's values run through all they can be, on the grid, off it, out of range,
missing. Real tables on a real engine, exact equality. The wrong ways to count are caught at the end.
"""

from __future__ import annotations

from math import prod

import pytest

import noiseless as nl
from noiseless.curator.releases.cell_sums import CellSums
from noiseless.curator.releases.centred import Centred
from noiseless.curator.releases.cross_table import CrossTable
from noiseless.curator.releases.distinct_count import DistinctCount
from noiseless.curator.releases.filtered_mean import FilteredMean
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.filtered_variance import FilteredVariance
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.histogram import TallyOfCategory
from noiseless.curator.releases.interpolated import InterpolatedQuantile
from noiseless.curator.releases.order_statistic import OrderStatistic
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.total import Total
from noiseless.curator.releases.variance import Variance
from noiseless.privacy.composition.questions import ExactThreshold, OtherQuestion, PlainSum
from tests.curator.small import FIRST, OTHERS, forget, fresh, prepared, rows_of, shown

QUESTIONS = [
    ("h", "SELECT AVG(h) FROM t", {"bits": 1}),
    ("h", "SELECT SUM(h) FROM t", {"bits": 2}),
    ("h", "SELECT SUM(h), AVG(h) FROM t", {"error": 3}),
    ("a", "SELECT AVG(a) FROM t WHERE g = 'n'", {"bits": 1}),
    ("h", "SELECT g, AVG(h) FROM t GROUP BY g", {"bits": 1}),
    ("h", "SELECT g, k, SUM(h) FROM t GROUP BY g, k", {"error": "1.6"}),
    ("x", "SELECT AVG(x) FROM t", {"bits": 2}),
    ("x", "SELECT SUM(x) FROM t", {"bits": 1}),
    ("x", "SELECT SUM(x) FROM t", {"bits": 2}),
    ("h a", "SELECT AVG(h) FROM t WHERE a > 3", {"bits": 2}),
    ("h a", "SELECT SUM(a) FROM t WHERE h >= 1", {"bits": "1.6"}),
    ("h", "SELECT AVG(h) FROM t WHERE h >= 1 AND h <= 2", {"bits": 2}),
    ("h", "SELECT SUM(h) FROM t WHERE h <> 1", {"bits": 2}),
    ("h s", "SELECT AVG(h), COUNT(*) FROM t WHERE s = 'yes' OR g = 's'", {"bits": 3}),
    ("h", "SELECT COUNT(*) FROM t WHERE h > 1", {}),
    ("h", "SELECT COUNT(*) FROM t WHERE h BETWEEN 1 AND 2", {}),
    ("x", "SELECT COUNT(*) FROM t WHERE x >= 0", {}),
    ("x", "SELECT COUNT(x) FROM t", {}),
    ("x", "SELECT COUNT(*) FROM t WHERE x IS NULL", {}),
    ("x b", "SELECT COUNT(*) FROM t WHERE NOT (x < 0 AND b)", {}),
    ("s", "SELECT COUNT(s), COUNT(*) FROM t WHERE s <> 'no'", {}),
    ("b", "SELECT COUNT(*) FROM t WHERE b IS NOT TRUE", {}),
    ("h", "SELECT MIN(h) FROM t", {"bits": 1}),
    ("h", "SELECT MAX(h) FROM t WHERE g IN ('n', 's')", {"bits": 2}),
    ("h", "SELECT MEDIAN(h) FROM t", {"error": 1}),
    ("h", "SELECT QUANTILE(h, 0.3), MAX(h) FROM t", {"bits": 2}),
    ("h", "SELECT MEDIAN(h) FROM t WHERE h >= 2", {"bits": 2}),
    ("h a", "SELECT MEDIAN(h) FROM t WHERE a >= 4", {"bits": 2}),
    ("d", "SELECT MIN(d), MAX(d) FROM t", {"bits": 3}),
    ("d", "SELECT COUNT(*) FROM t WHERE d >= '2024-01-02'", {}),
    ("h", "SELECT VAR_POP(h) FROM t", {"bits": 2}),
    ("h", "SELECT STDDEV_POP(h), AVG(h) FROM t", {"bits": 3}),
    ("a", "SELECT g, STDDEV_POP(a) FROM t GROUP BY g", {"bits": 1}),
    ("s", "SELECT s, COUNT(*) FROM t GROUP BY s", {}),
    ("b", "SELECT b, COUNT(*) FROM t GROUP BY b", {}),
    ("s", "SELECT g, s, COUNT(*) FROM t GROUP BY g, s", {}),
    ("s h", "SELECT s, COUNT(*) FROM t WHERE h > 1 GROUP BY s", {}),
    ("h a", "SELECT AVG(h), AVG(a) FROM t", {"bits": 2}),
    ("h a", "SELECT AVG(h), AVG(a), MAX(h), COUNT(*) FROM t", {"bits": 5}),
    (
        "h a",
        "SELECT SUM(h) / COUNT(*) AS m, SUM(a) FROM t GROUP BY g HAVING m > 1 ORDER BY m DESC LIMIT 2",
        {"bits": 4},
    ),
    ("h", "SELECT COUNT(*) FROM t GROUP BY g", {}),
    ("h a", "SELECT SUM(h * a) FROM t", {"bits": 2}),
    ("h x", "SELECT COUNT(*) FROM t WHERE h > x", {}),
    ("h a", "SELECT AVG(h) FROM t WHERE a > 3", {"bits": "0.9"}),
    ("h a", "SELECT VAR_POP(h) FROM t WHERE a > 3", {"bits": "0.9"}),
    ("h a", "SELECT MEDIAN(h), COUNT(*) FROM t WHERE a > 3", {"error": 1, "stable": True}),
    ("h", "SELECT SUM(h) FROM t", {"error": 4, "stable": True}),
    ("s", "SELECT s, COUNT(*) FROM t GROUP BY s", {"error": 1, "stable": True}),
    ("s b", "SELECT s, b, COUNT(*) FROM t GROUP BY s, b", {}),
    ("s h", "SELECT s, FLOOR(h / 2) AS f, g, COUNT(*) FROM t WHERE h > 0 GROUP BY s, f, g", {}),
    ("x", "SELECT x, COUNT(*) FROM t GROUP BY x", {}),
    ("d b", "SELECT DATE_TRUNC('week', d), CASE WHEN b THEN 'yes' ELSE 'no' END, COUNT(*) FROM t GROUP BY 1, 2", {}),
    ("s b", "SELECT DISTINCT s, b FROM t WHERE b IS NOT NULL", {}),
    ("s x", "SELECT s, COUNT(x) FROM t GROUP BY s", {}),
    ("s h", "SELECT s, AVG(h), COUNT(*) FROM t GROUP BY s", {"bits": "3.2"}),
    ("s h", "SELECT s, SUM(h) FROM t WHERE h <> 1 GROUP BY s", {"bits": 4}),
    ("s x", "SELECT s, AVG(x), COUNT(*), COUNT(x) FROM t GROUP BY s", {"bits": 5}),
    ("s x", "SELECT s, AVG(x), SUM(x) FROM t GROUP BY s", {"bits": 4}),
    ("b x", "SELECT b, SUM(x), COUNT(x), COUNT(*) FROM t WHERE b IS NOT FALSE GROUP BY b", {"bits": 4}),
    ("s h a", "SELECT s, SUM(h * a) FROM t GROUP BY s", {"bits": 4}),
    ("h a", "SELECT h + a, COUNT(*) FROM t GROUP BY h + a", {}),
    ("s b", "SELECT s, b, COUNT(*) FROM t GROUP BY s, b", {"error": 1, "stable": True}),
    ("h s", "SELECT WIDTH_BUCKET(h, 1, 3, 2), s, COUNT(*) FROM t GROUP BY 1, 2", {}),
    ("b x", "SELECT b, VARIANCE(x), SUM(x), COUNT(*) FROM t GROUP BY b", {"bits": 4}),
    ("b h", "SELECT b, SUM(h) FILTER (WHERE h > 1) AS many, AVG(h), COUNT(*) FROM t GROUP BY b", {"bits": 4}),
    ("s b", "SELECT s, COUNT(*) FILTER (WHERE b) AS n, COUNT(*) FILTER (WHERE s = 'no') AS m FROM t GROUP BY s", {}),
    ("h", "SELECT VAR_SAMP(h), STDDEV_SAMP(h) FROM t WHERE g = 'n'", {"bits": 2}),
    ("h a", "SELECT VAR_POP(h) FROM t WHERE a > 3", {"bits": 3}),
    ("x", "SELECT STDDEV_SAMP(x), COUNT(x) FROM t", {"bits": 3}),
    ("h", "SELECT VAR_SAMP(h), COUNT(*) FROM t WHERE h BETWEEN 1 AND 2", {"bits": 3}),
    ("h", "SELECT COUNT(DISTINCT h) FROM t", {}),
    ("s", "SELECT COUNT(DISTINCT s), COUNT(s) FROM t", {}),
    ("x h", "SELECT g, COUNT(DISTINCT x) FROM t WHERE h > 1 GROUP BY g", {}),
    ("h", "SELECT COUNT(DISTINCT g), COUNT(DISTINCT k) FROM t WHERE h BETWEEN 1 AND 2", {}),
    ("h a", "SELECT COUNT(DISTINCT h * a), COUNT(DISTINCT k + 1) FROM t", {}),
    ("h", "SELECT QUANTILE_CONT(h, 0.5) FROM t", {"bits": 3}),
    ("h", "SELECT QUANTILE_CONT(h, 0.3), MEDIAN(h) FROM t", {"bits": 3}),
    ("h a", "SELECT QUANTILE_CONT(h, 0.25) FROM t WHERE a >= 4", {"bits": 2}),
    ("x", "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) FROM t", {"bits": 3}),
    ("h a", "SELECT QUANTILE_CONT(h, 0.5) FROM t WHERE a > 3", {"error": 1, "stable": True}),
    ("h a", "SELECT COVAR_POP(h, a) FROM t", {"bits": 4}),
    ("h a", "SELECT CORR(h, a) FROM t", {"bits": 6}),
    ("h x", "SELECT COVAR_SAMP(x, h), COUNT(x) FROM t", {"bits": 6}),
    ("h a", "SELECT REGR_SLOPE(h, a), REGR_INTERCEPT(h, a) FROM t WHERE a > 2", {"bits": 7}),
    ("h a", "SELECT REGR_R2(h, a) FROM t WHERE h BETWEEN 1 AND 2", {"bits": "0.9"}),
    ("h", "SELECT CORR(h, h * h) FROM t", {"bits": 6}),
    ("h x", "SELECT COVAR_POP(h, x) FROM t", {"error": 1}),
    ("s b", "SELECT s, b, COUNT(*) FROM t GROUP BY CUBE (s, b)", {}),
    ("h", "SELECT g, k, SUM(h), AVG(h), MAX(h) FROM t GROUP BY ROLLUP (g, k)", {"bits": 4}),
    ("s x", "SELECT s, g, AVG(x), COUNT(*) FROM t GROUP BY GROUPING SETS ((s), (g), ())", {"bits": 5}),
    ("h a", "SELECT g, AVG(h), MIN(h) FROM t WHERE a > 3 GROUP BY ROLLUP (g)", {"error": 6, "stable": True}),
    ("h s", "SELECT g, COUNT(*) FROM t WHERE h > 1 GROUP BY g UNION ALL SELECT s, COUNT(*) FROM t GROUP BY s", {}),
    (
        "h a",
        "SELECT 'low' AS w, AVG(h * a) AS m FROM t WHERE a < 4 UNION ALL SELECT 'high', SUM(h) FROM t WHERE a > 4",
        {"bits": 5},
    ),
    (
        "h",
        "SELECT AVG(h) FROM t WHERE h < 2 UNION ALL SELECT SUM(h) FROM t UNION ALL SELECT AVG(h) FROM t",
        {"error": 3},
    ),
    ("s", "SELECT s, COUNT(*) FROM t GROUP BY s", {"error": 1}),
    ("b h", "SELECT b, SUM(h) FROM t GROUP BY b", {"error": 4}),
    ("b h", "SELECT b, AVG(h), COUNT(*) FROM t GROUP BY b", {"bits": "0.9"}),
]


GROUPS = QUESTIONS[QUESTIONS.index(("s b", "SELECT s, b, COUNT(*) FROM t GROUP BY s, b", {})) :][:18]
ATTAINED = [*GROUPS[:4], GROUPS[5], *GROUPS[8:10], *GROUPS[11:13], *GROUPS[15:]]
"""Private groups of which the person's row causes every answer that is counted."""


def curator(others: int, row: tuple, bits: int = 9000) -> nl.Curator:
    """A curator of the table with nothing asked yet; the table is prepared once."""
    return fresh(prepared(row, *OTHERS[others]), bits)


def most_answers(columns: str, sql: str, given: dict) -> tuple[int, int]:
    """The most answers that one person's row causes, and the most promised: the latter is the same for every row."""
    forget()  # a test may have changed the rules
    most, promised = 0, set()
    for others in range(len(OTHERS)):
        answers = [curator(others, row).ask(sql, **given) for row in rows_of(columns)]
        most = max(most, len(set(map(shown, answers))))
        promised |= {(others, answer.guarantee.count) for answer in answers}
    assert len(promised) == len(OTHERS)  # the promise depends on public things only
    return most, max(count for _, count in promised)


@pytest.mark.parametrize(("columns", "sql", "given"), QUESTIONS, ids=[sql for _, sql, _ in QUESTIONS])
def test_one_person_causes_no_more_answers_than_promised(columns, sql, given):
    most, promised = most_answers(columns, sql, given)
    assert most <= promised
    assert given.get("bits") == "0.9" or promised <= nl.answers_within(given.get("bits", 100))


@pytest.mark.parametrize(("columns", "sql", "given"), QUESTIONS, ids=[sql for _, sql, _ in QUESTIONS])
def test_the_independent_checker_finds_the_same_count(columns, sql, given):
    """Two pieces of code that share nothing agree on every count."""
    for others in range(len(OTHERS)):
        answer = curator(others, rows_of(columns)[0]).ask(sql, **given)
        assert nl.verify(answer.certificate).count == answer.guarantee.count


def test_the_promise_is_attained():
    """Where the theory says exactly, some data do cause that many."""
    for columns, sql, given in (QUESTIONS[0], QUESTIONS[4], QUESTIONS[14], QUESTIONS[33], QUESTIONS[10], *ATTAINED):
        most, promised = most_answers(columns, sql, given)
        assert most == promised, sql


COUNT, AVG, SUM = "SELECT COUNT(*) FROM t WHERE ", "SELECT AVG({}) FROM t", "SELECT SUM({}) FROM t"
TRANSCRIPTS = [
    ("h", [AVG.format("h"), SUM.format("h"), COUNT + "h > 1"]),
    ("h", ["SELECT g, AVG(h) FROM t GROUP BY g", AVG.format("h"), "SELECT MAX(h) FROM t"]),
    ("h", [COUNT + "h >= 2", COUNT + "h >= 1", COUNT + "h >= 3"]),
    ("h a", [AVG.format("h") + " WHERE a > 3", SUM.format("h"), SUM.format("a")]),
    ("x", ["SELECT COUNT(x) FROM t", SUM.format("x"), AVG.format("x") + " WHERE x >= 0"]),
    (
        "s h",
        ["SELECT s, COUNT(*) FROM t GROUP BY s", COUNT + "s = 'yes' AND h > 0", "SELECT MAX(h) FROM t WHERE s = 'no'"],
    ),
    ("h", ["SELECT VAR_POP(h) FROM t", AVG.format("h"), "SELECT MEDIAN(h) FROM t", "SELECT STDDEV_POP(h) FROM t"]),
    ("b d", ["SELECT b, COUNT(*) FROM t GROUP BY b", "SELECT MAX(d) FROM t WHERE b", COUNT + "d IS NULL OR NOT b"]),
]


def transcripts(columns: str, questions: list) -> tuple[int, int]:
    """The most transcripts that one person's row causes, and the most charged for them."""
    forget()  # a test may have changed the rules
    most, charged = 0, 0
    for others in range(len(OTHERS)):
        seen = set()
        for row in rows_of(columns):
            asked = curator(others, row)
            answers = [asked.ask(sql, bits=1 + place) for place, sql in enumerate(questions, start=1)]
            seen.add(tuple(map(shown, answers)))
            spent = int(asked.sequence.spent())  # all in equal bins
            assert spent <= prod(answer.factor for answer in answers)
            charged = max(charged, spent)
        most = max(most, len(seen))
    return most, charged


@pytest.mark.parametrize(("columns", "questions"), TRANSCRIPTS, ids=[str(place) for place in range(len(TRANSCRIPTS))])
def test_whole_transcripts_stay_within_what_was_charged(columns, questions):
    most, charged = transcripts(columns, questions)
    assert most <= charged


BY_SQL = {sql: (columns, sql, given) for columns, sql, given in QUESTIONS}


def without_the_last(answers):
    return lambda self, width, rows=1: max(1, answers(self, width, rows) - 1)


SPREAD, VARIANCE = Variance.answers, "SELECT VAR_POP(h) FROM t"
MUTANTS = [
    (Total, "answers", without_the_last(Total.answers), QUESTIONS[0]),
    (FilteredTotal, "answers", without_the_last(FilteredTotal.answers), QUESTIONS[10]),
    (FilteredMean, "answers", without_the_last(FilteredMean.answers), QUESTIONS[9]),
    (HeadCount, "answers", lambda self, width, rows=1: 1, QUESTIONS[19]),
    (TallyOfCategory, "answers", without_the_last(TallyOfCategory.answers), QUESTIONS[36]),
    (OrderStatistic, "answers", without_the_last(OrderStatistic.answers), QUESTIONS[27]),
    (CrossTable, "answers", without_the_last(CrossTable.answers), GROUPS[0]),
    (CellSums, "answers", without_the_last(CellSums.answers), GROUPS[9]),
    (Variance, "answers", lambda self, width, rows=1: -(-SPREAD(self, width) // 3), ("h", VARIANCE, {"bits": 1})),
    (FilteredVariance, "answers", lambda self, width, rows=1: 3, BY_SQL["SELECT VAR_POP(h) FROM t WHERE a > 3"]),
    (DistinctCount, "answers", lambda self, width, rows=1: 1, BY_SQL["SELECT COUNT(DISTINCT h) FROM t"]),
    (
        InterpolatedQuantile,
        "answers",
        without_the_last(InterpolatedQuantile.answers),
        ("h a", "SELECT QUANTILE_CONT(h, 0.5) FROM t WHERE a >= 4", {"bits": 2}),
    ),
    (Centred, "answers", lambda self, width, rows=1: 1, BY_SQL["SELECT COVAR_POP(h, a) FROM t"]),
]


@pytest.mark.parametrize(("release", "name", "wrong", "question"), MUTANTS, ids=[m[0].__name__ for m in MUTANTS])
def test_a_count_that_is_one_too_small_is_caught(monkeypatch, release, name, wrong, question):
    monkeypatch.setattr(release, name, wrong)
    monkeypatch.setattr(release, "narrowest", Release.narrowest)  # by the wrong count too
    if release in (HeadCount, TallyOfCategory, DistinctCount):
        monkeypatch.setattr(release, "question", lambda self, width: OtherQuestion(self.reads, wrong(self, width)))
    if release is Total:
        monkeypatch.setattr(PlainSum, "factor", lambda self, left: max(1, -(-(left[self.column] - 1) // self.width)))
    try:
        most, promised = most_answers(*question)
    finally:
        forget()  # what was concluded with the wrong counts
    assert most > promised


def test_shrinking_after_a_condition_is_caught(monkeypatch):
    """Wrong: a threshold over values that may be missing, or within a condition, confines nobody."""
    questions = [COUNT + "x >= 0.5", COUNT + "x >= 0", COUNT + "x >= -0.5", "SELECT COUNT(x) FROM t"]
    most, charged = transcripts("x", questions)
    assert most <= charged

    def shrinking(self, width):
        return ExactThreshold("x", 4, 5)

    monkeypatch.setattr(HeadCount, "question", shrinking)
    monkeypatch.setattr(ExactThreshold, "after", lambda self, left: {"x": 1})
    most, charged = transcripts("x", questions)
    assert most > charged


def test_adaptive_questions_stay_within_the_budget():
    """The next question depends on the answers so far; all transcripts of one person together are within the budget."""
    menu = [
        ("SELECT COUNT(*) FROM t WHERE h >= 2", {}),
        ("SELECT COUNT(*) FROM t WHERE h >= 1", {}),
        ("SELECT COUNT(*) FROM t WHERE a > 3", {}),
        ("SELECT AVG(h) FROM t", {"bits": 1}),
        ("SELECT SUM(h) FROM t", {"bits": 2}),
        ("SELECT AVG(a) FROM t WHERE h > 0", {"bits": 2}),
        ("SELECT MEDIAN(a) FROM t", {"bits": 1}),
    ]
    reached = 0
    for bits in (1, 2, 3):
        for shift in range(3):
            for others in range(1, len(OTHERS)):
                seen = {_played(curator(others, row, bits), menu, shift) for row in rows_of("h a")}
                assert len(seen) <= 2**bits
                reached = max(reached, len(seen))
    assert reached > 4


def _played(curator: nl.Curator, menu: list, shift: int) -> tuple:
    transcript: list = []
    place = shift
    for _ in range(4):
        sql, given = menu[place % len(menu)]
        try:
            transcript.append(shown(curator.ask(sql, **given)))
        except nl.BudgetExceededError:
            transcript.append("refused")
        place = place * 3 + 1 + sum(ord(letter) for letter in repr(transcript[-1]))
    return tuple(transcript)


def test_the_row_that_varies_is_one_of_its_variations():
    assert FIRST in rows_of("a s")
