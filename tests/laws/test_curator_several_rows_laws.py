"""A person with several rows: everything in them varies together, and the count per person holds."""

from __future__ import annotations

from functools import cache
from itertools import product

import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.curator.dataset.dataset import Dataset
from tests.curator import small
from tests.curator.small import shown
from tests.curator.worlds import worlds

SCHEMA = nl.Schema(
    h=nl.Real(0, 2, step=1),
    s=nl.Category("no", "yes"),
    x=nl.Integer(0, 2, missing="apart"),
    g=nl.Public("n", "s"),
    day=nl.Public(),
    unit="home",
    rows=2,
    order_by="day",
)
PUBLIC = [("a", 1, "n"), ("a", 2, "s"), ("a", 3, "s"), ("b", 1, "n"), ("b", 2, "n"), ("c", 7, "s")]
"""Whose rows they are, when, and where; of home a only the first two are kept."""
OTHERS: list[list[tuple]] = [[(0.0, "no", 0)] * 3, [(2.0, "yes", None), (1.0, "no", 2), (2.0, "yes", 1)]]
VALUES = {"h": [0.0, 1.0, 2.0], "s": ["no", "yes"], "x": [0, 1, 2, None]}
QUESTIONS = [
    ("h", "SELECT AVG(h) FROM t", {"bits": 1}),
    ("h", "SELECT SUM(h) FROM t", {"error": "3.6"}),
    ("h", "SELECT g, SUM(h) FROM t GROUP BY g", {"bits": 2}),
    ("h", "SELECT AVG(h) FROM t WHERE g = 's'", {"bits": 1}),
    ("h", "SELECT COUNT(*) FROM t WHERE h >= 1", {}),
    ("h", "SELECT g, COUNT(*) FROM t WHERE h >= 1 GROUP BY g", {}),
    ("s", "SELECT s, COUNT(*) FROM t GROUP BY s", {}),
    ("s", "SELECT g, s, COUNT(*) FROM t GROUP BY g, s", {}),
    ("h s", "SELECT AVG(h) FROM t WHERE s = 'yes'", {"bits": 4}),
    ("h s", "SELECT SUM(h) FROM t WHERE s = 'yes'", {"bits": 2}),
    ("h s", "SELECT g, AVG(h) FROM t WHERE s = 'yes' GROUP BY g", {"bits": 6}),
    ("x", "SELECT AVG(x), COUNT(x) FROM t", {"bits": 5}),
    ("h", "SELECT MEDIAN(h), MAX(h) FROM t", {"bits": 2}),
    ("h", "SELECT VAR_POP(h) FROM t", {"bits": 2}),
    ("h s", "SELECT AVG(h), COUNT(*) FROM t WHERE s = 'no'", {"bits": 5}),
    ("h", "SELECT COUNT(*) FROM t", {}),
    ("h s", "SELECT STDDEV_SAMP(h) FROM t WHERE s = 'yes'", {"bits": 6}),
    ("x", "SELECT COUNT(DISTINCT x) FROM t", {}),
    ("h", "SELECT g, COUNT(DISTINCT h) FROM t GROUP BY g", {}),
    ("h", "SELECT QUANTILE_CONT(h, 0.5) FROM t", {"bits": 2}),
    ("h x", "SELECT COVAR_POP(h, x) FROM t", {"bits": 9}),
    ("h s", "SELECT s, h >= 1 AS large, COUNT(*) FROM t GROUP BY s, large", {}),
    ("h s", "SELECT s, COUNT(*), COUNT(*) FILTER (WHERE h >= 1) AS n FROM t GROUP BY s", {}),
    ("s", "SELECT s, COUNT(*) FROM t GROUP BY s", {"error": 1}),
    ("s", "SELECT MODE(s) FROM t", {}),
    ("h s", "SELECT s, SUM(h) FROM t GROUP BY s", {"bits": 5}),
    ("h s", "SELECT g, s, AVG(h), COUNT(*) FROM t GROUP BY g, s", {"bits": 7}),
    ("h s", "SELECT s, SUM(h) FROM t WHERE h >= 1 GROUP BY s", {"error": 4}),
    ("s x", "SELECT s, AVG(x) FROM t GROUP BY s", {"bits": 7}),
]
REFUSED = ["VAR_POP(h)", "STDDEV(h)", "COUNT(*), VAR_SAMP(h)"]
"""By private groups, no count is proven for several rows."""


def table(others: int, first: tuple, second: tuple) -> pa.Table:
    third = (2.0, "yes", 2)  # not kept
    rows = [(*public, *values) for public, values in zip(PUBLIC, [first, second, third, *OTHERS[others]], strict=True)]
    home, day, g, h, s, x = map(list, zip(*rows, strict=True))
    return pa.table({"home": home, "day": day, "g": g, "h": h, "s": s, "x": pa.array(x, pa.int8())})


@cache
def datasets(others: int, varied: str) -> dict[tuple, Dataset]:
    """The table with all that both rows of the person can be, if these columns vary."""
    pairs = list(product(rows_of(varied), repeat=2))
    return dict(zip(pairs, worlds([table(others, *pair) for pair in pairs], SCHEMA), strict=True))


def rows_of(columns: str) -> list[tuple]:
    domains = [VALUES[name] if name in columns else VALUES[name][:1] for name in VALUES]
    return list(product(*domains))


def fresh(others: int, first: tuple, second: tuple) -> nl.Curator:
    values = zip(VALUES, first, second, strict=True)
    varied = "".join(name for name, *met in values if met != VALUES[name][:1] * 2)
    return small.fresh(nl.Curator(datasets(others, varied)[first, second], None))


@pytest.mark.parametrize("numbers", REFUSED)
@pytest.mark.parametrize("given", [{"bits": 9}, {"error": 1}, {"error": 1, "stable": True}])
def test_variances_by_private_groups_are_refused(numbers, given):
    """They are refused for free and before anything is read, because a person's rows can be in different groups."""
    first, *_ = rows_of("")
    curator = fresh(0, first, first)
    with pytest.raises(nl.QuestionError, match="may have 2 rows, and then"):
        curator.ask(f"SELECT s, {numbers} FROM t GROUP BY s", **given)
    assert curator.sequence.spent() == 1


@pytest.mark.parametrize(("columns", "sql", "given"), QUESTIONS, ids=[sql for _, sql, _ in QUESTIONS])
def test_both_rows_of_a_person_together(columns, sql, given):
    rows = rows_of(columns)
    for others in range(len(OTHERS)):
        asked = [fresh(others, first, second).ask(sql, **given) for first, second in product(rows, rows)]
        [promised] = {answer.guarantee.count for answer in asked}
        assert len(set(map(shown, asked))) <= promised
        assert promised <= nl.answers_within(given.get("bits", 100))
        assert nl.verify(asked[0].certificate).count == promised
        [per_row] = {answer.per_row.count for answer in asked}
        assert per_row <= promised
        one = [fresh(others, first, rows[0]).ask(sql, **given) for first in rows]
        assert len(set(map(shown, one))) <= per_row


COUNT = "SELECT COUNT(*) FROM t WHERE "
TRANSCRIPTS = [
    ("h", ["SELECT AVG(h) FROM t", "SELECT SUM(h) FROM t", "SELECT g, SUM(h) FROM t GROUP BY g"]),
    ("h s", ["SELECT s, COUNT(*) FROM t GROUP BY s", "SELECT AVG(h) FROM t WHERE s = 'yes'", "SELECT AVG(h) FROM t"]),
    ("h", [COUNT + "h >= 1", COUNT + "h >= 2 AND g = 's'", "SELECT MAX(h) FROM t"]),
]


@pytest.mark.parametrize(("columns", "questions"), TRANSCRIPTS, ids=range(len(TRANSCRIPTS)))
def test_whole_transcripts(columns, questions):
    rows = rows_of(columns)
    for others in range(len(OTHERS)):
        seen, charged = set(), set()
        for first, second in product(rows, rows):
            curator = fresh(others, first, second)
            seen.add(tuple(shown(curator.ask(sql, bits=4)) for sql in questions))
            charged.add(curator.sequence.spent())
        assert len(seen) <= max(charged)
        assert len(charged) == 1


def test_counting_as_if_a_person_had_one_row_is_caught():
    """Wrong: the count for one row promised to a person with two."""
    _, sql, given = QUESTIONS[4]
    asked = [fresh(0, first, second).ask(sql, **given) for first, second in product(rows_of("h"), rows_of("h"))]
    assert len(set(map(shown, asked))) > asked[0].per_row.count


def test_only_the_first_rows_are_kept():
    curator = nl.Curator.open(table(0, *rows_of("") * 2), SCHEMA, budget=9000, table="t", store=":memory:")
    assert sum(cell["rows"] for cell in curator.public()) == 5
    assert curator.ask("SELECT COUNT(*) FROM t WHERE h >= 2").rows[0].value == 0


@pytest.mark.parametrize("days", [[1, 1, 2, 1, 2, 7], [1, None, 2, 1, 2, 7]])
def test_an_order_that_leaves_rows_to_chance_is_refused(days):
    given = pa.table(
        {"home": list("aaabbc"), "day": days, "g": ["n"] * 6, "h": [1.0] * 6, "s": ["no"] * 6, "x": [1] * 6}
    )
    with pytest.raises(nl.SchemaError, match="order_by='day' must order"):
        nl.Curator.open(given, SCHEMA, budget=9, table="t")
