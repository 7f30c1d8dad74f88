"""How long it takes until something can be done: importing the package, asking for help, asking one question."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

import noiseless as nl
from benchmarks.measure import Row, compared, seconds, shown

ENGINE = "import ibis.backends.duckdb"
COMPILED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Modules are compiled once, in a run that does not count, as they are for users."""
WRITE = {"parquet": pq.write_table, "csv": csv.write_csv}


def rows() -> list[Row]:
    bare = _run("pass")
    engine = _run(ENGINE)
    script = Path(sys.executable).with_name("noiseless")
    helped = seconds(lambda: _command(script, "--help"), repeat=5)
    return [
        Row("import noiseless (beyond a bare python)", shown(_run("import noiseless") - bare), "", "", "< 150 ms"),
        Row("import noiseless; noiseless.Space", shown(_run("import noiseless; noiseless.Space") - bare), "", "", ""),
        Row("noiseless --help (whole command)", shown(helped), f"{shown(bare)} (bare python)", "", "≤ 150 ms"),
        *(
            compared(
                f"noiseless ask (whole command, prepared from {kind})",
                _asked(script, kind),
                engine,
                "import ibis",
                "≤ 600 ms",
            )
            for kind in ("parquet", "csv")
        ),
    ]


def _asked(script: Path, kind: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        people, write = pa.table({"age": [k % 90 for k in range(1000)]}), WRITE[kind]
        write(people, Path(folder) / f"people.{kind}")
        schema = Path(folder) / "people.toml"
        schema.write_text(nl.Declaration(nl.Schema(age=nl.Integer(0, 100)), f"people.{kind}", None, 9000).write())
        nl.Curator.open(schema).close()
        tops = iter(range(1, 90))

        def ask() -> None:
            sql = f"SELECT COUNT(*) FROM people WHERE age < {next(tops)}"
            _command(script, "ask", schema, sql)

        return seconds(ask, repeat=5)


def _command(*words: str | Path) -> None:
    subprocess.run(words, check=True, capture_output=True, env=COMPILED)


def _run(code: str) -> float:
    return seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True, env=COMPILED), repeat=5)
