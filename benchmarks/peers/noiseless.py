"""noiseless, end to end: SQL to certified answers, with codes prepared when the table is opened or made in flight."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version

import noiseless as nl
from benchmarks.peers.asked import QUESTION, asked
from benchmarks.people import SCHEMA, fresh

half_widths: list[float] = []


def prepared(path: str) -> nl.Curator:
    return nl.Curator.open(path, SCHEMA, 100, table="people")


def flight(path: str) -> nl.Curator:
    return nl.Curator.open(path, SCHEMA, 100, table="people", prepare=False)


def ask(curator: nl.Curator) -> dict[str, float]:
    """On a fresh account each time: what was asked before is free, and no measure of anything."""
    rows = fresh(curator).ask(QUESTION, bits=1).rows
    half_widths.extend(float(row.upper - row.lower) / 2 for row in rows)
    return {str(row["region"]): float(row.value) for row in rows}


if __name__ == "__main__":
    told = asked({"prepared": prepared, "flight": flight}[sys.argv[2]], ask)
    setting = "1 bit: 2 answers per person, no noise"
    print(json.dumps(told | {"version": version("noiseless"), "setting": setting, "certain": max(half_widths)}))
