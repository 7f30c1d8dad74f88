"""What reading a ledger needs to know about its dataset."""

from __future__ import annotations

from typing import Protocol

from noiseless.curator.schema.schema import Schema


class Ground(Protocol):
    """What was declared, and the accounts of a ledger that does not list them."""

    @property
    def schema(self) -> Schema:
        """What was declared about the columns."""

    @property
    def declared(self) -> str:
        """The schema as text."""

    @property
    def rows(self) -> int:
        """The most rows that one person has."""

    def values(self) -> dict[str, int]:
        """How many values each private column has."""

    def names(self) -> list[str]:
        """The accounts of a ledger that does not list them."""
