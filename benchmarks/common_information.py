"""Maximin information against dit's Gács–Körner common information on the same random joint ranges.

The two agree on the number of blocks of a joint range, whatever the probabilities. dit lives in `.venv/peers` and is run
there by `peer_dit.py`.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np

import noiseless as nl
from benchmarks.measure import Row, compared, seconds

PEERS = Path(".venv/peers/bin/python")
TIME_LIMIT = 300


def rows() -> list[Row]:
    return [_row(symbols) for symbols in (16, 18, 20)]


def _row(symbols: int) -> Row:
    what = f"maximin information, random joint range of {symbols} symbols"
    pairs = random_joint_range(symbols)
    space = nl.Space([{"X": x, "Y": y} for x, y in pairs])
    ours = seconds(lambda: nl.maximin_information(space["X"], space["Y"]))
    try:
        told = subprocess.run(
            [PEERS, "benchmarks/peer_dit.py"],
            input=json.dumps(pairs), capture_output=True, text=True, timeout=TIME_LIMIT, check=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return compared(what, ours, TIME_LIMIT, "dit, stopped: more than", "faster")
    except (OSError, subprocess.CalledProcessError):
        return Row(what, f"{1000 * ours:.3g} ms", "dit could not be installed", "", "faster")
    answer = json.loads(told.stdout)
    bits = nl.maximin_information(space["X"], space["Y"]).bits
    agree = "" if abs(answer["bits"] - bits) < 1e-6 else f", DISAGREES: {answer['bits']} and {bits}"
    return compared(what, ours, answer["seconds"], f"dit {answer['version']}{agree}", "faster")


def random_joint_range(symbols: int) -> list[tuple[str, str]]:
    """As many pairs as symbols, so that several blocks remain."""
    generator = np.random.default_rng(symbols)
    letters = [chr(ord("a") + place) for place in range(symbols)]
    pairs = {(letters[x], letters[y]) for x, y in generator.integers(0, symbols, (symbols, 2))}
    return sorted(pairs)
