"""Answers: as dataframes, for the eye, and what SQL makes of released numbers."""

from __future__ import annotations

from fractions import Fraction
from io import StringIO
from math import inf

import pyarrow as pa
import pytest
from rich.console import Console

import noiseless as nl
from tests.curator.small import FIRST, OTHERS, opened


def test_answers_as_tables(curator):
    answer = curator.ask(
        "SELECT region, AVG(age) AS m, COUNT(*) AS n FROM people WHERE age > 25 GROUP BY region", bits=3
    )
    frame = answer.to_pandas()
    assert list(frame.columns) == ["region", "m", "m_lower", "m_upper", "n", "n_lower", "n_upper"]
    assert frame["n"].tolist() == [2, 0, 1]
    assert Fraction(frame["m_lower"][0]) <= answer.rows[0]["m"].lower
    assert Fraction(frame["m_upper"][0]) >= answer.rows[0]["m"].upper
    assert answer.to_polars().shape == (3, 7)
    assert answer.to_arrow().num_rows == 3
    assert answer.rows[0]["n"].exact
    with pytest.raises(nl.UnknownVariableError, match="2 numbers; take one by its label"):
        _ = answer.rows[0].value
    with pytest.raises(nl.UnknownVariableError, match="its columns are region, m, n"):
        _ = answer.rows[0]["q"]


def test_unbounded_quotients(curator):
    row = curator.ask("SELECT COUNT(*) / (SUM(age) - SUM(age)) AS q, 1 / COUNT(*) AS r FROM people", bits=1).rows[0]
    assert row["q"] is None or (row["q"].lower, row["q"].upper) == (-inf, inf)
    assert row["r"].value == Fraction(1, 4)


def printed(thing) -> str:
    console = Console(width=120, record=True, file=StringIO())
    console.print(thing)
    return console.export_text()


def test_displays(curator):
    sql = "SELECT region, AVG(age) AS mean FROM people GROUP BY region"
    preview, answer = curator.preview(sql, bits=2), curator.ask(sql, bits=2)
    assert "± " in printed(preview)
    assert "●" in printed(answer)
    lines = [line.rstrip() for line in printed(answer).splitlines()]
    assert "one person's data can change this among at most 4 answers (2 bits)" in lines
    assert "charged 2 bits; 4 bits left" in lines
    assert "<svg" in answer._repr_html_()
    assert "<table" in preview._repr_html_()
    filtered = curator.ask("SELECT AVG(age), MIN(age) FROM people WHERE age > 50", bits=4)
    assert "certainly in" in printed(filtered)
    assert "custodian only" in printed(curator.check())


def test_the_interval_shown_holds_the_interval():
    from noiseless.exact.readable import number_shown

    for number in (
        Fraction(1, 3),
        Fraction(-1, 3),
        Fraction(123456789),
        Fraction(2, 3 * 10**9),
        Fraction(-999999999, 7),
    ):
        assert Fraction(number_shown(number, "lower")) <= number <= Fraction(number_shown(number, "upper"))


def test_labels_never_hide_each_other():
    curator = opened([FIRST, *OTHERS[3]])
    answer = curator.ask("SELECT SUM(a) AS n, COUNT(*) AS n_lower, g AS n_upper FROM t GROUP BY g", error=9)
    assert len(answer.to_arrow().column_names) == 3 + 3 + 1
    assert list(curator.ask("SELECT g, SUM(a) AS n FROM t GROUP BY g HAVING n > 99", error=9).to_pandas()) == [
        "g",
        "n",
        "n_lower",
        "n_upper",
    ]


@pytest.mark.parametrize(
    ("clause", "kept"),
    [
        ("HAVING MAX(d) >= DATE '2024-01-03'", ["n"]),
        ("HAVING MIN(d) < '2024-01-02'", []),
        ("HAVING MIN(d) <= MAX(d)", ["n", "s"]),
        ("HAVING g = 's'", ["s"]),
        ("HAVING g <> 's' AND COUNT(*) > 2", ["n"]),
        ("HAVING COUNT(*) BETWEEN 1 AND 2", ["s"]),
        ("ORDER BY COUNT(*)", ["e", "s", "n"]),
        ("ORDER BY g DESC LIMIT 2", ["s", "n"]),
    ],
)
def test_after_the_release(clause, kept):
    curator = opened([FIRST, *OTHERS[3]])
    rows = curator.ask(f"SELECT g, MIN(d), MAX(d), COUNT(*) FROM t GROUP BY g {clause}", error=0).rows
    assert [row["g"] for row in rows] == kept


@pytest.mark.parametrize("clause", ["HAVING g = 5", "HAVING MIN(d) > 5", "HAVING g > MIN(d)", "ORDER BY 1 NULLS FIRST"])
def test_after_the_release_refused(clause):
    with pytest.raises(nl.InputError):
        opened([FIRST]).ask(f"SELECT g, MIN(d) FROM t GROUP BY g {clause}", error=0)


def test_numbers_beyond_all_floats():
    curator = opened([FIRST, *OTHERS[3]])
    answer = curator.ask(
        "SELECT COUNT(*) * 1e400 AS n, SUM(h) * -1.79e308 AS m, 1e400 * (SUM(h) / SUM(x)) AS q, "
        "SUM(h) / SUM(x) - 1e400 AS r FROM t",
        bits=9,
    )
    assert (answer.rows[0]["q"].lower, answer.rows[0]["r"].upper) == (-inf, inf)
    assert answer.to_pandas()["n_upper"][0] == inf
    assert "4e+400" in printed(answer)
    answer._repr_html_()


def test_names_are_not_markup():
    schema = nl.Schema(h=nl.Integer(0, 5), g=nl.Public("[/b]"))
    with nl.Curator.open(pa.table({"h": [1], "g": ["[/b]"]}), schema, budget=9, table="t") as curator:
        sql = 'SELECT g, COUNT(*) AS "[/red]" FROM t WHERE h > 0 GROUP BY g'
        assert "[/red]" in printed(curator.preview(sql))
        assert "[/b]" in printed(curator.ask(sql))
