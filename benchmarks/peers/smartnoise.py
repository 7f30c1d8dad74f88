"""SmartNoise SQL over a pandas dataframe, which it copies into an SQLite database in memory."""

from __future__ import annotations

import json
from importlib.metadata import version

import pandas as pd
import snsql

from benchmarks.peers.asked import EPSILON, HIGH, LOW, asked

PARTS = 2
"""It spends its epsilon on the sum and on the size of a group, each."""
QUESTION = "SELECT region, AVG(height) AS mean FROM public.people GROUP BY region"
COLUMNS = {"region": {"type": "string"}, "height": {"type": "float", "lower": LOW, "upper": HIGH}}
METADATA = {"": {"public": {"people": {"row_privacy": True, "censor_dims": False, **COLUMNS}}}}


def load(path: str) -> snsql.PrivateReader:
    people = pd.read_parquet(path, columns=["region", "height"])
    reader = snsql.from_df(people, privacy=snsql.Privacy(epsilon=EPSILON / PARTS, delta=0), metadata=METADATA)
    epsilon, _ = reader.get_privacy_cost(QUESTION)
    if epsilon > EPSILON:
        raise ValueError(f"epsilon={epsilon} in total; {EPSILON} is what everybody gets")
    return reader


def ask(reader: snsql.PrivateReader) -> dict[str, float]:
    _, *rows = reader.execute(QUESTION)
    return dict(rows)


if __name__ == "__main__":
    setting = "ε = 1, pure; Laplace noise on sums and sizes of groups"
    print(json.dumps(asked(load, ask) | {"version": version("smartnoise-sql"), "setting": setting}))
