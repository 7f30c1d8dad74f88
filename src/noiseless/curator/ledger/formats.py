"""The formats of entries, and what each of them added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noiseless.errors import SnapshotError

FORMAT = "5"
"""The format of entries. In format 1, charges listed every cell with everything left, and every release with all its
fields. Since format 3, entries may reserve what their answer settles; since format 4, they may have columns; since
format 5, they may be decisions, such as a hold."""
FORMATS = ("1", "2", "3", "4", FORMAT)
WITH_RESERVES, WITH_COLUMNS, WITH_DECISIONS = "3", "4", "5"


def check_format(body: Mapping[str, Any]) -> None:
    """Refuse a format of a later version."""
    if body.get("format", "1") not in FORMATS:
        raise SnapshotError(f"the ledger has format {body['format']} of a newer noiseless; update this one")
