"""Datasets that are renamed, added to, or given a lower budget: what was spent stays spent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.ledger.continued import widens
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
    with pytest.raises(
        nl.SnapshotError, match=r"the ledger holds 'people' but not 'persons'; .*: if this is a new dataset"
    ):
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
    with pytest.raises(nl.SnapshotError, match="by more than additions"):
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
    with pytest.raises(nl.SnapshotError, match="larger than the 3 bits that the ledger began with"):
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
        for entry in (1, 2):
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
    with pytest.raises(nl.SnapshotError, match="budget is larger"):
        nl.Curator.open(path)
    assert codes.read_bytes() == before
    assert not list(path.parent.glob("*.part"))
    declared(path, budget=12)
    nl.Curator.open(path).close()
    assert codes.read_bytes() != before
    nl.Curator.open(path).close()


SMALL = {
    "age": [10, 20, 30, 40],
    "region": ["north", "north", "south", "south"],
    "sex": ["m", "m", "f", "f"],
    "day": [1, 2, 1, 2],
    "who": ["a", "a", "b", "b"],
}


def small(path, schema, **what):
    pq.write_table(pa.table(SMALL), path.parent / "people.parquet")
    path.write_text(nl.Declaration(schema, "people.parquet", None, 12, prepare=False, **what).write())


def bodies(curator):
    return [entry.body for entry in curator.entries() if entry.kind == "change"]


def test_cells_that_only_change_their_order_keep_what_was_spent(path):
    """A public column that splits nobody, and comes first: the same people have another place and another name."""
    first = nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south"))
    small(path, first)
    with nl.Curator.open(path) as curator:
        north = curator.ask("SELECT SUM(age) FROM people WHERE region = 'north'", bits=3)
        assert [curator.sequence.spent(f'["{name}"]') for name in ("north", "south")] == [north.factor, 1]
    small(path, nl.Schema(age=nl.Integer(0, 100), sex=nl.Public("f", "m"), region=nl.Public("north", "south")))
    with nl.Curator.open(path) as curator:
        assert {name: cell.product for name, cell in curator.sequence.cells.items()} == {
            '["f", "south"]': 1,
            '["m", "north"]': north.factor,
        }
        assert curator.ask("SELECT SUM(age) FROM people WHERE region = 'north'", bits=3).factor == 1
        assert curator.ask("SELECT SUM(age) FROM people WHERE sex = 'm'", bits=3).rows == north.rows
        assert curator.ask("SELECT SUM(age) FROM people WHERE region = 'south'", bits=3).factor == north.factor
        [change] = bodies(curator)
        assert (change["before"], change["from"]) == (['["north"]', '["south"]'], [["1", "1"], ["0", "1"]])


def test_keys_that_change_places_are_not_confused(path):
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south")))
    with nl.Curator.open(path) as curator:
        both = "SELECT COUNT(*) FROM people WHERE (region = 'north' AND age > 15) OR (region = 'south' AND age > 35)"
        asked = curator.ask(both)
        assert (asked.factor, asked.rows[0].value) == (2, 2)
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("south", "north")))
    with nl.Curator.open(path) as curator:
        assert curator.ask(both).factor == 2  # its condition is on keys that have other places now: paid again
        assert curator.ask(both).rows[0].value == 2
        assert set(curator.sequence.cells) == {'["north"]', '["south"]'}
        assert curator.sequence.spent() == 4


def test_only_a_lower_budget_moves_nothing(path):
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south")))
    with nl.Curator.open(path) as curator:
        curator.ask("SELECT SUM(age) FROM people", bits=3)
    with nl.Curator.open(path, budget=11) as curator:
        [change] = bodies(curator)
        assert (change["from"], change["altered"], change["before"]) == ([], [], change["cells"])
        assert curator.ask("SELECT SUM(age) FROM people", bits=3).factor == 1
    with nl.Curator.open(path, budget=11) as again:
        assert len(bodies(again)) == 1


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_more_cells_than_are_told_apart(path, monkeypatch, most):
    """One account for everybody then: what was spent most, and what confines least."""
    for module in ("noiseless.curator.question.price", "noiseless.curator.ledger.continued"):
        monkeypatch.setattr(f"{module}.MOST_CELLS", most)
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south")))
    with nl.Curator.open(path) as curator:
        curator.ask("SELECT SUM(age) FROM people WHERE region = 'north'", bits=3)
        curator.ask("SELECT COUNT(*) FROM people WHERE age > 15")
        spent = curator.sequence.spent()
        left = max(cell.remaining["age"] for cell in curator.sequence.cells.values())
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south"), day=nl.Public(1, 2)))
    with nl.Curator.open(path) as curator:
        assert len(curator.sequence.cells) == (4 if most >= 4 else 1)
        assert curator.sequence.spent() == spent
        assert max(cell.remaining["age"] for cell in curator.sequence.cells.values()) == left
        assert curator.ask("SELECT COUNT(*) FROM people WHERE age > 15").factor == 1
        verify_ledger(curator.entries())


def test_people_with_several_rows_go_on(path):
    unit: dict[str, Any] = {"unit": "who", "rows": 2, "order_by": "day"}
    columns: dict[str, Any] = {"age": nl.Integer(0, 100), "day": nl.Public()}
    small(path, nl.Schema(columns, **unit))
    with nl.Curator.open(path) as curator:
        first = curator.ask("SELECT SUM(age) FROM people", bits=3)
    for wrong in ({"rows": 1}, {"rows": 3}, {"unit": "sex"}):
        small(path, nl.Schema(columns, **unit | wrong))
        with pytest.raises(nl.SnapshotError):
            nl.Curator.open(path)
    small(path, nl.Schema({**columns, "region": nl.Public("north", "south")}, **unit))
    with nl.Curator.open(path) as curator:
        assert curator.sequence.cells[""].product == first.factor
        assert curator.ask("SELECT SUM(age) FROM people", bits=3).factor == 1
        assert curator.ask("SELECT region, SUM(age) FROM people GROUP BY region", bits=6).factor > 1


@pytest.mark.parametrize(
    "wrong",
    [
        nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "west", other="south")),
        nl.Schema(age=nl.Integer(0, 100), region=nl.Public()),
        nl.Schema(age=nl.Integer(0, 100), region=nl.Category("north", "south")),
        nl.Schema(age=nl.Category(10, 20), region=nl.Public("north", "south")),
        nl.Schema(age=nl.Public(10, 20, 30, 40), height=nl.Integer(0, 9), region=nl.Public("north", "south")),
    ],
)
def test_what_takes_away_does_not_go_on(path, wrong):
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south")))
    nl.Curator.open(path).close()
    small(path, wrong)
    with pytest.raises((nl.SnapshotError, nl.SchemaError)):
        nl.Curator.open(path)


def test_rows_of_a_key_that_nobody_had_are_noticed(path):
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south")))
    nl.Curator.open(path).close()
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south", "east")))
    changed = {**SMALL, "region": ["north", "north", "south", "east"]}
    pq.write_table(pa.table(changed), path.parent / "people.parquet")
    with pytest.raises(nl.SnapshotError, match="has rows with the key 'east'"):
        nl.Curator.open(path)


def test_a_column_that_splits_nobody_gives_nothing_back(path):
    """The same people in the same order, under longer names."""
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south")))
    with nl.Curator.open(path) as curator:
        curator.ask("SELECT SUM(age) FROM people WHERE region = 'north'", bits=3)
        spent = curator.sequence.spent()
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south"), sex=nl.Public("f", "m")))
    with nl.Curator.open(path) as curator:
        assert curator.sequence.spent('["north", "m"]') == spent > 1
        assert curator.sequence.spent('["south", "f"]') == 1


def test_a_key_without_rows_moves_the_places_of_others(path):
    """What was paid of the key in place 1 must not pass for the key that is there now."""
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south")))
    with nl.Curator.open(path) as curator:
        asked = curator.ask("SELECT COUNT(*) FROM people WHERE (region = 'south' AND age > 35) OR age > 90")
        assert (asked.factor, asked.rows[0].value) == (2, 1)
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("east", "north", "south")))
    with nl.Curator.open(path) as curator:
        other = curator.ask("SELECT COUNT(*) FROM people WHERE (region = 'north' AND age > 5) OR age > 90")
        same = curator.ask("SELECT COUNT(*) FROM people WHERE (region = 'north' AND age > 35) OR age > 90")
        assert (other.factor, other.rows[0].value) == (2, 2)
        assert (same.factor, same.rows[0].value) == (2, 0)


def test_a_schema_is_wider_only_if_it_keeps_every_column():
    def wider(old, new) -> bool:
        return widens(nl.Schema(age=nl.Integer(0, 9), it=old), nl.Schema(age=nl.Integer(0, 9), it=new))

    assert wider(nl.Public("a", "b"), nl.Public("c", "b", "a"))
    assert not wider(nl.Public("a", "b"), nl.Public("a", "c"))
    assert not wider(nl.Public(), nl.Public("a"))
    assert not wider(nl.Public("a"), nl.Public())
    assert not wider(nl.Public("a", "b"), nl.Public("a", other="b"))
    assert not wider(nl.Integer(0, 1), nl.Public(0, 1))
    assert not wider(nl.Public(0, 1), nl.Integer(0, 1))


def test_people_who_were_all_alike_are_told_apart_later(path):
    """One public cell is split in two: both inherit what was spent on it."""
    small(path, nl.Schema(age=nl.Integer(0, 100)))
    with nl.Curator.open(path) as curator:
        spent = curator.ask("SELECT SUM(age) FROM people", bits=3).factor
    small(path, nl.Schema(age=nl.Integer(0, 100), region=nl.Public("north", "south")))
    with nl.Curator.open(path) as curator:
        [change] = bodies(curator)
        assert (change["before"], change["from"]) == (["[]"], [["0", "2"]])
        assert {name: cell.product for name, cell in curator.sequence.cells.items()} == {
            '["north"]': spent,
            '["south"]': spent,
        }


def test_a_table_without_rows_has_one_account(path):
    small(path, nl.Schema(age=nl.Integer(0, 100)))
    pq.write_table(pa.table({"age": pa.array([], pa.int64())}), path.parent / "people.parquet")
    nl.Curator.open(path).close()
    with nl.Curator.open(path, budget=3) as curator:
        [change] = bodies(curator)
        assert change["before"] == change["cells"] == list(curator.sequence.cells) == [""]
