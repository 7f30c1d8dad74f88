"""Exact bins of 10,000,000 floats against numpy, pandas, scikit-learn and a plain copy."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

import noiseless as nl
from benchmarks.measure import Row, compared, peer, seconds, shown

SAMPLES = 10_000_000
LOW, HIGH, LEVELS = 100, 250, 1200


def rows() -> list[Row]:
    values = np.random.default_rng(0).random(SAMPLES) * (HIGH - LOW) + LOW
    quantizer, edges = nl.Quantizer(LOW, HIGH, LEVELS), np.linspace(LOW, HIGH, LEVELS + 1)
    copy = np.empty_like(values)
    what = "exact bins of 10^7 floats, 1,200 levels"

    def against(name: str, theirs: float, wanted: str) -> Row:
        return compared(f"{what}, against {name}", ours, theirs, name, wanted)

    plain = seconds(lambda: np.copyto(copy, values), repeat=15)
    ours = seconds(lambda: quantizer.apply(values, output="index"), repeat=15)
    decimals = np.round(values, 1)
    on_edges = seconds(lambda: quantizer.apply(decimals, output="index"))
    midpoints = seconds(lambda: quantizer.apply(values))
    return [
        against("preallocated numpy copy", plain, "≤ 3×"),
        against("numpy.digitize", seconds(lambda: np.digitize(values, edges), 1), "≤ 0.2×"),
        against("pandas.cut", seconds(lambda: pd.cut(values, edges, labels=False, right=False), 1), "≤ 0.2×"),
        _against_scikit_learn(what, ours),
        compared(f"{what}, values with one decimal (many on edges)", on_edges, plain, "copy", ""),
        compared(f"{what}, midpoints as floats", midpoints, plain, "copy", ""),
    ]


def _against_scikit_learn(what: str, ours: float) -> Row:
    what = f"{what}, against KBinsDiscretizer"
    told = peer("peer_kbins.py", json.dumps({"samples": SAMPLES, "low": LOW, "high": HIGH, "levels": LEVELS}))
    if told is None:
        return Row(what, shown(ours), "scikit-learn did not run here", "", "≤ 0.2×")
    return compared(what, ours, told["seconds"], f"scikit-learn {told['version']}", "≤ 0.2×")
