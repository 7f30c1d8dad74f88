"""IBM's diffprivlib: its mean of one array, for each group of a pandas dataframe."""

from __future__ import annotations

import json

import diffprivlib
import pandas as pd

from benchmarks.peers.asked import EPSILON, HIGH, LOW, asked


def load(path: str) -> pd.DataFrame:
    return pd.read_parquet(path, columns=["region", "height"])


def ask(people: pd.DataFrame) -> dict[str, float]:
    """The groups are disjoint, so that each may have the whole epsilon."""
    return {
        region: diffprivlib.tools.mean(heights.to_numpy(), epsilon=EPSILON, bounds=(LOW, HIGH))
        for region, heights in people.groupby("region")["height"]
    }


if __name__ == "__main__":
    setting = "ε = 1, pure; truncated Laplace noise on means, sizes of groups taken as public"
    print(json.dumps(asked(load, ask) | {"version": diffprivlib.__version__, "setting": setting}))
