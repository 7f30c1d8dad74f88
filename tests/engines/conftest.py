"""Every engine, with codes in flight and prepared."""

from __future__ import annotations

import os

import pytest

from tests.engines.ways import JAVA, DuckDB, Postgres, Spark

KINDS = [f"{engine} {how}" for engine in ("duckdb", "postgres", "spark") for how in ("in flight", "prepared")]


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """A real Spark in this process's own Java."""
    if not JAVA:
        pytest.skip("Spark needs Java 17 or newer, and there is none on this machine")
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    # Java's second compiler and its parallel collector take half the time of a test and gain nothing on ten rows
    settings = {
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.ui.enabled": "false",
        "spark.log.level": "ERROR",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.session.timeZone": "America/New_York",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture(params=KINDS)
def way(request, tmp_path):
    engine, prepare = request.param.split()[0], request.param.endswith("prepared")
    if engine == "duckdb":
        return DuckDB(tmp_path, prepare)
    if engine == "postgres":
        return Postgres(tmp_path, prepare, request.getfixturevalue("postgres"))
    return Spark(tmp_path, prepare, request.getfixturevalue("spark"))
