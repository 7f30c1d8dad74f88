"""What only Postgres has: values beyond doubles, rights, transactions; and what is said when it cannot be reached."""

from __future__ import annotations

import re
import sys
from itertools import count

import psycopg
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import noiseless as nl
from noiseless.app.cli.main import app

NUMBER = count()


@pytest.fixture
def admin(postgres):
    with psycopg.connect(postgres, autocommit=True) as connection:
        yield connection


@pytest.fixture
def home(admin):
    """A schema of its own."""
    name = f"home{next(NUMBER)}"
    admin.execute(f"CREATE SCHEMA {name}")
    yield name
    admin.execute(f"DROP SCHEMA {name} CASCADE")


@pytest.fixture
def people(admin, home):
    admin.execute(f"CREATE TABLE {home}.people (age int, region text)")
    admin.execute(f"INSERT INTO {home}.people VALUES (20, 'n'), (30, 's'), (40, 'n'), (70, 'n')")
    return f"{home}.people"


SCHEMA = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("n", "s", "e"))


def codes(curator):
    return curator._dataset.engine.fetch(curator._dataset.engine.table("codes"))


def test_numerics_beyond_all_doubles(postgres, admin, home):
    """Postgres itself stops at them; nothing stops here."""
    values = ["1e400", "-1e400", "1e-400", "-1e-400", "NaN", "Infinity", "-Infinity", "2.5", "0.1"]
    admin.execute(f"CREATE TABLE {home}.n (x numeric, y numeric(1000, 500))")
    for value in values:
        short = value if value in ("NaN", "2.5", "0.1", "1e-400", "-1e-400", "1e400", "-1e400") else "1"
        admin.execute(f"INSERT INTO {home}.n VALUES (%s, %s)", [value, short])
    with pytest.raises(psycopg.errors.NumericValueOutOfRange):
        admin.execute(f"SELECT x::float8 FROM {home}.n")
    schema = nl.Schema(x=nl.Real(-5, 5, step="0.5", missing="apart"), y=nl.Real(-5, 5, step="0.5", missing=5))
    with nl.Curator.open(postgres, schema, 99, table=f"{home}.n") as curator:
        assert sorted(codes(curator), key=str) == sorted(
            [(20, 20), (0, 0), (10, 10), (10, 10), (None, 20), (None, 12), (None, 12), (15, 15), (10, 10)], key=str
        )
        assert [finding.values for finding in curator.check().findings] == [3, 1, 1, 1, 1, 1]


def test_dates_without_end_and_columns_of_other_kinds(postgres, admin, home):
    admin.execute(f"CREATE TYPE {home}.mood AS ENUM ('sad', 'ok')")
    admin.execute(
        f'CREATE TABLE {home}."People" ("it\'s" date, at timestamptz, mood {home}.mood, c char(5), real4 real)'
    )
    for row in (
        "'infinity', 'infinity', 'sad', 'no', 'Infinity'",
        "'-infinity', '-infinity', 'ok', 'yes', 'NaN'",
        "'4713-01-01 BC', '2024-01-01 23:59:59-11', NULL, NULL, 1e-45",
    ):
        admin.execute(f'INSERT INTO {home}."People" VALUES ({row})')
    schema = nl.Schema(
        {
            "it's": nl.Date("2024-01-01", "2024-01-03", missing="2024-01-01"),
            "at": nl.Date("2024-01-01", "2024-01-03", missing="apart"),
            "mood": nl.Category("ok", "unheard of", missing="none", other="none"),
            "c": nl.Category("yes", "no", missing="none"),
            "real4": nl.Real(0, 10, step=10, missing="apart"),
        }
    )
    with nl.Curator.open(postgres, schema, 99, table=f"{home}.People") as curator:
        assert curator.name == "People"
        assert sorted(codes(curator), key=str) == sorted(
            [(2, 2, 2, 1, None), (0, 0, 0, 0, None), (0, 1, 2, 2, 0)], key=str
        )


def test_nothing_is_written_and_nothing_can_be(postgres, admin, people, home):
    tables = "SELECT count(*) FROM pg_class"
    before = admin.execute(tables).fetchone()
    with nl.Curator.open(postgres, SCHEMA, 20, table=people) as curator:
        curator.ask("SELECT SUM(age) FROM people", bits=4)
        curator.check()
        assert admin.execute(tables).fetchone() == before
        for statement in (f"INSERT INTO {people} VALUES (1, 'n')", f"CREATE TABLE {home}.more (a int)"):
            with pytest.raises(nl.EngineError):
                curator._dataset.engine.run(statement)
        assert curator.ask("SELECT AVG(age) FROM people", bits=4).rows  # the snapshot outlives what fails


def test_texts_are_ordered_by_their_bytes_whatever_the_server_speaks(postgres, people):
    with nl.Curator.open(postgres, SCHEMA, 20, table=people) as curator:
        engine = curator._dataset.engine
        rows = engine.source(postgres, people).table
        assert "CONVERT_TO" in engine._sql(rows.order_by(engine.ordered(rows.region))).upper()


def test_prepared_codes_appear_all_at_once(postgres, admin, people, tmp_path, monkeypatch):
    """Nobody finds a table of codes before the ledger has begun, and a failure leaves nothing behind."""
    found = f"SELECT to_regclass('{people}_codes') IS NOT NULL"
    options = {"table": people, "prepare": True, "ledger": tmp_path / "l.sqlite"}
    from noiseless.curator import opening

    def failing(*_):
        assert admin.execute(found).fetchone() == (False,)
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(opening, "_compare", failing)
        with pytest.raises(RuntimeError):
            nl.Curator.open(postgres, SCHEMA, 20, **options)
    assert admin.execute(found).fetchone() == (False,)
    with nl.Curator.open(postgres, SCHEMA, 20, **options):
        assert admin.execute(found).fetchone() == (True,)
        kinds = (
            "SELECT typname FROM pg_attribute JOIN pg_type ON atttypid = pg_type.oid WHERE attnum > 0 AND attrelid = "
        )
        assert admin.execute(f"{kinds} '{people}_codes'::regclass").fetchall() == [("int2",), ("int2",)]


@pytest.fixture
def role(admin, home):
    name = f"reader{next(NUMBER)}"
    admin.execute(f"CREATE ROLE {name} LOGIN")
    admin.execute(f"GRANT USAGE ON SCHEMA {home} TO {name}")
    yield name
    admin.execute(f"DROP OWNED BY {name}")
    admin.execute(f"DROP ROLE {name}")


def refused(words, *arguments, **options):
    with pytest.raises(nl.NoiselessError, match=words) as raised:
        nl.Curator.open(*arguments, **options)
    text = str(raised.value)
    assert "\n" not in text
    assert "hunter2" not in text
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None or isinstance(raised.value.__context__, ImportError)


def test_rights(postgres, admin, people, home, role, tmp_path):
    url = postgres.replace("//postgres:", f"//{role}:")
    options = {"schema": SCHEMA, "budget": 20, "table": people}
    refused(f"role '{role}' may not read '{people}'.*GRANT SELECT", url, **options)
    admin.execute(f"GRANT SELECT (region) ON {people} TO {role}")
    refused("no column 'age'; use one of its columns: region", url, **options)
    admin.execute(f"GRANT SELECT ON {people} TO {role}")
    with nl.Curator.open(url, **options) as curator:
        assert curator.check().clean
    refused(
        f"may not create tables in schema '{home}'", url, **options, prepare=True, ledger=tmp_path / "ledger.sqlite"
    )


def test_what_is_not_there(postgres, people, home):
    options = {"schema": SCHEMA, "budget": 20}
    refused(f"finds no table '{home}.pepole'.*{people}", postgres, **options, table=f"{home}.pepole")
    refused("name one with table='people'", postgres, **options)
    nowhere = "postgres://ann:hunter2@127.0.0.1:1/hospital"
    refused("cannot connect to Postgres at 127.0.0.1:1, database 'hospital', role 'ann'", nowhere, **options, table="t")
    refused("cannot connect to Postgres at the local socket", "postgresql:///t", **options, table="t")
    refused("mysql:// is not supported.*CONTRIBUTING", "mysql://here/t", **options, table="t")


def test_urls_keep_their_secrets(people):
    options = {"schema": SCHEMA, "budget": 20, "table": people}
    for url in ("ann:hunter2#2@db/hospital", "ann:hunter2/x@db/h", "[::1", "h:99999/d", "//ann:hunter2@db/h"):
        refused("not a Postgres URL|cannot connect to Postgres", f"postgres://{url}", **options)
    refused("looks like database settings", "host=db password=hunter2", **options)


def test_a_table_has_one_account_however_it_is_spelled(postgres, admin, tmp_path):
    admin.execute("CREATE TABLE IF NOT EXISTS public.spelled (age int, region text)")
    admin.execute("INSERT INTO public.spelled VALUES (20, 'n')")
    for table, factor in (("spelled", 15), ("public.spelled", 1)):
        with nl.Curator.open(postgres, SCHEMA, 20, table=table, ledger=tmp_path / "l.sqlite") as curator:
            assert curator.ask("SELECT SUM(age) FROM spelled", bits=4).factor == factor
    refused("is not a table name in Postgres", postgres, SCHEMA, 20, table="other.public.spelled")
    refused("cannot be stored", postgres, SCHEMA, 20, table="a\0b")


def test_names_and_columns_that_are_unusual(postgres, admin, home, tmp_path):
    """Columns that are called like anything, of kinds that nobody knows, do not matter unless they are declared."""
    columns = '"self" int, "a.b" int, "%s" text, odd regclass, age int, region text'
    admin.execute(f"CREATE TABLE {home}.odd ({columns})")
    schema = nl.Schema({"self": nl.Integer(0, 9), "a.b": nl.Integer(0, 9), "%s": nl.Category("x", "y")})
    admin.execute(f"INSERT INTO {home}.odd VALUES (1, 2, 'x', NULL, 3, 'n')")
    try:
        with nl.Curator.open(postgres, schema, 20, table=f"{home}.odd") as curator:
            assert codes(curator) == [(1, 2, 0)]
    except nl.SourceError as refusal:
        assert "unsupported type" in str(refusal)  # noqa: PT017
    long = "x" * 60
    admin.execute(f"CREATE TABLE {home}.{long} AS SELECT 1 AS age, 'n' AS region")
    options = {"prepare": True, "ledger": tmp_path / "l.sqlite"}
    refused("too long a name", postgres, SCHEMA, 20, table=f"{home}.{long}", **options)
    with nl.Curator.open(postgres, SCHEMA, 20, table=f"{home}.{long}", **options, store="short") as curator:
        assert curator.check().rows == 1
    options = {"prepare": True, "ledger": tmp_path / "m.sqlite", "store": "odd"}
    refused("exists already", postgres, SCHEMA, 20, table=f"{home}.{long}", **options)


def test_without_the_driver(postgres, people, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    refused(re.escape("pip install 'noiseless[postgres]'"), postgres, SCHEMA, 20, table=people)


def test_a_schema_file_can_name_a_database(postgres, admin, people, tmp_path):
    run, file = CliRunner(), tmp_path / "people.toml"
    made = run.invoke(app, ["init", postgres, "--table", people, "--out", str(file)])
    assert made.exit_code == 0, made.output
    assert "region" in file.read_text()
    head = [f'source = "{postgres}"', f'table = "{people}"', "budget = 9"]
    columns = ["[columns.age]", 'kind = "integer"', "low = 0", "high = 100"]
    for prepare in ("", "prepare = true"):
        file.write_text("\n".join([*head, prepare, *columns]))
        answer = run.invoke(app, ["ask", str(file), "SELECT AVG(age) FROM people", "--bits", "2"])
        assert answer.exit_code == 0, answer.output
        assert (tmp_path / "people.ledger.sqlite").exists()
        assert not (tmp_path / "people.codes.duckdb").exists()
        for name in ("people.ledger.sqlite", "people.ledger.sqlite.head"):
            (tmp_path / name).unlink()


def test_the_same_ledger_may_be_in_the_same_database(postgres, people, admin):
    admin.execute("DROP TABLE IF EXISTS noiseless_entries, noiseless_heads")  # what other tests asked of other people
    for factor in (16, 1):
        with nl.Curator.open(postgres, SCHEMA, 20, table=people, ledger=postgres) as curator:
            assert curator.ask("SELECT SUM(age) FROM people", bits=4).factor == factor


def test_arrow_is_not_needed_to_read(postgres, people):
    with nl.Curator.open(postgres, SCHEMA, 20, table=people) as curator:
        answer = curator.ask("SELECT region, SUM(age) FROM people GROUP BY region", bits=4)
        assert isinstance(answer.to_arrow(), pa.Table)
