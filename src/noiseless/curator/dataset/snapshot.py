"""A snapshot: one frozen table with a random id.

The id is random and not a hash of the data, because a hash would let anyone test a guess of the table.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass

from noiseless.errors import SnapshotError

FORMAT = "2"
"""The format of a store of codes. Format 1 also kept the rounding of values, which now follows from the schema."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The identity of a dataset. All of it is public."""

    id: str
    name: str
    schema: str
    rows: int

    def write(self) -> str:
        """The snapshot as JSON."""
        fields = {"format": FORMAT, "id": self.id, "name": self.name, "schema": self.schema, "rows": str(self.rows)}
        return json.dumps(fields, ensure_ascii=False)

    @classmethod
    def read(cls, text: str) -> Snapshot:
        """Read a snapshot of this version or an earlier one; format 1 has no format number."""
        fields = json.loads(text)
        if fields.get("format", "1") not in ("1", FORMAT):
            raise SnapshotError(
                f"the codes have format {fields['format']}, which this version cannot read; update noiseless"
            )
        return cls(fields["id"], fields["name"], fields["schema"], int(fields["rows"]))


def new_id() -> str:
    """Sixteen random bytes."""
    return secrets.token_hex(16)


AGAIN = (
    "put the old table back, or start a new dataset with a new budget: use another ledger= and store=, or move away "
    "the .ledger.sqlite, .head and .codes.duckdb files beside the schema"
)

OLD_SCHEMA = f"use the old schema, or {AGAIN.partition(', or ')[2]}"


def changed_error(what: str, advice: str = AGAIN) -> SnapshotError:
    """The error for a dataset that differs from the one the budget belongs to, with what to do."""
    return SnapshotError(f"{what}; a budget belongs to one frozen table: {advice}")
