"""The counts of a copy: they are those of the file, and a file that is missing or changed is noticed and not used."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import noiseless as nl
from noiseless.curator.deduce.deduced import deduced_lines
from noiseless.curator.deduce.facts import Facts
from noiseless.curator.microdata.counts import kept
from noiseless.curator.question.reading import meaning

SCHEMA = nl.Schema(
    age=nl.Integer(0, 9, missing="apart"),
    smoker=nl.Category("no", "yes", missing="?"),
    sick=nl.Boolean(missing="apart"),
    region=nl.Public("n", "s", "w"),
)
TABLE = pd.DataFrame(
    {
        "age": [None if k % 7 == 0 else k % 10 for k in range(60)],
        "smoker": [("no", "yes", None)[k % 3] for k in range(60)],
        "sick": [(True, False, None)[k * k % 3] for k in range(60)],
        "region": ["ns"[k % 2] for k in range(60)],
    }
)
WANTED = {
    "cuts": {"age": [3, 7]},
    "hierarchies": {"smoker": {"no": "no", "yes": "other", "?": "other"}},
    "levels": {"smoker": 1},
}


def opened(tmp_path, **also):
    return nl.Curator.open(
        TABLE, SCHEMA, budget=12, table="t", store=tmp_path / "t.codes", ledger=tmp_path / "t.ledger", **also
    )


def facts(curator):
    return kept(curator._dataset, curator._account)


def the_file(tmp_path):
    [file] = (tmp_path / "t.codes.copies").iterdir()
    return file


def test_the_counts_are_those_of_the_copy(tmp_path):
    with opened(tmp_path) as curator:
        made = curator.release(tmp_path / "o.parquet", **WANTED)
        [found] = facts(curator).partitions
    rows = pq.read_table(tmp_path / "o.parquet").to_pandas()
    of_file = Counter(rows.astype(object).where(rows.notna(), "missing").itertuples(index=False, name=None))
    assert sorted(found.counts.tolist()) == sorted(of_file.values())
    assert found.counts.sum() == 60
    assert found.question == made.entry == 1
    assert [axis.columns for axis in found.axes] == [("age",), ("smoker",), ("sick",)]
    assert [axis.labels.tolist() for axis in found.axes] == [[0] * 3 + [1] * 4 + [2] * 3 + [3], [0, 1, 1], [0, 1, 2]]
    assert nl.verify(made.certificate, file=tmp_path / "o.parquet")


def test_they_outlive_the_process_and_deduce_the_truth(tmp_path):
    with opened(tmp_path) as curator:
        curator.release(tmp_path / "o.parquet", **WANTED)
    with opened(tmp_path) as curator:
        _, lines = meaning(
            "SELECT region, COUNT(*) FROM t WHERE age >= 5 AND smoker = 'no' GROUP BY region", curator._dataset
        )
        found = deduced_lines(lines, curator._dataset, Facts.of((), facts(curator).partitions))
        truth = TABLE[(TABLE.age >= 5) & (TABLE.smoker == "no")].groupby("region").size()
        for keys, numbers in found:
            [number] = numbers.values()
            assert number.lower <= truth.get(keys["region"], 0) <= number.upper
        assert any(number.upper < 30 for _, numbers in found for number in numbers.values())


def test_the_curator_deduces_from_a_copy(tmp_path):
    with opened(tmp_path) as curator:
        made = curator.release(tmp_path / "o.parquet", **WANTED)
        text = "SELECT COUNT(*) FROM t WHERE age >= 3"
        answer, left = curator.deduce(text), curator.remaining
        assert answer.rows[0]["COUNT(*)"].value == int((TABLE.age >= 3).sum())
        assert answer.facts == (made.entry,)
        assert curator.ask(text).factor == 1
        assert curator.remaining == left
        assert nl.verify(answer.certificate).count == 1
        the_file(tmp_path).unlink()
        gone = curator.deduce(text)
        assert gone.rows[0]["COUNT(*)"].upper == 60
        assert any("are missing" in note for note in gone.notes)


def test_a_missing_or_changed_file_is_noticed_and_not_used(tmp_path):
    with opened(tmp_path) as curator:
        curator.release(tmp_path / "o.parquet", **WANTED)
        file = the_file(tmp_path)
        good = file.read_bytes()
        with np.load(file) as found:
            arrays = dict(found)
        arrays["counts"] = arrays["counts"] + 1
        np.savez(tmp_path / "wrong.npz", **arrays)
        for bad, words in ((b"nonsense", "cannot be read"), ((tmp_path / "wrong.npz").read_bytes(), "were changed")):
            file.write_bytes(bad)
            assert not facts(curator).partitions
            [note] = facts(curator).notes
            assert words in note
            assert "question 1" in note
        file.unlink()
        assert "are missing" in facts(curator).notes[0]
        before = curator.remaining
        curator.release(tmp_path / "again.parquet", **WANTED)  # free, and it repairs the file
        assert curator.remaining == before
        assert len(facts(curator).partitions) == 1
        assert not facts(curator).notes
        assert sorted(facts(curator).partitions[0].counts) == sorted(np.load(file)["counts"])
        assert good


def test_codes_in_flight_have_no_counts(tmp_path):
    TABLE.to_parquet(tmp_path / "t.parquet")
    with nl.Curator.open(tmp_path / "t.parquet", SCHEMA, budget=12, table="t", prepare=False) as curator:
        curator.release(tmp_path / "o.parquet", **WANTED)
        assert facts(curator) == type(facts(curator))()


def test_without_a_store_they_last_as_long_as_the_process(tmp_path):
    with nl.Curator.open(TABLE, SCHEMA, budget=12, table="t") as curator:
        curator.release(tmp_path / "o.parquet", **WANTED)
        assert len(facts(curator).partitions) == 1


def test_no_private_data_are_read(tmp_path, monkeypatch):
    """Deducing works when the engine can no longer read any row."""
    with opened(tmp_path) as curator:
        curator.release(tmp_path / "o.parquet", **WANTED)
        monkeypatch.setattr(type(curator._dataset.engine), "_rows", lambda *_: pytest.fail("rows were read"))
        assert len(facts(curator).partitions) == 1


def test_a_backup_has_them(tmp_path):
    (tmp_path / "t.csv").write_text("age\n1\n5\n9\n")
    (tmp_path / "t.toml").write_text(
        'source = "t.csv"\nbudget = 9\n[columns.age]\nkind = "integer"\nlow = 0\nhigh = 9\n'
    )
    from noiseless.curator.backup import backup

    with nl.Curator.open(tmp_path / "t.toml") as curator:
        curator.release(tmp_path / "o.parquet", cuts={"age": [4]})
    names = {each.name for each in backup(tmp_path / "t.toml", tmp_path / "kept")}
    [folder] = [name for name in names if name.endswith(".copies")]
    assert len([*(tmp_path / "kept" / folder).iterdir()]) == 1
