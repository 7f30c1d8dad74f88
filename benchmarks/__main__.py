"""Run benchmarks and write them to RESULTS.md, a section for each file.

`python -m benchmarks` runs all, and `python -m benchmarks NAME …` some: the other sections stay as they are. Each file
runs in a process of its own, so that one's memory is not counted for another. With `--processor` before the names, the
times are those of the processor, of all threads together and without waits: for a machine that others load.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from benchmarks.measure import PROCESSOR, Row

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
    "question",
    "keys",
    "conditions",
    "functions",
    "cells",
    "opening",
    "ledger",
    "service",
    "console",
    "lifetime",
    "lab",
    "deducing",
    "survey",
)
RESULTS = Path(__file__).with_name("RESULTS.md")
TITLE = """# Results

Made by `make bench`, each section in one run; `python -m benchmarks NAME` makes one again. A ratio has both its sides
from the same run. A time is that of an idle machine only if the load before its section was near 0. "Processor time" is
that of all threads together, without waits for the disk or for others.
"""
HEAD = "| what | noiseless | baseline | ratio | wanted |\n|---|---|---|---|---|\n"


def main() -> None:
    match sys.argv[1:]:
        case ["--rows", name]:
            print(json.dumps([asdict(row) for row in import_module(f"benchmarks.{name}").rows()]))
        case [*names]:
            if names[:1] == ["--processor"]:
                os.environ[PROCESSOR] = names.pop(0)
            for name in names or BENCHMARKS:
                print(f"measuring {name} …", file=sys.stderr)
                sections = read(RESULTS.read_text(encoding="utf-8")) | {name: _measured(name)}
                RESULTS.write_text(written(sections), encoding="utf-8")


def _measured(name: str) -> str:
    """The section of a benchmark, with what else the machine had to do before it began."""
    where, others = machine("numpy", "scipy", "duckdb"), os.getloadavg()[0]
    command = [sys.executable, "-m", "benchmarks", "--rows", name]
    measured = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    table = HEAD + "".join(Row(**fields).line() + "\n" for fields in json.loads(measured))
    print(table)
    clock = " Processor time." if PROCESSOR in os.environ else ""
    return f"{where} Load before: {others:.1f}.{clock}\n\n{table}"


def read(page: str) -> dict[str, str]:
    """The sections of a page by their names."""
    found = re.findall(r"^## (\w+)\n\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    return {name: text.rstrip("\n") + "\n" for name, text in found}


def written(sections: Mapping[str, str]) -> str:
    """The page of these sections, in the order of the benchmarks."""
    return TITLE + "".join(f"\n## {name}\n\n{sections[name]}" for name in BENCHMARKS if name in sections)


def machine(*names: str) -> str:
    """When and on what it was measured, with the versions of the libraries that matter."""
    libraries = ", ".join(f"{name} {version(name)}" for name in names)
    today = datetime.now(UTC).date()
    return f"{today}; {os.cpu_count()} cores, {platform.machine()}; Python {platform.python_version()}, {libraries}."


if __name__ == "__main__":
    main()
