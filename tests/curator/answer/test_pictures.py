"""Numbers as bars and intervals: what is solid is certain, everything possible is covered, and it fits a terminal."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from math import inf
from random import Random
from xml.etree import ElementTree

import pyarrow as pa
import pytest
from rich.console import Console

import noiseless as nl
from noiseless.curator.answer.pictures import ASCII, UNICODE, Axis
from noiseless.curator.answer.report import report
from noiseless.curator.releases.reported import Reported

SCHEMA = nl.Schema(
    age=nl.Integer(0, 99),
    smoker=nl.Category("no", "yes"),
    edu=nl.Category("school", "college", "<phd>"),
    region=nl.Public("north", "south"),
)
TABLE = pa.table(
    {
        "age": [(53 * k) % 61 for k in range(300)],
        "smoker": ["yes" if k % 7 == 0 else "no" for k in range(300)],
        "edu": [("school", "college", "<phd>")[k * k % 7 % 3] for k in range(300)],
        "region": [("north", "south")[k % 2] for k in range(300)],
    }
)
CROSSED = "SELECT smoker, edu, COUNT(*) FROM people GROUP BY smoker, edu"


@pytest.fixture(scope="module")
def curator():
    with nl.Curator.open(TABLE, SCHEMA, budget=90, table="people") as opened:
        yield opened


def bar(lower, upper, most=100, width=10, signs=UNICODE):
    return Axis(0.0, float(most), bars=True).text(Reported(Fraction(lower + upper, 2), lower, upper), width, signs)


@pytest.mark.parametrize(
    ("lower", "upper", "drawn"),
    [
        (0, 0, ""),
        (100, 100, "██████████"),
        (50, 50, "█████"),
        (55, 55, "█████▌"),
        (1, 1, "▏"),  # seen, however small
        (50, 60, "█████░"),
        (51, 51 + 8, "█████░"),
        (59, 61, "█████░░"),  # outward on both sides
        (0, 100, "░░░░░░░░░░"),
    ],
)
def test_bars(lower, upper, drawn):
    assert bar(lower, upper) == drawn


def test_what_is_solid_is_certain_and_everything_possible_is_covered():
    random = Random(3)
    for _ in range(300):
        lower, width = random.randrange(0, 1000), random.randrange(8, 30)
        upper = random.randrange(lower + 1, 1001)
        drawn = bar(lower, upper, 1000, width)
        assert drawn.count("█") * 1000 <= lower * width
        assert len(drawn) * 1000 >= upper * width
        assert len(drawn) <= width
        assert bar(lower, upper, 1000, width, ASCII) == drawn.replace("█", "#").replace("░", ":")


def test_intervals_on_a_line():
    axis = Axis.around([Reported(5, 4, 6), Reported(10, 10, 10)])
    assert axis.text(Reported(5, 4, 6), 13) == "·━●━━········"
    assert axis.text(Reported(10, 10, 10), 13, ASCII).rstrip(".").endswith("o")
    assert axis.text(Reported(0, -inf, inf), 5) == "●━━━━"
    assert axis.text(None, 5) == ""
    negative = Axis.around([Reported(0, -1, 1)], tallies=True)  # a bar cannot begin at zero
    assert not negative.bars


def test_counts_are_bars_from_zero_and_means_are_intervals(curator):
    counts = str(curator.ask("SELECT smoker, COUNT(*) FROM people GROUP BY smoker"))
    assert re.search(r"no +│ +257 │ █{28} │", counts)
    assert re.search(r"yes +│ +43 │ ████▋ +│", counts)
    assert "COUNT(*) exactly" in counts
    means = str(curator.ask("SELECT region, AVG(age) FROM people GROUP BY region", bits=2))
    assert means.count("●") == 2
    assert "certainly in" in means
    rough = str(curator.ask("SELECT region, COUNT(*) FROM people WHERE age < 40 GROUP BY region", error=8))
    assert "█░" in rough
    alone = str(curator.ask("SELECT COUNT(*) FROM people WHERE age < 40"))
    assert "█" not in alone  # nothing to compare it with


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_tables_fit_and_have_only_signs_of_the_terminal(curator, encoding):
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    answers = [curator.ask(CROSSED), curator.ask("SELECT FLOOR(age / 10) AS ten, COUNT(*) FROM people GROUP BY ten")]
    for answer in answers:
        Console(file=file, width=80).print(answer)
    file.flush()
    lines = file.buffer.getvalue().decode(encoding).split("\n")
    assert max(map(len, lines)) <= 80
    solid = "█" if encoding == "utf-8" else "#"
    assert sum(solid in line for line in lines) == 3 + 7  # cells with somebody in them


def test_printing_never_fails_where_the_output_is_not_utf_8(curator, monkeypatch):
    answers = [curator.ask(CROSSED), curator.preview("SELECT AVG(age) FROM people", bits=3)]
    for encoding in ("ascii", "latin-1", "cp1252"):
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
        for answer in answers:
            print(answer)
    assert "############################" in repr(answers[0])
    assert "± 0.0" in repr(answers[1])  # which Windows-1252 has
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert "█" in repr(answers[0])


@pytest.mark.parametrize(("width", "longest"), [(80, 28), (60, 18), (50, 8), (45, 0)])
def test_pictures_have_the_room_that_is_left(curator, width, longest):
    """As wide as there is room for, and none in a terminal that is too narrow."""
    file = io.StringIO()
    Console(file=file, width=width).print(curator.ask(CROSSED))
    lines = file.getvalue().split("\n")
    assert max(map(len, lines)) <= width
    assert max(line.count("█") for line in lines) == longest


def test_a_line_parts_the_groups_of_the_first_key(curator):
    lines = str(curator.ask(CROSSED)).split("\n")
    assert [line[0] for line in lines[3:]][:8] == ["│", "│", "│", "├", "│", "│", "│", "└"]


def tables(html):
    """The cells of all tables, as texts; refused if the HTML is not well formed."""
    root = ElementTree.fromstring(f"<div>{html.replace('<br>', '<br/>')}</div>")
    return [[["".join(cell.itertext()) for cell in row] for row in table.iter("tr")] for table in root.iter("table")]


def test_a_cross_table_is_one_on_a_page(curator):
    html = curator.ask(CROSSED)._repr_html_()
    [rows] = tables(html)
    assert rows[0] == ["smoker ↓ edu →", "school", "college", "<phd>"]
    assert [row[0] for row in rows[1:]] == ["no", "yes"]
    assert "<script" not in html
    assert len(re.findall("<svg", html)) == 6
    assert "COUNT(*) exactly" in html
    unfinished = curator.ask(f"{CROSSED} HAVING COUNT(*) > 0")._repr_html_()
    assert tables(unfinished)[0][0] == ["smoker", "edu", "COUNT(*) exactly"]


def test_pictures_on_a_page_say_their_numbers(curator):
    html = curator.ask("SELECT region, AVG(age) FROM people GROUP BY region", bits=2)._repr_html_()
    [rows] = tables(html)
    assert len(rows) == 3
    assert all(re.search(r"<title>[\d.]+, \[[\d.]+, [\d.]+\]</title>", html) for _ in rows)
    for left, width in re.findall(r'<rect x="0" y="2" width="([\d.]+)".*?<rect x="0" y="2" width="([\d.]+)"', html):
        assert float(width) <= float(left) <= 200


def test_several_pictures_share_the_width_of_a_page(curator):
    """A table that is still too wide is moved by itself, on one line for each row."""
    one = curator.ask("SELECT smoker, COUNT(*) FROM people GROUP BY smoker")._repr_html_()
    two = curator.ask("SELECT smoker, COUNT(*), AVG(age) FROM people GROUP BY smoker", bits=5)._repr_html_()
    assert set(re.findall(r'<svg width="(\d+)"', one)) == {"200"}
    assert set(re.findall(r'<svg width="(\d+)"', two)) == {"150"}
    assert one.count("overflow-x:auto") == 1
    assert all("white-space:nowrap" in cell for cell in re.findall(r"<td[^>]*><small>", two))
    assert "<small>" in two


def test_a_report_is_one_page_without_scripts(curator):
    one = report(curator.ask(CROSSED), "Who <smokes>")
    assert "Who &lt;smokes&gt;" in one
    assert one.count("<svg") == 6
    assert "What is promised" in one
    assert 'name="viewport"' in one  # so that it has the width of a telephone
    batch = report(curator.batch([CROSSED, "SELECT AVG(age) FROM people"], bits=3), "Two")
    assert batch.count("<h2>Question") == 2
    assert not re.search("<script|src=|href=|url\\(", one + batch)
