"""A table, and what pycanon finds in it: `python -m tests.curator.audit.pycanon` asks it anew, and writes that down."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from benchmarks.peers import environment

FOUND = Path(__file__).with_suffix(".json")
QUASI = ["age", "sex", "region"]
SENSITIVE = ["income", "ill"]
ILL = ["flu", "asthma", "fracture", *["none"] * 7]


def table() -> pd.DataFrame:
    """Three thousand people; only `random()` is the same in every version of Python."""
    draw = random.Random(11).random
    return pd.DataFrame(
        {
            "age": [20 + 10 * int(6 * draw()) for _ in range(3000)],
            "sex": ["fm"[int(2 * draw())] for _ in range(3000)],
            "region": [int(9 * draw()) for _ in range(3000)],
            "income": [1000 * int(40 * draw()) for _ in range(3000)],
            "ill": [ILL[int(10 * draw())] for _ in range(3000)],
        }
    )


def main() -> None:
    """Write down what pycanon finds."""
    command = [environment.python("pycanon"), "-P", "benchmarks/peers/pycanon.py"]
    figures, found = ["k", "l", "entropy l", "t"], {}
    with TemporaryDirectory() as folder:
        table().to_csv(f"{folder}/table.csv", index=False)
        for sensitive in SENSITIVE:
            task = {"table": f"{folder}/table.csv", "quasi": QUASI, "sensitive": sensitive, "figures": figures}
            done = subprocess.run(command, input=json.dumps(task), stdout=subprocess.PIPE, text=True, check=True)
            found[sensitive] = {name: value for name, value in json.loads(done.stdout).items() if name in figures}
    FOUND.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
