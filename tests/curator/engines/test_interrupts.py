"""Ctrl-C while the database works is Ctrl-C, not a failure of the database; and the curator goes on."""

from __future__ import annotations

import subprocess
import sys

INTERRUPTED = """
import os, signal, threading
import pyarrow as pa
import noiseless as nl

curator = nl.Curator.open(pa.table({"x": [1, 2, 3]}), nl.Schema(x=nl.Integer(0, 9)), budget=9, table="t")
try:
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    run = curator._dataset.engine.run
    run("SELECT COUNT(*) FROM range(1000000) a, range(1000000) b WHERE sqrt(a.range) < sin(b.range)")
except BaseException as stopped:
    print(type(stopped).__name__, stopped.__cause__, stopped.__context__)
print(curator.ask("SELECT COUNT(*) FROM t WHERE x > 1").rows[0].value, curator.remaining)
"""


def test_an_interrupted_statement():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines() == ["KeyboardInterrupt None None", "2 8.0"]
