"""Counts for Prometheus, in its text format. They hold nothing private."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from threading import Lock
from typing import Any

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper ends, in seconds, of the ranges in which durations are counted."""
Key = tuple[str, str, str]
"""Method, route and status; the status is empty for durations."""


class Metrics:
    """What a process has counted. Those of several processes can be added."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._requests: Counter[Key] = Counter()
        self._ranges: dict[Key, list[float]] = {}
        """For each route: the number of durations up to each bound, their number, and their sum."""

    def count(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count a request, and how long it took if that may be known."""
        with self._lock:
            self._requests[method, route, str(status)] += 1
            if seconds is not None:
                found = self._ranges.setdefault((method, route, ""), [0.0] * (len(BOUNDS) + 2))
                _add(found, [float(seconds <= bound) for bound in BOUNDS] + [1.0, seconds])

    def fields(self) -> dict[str, Any]:
        """All counts, for other processes."""
        with self._lock:
            requests = [[*key, number] for key, number in self._requests.items()]
            return {"requests": requests, "ranges": [[*key, found] for key, found in self._ranges.items()]}

    def add(self, fields: dict[str, Any]) -> None:
        """Add the counts of another process."""
        for method, route, status, number in fields["requests"]:
            self._requests[method, route, status] += number
        for method, route, status, found in fields["ranges"]:
            _add(self._ranges.setdefault((method, route, status), [0.0] * len(found)), found)

    def lines(self) -> Iterator[str]:
        """The text format of Prometheus."""
        yield "# HELP noiseless_requests_total Requests by method, route and status."
        yield "# TYPE noiseless_requests_total counter"
        for (method, route, status), times in sorted(self._requests.items()):
            yield f'noiseless_requests_total{{method="{method}",route="{route}",status="{status}"}} {times}'
        yield "# HELP noiseless_request_seconds How long requests took that never read private data."
        yield "# TYPE noiseless_request_seconds histogram"
        for (method, route, _), found in sorted(self._ranges.items()):
            labels = f'method="{method}",route="{route}"'
            for bound, number in zip((*BOUNDS, "+Inf"), found, strict=False):
                yield f'noiseless_request_seconds_bucket{{{labels},le="{bound}"}} {number:.0f}'
            yield f"noiseless_request_seconds_count{{{labels}}} {found[-2]:.0f}"
            yield f"noiseless_request_seconds_sum{{{labels}}} {found[-1]:.6f}"


def _add(to: list[float], found: list[float]) -> None:
    to[:] = [one + other for one, other in zip(to, found, strict=True)]
