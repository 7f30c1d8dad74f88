"""Stages, by hand: rows that may be there or not, and what is shown."""

from __future__ import annotations

import pytest

import noiseless as nl
from noiseless.curator.certificate.checker.stage_words import with_stages
from noiseless.curator.question.after.one_of import OneOf

PEOPLE = {
    "region": ["north"] * 6 + ["south"] * 5 + ["east"] * 3,
    "age": [30, 40, 50, 60, 70, 80, 31, 41, 51, 61, 71, 20, 22, 24],
    "smoker": ["no", "yes"] * 7,
}
SCHEMA = nl.Schema(age=nl.Integer(0, 100), smoker=nl.Category("no", "yes"), region=nl.Public("north", "south", "east"))


@pytest.fixture(scope="module")
def curator():
    import pandas

    with nl.Curator.open(pandas.DataFrame(PEOPLE), SCHEMA, budget=500, table="people") as opened:
        yield opened


def asked(curator, sql, bits=20):
    """The rows, from an answer whose certificate holds."""
    answer = curator.ask(sql, bits=bits)
    nl.verify(answer.certificate.to_json())
    return [dict(row) for row in answer.rows]


def test_windows_of_exact_counts(curator):
    rows = asked(
        curator,
        "SELECT region, COUNT(*) AS n, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER () AS share, "
        "LAG(region) OVER (ORDER BY n) AS l, SUM(COUNT(*)) OVER (ORDER BY region) AS running "
        "FROM people GROUP BY region ORDER BY n",
    )
    assert [(row["region"], row["n"].value, float(row["share"]), row["l"], row["running"].value) for row in rows] == [
        ("east", 3, 3 / 14, None, 3),
        ("south", 5, 5 / 14, "east", 14),
        ("north", 6, 6 / 14, "south", 9),
    ]


def test_a_price_is_that_of_the_numbers_that_are_released(curator):
    plain = curator.preview("SELECT smoker, SUM(age) AS s FROM people GROUP BY smoker", bits=6)
    around = curator.preview(
        "WITH t AS (SELECT smoker, SUM(age) AS s FROM people GROUP BY smoker) SELECT MAX(s) - MIN(s) AS gap FROM t",
        bits=6,
    )
    assert (around.count, around.cost, around.error) == (plain.count, plain.cost, plain.error)
    assert around.labels == ("s", "smoker")
    assert around.computed == ("the rows are computed from released numbers, and add nothing to the price",)


def test_windows_in_windows_are_verified_or_refused(curator):
    inner = "COUNT(*)"
    for _ in range(20):
        inner = f"SUM({inner}) OVER (ORDER BY region)"
    assert asked(curator, f"SELECT region, {inner} AS n FROM people GROUP BY region")[0]["n"].exact
    for _ in range(20):
        inner = f"SUM({inner}) OVER (ORDER BY region)"
    with pytest.raises(nl.QuestionError, match="nested too deeply"):
        curator.ask(f"SELECT region, {inner} AS n FROM people GROUP BY region")


def test_a_repeat_about_the_same_numbers_is_free(curator):
    sql = "SELECT region, AVG(age) AS m FROM people WHERE smoker = 'no' GROUP BY region"
    curator.ask(sql, bits=6)
    again = curator.ask(f"SELECT MAX(m) AS top FROM ({sql}) AS t WHERE m > 30", bits=6)
    assert again.cost == 0


def test_rows_that_may_not_belong_make_totals_wider(curator):
    inner = "SELECT region, SUM(age) AS s FROM people GROUP BY region"
    exact = asked(curator, f"SELECT SUM(s) AS total, COUNT(*) AS n FROM ({inner}) AS t", bits=6)[0]
    [row] = asked(curator, f"SELECT region, s FROM ({inner}) AS t ORDER BY s DESC LIMIT 1", bits=6)
    middle = row["s"].value
    [kept] = asked(
        curator, f"SELECT SUM(s) AS total, COUNT(*) AS n FROM ({inner}) AS t WHERE s < {float(middle)!r}", bits=6
    )
    assert exact["n"].exact
    assert (kept["n"].lower, kept["n"].upper) == (2, 3)
    assert kept["total"].upper - kept["total"].lower > row["s"].lower


def test_what_is_not_decided_is_shown_whole(curator):
    sql = "SELECT region, SUM(age) AS s FROM people GROUP BY region"
    middle = float(asked(curator, sql, bits=6)[0]["s"].value)
    [row] = asked(
        curator,
        f"SELECT CASE WHEN s > {middle!r} THEN 'many' ELSE 'few' END AS how, s > {middle!r} AS is_many "
        f"FROM ({sql}) AS t WHERE region = 'north'",
        bits=6,
    )
    assert row == {"how": OneOf("few", ("few", "many")), "is_many": OneOf(False, (False, True))}
    answer = curator.ask(
        f"SELECT s > {middle!r} AS b, CASE WHEN s > {middle!r} THEN 'x' ELSE 'y' END AS c FROM ({sql}) AS t", bits=6
    )
    assert answer.to_arrow().to_pylist()[0] == {"b": None, "c": "y or x"}
    assert "y or x" in answer._repr_html_()
    assert str(row["how"]) == "few or many"


def test_dates_and_missing_numbers():
    import pandas

    table = pandas.DataFrame(
        {"day": ["2024-01-05", "2024-02-01", "2024-03-01"], "side": ["a", "a", "b"], "x": [1.0, None, 2.0]}
    )
    table["day"] = pandas.to_datetime(table["day"])
    schema = nl.Schema(
        day=nl.Date("2024-01-01", "2024-12-31"), x=nl.Integer(0, 3, missing="apart"), side=nl.Public("a", "b", "c")
    )
    with nl.Curator.open(table, schema, budget=100, table="t") as opened:
        rows = asked(
            opened,
            "SELECT side, MAX(day) AS last, COALESCE(AVG(x), 0) AS x, "
            "LAG(MAX(day), 1, DATE '2024-01-01') OVER (ORDER BY side) AS l, "
            "MAX(day) >= DATE '2024-02-15' AS late FROM t GROUP BY side",
        )
        assert [str(row["last"].value) if row["last"] else None for row in rows] == ["2024-02-01", "2024-03-01", None]
        assert [str(row["l"].value) for row in rows] == ["2024-01-01", "2024-02-01", "2024-03-01"]
        assert [row["x"].value for row in rows] == [1, 2, 0]
        assert [row["late"] for row in rows] == [False, True, None]


def test_an_answer_says_what_is_not_certain_about_its_rows(curator):
    inner = "SELECT region, SUM(age) AS s FROM people GROUP BY region"
    middle = next(row["s"].value for row in asked(curator, inner, bits=6) if row["region"] == "north")
    having = f"HAVING SUM(age) > {float(middle)!r}"
    assert curator.ask(f"{inner} ORDER BY s LIMIT 3", bits=6).notes == ()
    belongs = "may belong here: the intervals do not decide the condition or the limit"
    assert curator.ask(f"{inner} {having}", bits=6).notes == (f"1 row left out {belongs}",)
    [note] = curator.ask(f"SELECT region FROM ({inner}) AS t WHERE s >= {float(middle)!r}", bits=6).notes
    assert note == "1 row shown may not belong here: the intervals do not decide the condition or the limit"
    assert note in repr(curator.ask(f"{inner} HAVING SUM(age) >= {float(middle)!r}", bits=6)).replace("\n", " ")
    close = (
        "SELECT region, AVG(age) AS m FROM people WHERE region <> 'east' GROUP BY region HAVING AVG(age) IS NOT NULL"
    )
    order = "the order of rows 1 and 2 is not certain: their intervals overlap"
    assert curator.ask(f"{close} ORDER BY m", bits=1).notes == (order,)
    [note] = curator.ask(f"{close} ORDER BY m LIMIT 1", bits=1).notes
    assert note.startswith("1 row shown may not belong here, and 1 row left out may belong here")
    both = "SELECT 'a' AS a, SUM(age) AS s FROM people UNION ALL SELECT 'b', SUM(age) + 0.5 FROM people ORDER BY s"
    assert curator.ask(both, bits=6).notes == (order,)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        (
            "SELECT n, COUNT(*) FROM (SELECT region, COUNT(*) AS n FROM people GROUP BY region) AS t GROUP BY n",
            "intervals",
        ),
        ("SELECT RANK() OVER () FROM people", "ORDER BY inside"),
        (
            "SELECT region, RANK() OVER (PARTITION BY COUNT(*) ORDER BY region) FROM people GROUP BY region",
            "keys of the groups",
        ),
        ("SELECT m FROM (SELECT region, COUNT(*) AS n FROM people GROUP BY region) AS t", "its columns are region, n"),
        ("SELECT n + region FROM (SELECT region, COUNT(*) AS n FROM people GROUP BY region) AS t", "needs a number"),
        ("SELECT COUNT(*) > 'a' OR ROUND(1.5) = 2 FROM people", "compare values of one kind"),
        ("SELECT ROUND(COUNT(*), 99) FROM people", "number of digits"),
        ("SELECT CAST(COUNT(*) AS TEXT) FROM people", "CAST"),
        ("SELECT LAG(COUNT(*), 0) OVER (ORDER BY region) FROM people GROUP BY region", "from 1 to"),
        ("SELECT LAST_VALUE(region) OVER (ORDER BY region) FROM people GROUP BY region", "OVER"),
        ("SELECT NTILE(0) OVER (ORDER BY region) FROM people GROUP BY region", "number of parts from 1"),
        ("SELECT RANK() OVER () FROM people GROUP BY region", "needs ORDER BY"),
        ("SELECT region, COUNT(*) FROM people GROUP BY region OFFSET 1", "OFFSET needs ORDER BY"),
        ("SELECT KURTOSIS(n) FROM (SELECT region, COUNT(*) AS n FROM people GROUP BY region) AS t", "KURTOSIS"),
        ("SELECT n FROM (SELECT region, COUNT(*) AS n FROM people GROUP BY region) AS t WHERE n", "not a condition"),
        ("SELECT DISTINCT n FROM (SELECT region, COUNT(*) AS n FROM people GROUP BY region) AS t", "DISTINCT"),
        ("SELECT CASE WHEN COUNT(*) > 1 THEN 'a' ELSE 2 END FROM people", "one kind"),
        (
            "SELECT SUM(COUNT(*)) OVER (ORDER BY region RANGE 1 PRECEDING) FROM people GROUP BY region",
            "RANGE",
        ),
        ("SELECT x * x FROM (SELECT POWER(COUNT(*), 2.5) AS x FROM people) AS t", "whole number from 1 to 8"),
        ("SELECT SQRT(region), COUNT(*) FROM people GROUP BY region", "needs a number"),
    ],
)
def test_what_is_refused_costs_nothing(curator, sql, words):
    before = len(curator.entries())
    with pytest.raises(nl.QuestionError, match=words):
        curator.ask(sql, bits=2)
    assert len(curator.entries()) == before


def test_keys_that_are_fractions_in_dataframes(curator):
    answer = curator.ask("SELECT region, 2.5 AS half, ABS(-3) AS three, COUNT(*) FROM people GROUP BY region")
    assert answer.to_arrow().to_pylist()[0] | {"region": ""} == {"region": "", "half": 2.5, "three": 3} | {
        f"COUNT(*){end}": 6 for end in ("", "_lower", "_upper")
    }


def test_numbers_that_grow_are_refused(curator):
    inner = "SELECT COUNT(*) + 0.5 AS x FROM people"
    for _ in range(15):
        inner = f"SELECT x * x AS x FROM ({inner}) AS t"
    with pytest.raises(nl.QuestionError, match="bits"):
        curator.ask(inner)


def test_too_many_rows_are_refused(curator):
    with pytest.raises(nl.TooLargeError, match="at most 1000"):
        curator.ask(
            "SELECT age, smoker, region, age > 20 AS o, RANK() OVER (ORDER BY COUNT(*)) FROM people GROUP BY 1, 2, 3, 4"
        )


def test_frames_in_words():
    stage = {"where": None, "order": [], "limit": None}
    frames = [(["2", "0"], "2 PRECEDING AND CURRENT ROW"), ([None, "-1"], "UNBOUNDED PRECEDING AND 1 PRECEDING")]
    for frame, words in frames:
        tree = ["over", "sum", [["column", "n"]], [], [[["column", "k"], "descending"]], frame]
        text = with_stages("t", [{**stage, "outputs": [["s", tree]]}], str, str)
        assert text == f"SELECT SUM(n) OVER (ORDER BY k DESC ROWS BETWEEN {words}) AS s FROM (t) AS r"
