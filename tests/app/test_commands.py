"""The command line from end to end: every command, in processes of their own, and by the numbers it exits with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pexpect
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.app import running

import noiseless as nl

NOISELESS = str(Path(sys.executable).with_name("noiseless"))
SQL = "SELECT region, AVG(age) FROM people GROUP BY region"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NOISELESS_KEY", str(tmp_path / "keys" / "key.pem"))
    monkeypatch.setenv("USER", "ada")
    ages = [20 + 7 * k % 60 for k in range(200)]
    pq.write_table(
        pa.table({"age": ages, "region": ["north", "south"] * 100, "pay": [0] * 200}), tmp_path / "people.parquet"
    )
    schema = nl.Schema(age=nl.Integer(0, 100), pay=nl.Integer(0, 1000), region=nl.Public("north", "south"))
    (tmp_path / "people.toml").write_text(nl.Declaration(schema, "people.parquet", None, 8).write())
    return tmp_path


def run(*arguments: str, code: int = 0) -> str:
    done = running.run(*arguments)
    out, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, out + errors
    assert "Traceback" not in errors
    return out if code == 0 else errors


def test_the_whole_way(folder):
    public = run("keys", "new").split()[0]
    assert run("keys", "show").strip() == public
    assert "would be charged 2 bits" in " ".join(run("preview", "people.toml", SQL, "--bits", "2").split())
    output = run("ask", "people.toml", SQL, "--bits", "2", "--certificate", "c.json", "--analyst", "ada")
    assert "●" in output
    assert "charged 2 bits; 6 bits left" in " ".join(output.split())
    assert "recomputed, and correct" in run("verify", "c.json", "--key", public)
    again = json.loads(run("ask", "people.toml", SQL, "--bits", "2", "--json"))
    assert (again["factor"], again["count"], len(again["rows"])) == ("1", "4", 2)
    finer = json.loads(run("refine", "people.toml", "1", "--error", "0.05", "--json"))
    assert int(finer["factor"]) > 1
    extremes = [f"SELECT {each}(age) FROM people" for each in ("MAX", "MIN")]
    batch = json.loads(run("batch", "people.toml", *extremes, "--bits", "1", "--json"))
    assert len(batch["answers"]) == 2
    table = run("ledger", "people.toml")
    assert "ada" in table
    assert "AVG(age)" in table
    assert "entries, all intact" in run("ledger", "people.toml", "--verify")
    assert json.loads(run("ledger", "people.toml", "--verify", "--json"))["intact"] is True
    run("ledger", "people.toml", "--export", "all.jsonl")
    entries = [json.loads(line) for line in (folder / "all.jsonl").read_text().splitlines()]
    assert [entry["number"] for entry in entries] == list(range(len(entries)))
    assert entries == json.loads(run("ledger", "people.toml", "--json"))
    assert "AVG(age)" in run("plan", "people.toml")
    assert json.loads(run("plan", "people.toml", "--json"))[0]["number"] == "AVG(age)"
    assert "custodian only" in run("check", "people.toml")
    assert json.loads(run("check", "people.toml", "--json"))["rows"] == 200
    assert json.loads(run("preview", "people.toml", SQL, "--error", "1", "--json"))["affordable"] is True
    assert run("keys", "rotate").strip() != public
    assert json.loads(run("verify", "c.json", "--json"))["signed_by"] == public


def test_an_unsigned_certificate(folder):
    """It says so first, and ends with 3, unless that is accepted."""
    run("ask", "people.toml", SQL, "--bits", "2", "--certificate", "c.json")
    refused = subprocess.run([NOISELESS, "verify", "c.json"], capture_output=True, text=True)
    assert (refused.returncode, refused.stdout.split(":")[0], refused.stderr) == (3, "unsigned", "")
    accepted = run("verify", "c.json", "--unsigned").splitlines()
    assert accepted[0].startswith("unsigned: ")
    assert accepted[1].startswith('SELECT "region" AS "region", AVG("age") AS "AVG(age)" FROM "people"')
    machine = subprocess.run([NOISELESS, "verify", "c.json", "--json"], capture_output=True, text=True)
    assert (machine.returncode, json.loads(machine.stdout)["signed"]) == (3, False)
    assert json.loads(run("verify", "c.json", "--json", "--unsigned"))["signed_by"] == ""
    assert "signed with another key" in run("verify", "c.json", "--unsigned", "--key", "00" * 32, code=4)


def test_stripping_the_signature(folder):
    public = run("keys", "new").split()[0]
    run("ask", "people.toml", SQL, "--bits", "2", "--certificate", "c.json")
    assert json.loads(run("verify", "c.json", "--json"))["signed"] is True
    whole = json.loads((folder / "c.json").read_text())
    (folder / "c.json").write_text(json.dumps({**whole, "key": "", "signature": ""}))
    assert subprocess.run([NOISELESS, "verify", "c.json"], capture_output=True).returncode == 3
    assert "signed with another key" in run("verify", "c.json", "--key", public, code=4)


def test_a_schema_to_fill_in(folder):
    assert "fill in" in run("init", "people.parquet", "--out", "new.toml")
    text = (folder / "new.toml").read_text()
    assert 'kind = "integer"' in text
    assert "20" not in text  # nothing of the data
    assert "needs" in run("check", "new.toml", code=1)
    assert "exists already" in run("init", "people.parquet", "--out", "new.toml", code=1)
    for old, new in (("# low =", "low = 0 #"), ("# high =", "high = 100 #"), ("# budget =", "budget = 8 #")):
        text = text.replace(old, new)
    text = text.replace('kind = "category"\n# values = []', 'kind = "public"\nkeys = ["north", "south"] #')
    (folder / "new.toml").write_text(text)
    assert "200 rows" in run("check", "new.toml")
    (folder / "people.csv").write_text("age,height,zone\n3,100,north\n")
    run("init", "people.csv", "--out", "csv.toml")
    text = (folder / "csv.toml").read_text()
    assert '[columns."age"]  # whole numbers from low to high (guessed from the name)\nkind = "integer"' in text
    assert "# kind =" in text


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["ask", "people.toml", "SELECT AVG(hight) FROM people", "--bits", "1"], 1, "column 'hight' does not exist"),
        (["ask", "nowhere.toml", SQL], 1, "cannot read"),
        (["ask", "people.toml"], 2, "Missing argument"),
        (["ask", "people.toml", "SELECT MEDIAN(pay) FROM people", "--error", "0"], 3, "bits are left"),
        (["ask", "people.toml", SQL, "--bits", "2", "--max-bits", "1"], 3, "more than --max-bits 1"),
        (["verify", "people.toml"], 4, "not a certificate"),
        (["refine", "people.toml", "7", "--error", "1"], 1, "question 7"),
        (["keys", "show"], 1, "does not exist; make one"),
        (
            ["ask", "people.toml", SQL, "--bits", "2", "--certificate", "nowhere/c.json"],
            1,
            "its folder does not exist; name a file",
        ),
        (["ledger", "people.toml", "--export", "nowhere/all.jsonl"], 1, "nowhere/all.jsonl: No such file"),
        (["demo", "--people", "3"], 2, "greater than or equal to 1000"),
    ],
)
def test_exit_codes(folder, arguments, code, words):
    assert words in run(*arguments, code=code)


def test_a_ledger_that_was_tampered_with(folder):
    import sqlite3

    run("ask", "people.toml", SQL, "--bits", "2")
    with sqlite3.connect(folder / "people.ledger.sqlite") as connection:
        connection.execute("UPDATE noiseless_entries SET analyst = 'eve' WHERE number = 1")
    connection.close()
    assert "not what was written" in run("ledger", "people.toml", "--verify", code=4)
    assert "not what was written" in run("ask", "people.toml", SQL, "--bits", "2", code=5)
    (folder / "people.ledger.sqlite").write_text("nothing" * 1000)
    assert "cannot be read or written" in run("ask", "people.toml", SQL, "--bits", "2", code=5)


def test_on_a_terminal(folder):
    child = pexpect.spawn(NOISELESS, ["ask", "people.toml", SQL, "--bits", "2"], encoding="utf-8", dimensions=(40, 120))
    child.expect("certainly in")
    child.expect("━●")
    child.expect("of the ledger")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_the_demo_in_small(folder):
    output = run("demo", "--people", "20000", "--out", "demo")
    assert "10 of 10 intervals contain it" in output
    promised = (
        "A refusal: the question costs",
        "costs 0 bits",
        "A certificate: verified",
        "the answer does not follow from what was released",
    )
    for words in promised:
        assert words in " ".join(output.split())
    report = (folder / "demo" / "report.html").read_text()
    assert report.count("<svg") >= 6
    assert "✗" not in report


def test_release_and_audit(folder):
    public = run("keys", "new").split()[0]
    assert "4.907 bits" in run("release", "people.toml", "-o", "out.parquet", "--bits", "5", "--preview")
    assert not (folder / "out.parquet").exists()
    output = run("release", "people.toml", "-o", "out.parquet", "--bits", "5", "--intervals", "--report", "report.html")
    assert "the middle of its cell" in output
    assert "For the custodian only" in (folder / "report.html").read_text()
    certificate = "out.parquet.certificate.json"
    assert "a released copy of people" in run("verify", certificate, "--key", public, "--file", "out.parquet")
    assert "not the file" in run("verify", certificate, "--file", "people.parquet", code=4)
    names = pq.read_schema(folder / "out.parquet").names
    assert names == ["age", "age_lower", "age_upper", "pay", "pay_lower", "pay_upper", "region"]
    again = json.loads(run("release", "people.toml", "-o", "b.csv", "--bits", "5", "--json"))
    assert (again["factor"], again["count"]) == ("1", "30")
    assert "RELEASE" in run("ledger", "people.toml")
    assert "exists already" in run("release", "people.toml", "-o", "b.csv", "--bits", "5", code=1)
    assert "nothing was charged" in run("release", "people.toml", "-o", "c.csv", "--error", "age=0.1,pay=0.5", code=3)
    found = json.loads(run("audit", "out.parquet", "--quasi", "age,region", "--sensitive", "pay", "--json"))
    assert (found["rows"], found["sensitive"][0]["distinct l"]) == (200, 1)
    output = run("audit", "out.parquet", "--quasi", "age", "--original", "people.parquet", "--report", "audit.html")
    assert "In the worst case the classes leak" in " ".join(output.split())
    assert "<svg" not in (folder / "audit.html").read_text()
    assert "quasi column" in run("audit", "out.parquet", "--quasi", "name", code=1)


def test_what_the_schema_says_of_a_release(folder):
    text = (folder / "people.toml").read_text()
    (folder / "people.toml").write_text(f"{text}\n[release]\nintervals = true\n[release.bits]\nage = 2\npay = 1\n")
    assert nl.Declaration.parse(nl.Declaration.read("people.toml").write()).release["bits"] == {"age": 2, "pay": 1}
    found = json.loads(run("release", "people.toml", "-o", "out.parquet", "--json"))
    assert found["count"] == "8"
    assert "age_lower" in pq.read_schema(folder / "out.parquet").names
    (folder / "people.toml").write_text(f"{text}\n[release]\nbitts = 3\n")
    assert "unknown field 'bitts'" in run("release", "people.toml", "-o", "b.parquet", code=1)
