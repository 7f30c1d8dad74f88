"""Copies and their files: every value is one that the certificate allows, whatever somebody writes instead."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.certificate.checker import WrongCertificateError, check_file
from tests.curator.certificate.forging import SCHEMA, TABLE, forged, resealed

GROUPS = {"ill": {"no": ["well"], "flu": ["sick"], "cold": ["sick"], "unknown": ["well"]}}
BITS = {"age": 4, "pay": 3, "height": 2, "born": 2, "well": 2}
WANTED: list[dict[str, Any]] = [
    {"bits": BITS, "hierarchies": GROUPS, "levels": {"ill": 1}, "intervals": True, "sort": True},
    {"bits": BITS, "sort": True, "together": [("pay", "age"), ("age", "pay")]},
    {"columns": ["born", "ill"], "error": {"born": 3}, "intervals": True, "sort": False},
    {"columns": ["well"]},
]


def copied(folder: Path, wanted: dict, ending: str) -> tuple[dict, Path]:
    to = folder / f"{len(list(folder.iterdir()))}{ending}"
    with nl.Curator.open(TABLE, SCHEMA, budget=900, table="t") as curator:
        return dict(curator.release(to, **wanted).certificate.content), to


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
@pytest.mark.parametrize("wanted", WANTED)
def test_every_copy_verifies_with_its_file(wanted, ending, tmp_path):
    content, file = copied(tmp_path, wanted, ending)
    assert nl.verify(nl.Certificate(content), file=file).count == int(content["count"])
    with pytest.raises(nl.CertificateError, match="changed since"):
        nl.verify(nl.Certificate(content), file=Path(__file__))


def test_no_columns_at_all(tmp_path):
    content, file = copied(tmp_path, WANTED[0], ".parquet")
    public = [fields for fields in content["columns"] if "public" in fields]
    nothing = {**content, "columns": [], "count": "1", "count per row": "1", "rule": [], "belonging together": []}
    for forgery in (nothing, {**nothing, "columns": public}, {**nothing, "columns": content["columns"][:1]}):
        for given in (None, file):
            with pytest.raises(nl.CertificateError):
                nl.verify(resealed(forgery), file=given)


CLAIMS = {
    ("dataset",): "a random id",
    ("noiseless",): "the version that wrote it",
    ("table",): "a copy shows no name of its table",
    ("ledger", "entry"): "only the ledger has the entries",
    ("ledger", "hash"): "only the ledger has the entries",
    ("ledger", "factor"): "depends on what was asked before",
    ("count",): "may be more than is needed",
    ("count per row",): "may be more than is needed",
    ("schema",): "blanks at its end change nothing",
    ("sort",): "false says less than true",
    ("columns", 4, "groups"): "which values make up a group of a hierarchy; the groups are those of the file",
    ("belonging together",): "a remark for readers: any released columns may belong together",
}


@pytest.mark.parametrize("place", range(2))
def test_any_change_is_noticed(place, tmp_path):
    content, file = copied(tmp_path, WANTED[place], ".parquet")
    for path, other in forged(content):
        for certificate in (nl.Certificate(other), resealed(other)):
            try:
                nl.verify(certificate, file=file)
            except nl.CertificateError:
                continue
            assert certificate == resealed(other)
            claimed = [known for known in CLAIMS if path[: len(known)] == known]
            assert claimed or path == ("id",), (path, other)
            if path in (("count",), ("count per row",)):
                assert int(other[path[0]]) > int(content[path[0]])
            if path == ("sort",):
                assert other["sort"] is False
            if path == ("columns", 4, "groups"):
                assert "levels" in WANTED[place]
                assert sorted(other["columns"][4]["groups"]) == ["sick", "sick", "well", "well"]


def rewritten(content: dict, file: Path, table: pa.Table) -> None:
    """The same certificate for another file, as somebody would write it who knows how."""
    other = file.with_name(f"other{file.suffix}")
    (pc.write_csv if file.suffix == ".csv" else pq.write_table)(table, other)
    digest = hashlib.sha256(other.read_bytes()).hexdigest()
    nl.verify(resealed({**content, "sha256": digest}), file=other)


def changed(table: pa.Table, name: str, row: int, value) -> pa.Table:
    column = table.column(name)
    values = column.to_pylist()
    values[row] = value
    return table.set_column(table.column_names.index(name), name, pa.array(values, column.type))


VALUES = [
    ("age", 3.5000000000000004, "cells"),
    ("age", 17.0, "cells"),
    ("age", None, "cells"),
    ("age", float("nan"), "cells"),
    ("age", float("inf"), "cells"),
    ("age", -1e300, "cells"),
    ("age_lower", -1.0, "cells"),
    ("age_upper", 5.0, "cells"),
    ("pay_lower", None, "cells"),
    ("height", 1.51, "cells"),
    ("height_upper", 1.4, "cells"),
    ("born", date(1990, 1, 2), "cells"),
    ("born_upper", date(1990, 1, 2), "cells"),
    ("ill", "flu", "names"),
    ("ill", None, "names"),
    ("region", "x", "names"),
    ("year", 2025, "names"),
    ("open", None, "names"),
]


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_other_values(ending, tmp_path):
    content, file = copied(tmp_path, {**WANTED[0], "sort": False}, ending)
    parquet = file if ending == ".parquet" else copied(tmp_path, {**WANTED[0], "sort": False}, ".parquet")[1]
    table = pq.read_table(parquet)
    rewritten(content, file, table)
    for name, value, words in VALUES:
        with pytest.raises(nl.CertificateError, match=words):
            rewritten(content, file, changed(table, name, 5, value))
    forgeries = {
        "other columns": [table.drop_columns(["region"]), table.append_column("name", table["ill"])],
        "number of rows": [table.slice(1), pa.concat_tables([table, table.slice(0, 1)])],
    }
    for words, tables in forgeries.items():
        for other in tables:
            with pytest.raises(nl.CertificateError, match=words):
                rewritten(content, file, other)
    swapped = table.select([*table.column_names[1:], table.column_names[0]])
    with pytest.raises(nl.CertificateError):
        rewritten(content, file, swapped)


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_rows_out_of_order(ending, tmp_path):
    content, file = copied(tmp_path, WANTED[0], ending)
    table = pq.read_table(file if ending == ".parquet" else copied(tmp_path, WANTED[0], ".parquet")[1])
    rewritten(content, file, table)
    with pytest.raises(nl.CertificateError, match="not ordered"):
        rewritten(content, file, table.take(list(range(59, -1, -1))))
    unsorted = pa.concat_tables([table.slice(1), table.slice(0, 1)])
    with pytest.raises(nl.CertificateError, match="not ordered"):
        rewritten(content, file, unsorted)
    rewritten({**content, "sort": False}, file, unsorted)


def test_a_file_that_is_none(tmp_path):
    content, file = copied(tmp_path, WANTED[0], ".parquet")
    for ending in (".parquet", ".csv"):
        broken = tmp_path / f"broken{ending}"
        broken.write_bytes(b"PAR1" + b"\x00" * 50)
        digest = hashlib.sha256(broken.read_bytes()).hexdigest()
        with pytest.raises(nl.CertificateError):
            nl.verify(resealed({**content, "sha256": digest}), file=broken)
    with pytest.raises(nl.CertificateError, match="not of a copy"):
        nl.verify(resealed({**content, "sha256": ""}), file=file)
    assert nl.verify(resealed({**content, "sha256": ""})).count > 1  # a table of a database, or a folder


def test_policies(tmp_path):
    schema = nl.Schema(weight=nl.Real(0, 200, step=1), height=nl.Real(0, 250, step=10), g=nl.Public("a", "b"))
    table = pa.table({"weight": [10.0, 90.0], "height": [100.0, 200.0], "g": ["a", "b"]})
    policy = nl.Shift(nl.Boundary("weight", lambda height: 0.003 * height**2), error=2)
    for ending in (".parquet", ".csv"):
        file = tmp_path / f"out{ending}"
        with nl.Curator.open(table, schema, budget=900, table="t") as curator:
            content = dict(curator.release(file, policies=[policy], sort=True).certificate.content)
        assert nl.verify(nl.Certificate(content), file=file).count == 201 * 26
    table = pq.read_table(tmp_path / "out.parquet")
    for value in (-2.5, 203.0, None, float("nan")):
        with pytest.raises(nl.CertificateError, match="no policy reports"):
            rewritten(content, tmp_path / "out.parquet", changed(table, "weight", 0, value))
    for field, text in (("charged as", "5"), ("policy", "Guess"), ("changes", "height"), ("error", "-2")):
        other = [{**content["policies"][0], field: text}]
        with pytest.raises(nl.CertificateError):
            nl.verify(resealed({**content, "policies": other}))


def test_numbers_at_the_edge_of_doubles(tmp_path):
    """Cells whose middles are no doubles, or far beyond whole ones; dates between two days; several batches."""
    schema = nl.Schema(
        third=nl.Real("1/3", "100/3", step="1/3"),
        fine=nl.Real(10**9, 10**9 + 1, step="0.00001", missing="apart"),
        wide=nl.Real(-(10**300), 10**300, step=10**299),
        day=nl.Date("1900-01-01", "2099-12-31"),
        grade=nl.Category(1, 2, 30, missing=30),
        place=nl.Public(),
    )
    size = 70_000
    columns = {
        "third": [k % 101 / 3 for k in range(size)],
        "fine": [None if k % 11 == 0 else 10**9 + k % 997 / 997 for k in range(size)],
        "wide": [(k % 21 - 10) * 1e299 for k in range(size)],
        "day": [date(1900, 1, 1) + timedelta(days=k % 73000) for k in range(size)],
        "grade": [[1, 2, 30, None][k % 4] for k in range(size)],
        "place": [str(k) for k in range(size)],
    }
    with nl.Curator.open(pa.table(columns), schema, budget=900, table="t") as curator:
        bits = {"third": 3, "fine": 9, "wide": 2, "day": 8}
        for ending in (".parquet", ".csv"):
            made = curator.release(tmp_path / f"out{ending}", bits=bits, intervals=True, sort=True)
            assert nl.verify(made.certificate, file=tmp_path / f"out{ending}").count == made.guarantee.count


def test_cells_between_cuts(tmp_path):
    """Ages from 0 to 9, cut at 4: 1.5 and 6.5 are the middles."""
    content = {
        "format": "noiseless microdata certificate 2",
        "schema": '[columns.x]\nkind = "integer"\nlow = 0\nhigh = 9\n',
        "columns": [{"column": "x", "cells from": ["0", "4"], "answers": "2"}],
        "policies": [],
        "intervals": False,
        "sort": False,
        "rows": "2",
    }
    for text, fine in (("x\n1.5\n6.5\n", True), ("x\n1.5\n5.5\n", False)):
        (tmp_path / "out.csv").write_text(text)
        if fine:
            assert check_file(content, tmp_path / "out.csv") == 2
        else:
            with pytest.raises(WrongCertificateError, match="cells"):
                check_file(content, tmp_path / "out.csv")
