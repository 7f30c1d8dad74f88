"""The certificate of a released copy."""

from __future__ import annotations

from typing import Any

import noiseless
from noiseless.curator.certificate.certificate import Certificate, canonical_bytes
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.dataset import Dataset
from noiseless.curator.ledger.account import Charge
from noiseless.curator.microdata.plan import ReleasePlan
from noiseless.curator.microdata.written import column_fields
from noiseless.privacy.guarantee import Guarantee

COPY_FORMAT = "noiseless microdata certificate 1"


def certify_copy(
    dataset: Dataset, plan: ReleasePlan, promise: Guarantee, charge: Charge, digest: str, key: PrivateKey | None
) -> Certificate:
    """All that the count follows from; signed if there is a key. `digest` is the SHA-256 of the file, if it is one."""
    content: dict[str, Any] = {
        "format": COPY_FORMAT,
        "noiseless": noiseless.__version__,
        "dataset": dataset.snapshot.id,
        "table": dataset.name,
        "rows": str(dataset.rows),
        "schema": dataset.snapshot.schema,
        "columns": [column_fields(column) for column in plan.columns],
        "policies": [each.fields() for each in plan.policies],
        "intervals": plan.intervals,
        "assumptions": list(promise.assumptions),
        "belonging together": [list(group) for group in (*plan.grids, *plan.together)],
        "count per row": str(plan.answers),
        "count": str(promise.count),
        "rule": promise.statement,
        "sha256": digest,
        "ledger": {"entry": str(charge.number), "hash": charge.hash, "factor": str(charge.factor)},
    }
    if key is None:
        return Certificate(content)
    return Certificate(content, key.public, key.sign(canonical_bytes(content)))
