"""The TOML form: everything in one file, there and back again."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl

TEXT = """
source = "people.parquet"
budget = 12.5

[columns.height]
kind = "real"
low = 100
high = 250
step = 0.1
missing = "apart"

[columns.born]
kind = "date"
low = 1900-01-01
high = 2020-12-31

[columns."number of children"]
kind = "integer"
low = 0
high = 20

[columns.smoker]
kind = "category"
values = ["no", "yes"]
missing = "unknown"

[columns.insured]
kind = "boolean"

[columns.region]
kind = "public"
keys = ["north", "south"]
other = "elsewhere"

[columns.day]
kind = "public"

[unit]
column = "household"
rows = 3
order_by = "day"
"""


def test_everything_in_one_file():
    declared = nl.Declaration.parse(TEXT)
    assert declared.schema == nl.Schema(
        {
            "height": nl.Real(100, 250, step="0.1", missing="apart"),
            "born": nl.Date("1900-01-01", "2020-12-31"),
            "number of children": nl.Integer(0, 20),
            "smoker": nl.Category("no", "yes", missing="unknown"),
            "insured": nl.Boolean(),
            "region": nl.Public("north", "south", other="elsewhere"),
            "day": nl.Public(),
        },
        unit="household",
        rows=3,
        order_by="day",
    )
    assert nl.Declaration.parse(declared.write()) == declared


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('kind = "real"', 'kind = "float"', r"\[columns.height\] needs a kind; use one of real"),
        ('kind = "real"', 'kind = ["real"]', "needs a kind; use one of"),
        ('order_by = "day"', "order_by = []", "must be names of columns"),
        ("budget = 12.5", "a = " + "[" * 5000, "not valid TOML"),
        ("low = 100\n", "", r"\[columns.height\] needs low; give a bound from public knowledge"),
        ("step = 0.1", "step = 0.35", r"\[columns.height\]: step=0.35 does not divide"),
        ("step = 0.1", "steps = 0.1", "unknown field 'steps'"),
        ('values = ["no", "yes"]', 'values = "no"', "must be lists"),
        ("budget = 12.5", "buget = 12.5", "unknown field 'buget'"),
        ("budget = 12.5", "budget = ", "not valid TOML"),
        ("rows = 3", "rows = 3\nper = 1", r"\[unit\] has an unknown field"),
        ('source = "people.parquet"', "source = 3", "source must be a text"),
    ],
)
def test_refused_with_the_place(old, new, words):
    assert old in TEXT
    with pytest.raises(nl.SchemaError, match=words):
        nl.Declaration.parse(TEXT.replace(old, new))


def test_opened_from_the_file(tmp_path):
    pq.write_table(pa.table({"age": [3, 50, 70], "g": ["a", "b", "a"]}), tmp_path / "people.parquet")
    declared = nl.Declaration(nl.Schema(age=nl.Integer(0, 120), g=nl.Public("a", "b")), "people.parquet", None, 3)
    path = tmp_path / "people.toml"
    path.write_text(declared.write())
    with nl.Curator.open(path) as curator:
        assert curator.ask("SELECT COUNT(*) FROM people WHERE age >= 65").rows[0].value == 1
        assert curator.remaining == 2


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(nl.SchemaError, match="cannot read"):
        nl.Curator.open(tmp_path / "none.toml")
    (tmp_path / "a.toml").write_text("[columns.x]\nkind = 'integer'\nlow = 0\nhigh = 1\n")
    with pytest.raises(nl.SchemaError, match="names no source"):
        nl.Curator.open(tmp_path / "a.toml", budget=1)
    (tmp_path / "b.toml").write_text("budget = 1\n")
    with pytest.raises(nl.SchemaError, match="declares no columns"):
        nl.Curator.open(tmp_path / "b.toml")


def test_the_format_has_a_number():
    columns = '[columns.x]\nkind = "boolean"\n'
    assert nl.Declaration.parse(f"format = 1\n{columns}") == nl.Declaration.parse(columns)
    for newer in ("2", "true", '"1"', "1.5"):
        with pytest.raises(nl.SchemaError, match="is not supported; update noiseless"):
            nl.Declaration.parse(f"format = {newer}\n{columns}")


def test_every_key_can_be_written():
    keys = ["\x7f", "\x01", "\u2028", '"', "\\", "é\U0001f600"]
    schema = nl.Schema({"a\x7fb": nl.Category(*keys)})
    assert nl.Declaration.parse(nl.Declaration(schema).write()).schema == schema


def test_everything_that_is_wrong_is_said_at_once():
    text = """
    delimiter = ":"
    prepare = 3
    [columns.a]
    kind = "integer"
    [columns.b]
    kind = "real"
    lo = 3
    step = 1
    [columns.c]
    [columns.d]
    kind = "integer"
    low = 1
    high = 0
    [columns.e]
    kind = "public"
    keys = 3
    [columns.day]
    kind = "public"
    [unit]
    column = "day"
    order_by = "e"
    [quotas]
    [release]
    bitts = 3
    """
    with pytest.raises(nl.SchemaError) as refused:
        nl.Declaration.parse(text)
    first, *lines = str(refused.value).splitlines()
    assert first == f"{len(lines)} things are wrong in the schema:"
    wanted = [
        "[columns.a] needs low and high; give a bound from public knowledge",
        "[columns.b] has an unknown field 'lo'",
        "[columns.b] needs low and high",
        "[columns.c] needs a kind",
        "[columns.d]: low=1",
        "[columns.e]: values and keys must be lists",
        "[release] has an unknown field 'bitts'",
        "prepare must be true or false",
        "delimiter=':' is not supported",
        "unit='day' identifies people",
        "source is missing; add source =",
        "budget is missing; add budget =",
    ]
    assert len(lines) == len(wanted)
    for words in wanted:
        assert sum(line.startswith(f"- {words}") for line in lines) == 1, words


def test_a_single_mistake_is_a_single_line():
    with pytest.raises(nl.SchemaError) as refused:
        nl.Declaration.parse('source = "a.csv"\nbudget = 1\n[columns.a]\nkind = "real"\nlow = 0\nhigh = 1\n')
    assert str(refused.value) == "[columns.a] needs step; give what values are rounded to"
