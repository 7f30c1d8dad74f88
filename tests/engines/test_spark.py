"""What only Spark has: sessions, catalogs, time zones, Java; and what is said when it cannot be had."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.engines import spark as home

SCHEMA = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("n", "s", "e"))
SUM = "SELECT SUM(age) FROM people"


@pytest.fixture
def frame(spark):
    return spark.createDataFrame([(20, "n"), (30, "s"), (40, "n"), (70, "n")], "age int, region string")


def test_a_session_a_view_a_table_and_a_dataframe(spark, frame, tmp_path):
    frame.createOrReplaceTempView("people")
    frame.write.mode("overwrite").saveAsTable("kept")
    for source, table in ((spark, "people"), (spark, "default.kept"), (frame, "people")):
        with nl.Curator.open(source, SCHEMA, 20, table=table) as curator:
            assert curator.ask(f"SELECT SUM(age) FROM {curator.name}", bits=8).rows[0].value == 160
    options = {"table": "kept", "prepare": True, "ledger": tmp_path / "l.sqlite"}
    for factor in (101, 1):
        with nl.Curator.open(spark, SCHEMA, 20, **options) as curator:
            assert curator.ask("SELECT SUM(age) FROM kept", bits=8).factor == factor
    assert {"kept_codes", "kept_codes_noted"} <= {each.name for each in spark.catalog.listTables()}
    for name in ("kept", "kept_codes", "kept_codes_checks", "kept_codes_noted"):
        spark.sql(f"DROP TABLE {name}")


def test_a_session_that_is_given_stays_as_it_was(spark, frame):
    names = [*home.SETTINGS, "spark.sql.mapKeyDedupPolicy"]
    before = [spark.conf.get(name) for name in names]
    views = len(spark.catalog.listTables())
    with nl.Curator.open(frame, SCHEMA, 20, table="people") as curator:
        curator.ask(SUM, bits=8)
        assert [spark.conf.get(name) for name in names] == before
    assert len(spark.catalog.listTables()) == views
    assert spark.range(3).count() == 3


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_with_and_without_ansi(spark, frame, ansi):
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    try:
        with nl.Curator.open(frame, SCHEMA, 20, table="people") as curator:
            assert curator.ask(SUM, bits=8).rows[0].value == 160
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)


def test_writing_in_the_same_session_changes_nothing(spark, frame):
    frame.write.mode("overwrite").saveAsTable("busy")
    with nl.Curator.open(spark, SCHEMA, 90, table="busy") as curator:
        spark.sql("INSERT INTO busy VALUES (99, 'n'), (98, 's')")
        assert curator.ask("SELECT MAX(age) FROM busy", bits=8).rows[0].value == 70
        assert curator.ask("SELECT COUNT(*) FROM busy WHERE age > 50").rows[0].value == 1
    spark.sql("DROP TABLE busy")


@pytest.mark.parametrize("setting", ["spark.sql.parser.escapedStringLiterals", "spark.sql.ansi.enabled", "none"])
def test_texts_are_texts_whatever_the_settings(spark, setting):
    keys = ["${x}", "${env:HOME}", "a\\b", "it's", "\n", "\t", '"']
    words = spark.createDataFrame([(key,) for key in keys], "word string")
    if setting != "none":
        before = spark.conf.get(setting)
        spark.conf.set(setting, "false" if before == "true" else "true")
    try:
        with nl.Curator.open(words, nl.Schema(word=nl.Category(*keys, missing="none")), 90, table="t") as curator:
            engine = curator._dataset.engine
            assert sorted(engine.fetch(engine.table("codes"))) == [(k,) for k in range(len(keys))]
    finally:
        if setting != "none":
            spark.conf.set(setting, before)


def test_collations_do_not_matter(spark):
    words = spark.sql("SELECT word COLLATE UTF8_LCASE AS word FROM VALUES ('a'), ('A') AS t(word)")
    with nl.Curator.open(words, nl.Schema(word=nl.Category("a", other="other")), 90, table="t") as curator:
        engine = curator._dataset.engine
        assert sorted(engine.fetch(engine.table("codes"))) == [(0,), (1,)]


@pytest.mark.parametrize("place", ["catalog", "path"])
def test_preparing_that_fails_leaves_nothing_behind(spark, frame, tmp_path, place):
    table = "again" if place == "catalog" else str(tmp_path / "again.parquet")
    frame.write.saveAsTable(table) if place == "catalog" else frame.write.parquet(table)
    options = {"table": table, "prepare": True, "ledger": tmp_path / "l.sqlite"}
    with pytest.raises(nl.SchemaError, match="not declared keys"):
        nl.Curator.open(spark, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("n")), 20, **options)
    with nl.Curator.open(spark, SCHEMA, 20, **options) as curator:
        assert curator.ask("SELECT SUM(age) FROM again", bits=8).rows[0].value == 160
    for name in ("again", "again_codes", "again_codes_checks", "again_codes_noted"):
        spark.sql(f"DROP TABLE IF EXISTS {name}")


def test_a_table_that_is_not_there(spark, tmp_path):
    for table in ("nobody", "default.nobody", str(tmp_path / "none.parquet")):
        with pytest.raises(nl.SourceError, match="Spark finds no table or parquet") as raised:
            nl.Curator.open(spark, SCHEMA, 20, table=table)
        assert raised.value.__context__ is None
    with pytest.raises(nl.SourceError, match="name one with table="):
        nl.Curator.open(spark, SCHEMA, 20)


def test_a_master_that_is_not_there():
    with pytest.raises(nl.SourceError, match=r"cannot connect to Spark at 127.0.0.1:1;"):
        nl.Curator.open("spark://u:hunter2@127.0.0.1:1", SCHEMA, 20, table="people")
    for url in ("spark://[bad", "spark://host:hunter2"):
        with pytest.raises(nl.SourceError, match="not a Spark URL"):
            nl.Curator.open(url, SCHEMA, 20, table="people")


def test_without_java(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(nl.SourceError, match="needs Java 17 or newer, and no Java was found"):
        nl.Curator.open("local[*]", SCHEMA, 20, table="people")


def test_without_the_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    monkeypatch.setattr(home.shutil, "which", lambda _: "java")  # type: ignore[attr-defined]
    with pytest.raises(nl.SourceError, match="pip install"):
        nl.Curator.open("local[*]", SCHEMA, 20, table="people")


def test_a_url_starts_a_spark_of_its_own_on_the_loopback_only(tmp_path):
    """In a process of its own: here there is a session already."""
    pq.write_table(pa.table({"age": [20, 30, 40, 70], "region": ["n", "s", "n", "n"]}), tmp_path / "people.parquet")
    program = textwrap.dedent("""
        import noiseless as nl
        schema = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("n", "s", "e"))
        curator = nl.Curator.open("local[1]", schema, 20, table="people.parquet")
        print(curator.ask("SELECT SUM(age) FROM people", bits=8).rows[0].value)
        conf = curator._dataset.engine._session.sparkContext.getConf()
        print(conf.get("spark.driver.host"), conf.get("spark.ui.enabled"))
    """)
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["160", "127.0.0.1 false"], done.stderr


class Remote:
    """What is asked of a session of Spark Connect, which has no JVM in this process."""

    is_stopped = False
    lost = False

    @property
    def version(self):
        if self.lost:
            raise OSError("secret")
        return "4.3.0"


def test_spark_connect_is_asked_whether_it_is_there():
    engine = home.Spark.__new__(home.Spark)
    engine._session, engine._remote = Remote(), True
    engine.awake(4)
    engine._session.lost = True
    with pytest.raises(nl.SourceError, match="connection to Spark was lost, so nothing was charged"):
        engine.awake(4)
    engine._session.is_stopped = True
    with pytest.raises(nl.SourceError, match="session was stopped, so nothing was charged"):
        engine.awake(4)
    with pytest.raises(nl.SourceError, match="Spark Connect cannot give the folder '/tmp/out'"):
        engine.check_target("/tmp/out", changed=False)
