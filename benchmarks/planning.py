"""Calibrate and certify do not depend on the number of people."""

from __future__ import annotations

from collections.abc import Callable

import noiseless as nl
from benchmarks.measure import Row, compared, seconds

BILLION, TEN = 10**9, 10
CALLS = 100


def rows() -> list[Row]:
    tasks: dict[str, Callable[[int], object]] = {
        "calibrate a mean on an interval": lambda n: nl.calibrate(nl.Mean(n, 0, 60), bits=3),
        "calibrate a sum of codes": lambda n: nl.calibrate(nl.Sum(n, domain=nl.Codes(600)), bits=3),
        "calibrate a variance of codes": lambda n: nl.calibrate(nl.Variance(n, domain=nl.Codes(600)), bits=3),
        "certify a mean on an interval": lambda n: nl.certify(nl.Quantizer(0, 60, 7 * n), nl.Mean(n, 0, 60)),
        "certify a sum of codes, uneven to the grid": lambda n: nl.certify(
            nl.Quantizer(0, 600 * n, 7 * n + 1), nl.Sum(n, domain=nl.Codes(600))
        ),
        "calibrate a histogram": lambda n: nl.calibrate(nl.Histogram(n, range(20)), bits=3),
    }
    return [
        compared(f"{name}, 10^9 people", _one(task, BILLION), _one(task, TEN), "10 people", "< 1 ms")
        for name, task in tasks.items()
    ]


def _one(task: Callable[[int], object], n: int) -> float:
    def many() -> None:
        for _ in range(CALLS):
            task(n)

    return seconds(many) / CALLS
