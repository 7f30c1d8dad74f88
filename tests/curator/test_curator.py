"""The curator as a whole: sources, budgets, repeats, previews, displays."""

from __future__ import annotations

import threading
from itertools import permutations
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.question import price
from tests.curator.small import AGE, FIRST, OTHERS, PEOPLE, SCHEMA, opened, table


def sources(folder):
    frame = pd.DataFrame(PEOPLE)
    frame.to_csv(folder / "people.csv", index=False)
    pq.write_table(pa.table(PEOPLE), folder / "people.parquet")
    with duckdb.connect(str(folder / "people.duckdb")) as connection:
        connection.execute("CREATE TABLE people AS SELECT * FROM frame")
    yield from ((folder / name, {}) for name in ("people.csv", "people.parquet", "people.duckdb"))
    yield str(folder / "people.parquet"), {"store": folder / "codes.duckdb"}
    yield str(folder / "people.parquet"), {"store": ":memory:"}
    yield str(folder / "people.duckdb"), {"table": "people", "store": ":memory:"}
    yield from (
        (each, {"table": "people"}) for each in (frame, pl.DataFrame(PEOPLE), pl.LazyFrame(PEOPLE), pa.table(PEOPLE))
    )


def test_every_source_gives_the_same_answer(tmp_path):
    for source, options in sources(tmp_path):
        with nl.Curator.open(source, AGE, budget=9, **options) as curator:
            rows = curator.ask("SELECT region, SUM(age) FROM people GROUP BY region", error=2).rows
            assert [row["region"] for row in rows] == ["north", "east", "south"]
            assert [row.lower <= true <= row.upper for row, true in zip(rows, [130, 0, 30], strict=True)] == [True] * 3
            assert curator.name == "people"
    assert (tmp_path / "codes.duckdb").exists()
    with duckdb.connect(str(tmp_path / "codes.duckdb")) as connection:
        kinds = dict(connection.execute("SELECT column_name, column_type FROM (DESCRIBE codes)").fetchall())
    assert kinds == {"c0": "TINYINT", "c1": "TINYINT"}  # the smallest integers, and nothing that was not declared


def test_the_source_is_not_read_again(tmp_path):
    path = tmp_path / "people.parquet"
    pq.write_table(pa.table(PEOPLE), path)
    for store in (None, ":memory:"):
        pq.write_table(pa.table(PEOPLE), path)
        with nl.Curator.open(path, AGE, budget=9, store=store) as curator:
            path.unlink()
            assert curator.ask("SELECT COUNT(*) FROM people WHERE age > 25").rows[0].value == 3
            assert curator.check().clean
            with pytest.raises(duckdb.Error, match=r"(?i)permission|disabled|file system"):
                curator._dataset.engine._connection.con.execute("SELECT * FROM read_csv('/etc/passwd')")


def test_a_temporary_file_goes_with_its_curator():
    curator = nl.Curator.open(pa.table(PEOPLE), AGE, budget=9)
    engine: Any = curator._dataset.engine
    folder = engine._folder.path
    assert folder.stat().st_mode & 0o777 == 0o700
    curator.close()
    assert not folder.exists()


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        ("nowhere.parquet", {}, "file 'nowhere.parquet' does not exist"),
        ("people.ods", {}, "unsupported file type"),
        ("people.duckdb", {"table": "persons"}, "use one of: people"),
        ("people.csv", {"store": "people.csv"}, "exists already"),
        (5, {}, "a int is not a table"),
    ],
)
def test_sources_that_are_none(tmp_path, monkeypatch, source, options, words):
    monkeypatch.chdir(tmp_path)
    list(sources(tmp_path))
    (tmp_path / "people.ods").write_text("")
    with pytest.raises(nl.SourceError, match=words):
        nl.Curator.open(source, AGE, budget=1, **options)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"size": nl.Integer(0, 9)}, "the table has no column 'size'; use one of its columns: age, region, unused"),
        ({"unused": nl.Integer(0, 9)}, "'unused' holds string, but the schema declares numbers"),
        ({"age": nl.Date("2000-01-01", "2000-01-02")}, "the schema declares dates"),
        ({"unused": nl.Boolean()}, "the schema declares truth values"),
        ({"age": nl.Integer(0, 9), "region": nl.Public("north")}, "not declared keys"),
        ({"region": nl.Category(1, 2)}, "the schema declares whole numbers"),
        ({"age": nl.Real(0, 2**46, step=1)}, None),
    ],
)
def test_schemas_that_do_not_fit(columns, words):
    if words is None:
        nl.Curator.open(pa.table(PEOPLE), nl.Schema(columns), budget=1).close()
        return
    with pytest.raises(nl.SchemaError, match=words):
        nl.Curator.open(pa.table(PEOPLE), nl.Schema(columns), budget=1)


def test_steps_too_fine(monkeypatch):
    fine = nl.Schema(age=nl.Real(0, 100, step="1e-9"))
    with nl.Curator.open(pa.table(PEOPLE), fine, budget=100, table="t") as curator:
        assert curator.ask("SELECT AVG(age) FROM t", bits=4).rows[0].lower <= 40
        with pytest.raises(nl.QuestionError, match=r"too fine for a variance: 4 rows of 100000000000² pass 2\^63"):
            curator.ask("SELECT VAR_POP(age) FROM t", bits=4)
    monkeypatch.setattr("noiseless.curator.dataset.dataset.LARGEST_SUM", 4 * 10**11)
    with pytest.raises(nl.SchemaError, match="4 rows of 100000000000 steps"):
        nl.Curator.open(pa.table(PEOPLE), fine, budget=100, table="t")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "needs bits= .* or error="),
        ({"bits": 1, "error": 1}, "not both"),
        ({"bits": -1}, "negative"),
        ({"error": -1}, "at least 0"),
        ({"bits": "a"}, "not a number"),
        ({"bits": 20000}, "gives no protection"),
        ({"bits": 1, "max_bits": -1}, "max_bits=-1 is negative"),
    ],
)
def test_prices_that_are_none(curator, given, words):
    with pytest.raises(nl.InputError, match=words):
        curator.ask("SELECT AVG(age) FROM people", **given)
    assert curator.remaining == 6


def test_no_budget_or_schema():
    with pytest.raises(nl.BudgetError, match="give a budget"):
        nl.Curator.open(pa.table(PEOPLE), AGE)
    with pytest.raises(nl.SchemaError, match="give a schema"):
        nl.Curator.open(pa.table(PEOPLE), budget=3)


def test_the_budget_is_never_passed_and_refusals_charge_nothing(curator):
    asked = [curator.ask(f"SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND {top}") for top in range(10, 16)]
    assert [answer.factor for answer in asked] == [2] * 6
    assert curator.remaining == 0
    with pytest.raises(nl.BudgetExceededError, match="costs 1 bit now and 0 bits are left; nothing was charged"):
        curator.ask("SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND 60")
    repeat = curator.ask("SELECT COUNT(*) AS again FROM people WHERE age >= 5 AND age <= 12")
    assert (repeat.factor, repeat.cost, repeat.rows[0].value) == (1, 0, 0)
    assert curator.ask("SELECT COUNT(*) FROM people").rows[0].value == 4  # public


def test_max_bits(curator):
    with pytest.raises(nl.BudgetExceededError, match="more than max_bits=1; nothing was charged"):
        curator.ask("SELECT AVG(age) FROM people", bits=2, max_bits=1)
    assert curator.remaining == 6
    assert curator.ask("SELECT AVG(age) FROM people", bits=2, max_bits=2).cost == 2


def test_what_was_released_is_free_in_any_form(curator):
    first = curator.ask("SELECT region, AVG(age) FROM people GROUP BY region", bits=2)
    assert first.factor == 4
    for sql in (
        "SELECT AVG(age) FROM people WHERE region = 'north'",
        "SELECT SUM(age) / COUNT(*) FROM people WHERE region <> 'south' AND region <> 'east'",
        "SELECT region, SUM(age) AS s FROM people GROUP BY region HAVING s > 1 ORDER BY s LIMIT 1",
    ):
        assert curator.ask(sql, bits=2).factor == 1
    assert curator.ask("SELECT AVG(age) FROM people", bits=2).factor > 1


def test_a_coarser_sum_later_costs_at_most_one_bit(curator):
    assert curator.ask("SELECT AVG(age) FROM people", bits=3).factor == 8
    assert curator.ask("SELECT AVG(age) FROM people WHERE region = 'north'", bits=3).factor == 2


def test_a_preview_is_the_price_and_reads_nothing(curator):
    sql = "SELECT region, AVG(age), COUNT(*) FROM people GROUP BY region"
    engine = curator._dataset.engine
    right, engine._connection = engine._connection, None
    preview = curator.preview(sql, bits=2)
    engine._connection = right
    answer = curator.ask(sql, bits=2)
    assert (preview.count, preview.bits, preview.factor) == (4, 2, answer.factor)
    assert preview.guarantee == answer.guarantee
    assert preview.affordable
    assert preview.remaining == answer.remaining
    assert "rule E" in preview.rule
    for line, row in zip(preview.rows, answer.rows, strict=True):
        if row["AVG(age)"] is not None:
            assert row["AVG(age)"].upper - row["AVG(age)"].lower <= 2 * line["errors"]["AVG(age)"]
    poor = curator.preview("SELECT MEDIAN(age) FROM people", error=0)
    assert (poor.affordable, poor.factor > 16, poor.remaining) == (False, True, answer.remaining)


def test_errors_that_nobody_can_promise(curator):
    sql = "SELECT AVG(age) FROM people WHERE age > 30"
    assert curator.preview(sql, bits=3).error is None
    with pytest.raises(nl.BudgetError, match=r"at least 3; ask for bits=1\.585"):
        curator.ask(sql, bits=1)


def test_guarantees_explain_themselves(curator):
    answer = curator.ask("SELECT AVG(age) FROM people", bits=2)
    text = answer.guarantee.explain()
    assert "a person is one row" in text
    assert "public" in text
    assert answer.guarantee.group(2) == 7
    assert nl.Guarantee.from_json(answer.guarantee.to_json()) == answer.guarantee


def test_many_public_cells_share_one_account(monkeypatch):
    monkeypatch.setattr(price, "MOST_CELLS", 1)
    curator = opened([FIRST, *OTHERS[3]], budget=40)
    assert list(curator.sequence.cells) == [""]
    assert curator.ask("SELECT AVG(h) FROM t", bits=1).factor == 2
    assert curator.sequence.cells[""].remaining["h"] < 4  # it covers everybody
    before = curator.sequence.cells[""].remaining
    assert curator.ask("SELECT g, AVG(h) FROM t GROUP BY g", bits=2).factor <= 4
    assert curator.sequence.cells[""].remaining == before


def test_releases_that_share_cells_in_any_order_are_charged_together():
    """Conditions that leave each number other cells: a mean of s, a minimum of n, and a count of both."""
    condition = "(x IS NULL AND g = 'n') OR (d IS NULL AND g = 's')"
    wanted = ["AVG(x)", "MIN(d)", "COUNT(*)"]
    charged = set()
    for order in permutations(wanted):
        curator = opened([FIRST, *OTHERS[3]], budget=40)
        curator.ask(f"SELECT {', '.join(order)} FROM t WHERE {condition}", bits=6)
        charged.add(tuple(curator.sequence.spent(cell) for cell in curator.sequence.cells))
    assert len(charged) == 1
    assert min(next(iter(charged))) > 1


def test_threads_never_overspend():
    curator = nl.Curator.open(pa.table(PEOPLE), AGE, budget=5, table="people")
    told = []

    def ask(top: int) -> None:
        try:
            told.append(curator.ask(f"SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND {top}").factor)
        except nl.BudgetExceededError:
            told.append(0)

    threads = [threading.Thread(target=ask, args=(top,)) for top in range(10, 30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told.count(2) == 5  # what follows from other answers is free
    assert all(each in (0, 1, 2) for each in told)


NAMES = ["*", "self", "rows", "n0", "bin", "n", "c0", "c1", "a\nb", "a b", 'a"b', "a'b", "SELECT", "missing"]


@pytest.mark.parametrize("name", NAMES)
def test_columns_may_have_any_name(name):
    quoted = '"' + name.replace('"', '""') + '"'
    for schema in (
        nl.Schema({name: nl.Integer(0, 5), "g": nl.Public("a", "b")}),
        nl.Schema({"h": nl.Integer(0, 5), name: nl.Public("a", "b")}),
    ):
        private, public = next(iter(schema.private)), next(iter(schema.public))
        data = pa.table({private: [3, 4, 5], public: ["a", "b", "a"]})
        with nl.Curator.open(data, schema, budget=50, table="t") as curator:
            number, key = (quoted, "g") if private == name else ("h", quoted)
            sql = f"SELECT {key}, SUM({number}), MAX({number}), COUNT(*) FROM t WHERE {number} > 0 GROUP BY {key}"
            rows = curator.ask(sql, error=0).rows
            assert [row[f"SUM({number})"].value for row in rows] == [8, 4]
            assert [row[f"MAX({number})"].value for row in rows] == [5, 4]
            assert curator.check().findings == ()


def test_many_rows_of_a_person_are_priced_in_time():
    """What took minutes when every number of rows was tried."""
    n = 2000
    data = {
        "h": [k % 7 for k in range(n)],
        "g": [k % 500 for k in range(n)],
        "u": [k // 4 for k in range(n)],
        "o": list(range(n)),
    }
    schema = nl.Schema(h=nl.Integer(0, 9), g=nl.Public(*range(500)), o=nl.Public(), unit="u", rows=10_000, order_by="o")
    with nl.Curator.open(pa.table(data), schema, budget=9000, table="t") as curator:
        assert curator.preview("SELECT AVG(h) FROM t WHERE h > 3", bits=60).count <= 2**60
        assert curator.preview("SELECT g, SUM(h) FROM t GROUP BY g", error=5).count > 2**500
        assert curator.preview("SELECT g, COUNT(*) FROM t WHERE h > 3 GROUP BY g").count > 2**500
        with pytest.raises(nl.BudgetError, match="at least about 2"):
            curator.preview("SELECT g, SUM(h) FROM t GROUP BY g", bits=60)


def test_the_check_says_what_counts_as_what():
    curator = opened([(None, None, None, None, None, None, "n", 1), (9.0, -9.0, 99, None, "ü", True, "s", 2)])
    found = {(f.column, f.what): (f.values, f.counts_as) for f in curator.check().findings}
    assert found["h", "missing"] == (1, "0")
    assert found["h", "above"] == (1, "3")
    assert found["x", "missing"] == (1, "missing, kept separate")
    assert found["x", "below"] == (1, "-1")
    assert found["a", "missing"] == (1, "4")
    assert found["s", "missing"] == (1, "unknown")
    assert found["s", "unknown"] == (1, "unknown")
    assert found["b", "missing"] == (1, "missing, kept separate")
    assert not curator.check().broken


def test_the_small_table_is_what_it_says():
    assert table([FIRST]).schema.names == list(SCHEMA.columns)
