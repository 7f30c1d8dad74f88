"""Workbooks: read by what is declared, refused by row, and nothing of a cell in any error."""

from __future__ import annotations

import builtins
import traceback
import warnings
import zipfile
from datetime import date, datetime
from itertools import product

import pytest
from openpyxl import Workbook

import noiseless as nl
from noiseless.curator.sources.excel_file import read_excel_file

SECRET = "s3cr3t"
SCHEMA = nl.Schema(
    age=nl.Integer(0, 120, missing="apart"),
    born=nl.Date("1900-01-01", "2026-12-31", missing="apart"),
    smokes=nl.Boolean(missing="apart"),
    work=nl.Category("private", "public", "1", missing="?", other="else"),
    region=nl.Public("north", "south", other="rest"),
)
NAMES = ["age", "born", "smokes", "work", "region"]
ROWS: list[list] = [
    [30, datetime(1996, 5, 1), True, "private", "north"],
    ["41", date(1985, 1, 2), "yes", "public", "south"],
    [52.0, "1974-03-04", 0, 1, "north"],
    [None, None, None, None, "south"],
]


def write(path, rows, **sheets):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    for title, others in sheets.items():
        sheet = book.create_sheet(title)
        for row in others:
            sheet.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize("prepare", [None, False])
def test_cells_are_read_by_what_is_declared(tmp_path, prepare):
    file = write(tmp_path / "people.xlsx", [NAMES, *ROWS])
    with nl.Curator.open(file, SCHEMA, budget=40, prepare=prepare) as curator:
        assert sum(cell["rows"] for cell in curator.public()) == 4

        def count(condition: str) -> int:
            return curator.ask(f"SELECT COUNT(*) FROM people WHERE {condition}").rows[0].value

        assert [count(f"age = {age}") for age in (30, 41, 52)] == [1, 1, 1]
        assert count("age IS NULL") == 1
        assert count("born >= '1980-01-01'") == 2
        assert count("smokes") == 2
        assert count("work = '1'") == 1
        assert count("work = '?'") == 1


def test_the_same_answers_as_from_a_csv_file(tmp_path):
    write(tmp_path / "people.xlsx", [NAMES, *ROWS])
    texts = [
        ["" if v is None else v.isoformat()[:10] if isinstance(v, date) else str(v).lower() for v in r] for r in ROWS
    ]
    (tmp_path / "people.csv").write_text("".join(f"{','.join(row)}\n" for row in [NAMES, *texts]))
    sql = "SELECT region, COUNT(age), SUM(age), MAX(born) FROM people GROUP BY region"
    answers = []
    for file in ("people.xlsx", "people.csv"):
        with nl.Curator.open(tmp_path / file, SCHEMA, budget=40) as curator:
            answers.append(curator.ask(sql, bits=20).rows)
    assert answers[0] == answers[1]


def test_one_person_changes_nothing_that_is_public(tmp_path):
    """Whatever is in the cells of one person: as many rows, and no error."""
    values = [None, 3, 2.5, True, SECRET, "", "#N/A", datetime(2001, 1, 1), 10**30, "=1/0"]
    for place, (age, work) in product((0, 2), zip(values, values[::-1], strict=True)):
        rows = [list(row) for row in ROWS[:3]]
        rows[place] = [age, None, None, work, "north"]
        file = write(tmp_path / "people.xlsx", [NAMES, *rows])
        with nl.Curator.open(file, SCHEMA, budget=40, store=":memory:") as curator:
            assert sorted(cell["rows"] for cell in curator.public()) == [1, 2]


WRONG = {
    "nothing": ([], "row 1: there are no columns"),
    "only names": ([["age", "work"]], "no rows"),
    "a name twice": ([["age", SECRET, SECRET], [1, 2, 3]], "row 1: columns 2 and 3 have the same name"),
    "no name": ([["age", None, SECRET], [1, 2, 3]], "row 1: column 2 has no name"),
    "an empty row": ([["age", "work"], [1, "x"], [], [2, SECRET]], "row 3: it is empty"),
    "beyond the names": ([["age", "work"], [1, "x"], [2, "y", SECRET]], "row 3: a cell is filled beyond"),
}


@pytest.mark.parametrize("case", WRONG)
def test_refused_with_the_row(tmp_path, case):
    rows, words = WRONG[case]
    file = write(tmp_path / "people.xlsx", rows)
    with pytest.raises(nl.SourceError, match=words) as refused:
        nl.Curator.open(file, nl.Schema(age=nl.Integer(0, 9)), budget=1)
    assert SECRET not in "".join(traceback.format_exception(refused.value))


def test_empty_rows_at_the_end_are_left_out(tmp_path):
    file = write(tmp_path / "people.xlsx", [["age"], [1], [2], [None], [None]])
    with nl.Curator.open(file, nl.Schema(age=nl.Integer(0, 9)), budget=1) as curator:
        assert curator.public()[0]["rows"] == 2


def test_several_sheets(tmp_path):
    file = write(tmp_path / "book.xlsx", [["x"], [1]], people=[["age"], [3], [5]])
    schema = nl.Schema(age=nl.Integer(0, 9))
    with pytest.raises(nl.SourceError, match=r"table=None is not a sheet of 'book.xlsx'; use one of: Sheet, people"):
        nl.Curator.open(file, schema, budget=1)
    with nl.Curator.open(file, schema, budget=1, table="people") as curator:
        assert curator.ask("SELECT COUNT(*) FROM people WHERE age >= 4").rows[0].value == 1


def test_what_is_no_workbook(tmp_path):
    for name, content in (("a.xlsx", SECRET.encode()), ("b.xlsx", b"PK\x03\x04" + SECRET.encode())):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(nl.SourceError, match="cannot be read as the type its extension names") as refused:
            nl.Curator.open(tmp_path / name, SCHEMA, budget=1)
        assert SECRET not in "".join(traceback.format_exception(refused.value))
    (tmp_path / "c.xls").write_bytes(b"\xd0\xcf")
    with pytest.raises(nl.SourceError, match=r"save it as \.xlsx"):
        nl.Curator.open(tmp_path / "c.xls", SCHEMA, budget=1)


def test_warnings_do_not_quote_cells(tmp_path):
    """A number far beyond all dates in a cell that is formatted as one."""
    book = Workbook()
    book.active.append(["born"])
    book.active.append([datetime(2001, 1, 1)])
    book.save(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    changed = parts[sheet].replace(b"<v>36892</v>", b"<v>99999999999</v>").replace(b't="d"', b"")
    with zipfile.ZipFile(tmp_path / "b.xlsx", "w") as new:
        for name, part in parts.items():
            new.writestr(name, changed if name == sheet else part)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert len(read_excel_file(tmp_path / "b.xlsx", None)["born"]) == 1
    assert not [each for each in told if "9999" in str(each.message)]


def test_without_the_extra(tmp_path, monkeypatch):
    file = write(tmp_path / "people.xlsx", [NAMES, *ROWS])
    real = builtins.__import__

    def without(name, *arguments, **named):
        if name.startswith("openpyxl"):
            raise ImportError(name)
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(nl.MissingExtraError, match=r"noiseless\[excel\]"):
        nl.Curator.open(file, SCHEMA, budget=1)
