"""One measurement: our seconds, the baseline's seconds, their ratio, and what was wanted."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PEERS = Path(".venv/peers/general/bin/python")
TIME_LIMIT = 300
PROCESSOR = "NOISELESS_BENCH_PROCESSOR"
"""Set: seconds of the processor are measured, because others load the machine."""


@dataclass(frozen=True)
class Row:
    """A line of the results. `wanted` is the promise in words; it is reported, never asserted."""

    what: str
    ours: str
    baseline: str
    ratio: str
    wanted: str

    def line(self) -> str:
        return f"| {self.what} | {self.ours} | {self.baseline} | {self.ratio} | {self.wanted} |"


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """The least time of several runs: what the work costs when the machine leaves it alone."""
    clock = processor if PROCESSOR in os.environ else time.perf_counter
    times = []
    for _ in range(repeat):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


def processor() -> float:
    """The processor's time of this process, with all its threads, and of what it started and waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def compared(what: str, ours: float, baseline: float, name: str, wanted: str) -> Row:
    return Row(what, shown(ours), f"{shown(baseline)} ({name})", f"{ours / baseline:.2g}×", wanted)


def shown(time_taken: float) -> str:
    return f"{time_taken:.2f} s" if time_taken >= 1 else f"{1000 * time_taken:.3g} ms"


def peak_gib() -> float:
    """The most memory this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def peer(script: str, task: str) -> dict[str, Any] | None:
    """What a script of the peers' environment tells, or None if it did not run there within the time limit."""
    command = [PEERS, Path(__file__).with_name(script)]
    try:
        told = subprocess.run(command, input=task, capture_output=True, text=True, timeout=TIME_LIMIT, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    answer: dict[str, Any] = json.loads(told.stdout)
    return answer
