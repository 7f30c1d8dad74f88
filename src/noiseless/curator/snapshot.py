"""A dataset is a snapshot: one frozen table, known by a random id.

The id is random and not a hash of the data: a hash would let anybody who guesses the table test the guess.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from noiseless.errors import SnapshotError


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a dataset is known by. All of it is public."""

    id: str
    name: str
    schema: str
    rows: int
    rounding: Mapping[str, Fraction]

    def write(self) -> str:
        """As JSON."""
        rounding = {name: str(each) for name, each in self.rounding.items()}
        return json.dumps(
            {
                "id": self.id,
                "name": self.name,
                "schema": self.schema,
                "rows": str(self.rows),
                "rounding": rounding,
            },
            ensure_ascii=False,
        )

    @classmethod
    def read(cls, text: str) -> Snapshot:
        """The snapshot that `write` wrote."""
        fields = json.loads(text)
        rounding = {name: Fraction(each) for name, each in fields["rounding"].items()}
        return cls(fields["id"], fields["name"], fields["schema"], int(fields["rows"]), rounding)


def new_id() -> str:
    """Sixteen random bytes."""
    return secrets.token_hex(16)


def changed(what: str) -> SnapshotError:
    """The error for a dataset that is not the one the budget belongs to, with the ways forward."""
    return SnapshotError(
        f"{what}; a budget belongs to one frozen table. Put the old one back, or begin a new dataset, whose budget the "
        f"custodian decides anew: with another ledger= and store=, or by moving away the .ledger.sqlite and "
        f".codes.duckdb files beside the schema"
    )
