"""Terminals, users and arguments of any kind: one line on standard error and an exit code, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial

import pytest
from tests.app import running

TOML = """\
source = "people.csv"
budget = 20

[columns.age]
kind = "integer"
low = 0
high = 120

[columns."größe"]
kind = "real"
low = 0
high = 3
step = 0.01

[columns.region]
kind = "public"
keys = ["Łódź", "north"]
"""
RUN = "import sys; from noiseless.app.cli.main import app; app()"
NOBODY = "import getpass\ndef unknown(): raise KeyError('getpwuid(): uid not found: 4711')\ngetpass.getuser = unknown\n"
BYTES = b"caf\xe9\xff"


@pytest.fixture
def people(tmp_path):
    (tmp_path / "people.csv").write_text(
        "age,größe,region\n30,1.71,Łódź\n40,1.8,north\n70,1.6,north\n", encoding="utf-8"
    )
    (tmp_path / "people.toml").write_text(TOML, encoding="utf-8")
    return tmp_path / "people.toml"


def inherited() -> dict[str, str]:
    return {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}


def run(
    *words: object, before: str = "", encoding: str = "utf-8", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return running.run(*words, environment={**inherited(), **environment}, encoding=encoding, before=before)


def started(*words: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """By an interpreter that begins with this environment."""
    command = [sys.executable, "-c", RUN, *map(str, words)]
    return subprocess.run(command, capture_output=True, env={**inherited(), **environment})


def one_line(done: subprocess.CompletedProcess[bytes], code: int) -> None:
    """It said what is wrong, and nothing else."""
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.startswith(b"noiseless: ")
    assert done.stderr.count(b"\n") == 1


ASCII = [
    partial(run, encoding="ascii"),
    partial(started, LANG="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0"),
]
MEAN = "SELECT region, AVG(age) FROM people GROUP BY region"


@pytest.mark.parametrize("terminal", ASCII, ids=["encoding", "locale"])
def test_terminals_of_few_characters(people, terminal):
    for words in (["ask", people, MEAN, "--bits", 2], ["preview", people, MEAN, "--bits", 2], ["plan", people]):
        done = terminal(*words)
        assert (done.returncode, done.stderr) == (0, b"")
        done.stdout.decode("ascii")
    told = terminal("ask", people, MEAN, "--bits", 2, "--json")
    assert json.loads(told.stdout)["rows"][0]["region"] == "Łódź"
    for words in (["ledger", people], ["check", people], ["--help"], ["ask", "--help"], ["release", "--help"]):
        assert terminal(*words).returncode == 0


def test_the_same_in_utf_8(people):
    told = started("ask", people, MEAN, "--bits", 2, PYTHONIOENCODING="utf-8").stdout.decode()
    assert "Łódź" in told


def test_a_user_whom_the_system_does_not_know(people):
    assert run("ask", people, "SELECT COUNT(*) FROM people WHERE age > 35", before=NOBODY).returncode == 0
    shown = run("ledger", people, "--json", before=NOBODY)
    assert b"4711" not in shown.stdout


def test_arguments_that_are_no_text(people, tmp_path):
    asked = b"SELECT COUNT(*) FROM people WHERE region = '" + BYTES + b"'"
    one_line(run("ask", people, asked), 1)
    one_line(run("preview", people, asked), 1)
    one_line(run("batch", people, asked), 1)
    one_line(run("ask", people, "SELECT COUNT(*) FROM people WHERE age > 1", "--analyst", BYTES), 1)
    one_line(run("ask", people, MEAN, "--bits", BYTES), 1)
    one_line(run("ask", people, MEAN, "--error", BYTES), 1)
    one_line(run("ask", BYTES + b".toml", MEAN), 1)
    one_line(run("ask", people, MEAN, "--bits", "2", "--key", BYTES), 1)
    one_line(run("verify", BYTES), 4)
    one_line(run("audit", BYTES + b".csv", "--quasi", "age"), 1)
    one_line(run("audit", tmp_path / "people.csv", "--quasi", BYTES), 1)
    one_line(run("init", BYTES + b".csv"), 1)
    one_line(run("release", people, "-o", BYTES + b".csv", "--bits", "9"), 1)
    one_line(run("keys", "show", "--path", BYTES), 1)
    assert run("ledger", people).returncode == 0


LONG = "a" * 100_000


def test_endless_arguments(people, tmp_path):
    one_line(run("ask", people, LONG), 1)
    one_line(run("ask", people, MEAN, "--bits", "9" * 10_000), 1)
    one_line(run("ask", people, MEAN, "--error", "1e999999999"), 1)
    one_line(run("ask", people, MEAN, "--bits", "2", "--max-bits", "9" * 10_000), 1)
    one_line(run("ask", LONG + ".toml", MEAN), 1)
    one_line(run("ask", people, MEAN, "--bits", "2", "--key", LONG), 1)
    one_line(run("verify", LONG), 4)
    one_line(run("audit", LONG + ".csv", "--quasi", "age"), 1)
    one_line(run("init", LONG + ".csv"), 1)
    one_line(run("init", tmp_path / "people.csv", "--out", LONG), 1)
    one_line(run("release", people, "-o", LONG + ".csv", "--bits", "9"), 1)
    one_line(run("release", people, "-o", tmp_path / "c.csv", "--bits", "9", "--report", LONG), 1)
    one_line(run("ask", people, MEAN, "--bits", "2", "--certificate", LONG), 1)
    assert b"SELECT" not in run("ledger", people).stdout  # nothing was charged
    one_line(run("refine", people, "9" * 4000, "--error", "1"), 1)


def test_folders_where_files_belong(people, tmp_path):
    one_line(run("ask", tmp_path, MEAN), 1)
    one_line(run("verify", tmp_path), 4)
    one_line(run("audit", tmp_path, "--quasi", "age"), 1)
    one_line(run("release", people, "-o", tmp_path, "--bits", "9"), 1)
    (tmp_path / "home").mkdir()
    assert run("ask", people, MEAN, "--bits", 2, NOISELESS_KEY=str(tmp_path / "home")).returncode == 0
    assert run("ask", people, MEAN, "--bits", 2, NOISELESS_KEY=LONG[:5000]).returncode == 0
