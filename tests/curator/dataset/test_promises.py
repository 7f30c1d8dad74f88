"""What a schema promises is verified once, before the ledger begins; afterwards no value can make anything fail."""

from __future__ import annotations

import json
from datetime import date

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import noiseless as nl
from noiseless.app.cli.main import app
from noiseless.curator.dataset.check import Check, Finding, People

SECRET = "hypochondria"
DAYS = nl.Date("2024-01-01", "2024-01-09")
COLUMNS = [
    (nl.Integer(0, 9), [1, 2], None, "missing"),
    (nl.Integer(0, 9), [1.0, 2.0], float("nan"), "missing"),
    (nl.Real(0, 9, step="0.5"), [1.0, 2.0], float("inf"), "missing"),
    (DAYS, [date(2024, 1, 1), date(2024, 1, 2)], None, "missing"),
    (nl.Boolean(), [True, False], None, "missing"),
    (nl.Category("no", "yes"), ["no", "yes"], None, "missing"),
    (nl.Category("no", "yes"), ["no", "yes"], SECRET, "not declared"),
    (nl.Category("no", "yes"), ["no", "yes"], " yes", "not declared"),
    (nl.Category("no", "yes", missing="?"), ["no", "yes"], SECRET, "not declared"),
    (nl.Category("no", "yes", other="*"), ["no", "yes"], None, "missing"),
    (nl.Category(1, 2), [1, 2], 3, "not declared"),
]


@pytest.mark.parametrize("prepare", [True, False])
@pytest.mark.parametrize(("column", "fine", "odd", "words"), COLUMNS)
def test_a_broken_promise_is_refused_and_nothing_begins(tmp_path, prepare, column, fine, odd, words):
    where = {"ledger": tmp_path / "l.sqlite", "budget": 3, "table": "t", "prepare": prepare}
    where |= {"store": tmp_path / "s.duckdb"} if prepare else {}

    def opened(values):
        pq.write_table(pa.Table.from_pandas(pd.DataFrame({"x": values})), tmp_path / "t.parquet")
        return nl.Curator.open(tmp_path / "t.parquet", nl.Schema(x=column), **where)

    with pytest.raises(nl.PromiseError, match=words) as caught:
        opened([*fine, odd])
    assert "'x'" in str(caught.value)
    assert SECRET not in str(caught.value)
    assert not (tmp_path / "s.duckdb").exists()
    with opened(fine) as curator:  # the same ledger may begin now
        assert len(curator.entries()) == 1
        assert curator.check().clean


def test_all_columns_are_named_at_once():
    table = pa.table({"a": [1, None], "b": ["x", "z"], "c": [1.0, None], "d": [1, 2]})
    schema = nl.Schema(a=nl.Integer(0, 9), b=nl.Category("x", "y"), c=nl.Real(0, 9, step=1), d=nl.Integer(0, 9))
    with pytest.raises(nl.PromiseError) as caught:
        nl.Curator.open(table, schema, budget=3)
    assert str(caught.value) == (
        "the table breaks a promise of the schema, so no ledger was begun. 'a', 'c' have missing values: declare "
        "missing = \"apart\", or the value that they count as. 'b' has values that are not declared: declare them all, "
        "or give one value for the rest, as other = 'other' (in a csv file a space after a comma belongs to the "
        "value). "
        "Run `noiseless check` for the counts; they are for the custodian only"
    )


@pytest.mark.parametrize("prepare", [True, False])
def test_after_the_ledger_has_begun_nothing_fails(tmp_path, prepare):
    """The codes are gone, or there never were any, and the source has missing and unknown values meanwhile."""
    schema = nl.Schema(
        x=nl.Integer(3, 9), b=nl.Boolean(), s=nl.Category("no", "yes"), o=nl.Category("no", "yes", other="*")
    )
    where = {"budget": 30, "ledger": tmp_path / "l.sqlite", "prepare": prepare, "table": "t"}
    where |= {"store": tmp_path / "s.duckdb"} if prepare else {}

    def written(x, b, s, o):
        pq.write_table(pa.table({"x": pa.array(x), "b": b, "s": s, "o": o}), tmp_path / "t.parquet")

    written([3, 4], [True, False], ["no", "yes"], ["no", "yes"])
    nl.Curator.open(tmp_path / "t.parquet", schema, **where).close()
    (tmp_path / "s.duckdb").unlink(missing_ok=True)
    written([None, 4], [None, True], [None, "?"], [None, "?"])
    with nl.Curator.open(tmp_path / "t.parquet", schema, **where) as curator:
        assert curator.ask("SELECT SUM(x) FROM t", error=0).rows[0].value == 7
        assert curator.ask("SELECT COUNT(*) FROM t WHERE b").rows[0].value == 1
        assert [row.value for row in curator.ask("SELECT s, COUNT(*) FROM t GROUP BY s").rows] == [2, 0]
        assert [row.value for row in curator.ask("SELECT o, COUNT(*) FROM t GROUP BY o").rows] == [0, 0, 2]
        assert [finding.column for finding in curator.check().broken] == ["x", "b", "s", "s", "o"]


def test_a_column_that_is_added_is_verified_when_it_begins(tmp_path):
    pq.write_table(pa.table({"x": [1, 2], "y": [1, None]}), tmp_path / "t.parquet")
    where = {"budget": 9, "ledger": tmp_path / "l.sqlite", "store": tmp_path / "s.duckdb"}
    nl.Curator.open(tmp_path / "t.parquet", nl.Schema(x=nl.Integer(0, 9)), **where).close()
    with pytest.raises(nl.PromiseError, match="'y' has missing values"):
        nl.Curator.open(tmp_path / "t.parquet", nl.Schema(x=nl.Integer(0, 9), y=nl.Integer(0, 9)), **where)
    wider = nl.Schema(x=nl.Integer(0, 9), y=nl.Integer(0, 9, missing="apart"))
    with nl.Curator.open(tmp_path / "t.parquet", wider, **where) as curator:
        assert curator.ask("SELECT COUNT(y) FROM t").rows[0].value == 1
    pq.write_table(pa.table({"x": [1, None], "y": [1, None], "z": [1, 2]}), tmp_path / "t.parquet")
    (tmp_path / "s.duckdb").unlink()
    widest = nl.Schema(**wider.columns, z=nl.Integer(0, 9))  # columns that were there before are not looked at again
    nl.Curator.open(tmp_path / "t.parquet", widest, **where).close()


def test_never_is_the_default_and_is_not_written():
    for one, two in (
        (nl.Integer(0, 9), nl.Integer(0, 9, missing="never")),
        (nl.Real(0, 9, step=1), nl.Real(0, 9, step=1, missing="never")),
        (DAYS, nl.Date("2024-01-01", "2024-01-09", missing="never")),
        (nl.Boolean(), nl.Boolean("never")),
        (nl.Category("no", "yes"), nl.Category("no", "yes", missing="never")),
    ):
        assert one == two
    from noiseless.curator.schema.declaration import Declaration

    schema = nl.Schema(
        x=nl.Integer(0, 9),
        b=nl.Boolean(),
        s=nl.Category("no", "never", other="*", missing="?"),
        t=nl.Category("no", other="no", missing="?"),
    )
    text = Declaration(schema).write()
    assert text.count("missing") == 2
    assert Declaration.parse(text).schema == schema
    assert schema.columns["s"].keys == ("no", "never", "*", "?")


PEOPLE = "id,day,kwh,kind\n1,1,3.5,flat\n1,2,9,flat\n1,3,1,flat\n2,1,2,house\n2,2,99,house\n3,1,1,flat\n"
SCHEMA = """source = "homes.csv"
budget = 9
[columns.kwh]
kind = "real"
low = 0
high = 50
step = 0.5
[columns.kind]
kind = "category"
values = {values}
[columns.day]
kind = "public"
[unit]
column = "id"
rows = 2
order_by = "day"
"""


@pytest.mark.parametrize(("values", "code"), [('["flat", "house"]', 0), ('["flat", "hut"]', 1)])
def test_check_begins_with_a_verdict(tmp_path, values, code):
    (tmp_path / "homes.csv").write_text(PEOPLE)
    (tmp_path / "homes.toml").write_text(SCHEMA.replace("{values}", values))
    result = CliRunner().invoke(app, ["check", str(tmp_path / "homes.toml")])
    assert result.exit_code == code
    first, second = result.output.splitlines()[:2]
    fits = "The table fits the schema: every promise is kept."
    assert first == (fits if code == 0 else "The table does not fit the schema: kind is not as declared.")
    assert " ".join(second.split()).startswith(
        "For the custodian only. 3 people with at most 3 rows each; 5 rows are kept"
    )
    assert "1 rows are left out" in " ".join(result.output.split())
    assert "above high" in result.output
    assert "missing" not in result.output  # zeros are not listed
    told = json.loads(CliRunner().invoke(app, ["check", str(tmp_path / "homes.toml"), "--json"]).output)
    assert told["people"] == {"people": 3, "most_rows": 3, "left_out": 1}
    assert told["verdict"] == first


def test_check_of_a_dataset_that_was_broken_later(tmp_path):
    """Old datasets, and those whose source changed, go on; the custodian is told."""
    (tmp_path / "homes.csv").write_text(PEOPLE)
    (tmp_path / "homes.toml").write_text("prepare = false\n" + SCHEMA.replace("{values}", '["flat", "house"]'))
    assert CliRunner().invoke(app, ["check", str(tmp_path / "homes.toml")]).exit_code == 0
    (tmp_path / "homes.csv").write_text(PEOPLE.replace("3.5,flat", ",flat"))
    result = CliRunner().invoke(app, ["check", str(tmp_path / "homes.toml")])
    assert result.exit_code == 1
    assert "kwh is not as declared" in result.output
    with nl.Curator.open(tmp_path / "homes.toml") as curator:
        assert curator.check().people == People(3, 3, 1)


def test_missing_and_other_values_have_codes_of_their_own(tmp_path):
    (tmp_path / "t.csv").write_text("s\nno\nyes\nmaybe\n\nno\n")
    schema = nl.Schema(s=nl.Category("no", "yes", other="else", missing="none"))
    with nl.Curator.open(tmp_path / "t.csv", schema, budget=9) as curator:
        answer = curator.ask("SELECT COUNT(s) FROM t")  # first: it follows from the histogram
        assert answer.rows[0].value == 4
        assert nl.verify(answer.certificate).count == 2
        rows = curator.ask("SELECT s, COUNT(*) FROM t GROUP BY s").rows
        assert [(row["s"], row.value) for row in rows] == [("no", 2), ("yes", 1), ("else", 1), ("none", 1)]


MISSING = Finding("a", "missing", 3, "0", True)
CLAMPED = Finding("b", "above", 2, "9", False)


def test_what_a_check_says():
    assert Check(5, ()).whose == "5 rows, one per person"
    assert Check(5, (), People(3, 2, 0)).whose == "3 people with at most 2 rows each; 5 rows are kept, none is left out"
    assert Check(5, (), People(3, 2, 4)).whose.endswith("5 rows are kept, 4 rows are left out")
    assert (Check(5, ()).clean, Check(5, (CLAMPED,)).clean) == (True, False)
    assert Check(5, (CLAMPED, MISSING)).broken == (MISSING,)
    assert Check(5, (MISSING,)).verdict.endswith(": a is not as declared.")
    two = Check(5, (MISSING, CLAMPED, Finding("c", "unknown", 1, "x", True)))
    assert two.verdict.endswith(": a, c are not as declared.")
    assert [line[:18] for line in two.advice] == ["'a' has missing va", "'c' has values tha"]


def test_what_a_check_looks_like():
    """A table only of findings, red what was promised not to occur."""
    heading, _ = Check(5, ()).__rich__().renderables
    assert (heading.style, heading.plain) == ("bold green", "The table fits the schema: every promise is kept.")
    heading, _, table, advice = Check(5, (CLAMPED, MISSING)).__rich__().renderables
    assert (heading.style, [row.style for row in table.rows]) == ("bold red", ["", "bold red"])
    assert advice.plain.startswith("'a' has missing values")


def test_a_text_file_that_is_damaged_later_is_not_missed(tmp_path):
    """A single field decides whether a file can be read: after the ledger has begun, that must change nothing."""
    (tmp_path / "homes.csv").write_text(PEOPLE)
    (tmp_path / "homes.toml").write_text(SCHEMA.replace("{values}", '["flat", "house"]'))
    with nl.Curator.open(tmp_path / "homes.toml") as curator:
        first = curator.ask("SELECT COUNT(*) FROM homes WHERE kwh > 2")
    for damaged in (PEOPLE.replace("3.5", '"3.5'), PEOPLE.replace("3.5", "3.5,7"), "\x00"):
        (tmp_path / "homes.csv").write_text(damaged)
        with nl.Curator.open(tmp_path / "homes.toml") as curator:
            assert curator.ask("SELECT COUNT(*) FROM homes WHERE kwh > 2").rows == first.rows
    (tmp_path / "homes.csv").write_text(PEOPLE + "4,1,1,flat\n")  # another table, by its public number of rows
    with pytest.raises(nl.SnapshotError, match="the source has 6 rows, but had 5"):
        nl.Curator.open(tmp_path / "homes.toml")


def test_what_counts_as_what(tmp_path):
    """Before the ledger begins nothing is odd; later what is odd counts as something, which the custodian is told."""
    schema = nl.Schema(
        x=nl.Integer(3, 9),
        y=nl.Integer(3, 9, missing=5),
        z=nl.Integer(3, 9, missing="apart"),
        s=nl.Category("no", "yes"),
        m=nl.Category("no", "yes", missing="?"),
        o=nl.Category("no", "yes", other="*", missing="?"),
    )
    where = {"budget": 30, "ledger": tmp_path / "l.sqlite", "prepare": False, "table": "t"}

    def opened(*numbers, texts):
        columns = dict.fromkeys("xyz", pa.array(numbers)) | dict.fromkeys("smo", pa.array(texts))
        pq.write_table(pa.table(columns), tmp_path / "t.parquet")
        return nl.Curator.open(tmp_path / "t.parquet", schema, **where)

    opened(3, 9, 4, texts=["no", "yes", "no"]).close()
    with opened(2, 10, None, texts=["other", None, "yes"]) as curator:
        found = [(each.column, each.what, each.counts_as, each.broken) for each in curator.check().findings]
    ends = [("below", "3", False), ("above", "9", False)]
    assert sorted(found) == sorted(
        [(name, *end) for name in "xyz" for end in ends]
        + [("x", "missing", "3", True), ("y", "missing", "5", False), ("z", "missing", "missing, kept separate", False)]
        + [("s", "missing", "no", True), ("s", "unknown", "no", True)]
        + [("m", "missing", "?", False), ("m", "unknown", "?", True)]
        + [("o", "missing", "?", False), ("o", "unknown", "*", False)]
    )
