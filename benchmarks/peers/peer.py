"""A peer: a script that is run in an environment and tells what it measured."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Peer:
    """One line of a table. `script` is a module beside this one, `way` its second argument."""

    name: str
    script: str
    way: str = ""
    private: bool = True


PEERS = (
    Peer("DuckDB on the file", "duckdb", "parquet", private=False),
    Peer("DuckDB, table in memory", "duckdb", "table", private=False),
    Peer("polars", "polars", private=False),
    Peer("noiseless, prepared", "noiseless", "prepared"),
    Peer("noiseless, in flight", "noiseless", "flight"),
    Peer("OpenDP", "opendp"),
    Peer("diffprivlib", "diffprivlib"),
    Peer("SmartNoise SQL", "smartnoise"),
    Peer("PipelineDP", "pipelinedp"),
    Peer("Tumult Analytics", "tumult"),
)
BASELINES = PEERS[:2]
"""Raw DuckDB on the file that everybody reads, and on a table of its own in memory, which is slower if it is large."""


def run(peer: Peer, interpreter: Path, table: Path, limit: float) -> dict[str, Any]:
    """What the script tells of a table, or why it is skipped. What it started ends with it."""
    command = [str(interpreter), "-m", f"benchmarks.peers.{peer.script}", str(table), peer.way]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        try:
            out, said = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            return {"skipped": f"took more than {limit:g} s to load and ask three times", "slow": True}
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        return {"skipped": last_words(said)}
    told: dict[str, Any] = json.loads(out.splitlines()[-1])
    return told


def last_words(said: str) -> str:
    """The line in which a program says why it failed."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "failed without a word"
