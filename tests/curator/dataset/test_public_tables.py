"""Public tables: how they are read, what is refused, and what follows when they change."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.dataset.public_tables import read_public_tables
from noiseless.curator.engines.request import Request
from tests.curator.small import AGE, PEOPLE

TOML = """source = "people.parquet"
budget = 20
[columns.age]
kind = "integer"
low = 0
high = 100
[columns.region]
kind = "category"
values = ["north", "south"]
[public.regions]
source = "regions.csv"
key = "region"
"""
ASKED = "SELECT SUM(size) FROM people JOIN regions USING (region)"


def table(source, key="k", **more):
    return read_public_tables({"Look": {"source": source, "key": key, **more}}, Request("t.csv"))["look"]


def test_what_a_text_file_holds(tmp_path):
    lines = ["k,number,zip,day,truth,word,none,mixed", "01,1.50,01234,2024-02-29,True,ä,,1", "2,-3e2,5,,false,,,x"]
    (tmp_path / "look.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = table(tmp_path / "look.csv")
    assert {name: (column.kind, column.cells) for name, column in found.columns.items()} == {
        "k": ("text", ("01", "2")),
        "number": ("number", (Fraction(3, 2), Fraction(-300))),
        "zip": ("text", ("01234", "5")),
        "day": ("date", (Fraction(19782), None)),
        "truth": ("truth", (True, False)),
        "word": ("text", ("ä", None)),
        "none": ("text", (None, None)),
        "mixed": ("text", ("1", "x")),
    }
    assert table(tmp_path / "look.csv", columns=["day"]).columns.keys() == {"k", "day"}


def test_a_key_of_a_text_file_is_a_text_or_what_it_is_written_as(tmp_path):
    (tmp_path / "look.csv").write_text("k,v\n1,10\n2,20\n")
    assert table(tmp_path / "look.csv").keys == {"number": {Fraction(1): 0, Fraction(2): 1}, "text": {"1": 0, "2": 1}}


def test_types_of_dataframes():
    frame = pd.DataFrame({"k": [True, False], "x": [0.1, float("nan")], "y": [Decimal("1.25"), None]})
    found = table(frame.assign(d=[date(1970, 1, 2), None], w=["a", None]))
    cells = {name: (column.kind, column.cells[0]) for name, column in found.columns.items()}
    assert cells == {
        "k": ("truth", True),
        "x": ("number", Fraction(1, 10)),
        "y": ("number", Fraction(5, 4)),
        "d": ("date", Fraction(1)),
        "w": ("text", "a"),
    }
    assert [column.cells[1] for column in found.columns.values()] == [False, None, None, None, None]


REFUSED = [
    (pa.table({"k": ["a", "b", "a"]}), {}, "key 'k' of public table 'Look' is 'a' in rows 1 and 3"),
    (pa.table({"k": ["a", None]}), {}, "key 'k' of public table 'Look' is missing in row 2"),
    (pa.table({"k": [1.0, 1.0]}), {}, "is '1' in rows 1 and 2"),
    (pa.table({"k": pa.array([], "string")}), {}, "'Look' has no rows"),
    (pa.table({"x": ["a"]}), {}, "has no column 'k'; its columns are x"),
    (pa.table({"k": ["a"], "v": [[1]]}), {}, "column 'v' of public table 'Look' is not only numbers"),
    (pa.table({"k": ["a"], "v": [float("inf")]}), {}, "column 'v' of public table 'Look' is not only numbers"),
    (pa.table({"k": ["a"], "v": ["x\0"]}), {}, "'v' of public table 'Look', row 1: the text contains a NUL"),
    (pa.table({"k": ["a", "b" * 1001]}), {}, "row 2: the text has more than 1000 characters"),
    (pa.table({"k": ["a"]}), {"columns": ["y"]}, "has no column 'y'"),
    (pa.table({"k": ["a"]}), {"columns": "k"}, "must be a list of names"),
    (pa.table({"k": ["a"]}), {"keys": "k"}, "unknown field 'keys'; use source, key, table, columns"),
    (pa.table({"k": ["a"]}), {"key": 3}, "must be names"),
    ("nowhere.csv", {}, "does not exist"),
]


@pytest.mark.parametrize(("source", "more", "words"), REFUSED, ids=[words for *_, words in REFUSED])
def test_refused(source, more, words):
    with pytest.raises(nl.InputError, match=words):
        table(source, **more)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([1], "public= must name public tables"),
        ({"r": "regions.csv"}, "'r' needs a source and a key"),
        ({"r": {"key": "k"}}, "'r' needs a source and a key"),
        ({"people": {"source": "x.csv", "key": "k"}}, "has the name of another table"),
        ({3: {}}, "the name of a public table must be a text"),
    ],
)
def test_a_declaration_that_is_wrong(given, words):
    with pytest.raises(nl.SchemaError, match=words):
        nl.Curator.open(pa.table(PEOPLE), AGE, 9, table="people", public=given)


@pytest.fixture
def home(tmp_path):
    pq.write_table(pa.table({"age": [20, 30, 40], "region": ["north", "south", "north"]}), tmp_path / "people.parquet")
    (tmp_path / "people.toml").write_text(TOML)
    return tmp_path


def say(home, north: int, south: int) -> None:
    (home / "regions.csv").write_text(f"region,size\nnorth,{north}\nsouth,{south}\n")


def test_a_number_with_too_many_digits_is_refused_with_its_column(tmp_path):
    (tmp_path / "t.csv").write_text(f"k,v\na,{'9' * 5000}\n")
    with pytest.raises(nl.SourceError, match="column 'v' of public table 'Look' has a number with too many digits"):
        table(str(tmp_path / "t.csv"))


def test_a_schema_file_declares_public_tables(home):
    say(home, 3, 5)
    declared = nl.Declaration.read(home / "people.toml")
    assert nl.Declaration.parse(declared.write()) == declared
    with nl.Curator.open(home / "people.toml") as curator:
        assert curator.ask(ASKED, bits=4).rows[0].value == 11
    (home / "people.toml").write_text(TOML.replace('source = "regions.csv"\n', "source = 3\n"))
    with pytest.raises(nl.InputError):
        nl.Curator.open(home / "people.toml")


def test_a_table_that_changes_between_two_sessions_says_something_else(home):
    say(home, 3, 5)
    with nl.Curator.open(home / "people.toml") as curator:
        first = curator.ask(ASKED, bits=4)
        assert first.certificate.content["public"].keys() == {"regions"}
    say(home, 5, 3)
    with nl.Curator.open(home / "people.toml") as curator:
        with pytest.raises(nl.QuestionError, match="public table 'regions' has changed"):
            curator.recall(1)
        assert (first.rows[0].value, curator.ask(ASKED, bits=4).rows[0].value) == (11, 13)
        assert curator.sequence.spent() > first.factor
        assert curator.ask("SELECT COUNT(*) FROM people JOIN regions USING (region)").rows[0].value == 3
    say(home, 3, 5)
    with nl.Curator.open(home / "people.toml") as curator:
        assert (curator.ask(ASKED, bits=4).cost, curator.recall(1).rows) == (0, first.rows)


def test_a_question_that_was_never_answered_is_not_answered_from_another_table(home, monkeypatch):
    """After a crash, what was charged is answered when the dataset is opened again: but only if it means the same."""
    from noiseless.curator import asking

    def crash(*_):
        raise KeyboardInterrupt

    for size, answered in ((3, True), (4, False)):
        say(home, size, 5)
        with nl.Curator.open(home / "people.toml") as curator, monkeypatch.context() as broken:
            broken.setattr(asking, "execute", crash)
            with pytest.raises(KeyboardInterrupt):
                curator.ask(ASKED, error=1, stable=True)
        say(home, 3, 5)
        with nl.Curator.open(home / "people.toml") as curator:
            entries = curator.entries()
            assert (entries[-1].kind == "answer") is answered


def test_times_at_midnight_are_dates():
    """Dataframes hold dates as times."""
    rows = pd.DataFrame({"k": pd.to_datetime(["2024-02-29", "2024-03-01"]), "v": pd.to_datetime(["2024-01-01", None])})
    found = table(rows)
    assert (found.columns["k"].kind, found.columns["v"].kind) == ("date", "date")
    assert found.columns["v"].cells[1] is None
    with pytest.raises(nl.InputError, match="only dates \\(without a time\\)"):
        table(pd.DataFrame({"k": pd.to_datetime(["2024-02-29 12:00"]), "v": [1]}))
