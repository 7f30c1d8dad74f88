"""Views with one row for each person: how they are declared, asked, kept and paid for."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.backup import backup

SCHEMA = nl.Schema(
    kwh=nl.Real(0, 10, step="0.5", on_grid=True),
    peak=nl.Real(0, 10, step="0.5"),
    mode=nl.Category("a", "b"),
    region=nl.Public("n", "s"),
    day=nl.Public(),
    unit="home",
    rows=3,
    order_by="day",
)
VIEW = {"total": "SUM(kwh)", "days": "COUNT(*)", "most": {"expression": "MAX(kwh)", "step": 1}}
TABLE = pa.table(
    {
        "home": ["x", "x", "x", "y", "y", "z"],
        "kwh": [1.0, 2.0, 3.5, 4.0, 0.5, 10.0],
        "peak": [1.0] * 6,
        "mode": ["a", "b"] * 3,
        "region": ["n", "n", "s", "s", "n", "n"],
        "day": [1, 2, 3, 1, 2, 1],
    }
)
TOML = """source = "readings.parquet"
budget = 20
[unit]
column = "home"
rows = 3
order_by = "day"
[columns.kwh]
kind = "real"
low = 0
high = 10
step = 0.5
on_grid = true
[columns.day]
kind = "public"
[per_person.homes]
total = "SUM(kwh)"
days = { expression = "COUNT(*)" }
"""


@pytest.fixture(scope="module")
def curator():
    with nl.Curator.open(TABLE, SCHEMA, 90, table="readings", per_person={"homes": VIEW}) as opened:
        yield opened


def test_a_question_goes_to_the_table_that_it_names(curator):
    homes = curator.views["homes"]
    assert curator.ask("SELECT COUNT(*) FROM homes AS h WHERE h.total > 5").rows[0].value == 2
    assert curator.ask("WITH t AS (SELECT * FROM homes) SELECT SUM(days) FROM t", bits=9).rows[0].value == 6
    assert curator.ask("SELECT COUNT(*) FROM readings").rows[0].value == 6
    assert curator.preview("SELECT SUM(total) FROM homes", bits=2).count == 4
    assert homes.ask("SELECT MAX(most) FROM homes", bits=9).rows[0].upper == 10
    assert (len(curator.batch(["SELECT COUNT(*) FROM homes"] * 2)), curator.remaining < 45) == (2, False)
    assert homes.remaining < 45
    answer = curator.ask("SELECT SUM(total) FROM homes", bits=2)
    assert curator.refine(answer, error=1).rows[0].upper <= answer.rows[0].upper
    assert answer.certificate.content["table"] == "homes"
    for texts in (["SELECT COUNT(*) FROM homes", "SELECT COUNT(*) FROM readings"], ["SELECT 1 FROM homes, readings"]):
        with pytest.raises(nl.QuestionError, match="homes and readings are asked together"):
            curator.batch(texts)


def test_a_subquery_that_groups_by_the_person_is_a_declared_view(curator):
    same = [
        "SELECT SUM(t) FROM (SELECT home, SUM(kwh) AS t FROM readings GROUP BY home) AS h WHERE n > 1",
        "WITH h AS (SELECT r.home, COUNT(*) AS n, SUM(r.kwh) AS t FROM readings AS r GROUP BY r.home) "
        "SELECT SUM(t) FROM h WHERE n > 1",
        'SELECT SUM(total) AS "SUM(t)" FROM homes WHERE days > 1',
    ]
    with pytest.raises(nl.UnknownVariableError, match="'n' does not exist in the subquery in FROM; it has t"):
        curator.ask(same[0], bits=9)
    answers = [curator.ask(sql, bits=9) for sql in same[1:]]
    assert answers[0].rows == answers[1].rows
    assert curator.ask("SELECT COUNT(*) FROM (SELECT home FROM readings GROUP BY home) AS h").rows[0].value == 3


@pytest.mark.parametrize(
    ("inner", "words"),
    [
        (
            "SELECT home, MIN(kwh) AS m FROM readings GROUP BY home",
            r"declare \[per_person.NAME\] with m = \"min\(kwh\)\"",
        ),
        ("SELECT home, SUM(kwh) FROM readings GROUP BY home", "has no name; write"),
        ("SELECT home, SUM(kwh) AS t FROM readings WHERE kwh > 1 GROUP BY home", "put conditions outside it"),
        ("SELECT home, SUM(kwh) AS t FROM readings GROUP BY home, region", "'home' says whose row it is"),
    ],
)
def test_other_subqueries_by_person_are_refused(curator, inner, words):
    with pytest.raises(nl.InputError, match=words) as refused:
        curator.ask(f"SELECT COUNT(*) FROM ({inner}) AS h")
    assert curator.preview(str(refused.value).partition("This would be accepted: ")[2], bits=30)


WRONG = [
    ({"homes": {}}, "must list its columns"),
    ({"homes": {"t": 3}}, "needs an expression"),
    ({"homes": {"t": {"expression": "SUM(kwh)", "stp": 1}}}, "unknown field 'stp'; use expression, low, high, step"),
    ({"homes": {"t": "MEDIAN(kwh)"}}, "a column of a person is COUNT, SUM, MIN, MAX or AVG"),
    ({"homes": {"t": "SUM(kwh) + 1"}}, "a column of a person is COUNT, SUM, MIN, MAX or AVG"),
    ({"homes": {"t": "COUNT(DISTINCT kwh)"}}, "homes"),
    ({"homes": {"t": "SUM(kwh"}}, "is not one expression"),
    ({"homes": {"t": "SUM(watts)"}}, "column 'watts' does not exist"),
    ({"homes": {"t": "SUM(mode)"}}, "a number is needed"),
    ({"homes": {"t": "SUM(region = 'n')"}}, "reads no private column"),
    ({"homes": {"t": "SUM(peak)"}}, "lie on no grid, or only after rounding"),
    ({"homes": {"t": {"expression": "SUM(kwh)", "low": 0, "high": 7, "step": 2}}}, "step=2 does not divide"),
    ({"readings": VIEW}, "has the name of another table"),
    ({3: VIEW}, "the name of a view must be a text"),
    ([VIEW], "per_person= must name views"),
]


@pytest.mark.parametrize(("views", "words"), WRONG, ids=[words for _, words in WRONG])
def test_a_view_that_cannot_be(views, words):
    with pytest.raises(nl.SchemaError, match=words):
        nl.Curator.open(TABLE, SCHEMA, 90, table="readings", per_person=views)


def test_a_view_needs_a_person():
    with pytest.raises(nl.SchemaError, match=r"needs \[unit\]"):
        nl.Curator.open(TABLE, nl.Schema(kwh=nl.Real(0, 10, step="0.5")), 9, per_person={"homes": VIEW})


def test_the_parts_of_the_budget_add_up():
    def parts(budget, shares=None, quotas=None):
        views = {"homes": VIEW, "others": {"n": "COUNT(*)"}}
        given = {"table": "readings", "per_person": views, "shares": shares, "quotas": quotas}
        with nl.Curator.open(TABLE, SCHEMA, budget, **given) as opened:
            spent = [opened, *opened.views.values()]
            return [each.remaining for each in spent], spent[1]._account.quotas

    assert parts(90) == ([30, 30, 30], None)
    assert parts(90, {"homes": 50}) == ([20, 50, 20], None)
    assert parts(90, quotas={"*": 9})[1] == {"*": 8}
    for shares, words in (
        ({"homes": 90}, "must be above 0"),
        ({"x": 1}, "which is not a view"),
        ([1], "bits of each view"),
    ):
        with pytest.raises(nl.InputError, match=words):
            parts(90, shares)


def test_a_policy_about_a_column_holds_for_what_is_computed_from_it():
    policy = {"no_conditions": ["kwh"], "smallest_group": 3}
    given = {"table": "readings", "per_person": {"homes": VIEW}, "policy": policy}
    with nl.Curator.open(TABLE, SCHEMA, 90, **given) as curator:
        with pytest.raises(nl.QuestionError, match="no conditions on 'total'"):
            curator.ask("SELECT COUNT(*) FROM homes WHERE total > 5")
        assert curator.ask("SELECT COUNT(*) FROM homes WHERE days = 3").rows[0].value == 1


@pytest.mark.parametrize("prepare", [None, False])
def test_a_view_is_kept_with_its_table(tmp_path, prepare):
    pq.write_table(TABLE, tmp_path / "readings.parquet")
    file = tmp_path / "readings.toml"
    file.write_text(TOML)
    assert nl.Declaration.parse(nl.Declaration.read(file).write()).per_person == nl.Declaration.read(file).per_person
    with nl.Curator.open(file, prepare=prepare) as curator:
        first = curator.ask("SELECT SUM(total) FROM homes", bits=4)
    with nl.Curator.open(file, prepare=prepare) as curator:
        assert curator.ask("SELECT SUM(total) FROM homes", bits=4).cost == 0
        assert curator.views["homes"].recall(1).rows == first.rows
        curator.ask("SELECT SUM(kwh) FROM readings", bits=9)
    file.write_text(TOML.replace("[per_person.homes]", "[per_person.renamed]"))
    with pytest.raises(nl.SnapshotError, match="but not 'renamed'"):
        nl.Curator.open(file, prepare=prepare)
    file.write_text(TOML.replace("budget = 20", "budget = 30"))
    with pytest.raises(nl.SnapshotError, match="larger than the 10 bits that the ledger began with"):
        nl.Curator.open(file, prepare=prepare)


def test_a_backup_has_the_codes_of_views(tmp_path):
    pq.write_table(TABLE, tmp_path / "readings.parquet")
    (tmp_path / "readings.toml").write_text(TOML)
    with nl.Curator.open(tmp_path / "readings.toml") as curator:
        first = curator.ask("SELECT SUM(total) FROM homes", bits=4)
    saved = backup(tmp_path / "readings.toml", tmp_path / "saved")
    assert "readings.codes.homes.duckdb" in [path.name for path in saved]
    pq.write_table(TABLE, tmp_path / "saved" / "readings.parquet")
    with nl.Curator.open(tmp_path / "saved" / "readings.toml") as curator:
        assert curator.ask("SELECT SUM(total) FROM homes", bits=4).rows == first.rows


def test_a_view_that_is_added_later_gets_what_was_not_spent(tmp_path):
    pq.write_table(TABLE, tmp_path / "readings.parquet")
    file = tmp_path / "readings.toml"
    file.write_text(TOML.partition("[per_person")[0])
    with nl.Curator.open(file) as curator:
        curator.ask("SELECT SUM(kwh) FROM readings", bits=5)
        curator.ask("SELECT COUNT(*) FROM readings WHERE kwh > 3")
    file.write_text(TOML)
    with pytest.raises(nl.SnapshotError, match="but not 'homes'"):
        nl.Curator.open(file)
    file.write_text(TOML + "[shares]\nhomes = 16\n")
    with pytest.raises(nl.SnapshotError, match="more was spent on 'readings' already than its views leave"):
        nl.Curator.open(file, new=True)
