"""Questions from files of SQL, and the comparison of a batch on the command line."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.app import running

import noiseless as nl
from noiseless.app.cli.questions import questions_in
from noiseless.curator.sql.statements import statements

SCHEMA = nl.Schema(age=nl.Integer(0, 100), edu=nl.Category("school", "college", "phd"))
FILE = """-- Two counts; and a mean.
SELECT COUNT(*) FROM people WHERE edu = 'phd';
/* ; */ SELECT COUNT(*) -- ;
FROM people WHERE edu = 'school' ;;
"""


def test_statements_are_separated(tmp_path):
    (tmp_path / "two.sql").write_text(FILE)
    assert questions_in(["SELECT 0", str(tmp_path / "two.sql")]) == [
        "SELECT 0",
        "SELECT COUNT(*) FROM people WHERE edu = 'phd'",
        "SELECT COUNT(*) FROM people WHERE edu = 'school'",
    ]
    assert [each for _, each in statements("SELECT ';' ; SELECT \";\"")] == ["SELECT ';'", 'SELECT ";"']
    assert statements(" ; -- nothing") == []


def test_what_is_no_file_of_questions_is_refused(tmp_path):
    path = tmp_path / "questions.sql"
    for content, why in ((b"-- nothing", "has no questions"), (b"\xff\xfe", "not UTF-8"), (b"SELECT 'a", "quote")):
        path.write_bytes(content)
        with pytest.raises(nl.QuestionError, match=why):
            questions_in(["SELECT 1", str(path)])


def test_a_batch_is_compared_and_asked_from_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"age": list(range(50)), "edu": ["phd", "school"] * 25}), "people.parquet")
    (tmp_path / "people.toml").write_text(nl.Declaration(SCHEMA, "people.parquet", None, 8).write())
    (tmp_path / "questions.sql").write_text(FILE)

    def run(*words, code=0):
        done = running.run(*words)
        assert done.returncode == code, done.stderr
        return " ".join((done.stderr if code else done.stdout).decode().split())

    young = "SELECT COUNT(*) FROM people WHERE age < 18"
    output = run("batch", "people.toml", "questions.sql", young, "--preview")
    assert "cheapest as one batch or as a cross table: 2.585 bits, instead of 3 bits one by one" in output
    fields = json.loads(run("batch", "people.toml", "questions.sql", "--preview", "--json"))
    assert [way["name"] for way in fields["ways"]] == ["batch", "cross table", "one by one"]
    assert "8 bits left" in run("batch", "people.toml", "questions.sql", "--preview")  # nothing was charged
    given = ("batch", "people.toml", "questions.sql", "--report", "report.html", "--json")
    answers = json.loads(run(*given))["answers"]
    assert [each["rows"][0]["COUNT(*)"]["value"] for each in answers] == ["25", "25"]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("Question ") == 2
    assert "<code>SELECT COUNT(*) FROM people WHERE edu = &#x27;phd&#x27;</code>" in page
    by_edu = "SELECT edu, COUNT(*) FROM people GROUP BY edu"
    assert "--report 'nosuch/a.html' is a folder, or its" in run(
        "ask", "people.toml", by_edu, "--report", "nosuch/a.html", code=1
    )
    run("ask", "people.toml", by_edu, "--report", "report.html")
    assert "What is promised" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "'nosuch.sql' does not exist; name a file" in run("batch", "people.toml", "nosuch.sql", code=1)
    assert "question 3 of 3: QUANTILE needs --bits" in run(
        "batch", "people.toml", "questions.sql", "SELECT MEDIAN(age) FROM people", "--preview", code=1
    )


def test_subqueries_and_dialects_on_the_command_line(tmp_path, monkeypatch):
    """The step that was asked first comes with its own certificate, and the SQL may be that of Spark."""
    monkeypatch.chdir(tmp_path)
    pq.write_table(pa.table({"age": list(range(50)), "edu": ["phd", "school"] * 25}), "people.parquet")
    (tmp_path / "people.toml").write_text(nl.Declaration(SCHEMA, "people.parquet", None, 8).write())
    sql = 'SELECT COUNT(*) AS n FROM `people` WHERE age >= (SELECT COUNT(*) FROM `people` WHERE edu = "phd")'
    given = ("people.toml", sql, "--dialect", "spark", "--json")
    output, answer = (json.loads(running.run(word, *given).stdout) for word in ("preview", "ask"))
    assert "supposes 25" in output["computed"][0]
    assert answer["rows"][0]["n"]["value"] == "25"
    assert [each["rows"][0]["COUNT(*)"]["value"] for each in answer["before"]] == ["25"]
    assert nl.verify(nl.Certificate.from_json(json.dumps(answer["before"][0]["certificate"]))).count == 2
    assert b"dialect='oracle' is not known" in running.run("preview", *given[:3], "oracle").stderr
