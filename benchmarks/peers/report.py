"""PEERS.md and its picture, from what the peers told."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from math import inf
from typing import Any

from benchmarks.measure import shown
from benchmarks.peers.peer import BASELINES, Peer
from benchmarks.plot import log_log

HEAD = """| who | version | setting | load | first | seconds | to the file | to memory | memory | error |
|---|---|---|---|---|---|---|---|---|---|
"""
INTRODUCTION = """Made by `make bench-peers`, all in one run: the mean height for each of ten public regions, heights
bounded by 100 and 250, one row per person. *load* is what comes before the first question, *first* is that question,
*seconds* the best of three, *to the file* the ratio of that to the baseline, raw DuckDB on the same parquet file,
and *to memory* the ratio to raw DuckDB on a table of its own in memory. *memory* is the peak of the process. *error* is
the largest distance from a true mean, over ten regions and three runs."""
COMPARABLE = """## What can be compared

Seconds and memory can: everybody reads the same file and ends with ten plain numbers. Those of noiseless include
parsing, pricing, accounting and certifying. Others keep their data elsewhere: OpenDP reads the file again for each
question, and most of its time on smaller tables does not grow with them;
SmartNoise SQL asks SQLite; PipelineDP and Tumult Analytics are made for clusters, and here have one machine. The memory
of Tumult Analytics is that of Python and of the JVM together.

Privacy cannot: an ε is not a bit. ε = 1 bounds how much likelier a random answer becomes through one person's data; 1
bit means that one person's data can switch between 2 answers, and nothing is random. Neither implies the other, and no
exchange rate is meant. noiseless and diffprivlib take the sizes of the groups as public; the others protect these too.

So errors are the price of different promises. That of noiseless is certain: the truth is in the interval, always. The
others' is what was seen; another run may be further off."""


@dataclass(frozen=True)
class Found:
    """What a peer told of a table of so many rows, or why it is skipped there, and how far from the truth it was."""

    peer: Peer
    rows: int
    told: dict[str, Any]
    error: float = 0.0


def error(told: dict[str, Any], truth: dict[str, float]) -> float:
    """The largest distance from the truth over all keys and runs; infinite where a key is missing."""
    return float(max(abs(answer.get(key, inf) - mean) for answer in told["answers"] for key, mean in truth.items()))


def tables(found: list[Found]) -> str:
    """One table for each size."""
    sizes = sorted({each.rows for each in found})
    return "\n".join(_table(rows, [each for each in found if each.rows == rows]) for rows in sizes)


def page(found: list[Found], machine: str) -> str:
    skipped = {f"{each.peer.name}, {each.rows:,} rows: {each.told['skipped']}" for each in found if _skipped(each)}
    below = "\n".join(f"- {line}" for line in sorted(skipped)) or "- nobody"
    parts = ["# Peers", INTRODUCTION, machine, "![seconds against rows](../docs/pictures/peers.svg)"]
    return "\n\n".join([*parts, tables(found), COMPARABLE, f"## Skipped\n\n{below}\n"])


def picture(found: list[Found]) -> str:
    curves: dict[str, list[tuple[float, float]]] = {each.peer.name: [] for each in found}
    for each in found:
        if not _skipped(each):
            curves[each.peer.name].append((each.rows, each.told["seconds"]))
    return log_log(curves, "rows", "seconds", "The mean for each of ten groups, once the table is loaded")


def _skipped(each: Found) -> bool:
    return "skipped" in each.told


def _table(rows: int, found: list[Found]) -> str:
    seconds = {each.peer: each.told.get("seconds") for each in found}
    baselines = [seconds.get(peer) for peer in BASELINES]
    return f"## {rows:,} rows\n\n{HEAD}" + "".join(_line(each, baselines) for each in found)


def _line(each: Found, baselines: list[float | None]) -> str:
    told = each.told
    if _skipped(each):
        return f"| {each.peer.name} | | skipped: {told['skipped'].replace('|', '/')} | | | | | | | |\n"
    cells = [
        each.peer.name,
        told["version"],
        told["setting"],
        *(shown(told[name]) for name in ("load", "first", "seconds")),
        *(_ratio(told["seconds"] / baseline) if baseline else "" for baseline in baselines),
        f"{told['memory']:.0f} MiB",
        _error(each),
    ]
    return f"| {' | '.join(cells)} |\n"


def _ratio(number: float) -> str:
    return f"{number:,.0f}×" if number >= 10 else f"{number:.2g}×"


def _error(each: Found) -> str:
    if not each.peer.private:
        return "0"
    if "certain" not in each.told:
        return f"{each.error:.2g}, no certain bound"
    bound = Context(prec=2, rounding=ROUND_CEILING).create_decimal(each.told["certain"])
    return f"{each.error:.2g}, certainly ≤ {bound}"
