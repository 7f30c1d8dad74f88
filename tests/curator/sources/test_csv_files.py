"""A text file is read strictly: refused with a line and nothing of the data, or read as its dialect says."""

from __future__ import annotations

import csv
import gzip
import io
import re
import traceback
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import noiseless as nl
from noiseless.curator.engines.embedded import Embedded
from noiseless.curator.schema.layout import LONGEST_RECORD, PLAIN, Layout
from noiseless.curator.sources import csv_file, source
from noiseless.curator.sources.csv_block import plain_records
from noiseless.curator.sources.csv_file import read_csv_file
from noiseless.curator.sources.source import open_source

SECRET = "s3cr3t"
SCHEMA = nl.Schema(age=nl.Integer(0, 120), name=nl.Category("x", "y", missing="?"))
WRONG = {
    "nothing": (b"", 1, "empty"),
    "only line ends": (b"\n\r\n\n", 1, "empty"),
    "only names": (b"age,name\n", 1, "no rows"),
    "names twice": (b"age,s3cr3t,s3cr3t\n1,s3cr3t,2\n", 1, "columns 2 and 3 have the same name"),
    "names that SQL cannot tell apart": (b"age,name,NAME\n1,s3cr3t,2\n", 1, "columns 2 and 3 have the same name"),
    "a column without a name": (b",age,name\n1,2,s3cr3t\n", 1, "column 1 has no name"),
    "an open quote": (b'age,name\n1,x\n2,"s3cr3t\n3,x\n4,y\n', 3, "a quote opens here"),
    "an open quote before a closed one": (b'age,name\n1,x\n2,"s3cr3t\n3,"x"\n4,y\n', 3, "a quote opens here"),
    "an open quote before a doubled one": (b'age,name\n1,x\n2,"s3cr3t\n3,""\n4,y\n', 3, "a quote opens here"),
    "more after a quote": (b'age,name\n1,"x"s3cr3t\n', 2, "a quote opens here"),
    "a quote inside": (b"age,name\n1,x\n1,s3cr3t 5'11\"\n", 3, "quote inside a field"),
    "a quote after a space": (b'age,name\n1, "s3cr3t, x"\n', 2, "the delimiter is a comma"),
    "not UTF-8": (b"age,name\n1,x\n1,s3cr3t\xe9\n", 3, "not UTF-8"),
    "UTF-16": ("age,name\n1,s3cr3t\n".encode("utf-16"), 1, "UTF-16; save it as UTF-8"),
    "a NUL": (b"age,name\n1,x\n2,s3cr3t\0\n", 3, "NUL"),
    "a huge field": (b"age,name\n1,x\n2," + b"s3cr3t" * 200_000 + b"\n", 3, "longer than 1048576 bytes"),
    "a huge field in quotes": (b'age,name\n1,x\n2,"' + b"s3cr3t\n" * 200_000 + b'"\n', 3, "longer than 1048576 bytes"),
    "too many fields": (b"age,name\n1,x\n2,s3cr3t,3\n", 3, "it has 3 fields, and the first line has 2"),
    "too few fields": (b"age,name\n1,x\ns3cr3t\n", 3, "it has 1 field, and the first line has 2"),
    "an empty line": (b"age,name\n1,x\n\ns3cr3t,x\n", 3, "it is empty; remove it"),
    "bare returns": (b"age,name\r1,s3cr3t\r", 1, "carriage return only"),
    "a bare return": (b"age,name\n1,x\r2,s3cr3t\n", 2, "carriage return only"),
    "lines within a field": (b'age,name\n1,"x\n\nx"\n2,s3cr3t,3\n', 5, "it has 3 fields"),
}


@pytest.mark.parametrize("prepare", [True, False])
@pytest.mark.parametrize("case", WRONG)
def test_refused_with_the_line_before_anything_begins(case, prepare, tmp_path):
    content, line, words = WRONG[case]
    (tmp_path / "people.csv").write_bytes(content)
    declared = nl.Declaration(SCHEMA, "people.csv", budget=5, prepare=prepare).write()
    (tmp_path / "people.toml").write_text(declared)
    with pytest.raises(nl.SourceError, match=words) as refused:
        nl.Curator.open(tmp_path / "people.toml")
    assert str(refused.value).startswith(f"'people.csv', line {line}: ")
    assert SECRET not in "".join(traceback.format_exception(refused.value))
    error: BaseException | None = refused.value
    while error is not None:
        assert SECRET not in repr(error)
        error = error.__cause__ or error.__context__
    left = [path for path in tmp_path.rglob("*") if path.name not in ("people.csv", "people.toml")]
    assert not any(SECRET.encode() in path.read_bytes() for path in left if path.is_file())
    assert not (tmp_path / "people.codes.duckdb").exists()
    (tmp_path / "people.csv").write_text("age,name\n1,x\n2,y\n3,x\n")  # the ledger had not begun
    with nl.Curator.open(tmp_path / "people.toml") as curator:
        assert curator.ask("SELECT COUNT(*) FROM people WHERE age >= 2").rows[0].value == 2


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfage,name\n1,x\n2,y\n",
        b"age,name\r\n1,x\r\n2,y\r\n\r\n\r\n",
        b"age,name\n1,x\r\n2,y",
        b'"age",name\n1,x\n"2","y"\n\n',
        b'"note","age","name"\n"a ""b"", c\r\nd",1,x\n,2,y\n',
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_read_as_the_dialect_says(content, packed, tmp_path):
    file = tmp_path / ("people.csv.gz" if packed else "people.csv")
    file.write_bytes(gzip.compress(content) if packed else content)
    with nl.Curator.open(file, SCHEMA, budget=5) as curator:
        assert curator.ask("SELECT COUNT(*) FROM people WHERE age >= 2 AND name = 'y'").rows[0].value == 1
        assert sum(cell["rows"] for cell in curator.public()) == 2


def test_a_damaged_archive(tmp_path):
    whole = gzip.compress(b"age,name\n" + b"".join(b"%d,s3cr3t%d\n" % (k, k) for k in range(9999)))
    for name, content in (("cut.csv.gz", whole[:-999]), ("no.csv.gz", b"age,name\n1,s3cr3t\n")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(nl.SourceError, match="not a complete gzip file; compress it again") as refused:
            nl.Curator.open(tmp_path / name, SCHEMA, budget=5)
        assert SECRET not in "".join(traceback.format_exception(refused.value))


def test_empty_lines_of_a_single_column_are_missing_values(tmp_path):
    """Wherever the person with the missing value stands, the number of rows is the same."""
    for lines in (["", "1", "2"], ["1", "", "2"], ["1", "2", ""], ["", "", ""]):
        (tmp_path / "one.csv").write_text("age\n" + "".join(f"{line}\n" for line in lines))
        with nl.Curator.open(tmp_path / "one.csv", nl.Schema(age=nl.Integer(0, 9, missing=0)), budget=5) as curator:
            assert curator.public()[0]["rows"] == 3


def test_a_layout_is_declared(tmp_path):
    (tmp_path / "adult.data").write_text('39, State-gov, "a, b"\n50, Private, c\n\n')
    columns = '[columns.work]\nkind = "category"\nvalues = ["Private", "State-gov"]\n'
    laid_out = 'delimiter = ", "\nnames = ["age", "work", "note"]\n'
    (tmp_path / "adult.toml").write_text(f'source = "adult.data"\nbudget = 4\n{laid_out}{columns}')
    with nl.Curator.open(tmp_path / "adult.toml") as curator:
        rows = curator.ask("SELECT work, COUNT(*) FROM adult GROUP BY work").rows
        assert [row.value for row in rows] == [1, 1]
    assert nl.Declaration.read(tmp_path / "adult.toml").layout == Layout(", ", ("age", "work", "note"))
    again = nl.Declaration.parse(nl.Declaration.read(tmp_path / "adult.toml").write())
    assert again.layout == Layout(", ", ("age", "work", "note"))
    (tmp_path / "a.csv").write_text("something;else\n1;x\n")
    found = read_csv_file(tmp_path / "a.csv", Layout(";", ("age", "name"), header=True))
    assert (found.names, found.rows, found.first_is_data) == (("age", "name"), 1, False)
    with pytest.raises(nl.SourceError, match="line 1: it has 1 field, and names declares 2"):
        read_csv_file(tmp_path / "a.csv", Layout(",", ("age", "name")))


def test_a_layout_is_for_text_files(tmp_path):
    import polars as pl

    pl.DataFrame({"age": [1]}).write_parquet(tmp_path / "a.parquet")
    columns = '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 9\n'
    (tmp_path / "a.toml").write_text(f'source = "a.parquet"\nbudget = 1\ndelimiter = ";"\n{columns}')
    with pytest.raises(nl.SourceError, match=r"delimiter, names and header are for \.csv"):
        nl.Curator.open(tmp_path / "a.toml")


@pytest.mark.parametrize(
    ("laid_out", "words"),
    [
        ('delimiter = ":"', "delimiter=':' is not supported"),
        ("delimiter = 3", "delimiter must be a text"),
        ('names = "age"', "names must be a list"),
        ('names = ["age", "AGE"]', "columns 1 and 2 have the same name"),
        ('names = ["age", 3]', "column 2 has no name"),
        ("names = []", "there are no columns"),
        ("header = false", "needs names"),
        ('header = "no"\nnames = ["age"]', "header must be true or false"),
    ],
)
def test_a_wrong_layout(laid_out, words):
    columns = '[columns.age]\nkind = "boolean"\n'
    with pytest.raises(nl.SchemaError, match=words):
        nl.Declaration.parse(f'source = "a"\nbudget = 1\n{laid_out}\n{columns}')


@pytest.mark.parametrize("names", [["age", "age"], ["age", "AGE"]])
def test_two_columns_of_one_name_in_a_parquet_file(names, tmp_path):
    """DuckDB took the first of them, and nobody noticed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_arrays([pa.array([1, 2]), pa.array([5, 6])], names=names), tmp_path / "a.parquet")
    with pytest.raises(nl.SourceError, match="columns 1 and 2 have the same name"):
        nl.Curator.open(tmp_path / "a.parquet", nl.Schema(age=nl.Integer(0, 9)), budget=1)


# An independent reader: the grammar of RFC 4180 as regular expressions.


def records_of(content: bytes, delimiter: bytes) -> list[list[str]] | None:
    """The records of a well-formed file; None if it is not."""
    try:
        text = content.decode("utf-8-sig").rstrip("\r\n") + "\n"
    except UnicodeDecodeError:
        return None
    mark = re.escape(delimiter.decode())
    field = re.compile(rf'("(?:[^"\0]|"")*"|(?:(?!{mark})[^"\r\n\0])*)({mark}|\r?\n)')
    records: list[list[str]] = [[]]
    place = 0
    while place < len(text):
        if (match := field.match(text, place)) is None:
            return None
        value, place = match[1], match.end()
        records[-1].append(value[1:-1].replace('""', '"') if value[:1] == '"' else value)
        if match[2].endswith("\n"):
            records.append([])
    return records[:-1]


def expected(content: bytes, delimiter: bytes) -> list[list[str]] | None:
    """The rows after the names; None if the file must be refused."""
    records = records_of(content, delimiter)
    if not records or records == [[""]] or len({len(record) for record in records}) != 1 or len(records[0]) < 2:
        return None
    names = [name.strip().lower() for name in records[0]]
    return records[1:] or None if all(names) and len(set(names)) == len(names) else None


def found(path: Path, layout: Layout) -> list[list[str]] | None:
    """The rows of a file, loaded first or, if its size is even, read only once; None if it is refused."""
    once = path.stat().st_size % 2 == 0
    try:
        opened = open_source(CONNECTION, path, None, None, layout, once)
    except nl.SourceError:
        return None
    listed = CONNECTION.con.execute("SELECT * FROM noiseless_source").fetchall()
    CONNECTION.con.execute(f"DROP {'VIEW' if once else 'TABLE'} noiseless_source")
    assert opened.unread == (len(listed) if once else None)
    return [["" if value is None else value for value in row] for row in listed]


CONNECTION = Embedded()
ALPHABET = 'a1,;\t |"\n\r\u00e9 '


@given(
    st.lists(st.lists(st.text(ALPHABET, max_size=6), min_size=3, max_size=3), min_size=1, max_size=8),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.integers(1, 40),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_other_programs_write_is_read(tmp_path, monkeypatch, rows, delimiter, ends, quoting, piece):
    monkeypatch.setattr(csv_file, "PIECE", piece)
    if quoting == csv.QUOTE_MINIMAL:  # some versions of Python leave a return without quotes
        rows = [[value.replace("\r", "") for value in row] for row in rows]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=ends, quoting=quoting)
    writer.writerows([["a", "b", "c"], *rows])
    (tmp_path / "a.csv").write_bytes(out.getvalue().encode())
    assert found(tmp_path / "a.csv", Layout(delimiter)) == rows


@given(
    st.text('ab1,"\n\r\u00e9 ', max_size=40),
    st.sampled_from([",", ", "]),
    st.integers(1, 40),
)
@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_refused_or_read_as_an_independent_reader_reads_it(tmp_path, monkeypatch, text, delimiter, piece):
    monkeypatch.setattr(csv_file, "PIECE", piece)
    content = f"x{delimiter}y\n{text}".encode()
    (tmp_path / "a.csv").write_bytes(content)
    assert found(tmp_path / "a.csv", Layout(delimiter)) == expected(content, delimiter.encode())


@given(st.integers(0, 60), st.sampled_from(b'\0\n\r",x\xff\xc3'), st.integers(1, 70))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_one_wrong_byte_anywhere(tmp_path, monkeypatch, place, byte, piece):
    monkeypatch.setattr(csv_file, "PIECE", piece)
    good = b'x,y\r\n1,"a ""b"", c"\r\n2,d\n"3\n4","\xc3\xa9"\r\n5,\r\n'
    content = good[:place] + bytes([byte]) + good[place + 1 :]
    (tmp_path / "a.csv").write_bytes(content)
    assert found(tmp_path / "a.csv", PLAIN) == expected(content, b",")


def test_the_longest_record(tmp_path):
    """Up to the limit the database reads it; beyond it is refused with its line."""
    for more, fits in ((0, True), (1, False)):
        (tmp_path / "a.csv").write_bytes(b"x,y\n1," + b"z" * (LONGEST_RECORD - 2 + more) + b"\n2,z\n")
        rows = found(tmp_path / "a.csv", PLAIN)
        assert (rows is not None) == fits
        assert not fits or (len(rows), len(rows[0][1])) == (2, LONGEST_RECORD - 2)


def test_a_plain_file_is_checked_and_read_fast_and_as_strictly(tmp_path, monkeypatch):
    """Plain pieces are only counted. The same file with a quote far behind, which is not plain, has the same rows."""
    good = b"x,y\n" + b"".join(b"%d,%d\n" % (k, k * k) for k in range(30_000))
    quoted = good + b'"5","6"\n'
    (tmp_path / "a.csv").write_bytes(good)
    (tmp_path / "b.csv").write_bytes(quoted)
    plain, other = (read_csv_file(tmp_path / name, PLAIN) for name in ("a.csv", "b.csv"))
    assert (plain.plain, other.plain, plain.rows, other.rows) == (True, False, 30_000, 30_001)
    assert found(tmp_path / "a.csv", PLAIN) == found(tmp_path / "b.csv", PLAIN)[:-1]
    wrong = bytearray(good)
    wrong[wrong.index(b"29000,") + 5] = ord(";")
    (tmp_path / "a.csv").write_bytes(wrong)
    with pytest.raises(nl.SourceError, match=r"'a\.csv', line 29002: it has 1 field, and the first line has 2"):
        read_csv_file(tmp_path / "a.csv", PLAIN)


def test_records_that_only_add_up_are_not_plain():
    """The right number of marks is not enough: a long record before a short one."""
    assert plain_records(b"1,2\n3,4\n", b",", 2) == 2
    assert plain_records(b"1,2,3\n4\n", b",", 2) is None
    assert plain_records(b"1\n2,3,4\n", b",", 2) is None


def test_texts_are_loaded_first_where_casts_cannot_be_kept_out_of_the_reader(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("age,name\n1,x\nsome,y\n,x\n400,z\n")
    schema, read = nl.Schema(age=nl.Integer(0, 120, missing="apart"), name=nl.Category("x", other="y")), []
    for possible in (True, False):
        monkeypatch.setattr(source, "_without_pushed_casts", lambda _, possible=possible: possible and POSSIBLE(_))
        with nl.Curator.open(tmp_path / "a.csv", schema, 9, store=":memory:") as curator:
            engine = curator._dataset.engine
            read.append((sorted(engine.fetch(engine.table("codes")), key=str), curator.check()))
    assert read[0] == read[1]
    assert [each.what for each in read[0][1].findings] == ["missing", "above", "unknown"]


POSSIBLE = source._without_pushed_casts
