"""Datasets that are renamed, added to, or given a lower budget: what was spent stays spent."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.ledger.verify import verify_ledger

AGES = [20 + 7 * k % 60 for k in range(48)]
TABLE = {
    "age": AGES,
    "height": [150 + k % 40 for k in range(48)],
    "region": ["north", "south", "east", "west"] * 12,
    "sex": ["f", "m", "m"] * 16,
}
FIRST = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south", other="else"))
MEANS = "SELECT region, AVG(age) FROM people GROUP BY region"
NORTH = "SELECT COUNT(*) FROM people WHERE age >= 40 AND region = 'north'"


@pytest.fixture
def path(tmp_path):
    pq.write_table(pa.table(TABLE), tmp_path / "people.parquet")
    path = tmp_path / "people.toml"
    path.write_text(nl.Declaration(FIRST, "people.parquet", None, 12).write())
    return path


def declared(path, **what):
    path.write_text(replace(nl.Declaration.parse(path.read_text()), **what).write())


def test_a_renamed_table_does_not_begin_again(path):
    with nl.Curator.open(path) as curator:
        curator.ask(MEANS, bits=2)
    path.with_suffix(".codes.duckdb").unlink()
    declared(path, table="persons")
    with pytest.raises(nl.SnapshotError, match=r"has no dataset 'persons', but has 'people'\. If this is another one"):
        nl.Curator.open(path)
    with nl.Curator.open(path, new=True) as curator:
        assert curator.remaining == 12
    nl.Curator.open(path).close()  # once confirmed it is known


@pytest.mark.parametrize("prepare", [True, False])
def test_a_private_column_is_added(path, prepare):
    declared(path, prepare=prepare)
    with nl.Curator.open(path) as curator:
        first = curator.ask(MEANS, bits=2)
        left = curator.remaining
    wider = nl.Schema({**FIRST.columns, "height": nl.Integer(100, 250)})
    declared(path, schema=wider)
    with nl.Curator.open(path) as curator:
        assert curator.remaining == left
        assert curator.sequence.cells['["north"]'].remaining["height"] == 151
        assert curator.ask(MEANS, bits=2).factor == 1
        assert curator.ask(MEANS, bits=2).rows == first.rows
        assert curator.ask("SELECT AVG(height) FROM people", bits=1).factor == 2
        assert curator.remaining == left - 1
        verify_ledger(curator.entries())
        assert [entry.kind for entry in curator.entries()].count("change") == 1
    declared(path, schema=FIRST)
    with pytest.raises(nl.SnapshotError, match="nor does it only add to it"):
        nl.Curator.open(path)


@pytest.mark.parametrize("prepare", [True, False])
def test_public_keys_are_added_and_split_cells_inherit(path, prepare):
    declared(path, prepare=prepare)
    with nl.Curator.open(path) as curator:
        first = curator.ask(MEANS, bits=2)
        curator.ask(NORTH)
        curator.ask("SELECT COUNT(*) FROM people WHERE age >= 30 AND region = 'else'")
        curator.ask("SELECT COUNT(*) FROM people WHERE age >= 30 AND region = 'else' AND age <= 50")
        before = curator.sequence
    assert [before.spent(f'["{name}"]') for name in ("north", "south", "else")] == [8, 4, 16]
    wider = nl.Schema(
        age=nl.Integer(0, 100), sex=nl.Public("m", "f"), region=nl.Public("west", "south", "north", other="else")
    )
    declared(path, schema=wider)
    with nl.Curator.open(path) as curator:
        cells = {name: curator.sequence.spent(name) for name in curator.sequence.cells}
        assert cells == {
            f'["{sex}", "{region}"]': {"north": 8, "south": 4}.get(region, 16)
            for sex in "mf"
            for region in ("west", "south", "north", "else")
        }
        for name, cell in curator.sequence.cells.items():
            old = "north" if "north" in name else "south" if "south" in name else "else"
            assert cell.remaining["age"] == before.cells[f'["{old}"]'].remaining["age"]
        assert curator.ask("SELECT AVG(age) FROM people WHERE region = 'north'", bits=2).factor == 1
        assert curator.ask("SELECT AVG(age) FROM people WHERE region = 'north'", bits=2).rows[0].lower == (
            first.rows[0].fields["AVG(age)"].lower
        )
        assert curator.ask("SELECT AVG(age) FROM people WHERE region IN ('west', 'else')", bits=2).factor == 1
        assert curator.ask("SELECT AVG(age) FROM people WHERE region = 'west'", bits=2).factor > 1
        assert curator.sequence.spent('["m", "west"]') > 16
        verify_ledger(curator.entries())
    with nl.Curator.open(path) as again:
        assert again.sequence.spent('["m", "west"]') > 16


def test_a_lower_budget_goes_on_and_a_higher_does_not(path):
    with nl.Curator.open(path) as curator, nl.Curator.open(path, budget=3) as lower:
        lower.ask(MEANS, bits=2)
        assert lower.remaining == curator.remaining == 1  # whoever has it open is bound at once
        with pytest.raises(nl.BudgetExceededError):
            curator.ask("SELECT MAX(age) FROM people", bits=2)
    with pytest.raises(nl.SnapshotError, match="the budget is not the 3 bits that the ledger has, but more"):
        nl.Curator.open(path)
    with nl.Curator.open(path, budget=1) as spent:
        assert spent.remaining == 0
        with pytest.raises(nl.BudgetExceededError):
            spent.ask(NORTH)
        assert spent.ask(MEANS, bits=2).factor == 1
        verify_ledger(spent.entries())


def test_whoever_has_it_open_under_the_old_schema_must_open_it_again(path):
    declared(path, prepare=False)
    with nl.Curator.open(path) as old:
        declared(path, schema=nl.Schema({**FIRST.columns, "height": nl.Integer(100, 250)}))
        with nl.Curator.open(path) as new:
            new.ask(MEANS, bits=2)
        with pytest.raises(nl.SnapshotError, match="open it again"):
            old.ask(MEANS, bits=2)


def test_keys_that_nobody_could_have_had_are_refused(path):
    declared(path, schema=nl.Schema(age=nl.Integer(0, 100), sex=nl.Public("m", "f")), prepare=False)
    nl.Curator.open(path).close()
    for wrong in (
        nl.Schema(age=nl.Integer(0, 99), sex=nl.Public("m", "f")),
        nl.Schema(age=nl.Integer(0, 100), sex=nl.Category("m", "f")),
        nl.Schema(age=nl.Integer(0, 100), sex=nl.Public("m", other="f")),
        nl.Schema(age=nl.Integer(0, 100)),
    ):
        declared(path, schema=wrong)
        with pytest.raises(nl.SnapshotError):
            nl.Curator.open(path)


def test_what_means_other_people_now_is_not_recalled(path):
    """The words of an old question under a wider schema would be a new question, and free."""
    declared(path, prepare=False)
    others = "SELECT SUM(age) FROM people WHERE region = 'else'"
    with nl.Curator.open(path) as curator:
        curator.ask(others, bits=2)
        curator.ask(MEANS, bits=2)
    wider = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south", "west", other="else"))
    declared(path, schema=wider)
    with nl.Curator.open(path) as curator:
        before = curator.entries()
        for entry in (1, 3):
            with pytest.raises(nl.QuestionError, match=r"ask (the question|it) again"):
                curator.recall(entry)
        assert curator.entries() == before
        assert curator.ask(others, bits=2).factor > 1


def test_codes_stay_until_the_ledger_has_noted_the_change(path):
    with nl.Curator.open(path) as curator:
        curator.ask(MEANS, bits=2)
    codes = path.with_suffix(".codes.duckdb")
    before = codes.read_bytes()
    declared(path, schema=nl.Schema({**FIRST.columns, "height": nl.Integer(100, 250)}), budget=13)
    with pytest.raises(nl.SnapshotError, match="but more"):
        nl.Curator.open(path)
    assert codes.read_bytes() == before
    assert not list(path.parent.glob("*.part"))
    declared(path, budget=12)
    nl.Curator.open(path).close()
    assert codes.read_bytes() != before
    nl.Curator.open(path).close()
