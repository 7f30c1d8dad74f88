"""Accounting for large batches, and a step of a long sequence."""

from __future__ import annotations

import noiseless as nl
from benchmarks.measure import Row, compared, seconds, shown

RELEASES, STEPS = 10_000, 10_000


def rows() -> list[Row]:
    mechanisms = [nl.calibrate(nl.Mean(1000 + k, 0, 60), bits=1) for k in range(RELEASES)]
    columns = [f"column {k % 20}" for k in range(RELEASES)]
    one = nl.Batch([nl.Release.of(m, "kWh") for m in mechanisms])
    many = nl.Batch(
        [nl.Release.of(m, c, groups=[k % 50]) for k, (m, c) in enumerate(zip(mechanisms, columns, strict=True))]
    )
    question = nl.PlainSum("kWh", 600, 1000, 600)
    fresh = nl.Sequence.start({"kWh": 601}, bits=10_000)
    long = fresh
    for step in range(STEPS):
        long = long.ask(nl.Repeat() if step % 10 == 0 else question).after
    first, last = (seconds(lambda s=s: [s.ask(question) for _ in range(100)]) / 100 for s in (fresh, long))  # type: ignore[misc]
    return [
        Row("account for 10,000 releases of one column", shown(seconds(one.account)), "", "", "< 1 s"),
        Row("account for 10,000 releases, 20 columns, 50 groups", shown(seconds(many.account)), "", "", "< 1 s"),
        compared("a step of a sequence after 10,000 steps", last, first, "the first step", "< 50 µs"),
    ]
