"""pycanon's figures of a table: run in an environment of its own, with the task as JSON on standard input."""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def main() -> None:
    import pandas
    from pycanon import anonymity

    task = json.load(sys.stdin)
    read = pandas.read_parquet if task["table"].endswith(".parquet") else pandas.read_csv
    data = read(task["table"])
    known, wanted = task["quasi"], [task["sensitive"]]
    figures: dict[str, Any] = {}
    measures = {
        "k": lambda: anonymity.k_anonymity(data, known),
        "l": lambda: anonymity.l_diversity(data, known, wanted),
        "entropy l": lambda: anonymity.entropy_l_diversity(data, known, wanted),
        "t": lambda: anonymity.t_closeness(data, known, wanted),
    }
    for name in task["figures"]:
        start = time.perf_counter()
        figures[name] = float(measures[name]())
        figures[f"{name} seconds"] = time.perf_counter() - start
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
