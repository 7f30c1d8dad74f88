"""Tumult Analytics on a local Spark, over a dataframe that Spark keeps in memory. Needs Java 17."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

import pyspark.sql
from tmlt.analytics import AddOneRow, KeySet, PureDPBudget, QueryBuilder, Session

from benchmarks.peers.asked import EPSILON, HIGH, KEYS, LOW, asked

QUERY = QueryBuilder("people").groupby(KeySet.from_dict({"region": KEYS})).average("height", LOW, HIGH, name="mean")


def load(path: str) -> pyspark.sql.DataFrame:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings: dict[str, bool | float | int | str | None] = {
        "spark.ui.enabled": False,
        "spark.sql.shuffle.partitions": os.cpu_count(),
        "spark.sql.warehouse.dir": str(Path(path).with_name("warehouse")),
    }
    spark = pyspark.sql.SparkSession.builder.master("local[*]").config(map=settings).getOrCreate()
    people = spark.read.parquet(path).select("region", "height").cache()
    people.count()
    return people


def ask(people: pyspark.sql.DataFrame) -> dict[str, float]:
    """A session holds a budget, and this question takes all of it."""
    budget = PureDPBudget(EPSILON)
    session = Session.from_dataframe(budget, "people", people, protected_change=AddOneRow())
    return {row["region"]: row["mean"] for row in session.evaluate(QUERY, budget).collect()}


if __name__ == "__main__":
    setting = "ε = 1, pure; Laplace noise on centred sums and sizes of groups"
    print(json.dumps(asked(load, ask) | {"version": version("tmlt.analytics"), "setting": setting}))
    pyspark.sql.SparkSession.active().stop()
