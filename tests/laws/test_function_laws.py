"""With everybody else's rows fixed, one person's row causes no more answers to functions of a row than is promised.

The person's values run through all they can be, on the grid, off it, out of range, missing, through a real engine. The
wrong ways to count and to book functions are caught at the end.
"""

from __future__ import annotations

import pytest

from noiseless.curator.question import execute, measures
from noiseless.curator.releases.filtered_total import FilteredTotal
from noiseless.curator.releases.function_total import FunctionTotal
from noiseless.curator.releases.head_count import HeadCount
from noiseless.curator.releases.of_column import OfColumn
from noiseless.curator.releases.release import Release
from noiseless.curator.releases.total import Total
from noiseless.privacy.composition.questions import OtherQuestion
from tests.curator.small import OTHERS, forget, fresh, opened, prepared, rows_of, shown
from tests.laws.played import Menu
from tests.laws.test_curator_laws import _played, curator, most_answers, transcripts

SUM, AVG, COUNT = "SELECT SUM({}) FROM t", "SELECT AVG({}) FROM t", "SELECT COUNT(*) FROM t WHERE {}"
QUESTIONS: list[tuple[str, str, dict]] = [
    ("h a", SUM.format("h * a"), {"bits": 2}),
    ("h a", AVG.format("a / (1 + h)"), {"bits": 2}),
    ("h a", SUM.format("h - a"), {"bits": 1}),
    ("h", SUM.format("h * h"), {"bits": 1}),
    ("h", SUM.format("h * (3 - h)"), {"bits": 2}),
    ("h", AVG.format("ABS(h - 1)"), {"bits": 1}),
    ("h", SUM.format("h / 10.0"), {"bits": 2}),
    ("h", "SELECT SUM(2 * h + 1), AVG(3 - h) FROM t", {"bits": 3}),
    ("h", SUM.format("h * k"), {"bits": 2}),
    ("h", "SELECT k, SUM(h * k) FROM t GROUP BY k", {"bits": 2}),
    ("h", "SELECT k, AVG(h * (k - 1)) FROM t GROUP BY k", {"bits": 2}),
    ("h a", SUM.format("2 * h + 1") + " WHERE a > 3", {"bits": 2}),
    ("h a", "SELECT SUM(h + 1) FILTER (WHERE a > 3) FROM t", {"bits": 2}),
    ("h a", "SELECT SUM(h * a) FILTER (WHERE h >= 1), COUNT(*) FROM t", {"bits": 2}),
    ("h a", "SELECT AVG(h) FILTER (WHERE h > a) FROM t", {"bits": 2}),
    ("x h", SUM.format("x * h"), {"bits": 2}),
    ("x h", AVG.format("x + h"), {"bits": 2}),
    ("x", SUM.format("COALESCE(x, 0)"), {"bits": 1}),
    ("x h", SUM.format("LEAST(x, h)"), {"bits": 1}),
    ("x", AVG.format("NULLIF(x, 0)"), {"bits": 2}),
    ("h x", AVG.format("h / NULLIF(x, 0)"), {"bits": 2}),
    ("x h", "SELECT COUNT(x + h) FROM t", {}),
    ("h a", COUNT.format("h > a"), {}),
    ("h a", COUNT.format("h * a = 6 OR h + a > 7"), {}),
    ("x h", COUNT.format("x IS DISTINCT FROM h"), {}),
    ("x h", COUNT.format("x + h IS NULL"), {}),
    ("x h", COUNT.format("NOT x < h"), {}),
    ("h", COUNT.format("MOD(h, 2) = 1"), {}),
    ("s", COUNT.format("s LIKE '%n%'"), {}),
    ("s", "SELECT SUM(LENGTH(s)) FROM t", {"bits": 1}),
    ("b", "SELECT AVG(b) FROM t", {}),
    ("h b", "SELECT SUM(CASE WHEN b THEN h ELSE 3 - h END) FROM t", {"bits": 2}),
    ("h", "SELECT MIN(h * (3 - h)), MAX(h * h) FROM t", {"bits": 3}),
    ("h a", "SELECT MEDIAN(h * a) FROM t", {"bits": 2}),
    ("x h", "SELECT QUANTILE(x - h, 0.3) FROM t", {"bits": 2}),
    ("h", "SELECT MEDIAN(3 - h) FROM t", {"bits": 1}),
    ("h a", "SELECT VAR_POP(h + a) FROM t", {"bits": 2}),
    ("h", "SELECT STDDEV_POP(2 * h) FROM t", {"bits": 2}),
    ("d", "SELECT MAX(DATE_TRUNC('week', d)) FROM t", {"bits": 1}),
    ("d", "SELECT AVG(EXTRACT(day FROM d)) FROM t", {"bits": 2}),
    ("d h", "SELECT MIN(d + h) FROM t", {"bits": 2}),
    ("h", SUM.format("SQRT(h)"), {"bits": 2}),
    ("h a", SUM.format("EXP(h) * LN(a)"), {"bits": 2}),
    ("h", "SELECT SUM(h), SUM(h * h), SUM(h * (3 - h)) FROM t", {"bits": 4}),
    ("h a", "SELECT SUM(h * a), SUM(h), AVG(a), COUNT(*) FILTER (WHERE h > a) FROM t", {"bits": 6}),
    ("h a", "SELECT COUNT(*) FILTER (WHERE h > a), COUNT(*) FILTER (WHERE h >= a) FROM t", {}),
    ("h", "SELECT COUNT(*) FILTER (WHERE h > 0), COUNT(*) FILTER (WHERE MOD(h, 2) = 1) FROM t", {}),
    ("h a", SUM.format("h * a"), {"error": 40, "stable": True}),
    ("h a", AVG.format("h * a") + " WHERE h > a", {"error": 10, "stable": True}),
    ("h a", SUM.format("h * a"), {"bits": "0.9"}),
]


@pytest.mark.parametrize(("columns", "sql", "given"), QUESTIONS, ids=[sql for _, sql, _ in QUESTIONS])
def test_one_person_causes_no_more_answers_than_promised(columns, sql, given):
    most, promised = most_answers(columns, sql, given)
    assert most <= promised


@pytest.mark.parametrize("place", [0, 2, 3, 6, 22])
def test_the_promise_is_attained(place):
    """Where the theory says exactly, some data do cause that many."""
    most, promised = most_answers(*QUESTIONS[place])
    assert most == promised


TRANSCRIPTS = [
    ("h", [SUM.format("h * h"), SUM.format("h"), AVG.format("ABS(h - 1)"), COUNT.format("h > 1")]),
    ("h", [SUM.format("h / 10.0"), SUM.format("2 * h + 1"), SUM.format("h * (3 - h)")]),
    ("h a", [SUM.format("h * a"), SUM.format("h"), SUM.format("a"), COUNT.format("h > a")]),
    ("h a", [COUNT.format("h > a"), COUNT.format("h >= a"), AVG.format("h - a"), SUM.format("h")]),
    ("x h", [SUM.format("x * h"), "SELECT COUNT(x + h) FROM t", AVG.format("h"), SUM.format("COALESCE(x, 0)")]),
    ("h", ["SELECT k, SUM(h * (k - 1)) FROM t GROUP BY k", SUM.format("h"), SUM.format("h * (k - 1)")]),
    ("h a", [SUM.format("h + 1") + " WHERE a > 3", SUM.format("h"), SUM.format("2 * h") + " WHERE a > 3"]),
]


@pytest.mark.parametrize(("columns", "questions"), TRANSCRIPTS, ids=[str(place) for place in range(len(TRANSCRIPTS))])
def test_whole_transcripts_stay_within_what_was_charged(columns, questions):
    most, charged = transcripts(columns, questions)
    assert most <= charged


def test_batches_stay_within_what_was_charged():
    batches = [
        ("h", [SUM.format("h"), SUM.format("h * (3 - h)"), "SELECT MAX(h * h) FROM t"]),
        ("h a", [SUM.format("h * a"), SUM.format("h"), COUNT.format("h > a"), COUNT.format("h >= 2")]),
        ("x h", [COUNT.format("x < h"), COUNT.format("NOT x < h"), COUNT.format("x + h IS NULL")]),
        ("h", [COUNT.format("MOD(h, 2) = 1"), COUNT.format("h >= 1"), COUNT.format("h * h > 3")]),
    ]
    for columns, questions in batches:
        for others in range(len(OTHERS)):
            seen, spent = set(), 0
            for row in rows_of(columns):
                asked = curator(others, row)
                answers = asked.batch(questions, bits=8)
                seen.add(tuple(map(shown, answers)))
                spent = max(spent, int(asked.sequence.spent()))
            assert len(seen) <= spent, questions


MENU: Menu = [
    (SUM.format("h * a"), {"bits": 1}),
    (SUM.format("h"), {"bits": 1}),
    (COUNT.format("h > a"), {}),
    (AVG.format("h * (3 - h)"), {"bits": 1}),
    (SUM.format("a / 2.0"), {"bits": 2}),
    ("SELECT SUM(h + 1) FILTER (WHERE a > 3) FROM t", {"bits": 2}),
    (COUNT.format("h * h > 3"), {}),
]


def test_adaptive_questions_stay_within_the_budget():
    for bits in (2, 3):
        for shift in range(3):
            for others in range(1, len(OTHERS)):
                seen = {_played(curator(others, row, bits), MENU, shift) for row in rows_of("h a")}
                assert len(seen) <= 2**bits


ELSEWHERE = [
    "SELECT SUM(CASE WHEN g <> 'n' THEN h END) FROM t",
    "SELECT SUM(CASE WHEN g <> 'n' THEN h * h END), COUNT(*) FROM t",
    "SELECT COUNT(CASE WHEN g <> 'n' THEN h + x END) FROM t",
    "SELECT AVG(CASE g WHEN 's' THEN h + x END), MAX(CASE WHEN g <> 'n' THEN 3 - h END) FROM t WHERE k > 0",
    "SELECT k, SUM(CASE WHEN g = 's' THEN h END), COUNT(DISTINCT CASE WHEN g = 's' THEN h END) FROM t GROUP BY k",
    "SELECT SUM(CASE WHEN g <> 'n' THEN x END) FILTER (WHERE h > 0) FROM t",
    "SELECT b, SUM(CASE WHEN g <> 'n' THEN h END), COUNT(CASE WHEN g <> 'n' THEN h END) FROM t GROUP BY b",
    "SELECT CORR(CASE WHEN g <> 'n' THEN h END, x), MEDIAN(CASE WHEN g <> 'n' THEN h END) FROM t",
]
"""About people in other public groups than the one whose row is varied."""


def moves(sql: str, others: int) -> bool:
    """Whether somebody in the group n moves the answer."""
    forget()
    return any(
        len({shown(curator(others, row).ask(sql, bits=12)) for row in (first, second, last)}) > 1
        for first, _, second, *_, last in (rows_of("h"), rows_of("x"))
    )


def test_people_of_whom_a_case_has_no_value_for_public_reasons_move_nothing(monkeypatch):
    """They are not charged for it. Only the column is left of CASE WHEN g <> 'n' THEN h END where g is not n."""
    assert not any(moves(sql, others) for sql in ELSEWHERE for others in (2, 3))
    monkeypatch.setattr(execute, "_kept", lambda aggregate: aggregate.filter)
    assert all(moves(sql, 2) or moves(sql, 3) for sql in ELSEWHERE)


# what would be wrong


def one_too_few(answers):
    return lambda self, width, rows=1: max(1, answers(self, width, rows) - 1)


MUTANTS = [
    (FunctionTotal, one_too_few(Total.answers), QUESTIONS[0]),
    (FilteredTotal, one_too_few(FilteredTotal.answers), QUESTIONS[12]),
    (HeadCount, lambda self, width, rows=1: 1, QUESTIONS[22]),
]


@pytest.mark.parametrize(("release", "wrong", "question"), MUTANTS, ids=[each[0].__name__ for each in MUTANTS])
def test_a_count_that_is_one_too_small_is_caught(monkeypatch, release, wrong, question):
    monkeypatch.setattr(release, "answers", wrong)
    monkeypatch.setattr(release, "narrowest", Release.narrowest)  # by the wrong count too
    if release is HeadCount:
        monkeypatch.setattr(release, "question", lambda self, width: OtherQuestion(self.reads, 1))
    most, promised = most_answers(*question)
    assert most > promised


def charged_for(columns: str, questions: list[str]) -> tuple[int, int]:
    """The most transcripts of questions in the finest bins, and the most charged for them."""
    forget()  # a test may have changed the rules
    most = charged = 0
    for others in range(len(OTHERS)):
        seen = set()
        for row in rows_of(columns):
            asked = fresh(prepared(row, *OTHERS[others]))
            seen.add(tuple(shown(asked.ask(sql, bits=8)) for sql in questions))
            charged = max(charged, int(asked.sequence.spent()))
        most = max(most, len(seen))
    return most, charged


ENDS = "CASE WHEN h IN (1, 2) THEN 0 ELSE 2 END"


def test_a_function_that_confines_a_column_is_caught(monkeypatch):
    """0 leaves two values of h."""
    questions = [SUM.format(ENDS), SUM.format("h")]
    most, charged = charged_for("h", questions)
    assert most <= charged
    monkeypatch.setattr(OtherQuestion, "after", lambda self, left: dict.fromkeys(self.columns, 1))
    most, charged = charged_for("h", questions)
    assert most > charged


def test_a_function_booked_as_monotone_is_caught(monkeypatch):
    """It is 2, 0, 0, 2, so that with COUNT(h ≥ 2) there are four answers, and not three."""
    batch = [SUM.format(ENDS), COUNT.format("h >= 2")]

    def found() -> tuple[int, int]:
        forget()
        seen, spent = set(), 0
        for row in rows_of("h"):
            asked = curator(0, row)
            seen.add(tuple(shown(each) for each in asked.batch(batch, bits=2)))
            spent = max(spent, int(asked.sequence.spent()))
        return len(seen), spent

    assert found() == (4, 4)

    def monotone(self, width):
        return self._booked(width) if self.column.own else OtherQuestion(self.reads, self.answers(width), 1)

    monkeypatch.setattr(OfColumn, "question", monotone)
    assert found() == (4, 3)


def test_a_range_that_is_one_code_too_small_is_caught(monkeypatch):
    """With one code less than the function has, and no clamp, there is one more answer than is promised."""
    monkeypatch.setattr(FunctionTotal, "answers", lambda self, width, rows=1: self.column.top)
    most, promised = most_answers("h a", SUM.format("h * a"), {"bits": 9})
    assert most <= promised  # the product has holes: 0, 2, 4, …: M is above the number of its values
    most, promised = most_answers("h", SUM.format("1 - h"), {"bits": 9})
    assert most <= promised  # a column in other units is no function total
    most, promised = most_answers("h a", SUM.format("h + a / 2"), {"bits": 9})
    assert most > promised


def is_true(sql: str, true: float) -> bool:
    with opened([VARIED, *OTHERS[3]]) as asked:  # with nothing kept from other questions
        answer = asked.ask(sql, bits=9)
    number = answer.rows[0][answer.labels[0]]
    return number.lower <= true <= number.upper


VARIED = rows_of("a")[2]


def test_a_public_factor_of_0_taken_for_the_column_is_caught(monkeypatch):
    """SUM(h·(k − 1)) is not about the h of those with k = 1."""
    true = sum(row[0] * (row[7] - 1) for row in [VARIED, *OTHERS[3]])
    assert is_true(SUM.format("h * (k - 1)"), true)
    monkeypatch.setattr(measures.Measures, "fixed", lambda self, aggregate: {"k": 1})
    assert not is_true(SUM.format("h * (k - 1)"), true)


def test_a_shift_under_a_condition_taken_for_the_column_is_caught(monkeypatch):
    """Every row that counts adds 30: SUM(h + 30) is not SUM(h) under a private condition."""
    sql = SUM.format("h + 30") + " WHERE a > 3"
    true = sum(row[0] + 30 for row in [VARIED, *OTHERS[3]] if row[2] > 3)
    assert is_true(sql, true)
    monkeypatch.setattr(measures, "in_units", lambda aggregate, found, plain: True)
    assert not is_true(sql, true)
