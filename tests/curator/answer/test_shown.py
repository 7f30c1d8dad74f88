"""What is printed: short tables and sentences, within 80 columns."""

from __future__ import annotations

import dataclasses
import json

import pandas as pd
import pyarrow as pa
import pytest

import noiseless as nl
from noiseless.app.cli.printing import as_options
from noiseless.curator.ledger.entry import Entry

SCHEMA = nl.Schema(
    height=nl.Real(100, 250, step="0.1"),
    born=nl.Date("1900-01-01", "2024-12-31"),
    region=nl.Public("north", "south", "a region with quite a long name indeed, longer than most are"),
)
TABLE = pa.table(
    {
        "height": [150 + (37 * k % 451) / 10 for k in range(90)],
        "born": pd.date_range("1950-01-01", periods=90, freq="200D"),
        "region": [("north", "south")[k % 2] for k in range(90)],
    }
)
QUESTIONS = [
    "SELECT AVG(height) FROM people",
    "SELECT region, AVG(height) FROM people GROUP BY region",
    "SELECT region, AVG(height), SUM(height), MEDIAN(born) FROM people GROUP BY region",
    "SELECT MEDIAN(born) FROM people",
    "SELECT region, COUNT(*) AS how_many FROM people WHERE height > 170 GROUP BY region HAVING how_many > 10000",
]


@pytest.fixture
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=90, table="people") as curator:
        yield curator


@pytest.mark.parametrize("sql", QUESTIONS)
def test_answers_and_previews_fit_a_terminal(curator, sql):
    for shown in (curator.preview(sql, bits=9), curator.ask(sql, bits=9)):
        lines = str(shown).splitlines()
        assert repr(shown) == str(shown)
        assert max(map(len, lines)) <= 80
        assert len(lines) < 25
        assert "data can change this" in str(shown)


def test_bars_are_drawn_where_there_is_room(curator):
    assert "●" in str(curator.ask(QUESTIONS[0], bits=2))
    assert "●" not in str(curator.ask(QUESTIONS[1], bits=2))  # a long name takes it
    assert "●" not in str(curator.ask(QUESTIONS[2], bits=9))


def test_a_batch_is_a_table_and_one_dataframe(curator):
    batch = curator.batch(QUESTIONS[:2] + QUESTIONS[3:], bits=4)
    assert max(map(len, str(batch).splitlines())) <= 80
    assert str(batch).count("data can change this") == 1
    assert all(sql in str(batch) for sql in QUESTIONS[:2])
    assert "4 questions" in str(batch)
    assert "<table " in batch._repr_html_()
    frame = batch.to_pandas()
    assert list(frame["question"]) == [1, 2, 2, 2, 3]  # HAVING left nothing of the last
    assert frame.equals(batch.to_polars().to_pandas()) or list(batch.to_polars().columns) == list(frame.columns)
    assert batch.to_arrow().num_rows == 5
    first = batch[0].rows[0]
    assert frame["AVG(height)_lower"][0] <= first.lower
    assert frame["AVG(height)_upper"][0] >= first.upper


def test_sentences(curator):
    assert repr(curator) == "Curator of 'people': 90 rows; columns height, born, region; 90 bits left"
    answer = curator.ask(QUESTIONS[0], bits=1)
    assert repr(answer.guarantee).startswith("noiseless privacy: one person's data can cause at most 2 answers (1 bit)")
    assert "89 bits left" in repr(curator)
    assert len(repr(answer.guarantee)) < 300


def test_the_command_line_speaks_of_its_options():
    assert as_options("bits=3 allow 8; ask for bits=4.5 or more") == "--bits 3 allow 8; ask for --bits 4.5 or more"
    assert as_options("more than max_bits=2; nothing") == "more than --max-bits 2; nothing"
    assert as_options("use another ledger= and store=") == "use another ledger= and store="


ESCAPE = "\x1b[2J\nEve"


def test_nothing_printed_moves_the_cursor_of_a_terminal():
    """Names and certificates of somebody else's are printed with control characters escaped."""
    table = pd.DataFrame({"x": [1, 2], ESCAPE: [0, 1]})
    schema = nl.Schema({"x": nl.Integer(0, 9), ESCAPE: nl.Integer(0, 9)})
    with nl.Curator.open(table, schema, budget=9, table="t", analyst=ESCAPE) as curator:
        answer = curator.ask(f'SELECT COUNT(*) AS "{ESCAPE}" FROM t WHERE x > 1')
        shown = [curator, curator.schema, answer, curator.entries(), curator.status(), curator.preview_release(bits=9)]
        shown += [answer.certificate, nl.verify(answer.certificate)]
    strange = nl.Certificate.from_json(json.dumps({"content": {"question": ESCAPE}, "key": "k", "signature": "x"}))
    for each in [*shown, strange]:
        assert "\x1b" not in repr(each)
    assert "not verified" in repr(strange)


def test_damaged_entries_are_printed():
    entry = Entry.after(None, "ask", "ada", {"factor": "4"})
    assert repr(entry).endswith("charged 2 bits")
    factors = ("abc", None, "-3", "0", "9" * 5000)
    for body in ({}, [], "x", *({"factor": factor} for factor in factors)):
        assert "charged" not in repr(dataclasses.replace(entry, body=body))


def test_schemas_are_printed_as_they_can_be_written():
    columns = (
        nl.Public("a", "b", other="z"),
        nl.Public("z", "a", other="z"),
        nl.Category("no", "yes", missing="unknown", other="other"),
        nl.Category("no", "yes", missing="no"),
        nl.Real(0, 1, step="0.25", on_grid=True),
        nl.Integer(0, 9, missing=3),
    )
    names = {name: getattr(nl, name) for name in ("Public", "Category", "Real", "Integer")}
    for column in columns:
        assert eval(repr(column), names) == column
