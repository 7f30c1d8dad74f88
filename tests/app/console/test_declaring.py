"""From a table to a served dataset, and everything that must not be opened on the way."""

from __future__ import annotations

import re
from pathlib import Path

import pandas
import pytest
from starlette.testclient import TestClient
from tests.app.console.pages import ORIGIN, console
from tests.app.service.small import write

from noiseless.app.console.console import with_console
from noiseless.app.console.session import NAME
from noiseless.app.service.settings import Settings

TOKEN = re.compile(r"noiseless_[0-9a-f]+_[\w-]+")
HOSTILE = "<script>alert(1)</script>"
FILLED = {
    "file": "visits.csv",
    "kind 0": "",
    "kind 1": "integer",
    "low 1": "0",
    "high 1": "120",
    "kind 2": "public",
    "values 2": "a, b",
    "budget": "6",
}


@pytest.fixture
def folder(tmp_path) -> Path:
    tables = tmp_path / "tables"
    tables.mkdir()
    rows = {"patient_id": range(60), "age": [k % 90 for k in range(60)], "ward": ["a", "b"] * 30}
    pandas.DataFrame(rows).to_csv(tables / "visits.csv", index=False)
    pandas.DataFrame({HOSTILE: [1, 2]}).to_parquet(tables / f"{HOSTILE.replace('/', '')}.parquet")
    (tmp_path / "secret.csv").write_text("a\n1\n", encoding="utf-8")
    (tables / "link.csv").symlink_to(tmp_path / "secret.csv")
    (tables / ".hidden.csv").write_text("a\n1\n", encoding="utf-8")
    (tables / "notes.txt").write_text("x", encoding="utf-8")
    (tables / "inner").mkdir()
    (tables / "inner" / "deep.csv").write_text("a\n1\n", encoding="utf-8")
    return tables


@pytest.fixture
def page(tmp_path, folder):
    with console(write(tmp_path, budget=40), tables=str(folder)) as open_console:
        yield open_console


def test_a_table_is_declared_and_served(page, folder):
    assert "visits.csv" in page.get("/console/new", "custodian").text
    form = page.get("/console/new?file=visits.csv", "custodian").text
    assert "60 rows, 3 columns" in form
    assert "seems to identify a person" in form
    bought = page.post("/console/new", {**FILLED, "action": "plan"}, "custodian").text
    assert "What this budget buys" in bought
    assert "AVG(age) by ward" in bought
    assert not (folder / "visits.toml").exists()
    done = page.post("/console/new", {**FILLED, "action": "declare"}, "custodian").text
    page.tokens["new"] = TOKEN.search(done)[0]
    asked = page.post(
        "/console/d/visits",
        {"sql": "SELECT COUNT(*) FROM visits WHERE age > 40", "action": "ask", "precision": "exact"},
        "new",
    )
    assert "Charged 1 bit" in asked.text
    assert page.get("/console/d/visits", "custodian").status_code in (401, 404)
    twice = page.post("/console/new", {**FILLED, "action": "declare"}, "custodian").text
    assert "already served" in twice


def test_other_processes_and_later_servers_serve_it_too(page, folder):
    """A process that was running meanwhile, and one that begins later."""
    other = with_console(Settings.read([page.file], tables=str(folder)))
    with TestClient(other) as before:
        done = page.post("/console/new", {**FILLED, "action": "declare"}, "custodian").text
        cookie = {"cookie": f"{NAME}={TOKEN.search(done)[0]}"}
        assert before.get("/datasets/visits", headers=cookie).status_code == 200
    with TestClient(with_console(Settings.read([page.file], tables=str(folder)))) as after:
        assert [each["name"] for each in after.get("/datasets", headers=cookie).json()] == ["visits"]
    with TestClient(with_console(Settings.read([page.file]))) as without:
        assert without.get("/datasets/visits", headers=cookie).status_code == 401


@pytest.mark.parametrize(
    "file",
    ["../secret.csv", "link.csv", ".hidden.csv", "notes.txt", "inner/deep.csv", "/etc/passwd", "visits.csv/", "", "..",
     "postgres://db/x", "visits.csv\x00", "./visits.csv", "VISITS.CSV"],
)  # fmt: skip
def test_only_listed_files_are_opened(page, folder, file):
    for found in (
        page.post("/console/new", {**FILLED, "file": file, "action": "declare"}, "custodian"),
        page.client.get("/sources/columns", params={"file": file}, headers=page.cookie("custodian")),
        page.client.post(
            "/sources/declare",
            json={"file": file, "columns": {"age": {"kind": "boolean"}}, "budget": 1},
            headers=page.cookie("custodian") | ORIGIN,
        ),
    ):
        assert found.status_code in (404, 422), found.text
    assert sorted(each.name for each in folder.parent.glob("**/*.toml")) == ["people.toml"]


def test_without_a_folder_nothing_is_opened(tmp_path):
    with console(write(tmp_path)) as page:
        assert "--tables FOLDER" in page.get("/console/new", "custodian").text
        assert page.get("/sources", "custodian").json() == []
        assert page.get("/console/new?file=people.parquet", "custodian").status_code == 404


def test_hostile_names_are_texts(page):
    listed = page.get("/console/new", "custodian").text
    assert "<script>alert" not in listed
    address = re.findall(r'href="(/console/new\?file=[^"]+)"', listed)
    assert len(address) == 2
    for each in address:
        form = page.get(each.replace("&amp;", "&"), "custodian")
        assert form.status_code == 200
        assert "<script>alert" not in form.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"budget": ""},
        {"budget": "9\nledger = '/tmp/x'"},
        {"low 1": "130"},
        {"high 1": ""},
        {"unit column": "patient_id"},
        {"missing 1": 'x"\n[service]'},
        {"values 2": 'a"], other = "x'},
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(page, folder, wrong):
    found = page.post("/console/new", {**FILLED, **wrong, "action": "declare"}, "custodian")
    assert 'role="alert"' in found.text
    assert 'value="visits.csv"' in found.text
    assert not list(folder.glob("*.toml"))


def test_a_table_that_is_served_has_no_second_budget(tmp_path):
    with console(write(tmp_path), tables=str(tmp_path)) as page:
        said = {"file": "people.parquet", "columns": {"age": {"kind": "integer", "low": 0, "high": 9}}, "budget": 9}
        found = page.client.post("/sources/declare", json=said, headers=page.cookie("custodian") | ORIGIN)
        assert found.status_code == 422
        assert "already served" in found.json()["rule"]


def test_values_of_a_table_are_not_shown(page):
    """Kinds come from names and types. The page is the same for every table with these names and as many rows."""
    form = page.get("/console/new?file=visits.csv", "custodian").text
    columns = page.get("/sources/columns?file=visits.csv", "custodian").json()
    assert columns["columns"] == {"patient_id": columns["columns"]["patient_id"], "age": "integer", "ward": ""}
    assert "89" not in form
