"""What several tests of the ledger use."""

from __future__ import annotations

import pytest

from noiseless.curator.ledger import checkpoint as room


@pytest.fixture
def often(monkeypatch):
    """A checkpoint at every second entry."""
    monkeypatch.setattr(room, "EVERY", 2)
