"""A damaged disk, a careless copy, a lost file: budget never comes back by accident."""

from __future__ import annotations

import random
import shutil

import pytest

import noiseless as nl
from noiseless.curator.ledger.database import DatabaseJournal
from tests.curator.ledger.test_processes import written

FILES = ("people.ledger.sqlite", "people.ledger.sqlite.head")
FLIPS = 100


@pytest.fixture(scope="module")
def spent(tmp_path_factory):
    """A ledger in which 5 of 6 bits are spent."""
    folder = tmp_path_factory.mktemp("spent")
    path = written(folder, budget=6)
    with nl.Curator.open(path) as curator:
        for top in range(20, 25):
            curator.ask(f"SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND {top}")
    return folder


def looked_at(folder) -> int | None:
    """What is spent; None if the ledger says that it was damaged."""
    try:
        with nl.Curator.open(folder / "people.toml") as curator:
            spent = int(curator.sequence.spent())
            curator.ask("SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND 50")
            return spent
    except (nl.LedgerError, nl.SnapshotError):
        return None


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_bit_gives_nothing_back(spent, tmp_path, name):
    generator = random.Random(7)
    noticed = 0
    for run in range(FLIPS):
        folder = tmp_path / str(run)
        shutil.copytree(spent, folder)
        whole = bytearray((folder / name).read_bytes())
        place = generator.randrange(len(whole))
        whole[place] ^= 1 << generator.randrange(8)
        (folder / name).write_bytes(whole)
        found = looked_at(folder)
        assert found in (None, 32), (place, found)
        noticed += found is None
        shutil.rmtree(folder)
    assert bool(noticed) == (name == FILES[0])  # the other half of a head is whole


@pytest.mark.parametrize("name", FILES)
def test_a_truncated_file_gives_nothing_back(spent, tmp_path, name):
    size = (spent / name).stat().st_size
    for run, left in enumerate([0, 1, 100, 512, 4096, size // 2, size - 4096, size - 100, size - 1]):
        if not 0 <= left < size:
            continue
        folder = tmp_path / str(run)
        shutil.copytree(spent, folder)
        (folder / name).write_bytes((folder / name).read_bytes()[:left])
        assert looked_at(folder) in (None, 32), left


def test_an_older_copy_of_the_ledger_is_noticed(spent, tmp_path):
    folder = tmp_path / "old"
    shutil.copytree(spent, folder)
    shutil.copy(folder / FILES[0], folder / "old.sqlite")
    with nl.Curator.open(folder / "people.toml") as curator:
        curator.ask("SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND 40")
    shutil.copy(folder / "old.sqlite", folder / FILES[0])
    with pytest.raises(nl.LedgerError, match=r"ends with entry 10, but its head, .*, with entry 12"):
        nl.Curator.open(folder / "people.toml")


def test_a_ledger_that_is_replaced_while_it_is_open_is_looked_at_anew(spent, tmp_path):
    folder = tmp_path / "open"
    shutil.copytree(spent, folder)
    with nl.Curator.open(folder / "people.toml") as curator:
        (folder / FILES[0]).rename(folder / "moved.sqlite")
        with pytest.raises(nl.NoiselessError):
            curator.ask("SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND 40")
        (folder / "moved.sqlite").replace(folder / FILES[0])
        assert curator.ask("SELECT COUNT(*) FROM people WHERE age BETWEEN 5 AND 40").factor == 2


def test_without_its_head_a_whole_ledger_is_still_read(spent, tmp_path):
    """As one of an earlier version, or one that was copied alone."""
    folder = tmp_path / "alone"
    shutil.copytree(spent, folder)
    (folder / FILES[1]).unlink()
    assert looked_at(folder) == 32
    assert (folder / FILES[1]).exists()


def test_passwords_are_not_shown():
    from noiseless.curator.ledger.server_place import shown

    for url in ("postgresql://ann:SECRET@host/db", "postgresql://ann@host/db?password=SECRET&options=SECRET"):
        assert "SECRET" not in shown(url)
    with pytest.raises(nl.LedgerError) as caught:
        nl.Curator.open(
            __file__.replace(".py", ".parquet"),
            nl.Schema(x=nl.Integer(0, 1)),
            budget=1,
            prepare=False,
            ledger="postgresql://ann@127.0.0.1:1/db?password=SECRET&connect_timeout=1",
        )
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("name", ["what?.sqlite", "a#b.sqlite", "50%.sqlite", "c:d.sqlite", "ledger?mode=ro"])
def test_the_ledger_is_the_file_that_was_named(tmp_path, name):
    path = written(tmp_path, budget=6)
    for _ in range(2):
        nl.Curator.open(path, ledger=tmp_path / name, store=tmp_path / "codes.duckdb").close()
    files = {each.name for each in tmp_path.iterdir()}
    assert files == {"people.parquet", "people.toml", "codes.duckdb", name, f"{name}.head", f"{name}.lock"}
    assert all((tmp_path / each).stat().st_mode & 0o077 == 0 for each in files if each.startswith(name))


def test_one_dataset_completes_what_it_began_whatever_another_does(tmp_path, monkeypatch):
    """A process dies between head and ledger, and another dataset writes its own head before it is back."""
    path = written(tmp_path, budget=6)
    ledger = tmp_path / "people.ledger.sqlite"
    other = {"schema": nl.Schema(age=nl.Integer(0, 100)), "budget": 6, "ledger": ledger, "prepare": False}
    sql = "SELECT COUNT(*) FROM {} WHERE age BETWEEN 5 AND 40"
    with nl.Curator.open(path) as curator, monkeypatch.context() as patch:
        patch.setattr(DatabaseJournal, "_insert", lambda *_: 1 / 0)
        with pytest.raises(nl.LedgerError):
            curator.ask(sql.format("people"))
    with nl.Curator.open(tmp_path / "people.parquet", table="others", new=True, **other) as second:
        second.ask(sql.format("others"))
    with nl.Curator.open(path) as curator:
        assert curator.sequence.spent() == 2
        assert curator.ask(sql.format("people")).factor == 1
