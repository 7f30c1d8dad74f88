"""Terminals, users and arguments of any kind: one line on standard error and an exit code, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

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


FORKING = """
import json, os, sys
from noiseless.app.cli.main import app
import noiseless.curator.opening, ibis.backends.duckdb
for words, out, err in json.load(sys.stdin):
    if (child := os.fork()) == 0:
        for stream, path in ((1, out), (2, err)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), stream)
        sys.argv = ["noiseless", *words]
        app()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def each_forked(commands: list[list[object]], folder: Path, **environment: str) -> list[tuple[int, bytes, bytes]]:
    """Codes, outputs and errors of commands, each forked from one interpreter that begins with this environment."""
    given = [
        (list(map(str, words)), *(str(folder / f"{k}.{kind}") for kind in ("out", "err")))
        for k, words in enumerate(commands)
    ]
    done = subprocess.run(
        [sys.executable, "-c", FORKING],
        input=json.dumps(given).encode(),
        capture_output=True,
        env={**inherited(), **environment},
        check=True,
    )
    codes = map(int, done.stdout.split())
    return [
        (code, Path(out).read_bytes(), Path(err).read_bytes()) for code, (_, out, err) in zip(codes, given, strict=True)
    ]


def each_run(commands: list[list[object]], folder: Path) -> list[tuple[int, bytes, bytes]]:
    made = [run(*words, encoding="ascii") for words in commands]
    return [(done.returncode, done.stdout, done.stderr) for done in made]


ASCII = [each_run, partial(each_forked, LANG="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")]
MEAN = "SELECT region, AVG(age) FROM people GROUP BY region"


@pytest.mark.parametrize("terminal", ASCII, ids=["encoding", "locale"])
def test_terminals_of_few_characters(people, terminal, tmp_path):
    asked = [["ask", people, MEAN, "--bits", 2], ["preview", people, MEAN, "--bits", 2], ["plan", people]]
    more = [["ledger", people], ["check", people], ["--help"], ["ask", "--help"], ["release", "--help"]]
    output, *done = terminal([["ask", people, MEAN, "--bits", 2, "--json"], *asked, *more], tmp_path)
    assert json.loads(output[1])["rows"][0]["region"] == "Łódź"
    assert [code for code, _, _ in done] == [0] * 8
    for _, out, err in done[:3]:
        assert err == b""
        out.decode("ascii")


def test_the_same_in_utf_8(people):
    output = started("ask", people, MEAN, "--bits", 2, PYTHONIOENCODING="utf-8").stdout.decode()
    assert "Łódź" in output


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
