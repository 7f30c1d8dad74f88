"""One measurement: our seconds, the baseline's seconds, their ratio, and what was wanted."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass


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
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def compared(what: str, ours: float, baseline: float, name: str, wanted: str) -> Row:
    return Row(what, shown(ours), f"{shown(baseline)} ({name})", f"{ours / baseline:.2g}×", wanted)


def shown(time_taken: float) -> str:
    return f"{time_taken:.2f} s" if time_taken >= 1 else f"{1000 * time_taken:.3g} ms"


def peak_gib() -> float:
    """The most memory this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
