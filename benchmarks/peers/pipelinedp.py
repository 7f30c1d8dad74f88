"""PipelineDP on its local backend: a list of rows in Python, gone through one by one."""

from __future__ import annotations

import json
from importlib.metadata import version

import pipeline_dp
import pyarrow.parquet

from benchmarks.peers.asked import EPSILON, HIGH, KEYS, LOW, asked

Person = tuple[str, float]
EXTRACTORS = pipeline_dp.DataExtractors(
    partition_extractor=lambda row: row[0],
    value_extractor=lambda row: row[1],
)
PARAMETERS = pipeline_dp.AggregateParams(
    metrics=[pipeline_dp.Metrics.MEAN],
    noise_kind=pipeline_dp.NoiseKind.LAPLACE,
    max_partitions_contributed=1,
    max_contributions_per_partition=1,
    min_value=LOW,
    max_value=HIGH,
    contribution_bounds_already_enforced=True,
)


def load(path: str) -> list[Person]:
    table = pyarrow.parquet.read_table(path)
    return list(zip(table["region"].to_pylist(), table["height"].to_pylist(), strict=True))


def ask(people: list[Person]) -> dict[str, float]:
    accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=EPSILON, total_delta=0)
    engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
    means = engine.aggregate(people, PARAMETERS, EXTRACTORS, public_partitions=KEYS)
    accountant.compute_budgets()
    return {key: mean.mean for key, mean in means}


if __name__ == "__main__":
    setting = "ε = 1, pure; Laplace noise on centred sums and sizes of groups"
    print(json.dumps(asked(load, ask) | {"version": version("pipeline-dp"), "setting": setting}))
