"""Raw polars, on a dataframe in memory."""

from __future__ import annotations

import json

import polars as pl

from benchmarks.peers.asked import asked


def load(path: str) -> pl.DataFrame:
    return pl.read_parquet(path, columns=["region", "height"])


def ask(people: pl.DataFrame) -> dict[str, float]:
    return dict(people.group_by("region").agg(pl.mean("height")).iter_rows())


if __name__ == "__main__":
    print(json.dumps(asked(load, ask) | {"version": pl.__version__, "setting": "no privacy"}))
