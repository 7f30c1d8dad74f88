"""What every peer's script does: load, ask three times, tell. Imports nothing that some environment may lack."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

LOW, HIGH, EPSILON = 100.0, 250.0, 1.0
KEYS = [f"r{number}" for number in range(10)]
QUESTION = "SELECT region, AVG(height) FROM people GROUP BY region"
RUNS = 3

Loaded = TypeVar("Loaded")


def asked(load: Callable[[str], Loaded], ask: Callable[[Loaded], dict[str, float]]) -> dict[str, Any]:
    """Seconds to load the file that the command names and to ask, the peak of memory in MiB, and every run's answers.

    Asking starts from what loading returns, and is over when the ten means are plain numbers.
    """
    start = time.perf_counter()
    loaded = load(sys.argv[1])
    load_seconds = time.perf_counter() - start
    times, answers = [], []
    for _ in range(RUNS):
        start = time.perf_counter()
        answer = ask(loaded)
        times.append(time.perf_counter() - start)
        answers.append({str(key): float(mean) for key, mean in answer.items()})
    memory = peak_mib()
    return {"load": load_seconds, "first": times[0], "seconds": min(times), "memory": memory, "answers": answers}


def peak_mib() -> float:
    """The most memory that this process has held, and all that it has started: a JVM too.

    Linux counts in ru_maxrss what the parent held when it forked, so that it serves only where there is no /proc.
    """
    if Path("/proc/self/status").exists():
        return _family_mib(os.getpid())
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _family_mib(process: int) -> float:
    about = Path(f"/proc/{process}")
    try:
        status = (about / "status").read_text()
        started = {int(child) for thread in about.glob("task/*/children") for child in thread.read_text().split()}
    except OSError:
        return 0.0  # a child that has just ended
    peak = next((line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")), "0")
    return int(peak) / 1024 + sum(map(_family_mib, started))
