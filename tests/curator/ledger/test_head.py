"""The head of a ledger: whole after a power failure at any byte, and never a reason to give budget back."""

from __future__ import annotations

import json

import pytest

from noiseless.curator.ledger.database import DatabaseJournal
from noiseless.curator.ledger.entry import Entry, Link
from noiseless.curator.ledger.head import SMALLEST, Head
from noiseless.errors import LedgerError


def chain(length: int, text: str = "") -> list[Entry]:
    entries: list[Entry] = []
    for _ in range(length):
        entries.append(Entry.after(entries[-1] if entries else None, "answer", "ada", {"released": [], "ask": text}))
    return entries


def link(entry: Entry) -> Link:
    return Link(entry.number, entry.hash, entry.previous)


def test_the_power_fails_at_any_byte(tmp_path):
    """Any part of the new half, in any order of pages, over the old one: the head has one of the two entries."""
    path, entries = tmp_path / "l.head", chain(4)
    head = Head(str(tmp_path / "l"))
    for entry in entries[:3]:
        head.write("people", entry)
    before = path.read_bytes()
    head.write("people", entries[3])
    after = path.read_bytes()
    assert len(after) == 2 * SMALLEST
    changed = [place for place in range(len(after)) if before[place] != after[place]]
    half = changed[0] // SMALLEST
    assert half == changed[-1] // SMALLEST  # written in place, one half only
    start, end = half * SMALLEST, (half + 1) * SMALLEST
    for cut in {start, *changed[::7], *(place + 1 for place in changed[-3:]), end}:
        for torn in (after[:cut] + before[cut:], before[:cut] + after[cut:]):
            path.write_bytes(torn)
            lost = head.lost("people", link(entries[2]))
            assert lost in (None, entries[3])
            assert (lost == entries[3]) == (torn == after)
    path.write_bytes(before)
    assert head.lost("people", link(entries[2])) is None


def test_a_damaged_half_is_made_up_for_by_the_ledger_and_written_anew(tmp_path):
    path, entries = tmp_path / "l.head", chain(6)
    head = Head(str(tmp_path / "l"))
    for entry in entries[:4]:
        head.write("people", entry)
    whole = path.read_bytes()
    for place in (100, SMALLEST - 1, SMALLEST + 100, 2 * SMALLEST - 1):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert head.lost("people", link(entries[3])) is None
        with pytest.raises(LedgerError, match="ends with entry 1"):
            head.lost("people", link(entries[1]))
        with pytest.raises(LedgerError, match="ends with entry 5"):  # the ledger never has two more
            head.lost("people", link(entries[5]))
        head.write("people", entries[4])
        assert head.lost("people", link(entries[3])) == entries[4]
    path.write_bytes(whole)
    with pytest.raises(LedgerError, match="ends with entry 4"):  # an older head that was put back
        head.lost("people", link(entries[4]))
    for wrong in (b"", b"x" * 50, whole[:100]):
        path.write_bytes(wrong)
        with pytest.raises(LedgerError, match="was damaged"):
            head.lost("people", link(entries[3]))


def test_entries_of_any_size_and_other_datasets(tmp_path):
    head = Head(str(tmp_path / "l"))
    [other] = chain(1)
    head.write("others", other)
    last = None
    for entry in [*chain(3, "x" * 3000), *chain(2, "y" * 100_000)[:1]]:
        assert head.lost("people", last) is None
        head.write("people", entry)
        last = link(entry)
        assert head.lost("others", link(other)) is None
    assert head.lost("others", None) == other


def test_the_first_format_is_read_and_replaced(tmp_path):
    path, entries = tmp_path / "l.head", chain(3)
    path.write_text(json.dumps({"format": "1", "heads": {"people": entries[1].write()}}), encoding="utf-8")
    head = Head(str(tmp_path / "l"))
    assert head.lost("people", link(entries[0])) == entries[1]
    with pytest.raises(LedgerError, match="ends with entry 2"):  # there are no halves that could be damaged
        head.lost("people", link(entries[2]))
    head.write("people", entries[2])
    assert head.lost("people", link(entries[1])) == entries[2]
    assert len(path.read_bytes()) == 2 * SMALLEST


def test_bodies_are_stored_as_they_are_hashed_and_older_ones_are_read(tmp_path):
    journal = DatabaseJournal(tmp_path / "l.sqlite", "people")
    first = Entry.after(None, "open", "", {"b": ["ä", True, None], "a": {"d": "1", "c": "\\u0000"}})
    assert journal.append(first)
    [found] = journal.since(0)
    assert found == first
    assert found.follows(None)
    assert first.write()["body"] == '{"a":{"c":"\\\\u0000","d":"1"},"b":["ä",true,null]}'
    older = Entry.read({**first.write(), "body": json.dumps(first.body, ensure_ascii=False)})
    assert older == first
    assert older.follows(None)
    for wrong in ('{"a":{"c":"","d":"1"},"b":["ä",true,null]}', "{}", '["a"]'):
        assert not Entry.read({**first.write(), "body": wrong}).follows(None)
    journal.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["l.sqlite", "l.sqlite.head"]
