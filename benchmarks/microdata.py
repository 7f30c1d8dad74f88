"""A released copy against a plain copy of the same columns, and an audit against pycanon."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import duckdb

import noiseless as nl
from benchmarks.measure import Row, compared
from benchmarks.peers import environment

ROWS, AUDITED = 20_000_000, 1_000_000
RANGES: dict[str, tuple[int, int, str]] = {
    "height": (100, 250, "0.1"),
    "weight": (30, 200, "0.1"),
    "age": (18, 98, "0.1"),
    "income": (0, 10_000, "1"),
}
QUASI = ["age", "sex", "region", "job"]


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="noiseless-") as folder:
        return [*_releases(Path(folder)), *_audit(Path(folder))]


def _releases(folder: Path) -> list[Row]:
    source, out = folder / "people.parquet", folder / "out.parquet"
    made = ", ".join(f"{low} + {high - low} * random() AS {name}" for name, (low, high, _) in RANGES.items())
    duckdb.connect().execute(f"COPY (SELECT {made} FROM range({ROWS})) TO '{source}'")
    schema = nl.Schema({name: nl.Real(*bounds) for name, bounds in RANGES.items()})
    names = ", ".join(RANGES)

    def plain() -> None:
        duckdb.connect().execute(f"COPY (SELECT {names} FROM read_parquet('{source}')) TO '{out}'")

    with nl.Curator.open(source, schema, budget=100, prepare=False) as curator:
        copied = _best(plain, out)
        told = "plain COPY of the four columns"
        cells = _best(partial(curator.release, out, bits=12), out)
        ends = _best(partial(curator.release, out, bits=12, intervals=True), out)
    return [
        compared(f"release of {ROWS:,} rows × 4 columns", cells, copied, told, "≤ 0.8×"),
        compared("the same with lower and upper", ends, copied, told, "≤ 1.3×"),
    ]


def _audit(folder: Path) -> list[Row]:
    table = folder / "table.parquet"
    made = "floor(random() * 70) AS age, floor(random() * 2) AS sex, floor(random() * 20) AS region, "
    made += "floor(random() * 10) AS job, floor(random() * 12) AS illness"
    duckdb.connect().execute(f"COPY (SELECT {made} FROM range({AUDITED})) TO '{table}'")
    start = perf_counter()
    found = nl.audit(table, QUASI, "illness")
    ours = perf_counter() - start
    task = json.dumps({"table": str(table), "quasi": QUASI, "sensitive": "illness", "figures": ["k", "l"]})
    what = f"audit of {AUDITED:,} rows × 4 quasi columns: k, ℓ, entropy ℓ, t, breaches"
    try:
        command: list[Path | str] = [environment.python("pycanon"), "-P", "benchmarks/peers/pycanon.py"]
        done = subprocess.run(command, input=task, capture_output=True, text=True, timeout=600, check=True)
    except subprocess.SubprocessError:
        return [Row(what, f"{ours:.2f} s", "pycanon could not be run", "", "≤ 0.05×")]
    theirs: dict[str, Any] = json.loads(done.stdout)
    assert (theirs["k"], theirs["l"]) == (found.k, found.sensitive[0].distinct_l)
    seconds = theirs["k seconds"] + theirs["l seconds"]
    return [compared(what, ours, seconds, "pycanon's k and ℓ alone", "≤ 0.05×")]


def _best(work: Callable[[], object], out: Path, repeat: int = 3) -> float:
    """The least time of several runs, each to a file that is not there."""
    times = []
    for _ in range(repeat):
        out.unlink(missing_ok=True)
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    out.unlink(missing_ok=True)
    return min(times)
