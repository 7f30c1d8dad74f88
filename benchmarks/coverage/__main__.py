"""Ask the two hundred questions here and of SmartNoise SQL, and write docs/sql_coverage.md.

SmartNoise SQL runs in an environment of its own, which is made on first use.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.coverage import tables
from benchmarks.coverage.page import Asked, page
from benchmarks.coverage.verdict import verdicts
from benchmarks.peers import environment

ROOT = Path(__file__).parents[2]
LIMIT = 1800
"""Seconds that SmartNoise SQL may take for the questions about one schema."""


def main() -> None:
    asked: list[Asked] = []
    version = ""
    for schema in tables.SCHEMAS:
        print(f"asking about {schema} …", file=sys.stderr)
        told = _smartnoise(schema)
        version = told["version"]
        asked += [
            Asked(verdict, each.get("refused", ""))
            for verdict, each in zip(verdicts(schema), told["questions"], strict=True)
        ]
    (ROOT / "docs" / "sql_coverage.md").write_text(page(asked, version), encoding="utf-8")
    print(f"{sum(each.ours.accepted for each in asked)} of {len(asked)} accepted; see docs/sql_coverage.md")


def _smartnoise(schema: str) -> dict[str, Any]:
    script = Path(__file__).with_name("smartnoise.py")
    with tempfile.TemporaryDirectory() as folder:
        tables.write(schema, Path(folder))
        told = subprocess.run(
            [environment.python("smartnoise"), "-W", "ignore", script, folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=LIMIT,
            check=True,
        )
    found: dict[str, Any] = json.loads(told.stdout)
    return found


if __name__ == "__main__":
    main()
