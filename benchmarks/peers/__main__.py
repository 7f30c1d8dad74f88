"""Run every peer on tables of several sizes, print the tables and write PEERS.md and docs/pictures/peers.svg.

Each measurement is a process of its own. With --rows or --only, nothing is written.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from benchmarks.__main__ import machine
from benchmarks.peers import environment
from benchmarks.peers.peer import PEERS, Peer, last_words, run
from benchmarks.peers.report import Found, error, page, picture, tables
from benchmarks.people import write

ROWS = (10**5, 10**6, 10**7)
ROOT = Path(__file__).parents[2]


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", help="sizes of the tables (10^5, 10^6 and 10^7)")
    parser.add_argument("--only", nargs="+", choices=sorted({peer.script for peer in PEERS}), help="these peers")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each peer at each size (300)")
    given = parser.parse_args()
    peers = [peer for peer in PEERS if not given.only or peer.script in given.only]
    found = list(_found(peers, given.rows or ROWS, given.limit))
    print(tables(found))
    if not (given.rows or given.only):
        report = page(found, machine("noiseless", "duckdb", "polars", "numpy"))
        (ROOT / "benchmarks" / "PEERS.md").write_text(report, encoding="utf-8")
        (ROOT / "docs" / "pictures" / "peers.svg").write_text(picture(found), encoding="utf-8")


def _found(peers: list[Peer], sizes: tuple[int, ...], limit: float) -> Iterator[Found]:
    installed = {script: _installed(script) for script in dict.fromkeys(peer.script for peer in peers)}
    slow: set[Peer] = set()
    for rows in sorted(sizes):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "people.parquet"
            print(f"writing {rows:,} rows …", file=sys.stderr)
            truth = write(path, rows)
            for peer in peers:
                interpreter = installed[peer.script]
                if isinstance(interpreter, str):
                    yield Found(peer, rows, {"skipped": interpreter})
                elif peer in slow:
                    yield Found(peer, rows, {"skipped": "too slow for a smaller table already"})
                else:
                    print(f"measuring {peer.name}, {rows:,} rows …", file=sys.stderr)
                    told = run(peer, interpreter, path, limit)
                    slow |= {peer} if "slow" in told else set()
                    yield Found(peer, rows, told, 0.0 if "skipped" in told else error(told, truth))


def _installed(script: str) -> Path | str:
    """The interpreter of a peer, or why there is none."""
    try:
        return environment.python(script)
    except subprocess.CalledProcessError as failure:
        return f"cannot be installed: {last_words(failure.stderr)}"
    except (OSError, subprocess.TimeoutExpired) as failure:
        return f"cannot be installed: {failure}"


if __name__ == "__main__":
    main()
