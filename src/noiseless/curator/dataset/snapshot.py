"""A dataset is a snapshot: one frozen table, known by a random id.

The id is random and not a hash of the data: a hash would let anybody who guesses the table test the guess.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass

from noiseless.errors import SnapshotError

FORMAT = "2"
"""Of a store of codes. Format 1 also kept how far values were rounded, which now follows from the schema."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a dataset is known by. All of it is public."""

    id: str
    name: str
    schema: str
    rows: int

    def write(self) -> str:
        """As JSON."""
        fields = {"format": FORMAT, "id": self.id, "name": self.name, "schema": self.schema, "rows": str(self.rows)}
        return json.dumps(fields, ensure_ascii=False)

    @classmethod
    def read(cls, text: str) -> Snapshot:
        """The snapshot that this version or an earlier one wrote; those of format 1 had no number."""
        fields = json.loads(text)
        if fields.get("format", "1") not in ("1", FORMAT):
            raise SnapshotError(f"the codes are of format {fields['format']}; open them with a newer noiseless")
        return cls(fields["id"], fields["name"], fields["schema"], int(fields["rows"]))


def new_id() -> str:
    """Sixteen random bytes."""
    return secrets.token_hex(16)


def changed_error(what: str) -> SnapshotError:
    """The error for a dataset that is not the one the budget belongs to, with the ways forward."""
    return SnapshotError(
        f"{what}; a budget belongs to one frozen table. Put the old table back, or start a new dataset with a new "
        f"budget: "
        f"use another ledger= and store=, or move away the .ledger.sqlite, .head and .codes.duckdb files beside the "
        f"schema"
    )
