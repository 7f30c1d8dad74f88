"""The overlap partition on 10,000,000 samples against scipy on the same integers; coding measured apart."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import noiseless as nl
from benchmarks.measure import Row, compared, peak_gib, seconds, shown

SAMPLES = 10_000_000


def rows() -> list[Row]:
    results = []
    generator = np.random.default_rng(0)
    for symbols in (1_000, 100_000, 5_000_000):
        raw = {name: generator.integers(0, symbols, SAMPLES) for name in "XY"}
        coding = seconds(lambda raw=raw: nl.Space(raw), repeat=1)  # type: ignore[misc]
        space = nl.Space(raw)
        x, y = space["X"], space["Y"]
        results.append(
            compared(
                f"overlap partition, 10^7 samples, {symbols:,} symbols each",
                seconds(lambda x=x, y=y: nl.overlap_partition(x, y)),  # type: ignore[misc]
                seconds(lambda x=x, y=y: by_scipy(x, y)),  # type: ignore[misc]
                "scipy graph + connected_components",
                "≤ 2×",
            )
        )
        results.append(
            Row(f"… coding the two raw columns, {symbols:,} symbols", shown(coding), "", "", "measured apart")
        )
    texts = np.array(["north", "east", "south", "west"])[generator.integers(0, 4, SAMPLES)].astype(object)
    results.append(Row("… coding one column of texts", shown(seconds(lambda: nl.Space({"X": texts}), 1)), "", "", ""))
    results.append(Row("… memory held at the most, all of this", f"{peak_gib():.2f} GiB", "", "", "< 4 GiB"))
    return results


def by_scipy(x: nl.Variable, y: nl.Variable) -> int:
    nodes = x.size + y.size
    entries = np.ones(len(x.codes), dtype=bool)
    graph = coo_array((entries, (x.codes, x.size + y.codes)), shape=(nodes, nodes)).tocsr()
    count, _ = connected_components(graph, directed=False)
    return int(count)
