"""OpenDP's Context API over a lazy polars frame of the file; one in memory would be serialised for every question."""

from __future__ import annotations

import json
from importlib.metadata import version

import opendp.prelude as dp
import polars as pl

from benchmarks.peers.asked import EPSILON, HIGH, KEYS, LOW, asked

dp.enable_features("contrib")


def load(path: str) -> tuple[pl.LazyFrame, int]:
    """The frame, and a public bound on the size of a group: that of the table."""
    people = pl.scan_parquet(path).select("region", "height")
    return people, people.select(pl.len()).collect().item()


def ask(loaded: tuple[pl.LazyFrame, int]) -> dict[str, float]:
    people, rows = loaded
    context = dp.Context.compositor(
        data=people,
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=EPSILON),
        split_evenly_over=1,
        margins=[dp.polars.Margin(by=["region"], invariant="keys", max_length=rows, max_groups=len(KEYS))],
    )
    query = context.query().group_by("region").agg(pl.col("height").dp.mean((LOW, HIGH)))  # type: ignore[attr-defined]
    return dict(query.release().collect().iter_rows())


if __name__ == "__main__":
    setting = "ε = 1, pure; Laplace noise on sums and sizes of groups"
    print(json.dumps(asked(load, ask) | {"version": version("opendp"), "setting": setting}))
