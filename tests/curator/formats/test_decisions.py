"""A ledger of format 5, with every kind of decision, is opened and continued by every later version."""

from __future__ import annotations

from pathlib import Path

import pytest

import noiseless as nl
from noiseless.curator.certificate.rotation import trusted_keys
from noiseless.curator.ledger import formats
from noiseless.curator.ledger.custody import DECIDE
from noiseless.curator.ledger.verify import verify_ledger
from tests.curator.formats import make

HERE = Path(__file__).parent / "decisions"


@pytest.fixture
def toml(tmp_path):
    return make.restore("people", HERE, tmp_path)


def test_every_decision_is_read_and_continued(toml):
    with nl.Curator.open(toml, analyst="bob") as curator:
        entries = curator.entries()
        assert {entry.kind for entry in entries} | {"unfreeze"} == {*DECIDE, "open", "ask", "answer"}
        assert verify_ledger(entries) == len(entries) == 19
        assert (curator.remaining, curator.frozen) == (6, True)  # 10 + 2 granted, 3 charged, 3 on hold
        assert [hold.analyst for hold in curator.holds()] == ["bob"]
        assert [request.reason for request in curator.requests()] == ["not decided"]
        assert len(trusted_keys(curator.rotations()[0]["old"], curator.dataset, curator.rotations())) == 2
        curator.unfreeze()
        [hold] = curator.holds()
        curator.approve(hold.number)
        assert curator.collect(hold.number).factor == 8
        assert curator.remaining == 6
        assert verify_ledger(curator.entries()) == 23


def test_a_version_that_does_not_know_them_refuses(toml, monkeypatch):
    monkeypatch.setattr(formats, "FORMATS", formats.FORMATS[:-1])
    with pytest.raises(nl.SnapshotError, match="newer noiseless"):
        nl.Curator.open(toml)
