"""A schema to fill in: who a person is, and what the names suggest. It contains no person's values."""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
import tomllib
from pathlib import Path

import duckdb
import pexpect
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook
from tests.app import running

import noiseless as nl
from noiseless.app.guesses import kind_of, orders, people_keys

SECRET = "s3cr3t"
RUN = "from noiseless.app.cli.main import app; app()"
NAMES = ["patient_id", "visit_date", "age", "is_smoker", "pay"]
ROWS = [[f"p{k // 4}", f"2024-01-0{k % 4 + 1}", 20 + k, "yes", 100 * k] for k in range(12)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: object, code: int = 0) -> str:
    done = running.run(*words)
    out, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == code, out + errors
    assert "Traceback" not in errors
    return out if code == 0 else errors


def write(path: Path, rows: list[list[object]], names: list[str] = NAMES) -> Path:
    """A file of the kind that its name says."""
    columns = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    match path.name.split(".")[-1]:
        case "xlsx":
            book = Workbook()
            for row in [names, *rows]:
                book.active.append(row)
            book.save(path)
        case "parquet":
            pq.write_table(pa.table(columns), path)
        case "duckdb":
            table = pa.table(columns)
            with duckdb.connect(str(path)) as connection:
                connection.register("given", table)
                connection.execute("CREATE TABLE visits AS SELECT * FROM given")
        case kind:
            mark = "\t" if kind == "tsv" else ","
            lines = [mark.join("" if value is None else str(value) for value in row) for row in [names, *rows]]  # type: ignore[attr-defined]
            path.write_text("".join(f"{line}\n" for line in lines))
    return path


def filled(text: str) -> str:
    """The template with public bounds in it."""
    for old, new in (("# low =", "low = 0 #"), ("# high =", "high = 99999 #"), ("# step =", "step = 1 #")):
        text = text.replace(old, new)
    return text.replace("# budget =", "budget = 40 #")


@pytest.mark.parametrize("kind", ["csv", "tsv", "data", "xlsx", "parquet", "duckdb"])
def test_from_any_file_to_a_first_answer_for_people_with_several_rows(folder, kind):
    write(folder / f"visits.{kind}", ROWS)
    output = run(
        "init",
        f"visits.{kind}",
        "--unit",
        "patient_id",
        "--rows",
        4,
        "--order-by",
        "visit_date",
        *["--header"] * (kind == "data"),
    )
    assert "docs/choosing.md" in output
    text = (folder / "visits.toml").read_text()
    assert tomllib.loads(text)["unit"] == {"column": "patient_id", "rows": 4, "order_by": "visit_date"}
    text = text.replace(
        'kind = "category"\n# values = []', 'kind = "category"\nvalues = ["no", "yes"]'
    )  # of a parquet file
    (folder / "visits.toml").write_text(filled(text))
    run("check", "visits.toml")
    answer = run("ask", "visits.toml", "SELECT COUNT(*) FROM visits WHERE age >= 25")
    assert "COUNT" in answer
    schema = nl.Declaration.read(folder / "visits.toml").schema
    assert (schema.unit, schema.rows, schema.order_by) == ("patient_id", 4, "visit_date")


def test_without_a_terminal_the_question_is_left_in_the_file(folder):
    write(folder / "visits.csv", ROWS)
    output = run("init", "visits.csv")
    assert "who is a person? For now each row is a different person; patient_id may identify a person" in output
    text = (folder / "visits.toml").read_text()
    assert '# [unit]\n# column = "patient_id"' in text
    assert '# order_by = "visit_date"' in text
    assert "unit" not in tomllib.loads(text)
    uncommented = text
    for line in ("[unit]", 'column = "patient_id"', 'order_by = "visit_date"'):
        uncommented = uncommented.replace(f"# {line}", line)
    assert tomllib.loads(uncommented.replace("# rows =", "rows = 4"))["unit"]["rows"] == 4
    run("init", "visits.csv", "--unit", "none", "--out", "own.toml")
    assert "Each row is a different person." in (folder / "own.toml").read_text()


def test_every_comment_can_be_uncommented(folder):
    """What follows a value is a separate comment."""
    write(folder / "visits.csv", [row[2:] for row in ROWS], NAMES[2:])
    run("init", "visits.csv", "--unit", "none")
    text = (folder / "visits.toml").read_text().replace('# missing = "apart"', 'missing = "apart"')
    text = filled(text.replace("# kind =", 'kind = "integer"'))
    assert {c["missing"] for c in tomllib.loads(text)["columns"].values()} == {"apart"}
    assert nl.Declaration.parse(text).schema.private["age"].missing == "apart"


def test_the_five_minutes_of_the_readme(folder):
    """What README says to type leads to an answer, with the promise made to people."""
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    own = readme[readme.index("### Your own table") : readme.index("### The command line")]
    commands = [shlex.split(line.split("  #")[0])[1:] for line in own.splitlines() if line.startswith("    noiseless ")]
    assert [command[0] for command in commands] == ["init", "check", "plan", "ask"]
    write(folder / "visits.csv", [[f"p{k // 8}", f"day {k % 8}", 20 + k % 60, "yes", k] for k in range(400)])
    run(*commands[0])
    (folder / "visits.toml").write_text(re.search(r"```toml\n(.*?)```", own, re.DOTALL)[1])
    output = [run(*command) for command in commands[1:]]
    assert "means like AVG(age)" in output[1]
    assert "charged 4 bits; 8 bits left" in " ".join(output[2].split())
    assert nl.Declaration.read(folder / "visits.toml").schema.unit == "patient_id"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--unit", "patient_id"], "belong together"),
        (["--rows", "3"], "belong together"),
        (["--unit", "none", "--rows", "3"], "belong together"),
        (["--unit", "patient", "--rows", "3", "--order-by", "visit_date"], "--unit 'patient' is not a column"),
        (["--unit", "patient_id", "--rows", "3", "--order-by", "day"], "--order-by 'day' is not a column"),
        (["--unit", "patient_id", "--rows", "3", "--order-by", "patient_id"], "must be different columns"),
        (
            ["--unit", "patient_id", "--rows", "0", "--order-by", "visit_date"],
            "is out of range; give a number from 1 to",
        ),
    ],
)
def test_half_an_answer_is_refused(folder, options, words):
    write(folder / "visits.csv", ROWS)
    assert words in run("init", "visits.csv", *options, code=1)
    assert not (folder / "visits.toml").exists()


def test_asked_on_a_terminal(folder):
    write(folder / "visits.csv", ROWS)
    child = pexpect.spawn(sys.executable, ["-c", RUN, "init", "visits.csv"], encoding="utf-8", timeout=60)
    child.expect("patient_id: all rows with the same patient_id are one person")
    child.expect("Person: ")
    child.sendline("nobody")
    child.expect("cannot be chosen")
    child.expect("Person: ")
    child.sendline("patient_id")
    child.expect("The most rows kept for one person .*: ")
    child.sendline("0")
    child.expect("The most rows kept for one person .*: ")
    child.sendline("4")
    child.expect("such as visit_date.*: ")
    child.sendline("visit_date")
    child.expect("wrote visits.toml")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    said = tomllib.loads((folder / "visits.toml").read_text())
    assert said["unit"] == {"column": "patient_id", "rows": 4, "order_by": "visit_date"}


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_one_person_changes_nothing_of_what_is_said_or_written(folder, kind):
    """The words and the template are the same for all values of one person. Only the owner can read the peek file."""
    seen = set()
    values = [None, -1.5, "2024-01-01", SECRET, 10**20]
    for number, (age, pay) in enumerate(zip(values, values[::-1], strict=True)):
        rows = [list(row) for row in ROWS]
        rows[number % 12][2:] = [age, SECRET, pay]
        file = write(folder / f"visits.{kind}", rows)
        os.umask(0)
        try:
            output = run("init", file.name, "--peek", "peek.txt")
        finally:
            os.umask(0o022)
        seen.add((output, (folder / "visits.toml").read_text()))
        assert SECRET in (folder / "peek.txt").read_text()
        assert stat.S_IMODE((folder / "peek.txt").stat().st_mode) == 0o600
        others = [path for path in folder.iterdir() if path.name not in (file.name, "peek.txt")]
        assert not any(SECRET.encode() in path.read_bytes() for path in others)
        (folder / "visits.toml").unlink()
        (folder / "peek.txt").unlink()
    assert len(seen) == 1
    assert SECRET not in str(seen)


def test_what_a_peek_says(folder):
    rows = [*ROWS, ["p0", "2024-01-09", None, "?", 7.5]]
    write(folder / "visits.csv", rows)
    run("init", "visits.csv", "--peek", "peek.txt")
    first, *_ = text = (folder / "peek.txt").read_text().splitlines()
    assert first.startswith("FOR THE CUSTODIAN ONLY. Do not share this file")
    assert "public knowledge" in first
    said = "\n".join(text)
    assert "3 different values, with 4 to 5 rows each; 0 rows without one" in said
    assert '"age": whole numbers, kind = "integer"\n  1 missing, 12 different values\n  numbers from 20 to 31' in said
    assert '"pay": numbers, kind = "real"' in said
    assert '"yes" (12), "?" (1)' in said
    assert '"visit_date": dates, kind = "date"' in said


def test_a_peek_at_anything(folder):
    values = [
        "nan",
        "inf",
        "-inf",
        "1e400",
        "1e-400",
        "9" * 400,
        "0x1",
        "1_000",
        "10000-01-01",
        "2024-02-30",
        "\u00e9",
        " ",
    ]
    (folder / "a.csv").write_text("x,y\n" + "".join(f"{value},1\n" for value in values))
    run("init", "a.csv", "--unit", "none", "--peek", "peek.txt")
    said = (folder / "peek.txt").read_text()
    assert '"x": ' in said
    assert "cannot be summarised" not in said


def test_a_peek_never_follows_a_link_or_replaces_a_file(folder):
    write(folder / "visits.csv", ROWS)
    (folder / "precious.txt").write_text("mine")
    (folder / "link.txt").symlink_to(folder / "precious.txt")
    (folder / "dangling.txt").symlink_to(folder / "new.txt")
    for name in ("precious.txt", "link.txt", "dangling.txt", "nowhere/peek.txt"):
        run("init", "visits.csv", "--peek", name, code=1)
        assert not (folder / "visits.toml").exists()
    assert (folder / "precious.txt").read_text() == "mine"
    assert not (folder / "new.txt").exists()


@pytest.mark.parametrize(
    ("content", "delimiter", "names"),
    [
        ("age;pay\n3;4\n", ";", ["age", "pay"]),
        ("age, pay\n3, 4\n", ", ", ["age", "pay"]),
        ("age|pay\n3|4\n", "|", ["age", "pay"]),
        ("age\tpay\n3\t4\n", "\t", ["age", "pay"]),
        ("age\n3\n", None, ["age"]),
        ("age,pay; gross\n3,4\n", None, ["age", "pay; gross"]),
    ],
)
def test_the_line_of_names_shows_the_delimiter(folder, content, delimiter, names):
    (folder / "a.csv").write_text(content)
    run("init", "a.csv", "--unit", "none")
    said = tomllib.loads((folder / "a.toml").read_text())
    assert said.get("delimiter") == delimiter
    assert list(said["columns"]) == names


def test_a_first_line_of_data_is_never_copied(folder):
    (folder / "a.csv").write_text(f"39,{SECRET}\n40,x\n")
    (folder / "a.data").write_text(f"{SECRET}, x\ny, z\n\n")
    for name in ("a.csv", "a.data"):
        words = run("init", name, "--unit", "none", code=1)
        assert "--names" in words
        assert SECRET not in words
    assert sorted(path.name for path in folder.iterdir()) == ["a.csv", "a.data"]
    run("init", "a.data", "--names", "work,job", "--delimiter", ", ", "--unit", "none")
    text = (folder / "a.toml").read_text()
    assert SECRET not in text
    assert tomllib.loads(text)["names"] == ["work", "job"]
    text = filled(text.replace("# kind =", "kind =").replace('kind = "category"\n# values = []', 'kind = "category"'))
    assert '[columns."job"]' in text


@pytest.mark.parametrize("content", [b'a,b\n1,"s3cr3t\n2,3\n', b"a,a\ns3cr3t,1\n", b"a,b\n1,s3cr3t\xff\n", b""])
def test_a_malformed_file_is_refused_at_once(folder, content):
    (folder / "a.csv").write_bytes(content)
    words = run("init", "a.csv", "--unit", "none", "--peek", "peek.txt", code=1)
    assert "'a.csv', line " in words
    assert SECRET not in words
    assert [path.name for path in folder.iterdir()] == ["a.csv"]


def test_names_that_a_terminal_would_act_on(folder):
    (folder / "a.csv").write_text("user\x1b[31m id,age\n1,2\n")
    assert "\x1b" not in run("init", "a.csv")
    assert "\x1b" not in (folder / "a.toml").read_text()


def test_files_are_named_after_their_tables(folder):
    import gzip

    (folder / "people.csv.gz").write_bytes(gzip.compress(b"age,pay\n1,2\n"))
    run("init", "people.csv.gz", "--unit", "none")
    assert (folder / "people.toml").exists()
    write(folder / "m[1].csv", [[1]], ["age"])
    run("init", "m[1].csv", "--unit", "none", "--out", "m.toml")
    (folder / "m.toml").write_text(filled((folder / "m.toml").read_text()))
    run("check", "m.toml")


def test_guesses():
    people = [
        "id",
        "ID",
        "PatientID",
        "patient id",
        "household",
        "customer_no",
        "uuid",
        "person_id",
        "nhs_number",
        "userid",
    ]
    others = ["diameter", "parameter", "idea", "width", "paid", "age", "valid", "accountant", "video", "grid"]
    assert people_keys(dict.fromkeys(people + others)) == people
    kinds = {"age": "integer", "Age at visit": "integer", "is_ill": "boolean", "birth_date": "date", "heightCm": "real"}
    kinds |= {"sex": "text", "age_group": "text", "x17": "unknown", "created_at": "date"}
    assert {name: kind_of(name, None) for name in kinds} == kinds
    assert orders({"visit": None, "Month": None, "pay": None}) == ["visit", "Month"]
    import ibis

    typed = {"id": ibis.dtype("float64"), "user": ibis.dtype("int64"), "t": ibis.dtype("timestamp")}
    assert (people_keys(typed), orders(typed)) == (["user"], ["t"])


@pytest.mark.parametrize("name", ["x", "id", "a" * 900])
def test_guessing_is_quick(name):
    """No pattern takes long, even on hostile names."""
    for each in (name, "_".join([name] * 50), "_" * 1000, "a_" * 500 + "!"):
        kind_of(each, None)
        people_keys({each: None})
        orders({each: None})
