"""What is written while codes are made is for nobody else, and does not stay, not even when the process is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import noiseless as nl
from noiseless.curator.engines.folder import PrivateFolder

SECRET = "nobody-may-read-this"
ROWS = 400_000
OPEN = """
import os, sys
import noiseless as nl
from noiseless.curator.sources import source
source._without_pushed_casts = lambda _: False  # the texts are loaded first, which spills them
os.umask(0o022)
os.nice(15)  # whoever watches is quicker
schema = nl.Schema(x=nl.Integer(0, 9), n=nl.Category("a", "b"))
print("opening", flush=True)
nl.Curator.open(sys.argv[1], schema, budget=1, store=sys.argv[2], ledger=sys.argv[3], memory="60MB")
print("opened", flush=True)
"""


@pytest.fixture
def table(tmp_path):
    file = tmp_path / "people.csv"
    lines = (f"{k % 10},name {k} {'-' * 300},{SECRET} {k}\n" for k in range(ROWS))  # the texts of n do not fit
    file.write_text("x,n,undeclared\n" + "".join(lines))
    return file


def visible(folder: Path) -> list[Path]:
    """Everything below that somebody else could read: others may enter no folder of mode 0700."""
    found = []
    for entry in folder.iterdir():
        try:
            mode = entry.stat().st_mode & 0o077
        except FileNotFoundError:  # it was renamed, or removed
            continue
        if entry.is_dir() and mode:
            found += visible(entry)
        elif mode:
            found.append(entry)
    return found


def below(folder: Path):
    for path, _, files in os.walk(folder):
        for file in files:
            yield Path(path) / file


def test_a_killed_process_leaves_nothing_that_others_can_read(table, tmp_path, monkeypatch):
    work = tmp_path / "work"
    work.mkdir()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    arguments = [sys.executable, "-c", OPEN, str(table), str(work / "codes.duckdb"), str(work / "ledger.sqlite")]
    deadline = time.monotonic() + 600  # a busy machine is slow
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, text=True, cwd=work, env=os.environ | {"TMPDIR": str(temporary)}
    )
    assert process.stdout.readline() == "opening\n"
    while process.poll() is None and time.monotonic() < deadline:
        assert not visible(work)
        assert not visible(temporary)
        if any("spill" in str(path) for path in below(temporary)):
            process.send_signal(signal.SIGKILL)
            break
    process.wait()
    process.stdout.close()
    assert process.returncode == -signal.SIGKILL, "it was done before anything was spilled"
    assert not visible(work)
    assert not visible(temporary)
    assert not any(SECRET.encode() in path.read_bytes() for place in (work, temporary) for path in below(place))
    assert any(path.name.endswith(".part") for path in work.iterdir())

    monkeypatch.chdir(work)
    schema = nl.Schema(x=nl.Integer(0, 9))
    nl.Curator.open(table, schema, budget=1, store=work / "codes.duckdb", ledger=work / "ledger.sqlite").close()
    assert {path.name.split("-")[0] for path in work.iterdir()} <= {
        "codes.duckdb",
        "ledger.sqlite",
        "ledger.sqlite.head",
        "ledger.sqlite.lock",
    }
    assert not visible(work)


def test_folders_of_living_processes_stay(tmp_path):
    one = PrivateFolder(tmp_path / "codes.duckdb")
    two = PrivateFolder(tmp_path / "codes.duckdb")
    assert one.path.is_dir()
    assert two.path.is_dir()
    one.remove()
    assert not one.path.exists()
    assert two.path.is_dir()
    two.remove()


def test_what_an_earlier_version_left_is_removed(tmp_path):
    left = [
        tmp_path / f"codes.duckdb.{pid}.0123abcd.part{end}" for pid in (2**22 + 1, os.getpid()) for end in ("", ".wal")
    ]
    for path in [*left, tmp_path / "codes.duckdb.backup.part", tmp_path / "other.duckdb.99999999.0123abcd.part"]:
        path.write_text("")
    PrivateFolder(tmp_path / "codes.duckdb").remove()
    assert [path.exists() for path in left] == [False, False, True, True]
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize("prepare", [True, False])
def test_nothing_is_spilled_into_the_working_folder(tmp_path, monkeypatch, prepare):
    monkeypatch.chdir(tmp_path)
    big = tmp_path / "big.csv"
    big.write_text("x\n" + "".join(f"{k % 1000}\n" for k in range(300_000)))
    schema = nl.Schema(x=nl.Integer(0, 1000))
    with nl.Curator.open(big, schema, budget=30, prepare=prepare, memory="50MB") as curator:
        curator.ask("SELECT MEDIAN(x) FROM big", bits=9)
        curator.release(tmp_path / "copy.parquet", bits=2)
    assert {path.name for path in tmp_path.iterdir()} == {"big.csv", "copy.parquet"}
