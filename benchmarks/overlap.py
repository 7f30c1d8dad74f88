"""The overlap partition on 10,000,000 samples against scipy on the same integers; coding measured apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import noiseless as nl
from benchmarks.measure import Row, compared, peak_gib, seconds, shown

SAMPLES = 10_000_000


def rows() -> list[Row]:
    generator = np.random.default_rng(0)
    results: list[Row] = []
    for symbols in (1_000, 100_000, 5_000_000):
        raw = {name: generator.integers(0, symbols, SAMPLES) for name in "XY"}
        results += _rows(f"{symbols:,} symbols each", raw)
    results += _rows("already in order", {"X": np.arange(SAMPLES), "Y": np.arange(SAMPLES) // 2})
    texts = np.array(["north", "east", "south", "west"])[generator.integers(0, 4, SAMPLES)].astype(object)
    results.append(Row("… coding one column of texts", shown(seconds(lambda: nl.Space({"X": texts}), 1)), "", "", ""))
    results.append(Row("… memory held at the most, all of this", f"{peak_gib():.2f} GiB", "", "", "< 4 GiB"))
    return results


def _rows(what: str, raw: dict[str, Any]) -> list[Row]:
    coding = seconds(lambda: nl.Space(raw), repeat=1)
    space = nl.Space(raw)
    x, y = space["X"], space["Y"]
    ours, theirs = seconds(lambda: nl.overlap_partition(x, y)), seconds(lambda: by_scipy(x, y))
    assert len(nl.overlap_partition(x, y)) == by_scipy(x, y)
    name = f"overlap partition, 10^7 samples, {what}"
    return [
        compared(name, ours, theirs, "scipy graph + connected_components", "≤ 2×"),
        Row("… coding its two raw columns", shown(coding), "", "", "measured apart"),
    ]


def by_scipy(x: nl.Variable, y: nl.Variable) -> int:
    nodes = x.size + y.size
    entries = np.ones(len(x.codes), dtype=bool)
    graph = coo_array((entries, (x.codes, x.size + y.codes)), shape=(nodes, nodes)).tocsr()
    count, _ = connected_components(graph, directed=False)
    return int(count)
