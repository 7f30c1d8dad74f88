"""Maximin information against dit's Gács–Körner common information on the same random joint ranges.

dit measures the Shannon entropy of the common part, so every block is given the same probability: then both are the
logarithm of the number of blocks. dit lives in `.venv/peers/general` and is run there by `peer_dit.py`.
"""

from __future__ import annotations

import json

import numpy as np

import noiseless as nl
from benchmarks.measure import TIME_LIMIT, Row, compared, peer, seconds, shown


def rows() -> list[Row]:
    return [_row(symbols) for symbols in (16, 18, 20)]


def _row(symbols: int) -> Row:
    what = f"maximin information, random joint range of {symbols} symbols"
    space = nl.Space(random_joint_range(symbols))
    x, y = space["X"], space["Y"]
    ours, bits = seconds(lambda: nl.maximin_information(x, y)), nl.maximin_information(x, y).bits
    blocks = nl.taxicab_partition(x, y)
    weights = {"".join(pair): 1 / len(blocks) / len(block) for block in blocks for pair in block}  # type: ignore[arg-type]
    answer = peer("peer_dit.py", json.dumps(weights))
    if answer is None:
        return Row(what, shown(ours), f"dit did not run here within {TIME_LIMIT} s", "", "faster")
    verdict = "same value" if abs(answer["bits"] - bits) < 1e-6 else f"DISAGREES: {answer['bits']} and {bits}"
    return compared(what, ours, answer["seconds"], f"dit {answer['version']}, {verdict}", "faster")


def random_joint_range(symbols: int) -> dict[str, list[str]]:
    """As many pairs as symbols, so that several blocks remain."""
    generator = np.random.default_rng(symbols)
    letters = [chr(ord("a") + place) for place in range(symbols)]
    places = generator.integers(0, symbols, (2, symbols))
    return {name: [letters[place] for place in row] for name, row in zip("XY", places, strict=True)}
