"""Run every benchmark, print the table and write it to RESULTS.md.

Each file runs in a process of its own, so that one's memory is not counted for another. `python -m benchmarks NAME`
runs one and writes nothing.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from benchmarks.measure import Row

BENCHMARKS = (
    "start",
    "overlap",
    "common_information",
    "capacity",
    "quantizer",
    "planning",
    "composition",
    "policies",
    "optimal",
    "microdata",
    "curator",
    "keys",
    "conditions",
    "functions",
    "opening",
    "ledger",
    "lifetime",
    "lab",
)
RESULTS = Path(__file__).with_name("RESULTS.md")
HEAD = "| what | noiseless | baseline | ratio | wanted |\n|---|---|---|---|---|\n"


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps([asdict(row) for row in import_module(f"benchmarks.{sys.argv[1]}").rows()]))
        return
    rows = []
    for name in BENCHMARKS:
        print(f"measuring {name} …", file=sys.stderr)
        told = subprocess.run([sys.executable, "-m", "benchmarks", name], stdout=subprocess.PIPE, text=True, check=True)
        rows += [Row(**fields) for fields in json.loads(told.stdout)]
    table = HEAD + "".join(row.line() + "\n" for row in rows)
    where = machine("numpy", "scipy", "duckdb")
    RESULTS.write_text(f"# Results\n\nMade by `make bench`, all in one run.\n\n{where}\n\n{table}", encoding="utf-8")
    print(table)


def machine(*names: str) -> str:
    """When and on what it was measured, with the versions of the libraries that matter."""
    libraries = ", ".join(f"{name} {version(name)}" for name in names)
    today = datetime.now(UTC).date()
    return f"{today}; {os.cpu_count()} cores, {platform.machine()}; Python {platform.python_version()}, {libraries}."


if __name__ == "__main__":
    main()
