"""How long it takes until something can be done: importing the package, asking for help."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.measure import Row, seconds, shown


def rows() -> list[Row]:
    bare = _run("pass")
    script = Path(sys.executable).with_name("noiseless")
    asked = seconds(lambda: subprocess.run([script, "--help"], check=True, capture_output=True), repeat=5)
    return [
        Row("import noiseless (beyond a bare python)", shown(_run("import noiseless") - bare), "", "", "< 150 ms"),
        Row("import noiseless; noiseless.Space", shown(_run("import noiseless; noiseless.Space") - bare), "", "", ""),
        Row("noiseless --help (whole command)", shown(asked), f"{shown(bare)} (bare python)", "", "< 300 ms"),
    ]


def _run(code: str) -> float:
    return seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True), repeat=5)
