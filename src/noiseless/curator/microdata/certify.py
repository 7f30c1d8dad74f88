"""The certificate of a released copy."""

from __future__ import annotations

from typing import Any

import noiseless
from noiseless.curator.certificate.certificate import COPY_FORMAT, Certificate, sealed
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.charge import Charge
from noiseless.curator.microdata.columns import Cells
from noiseless.curator.microdata.plan import ReleasePlan
from noiseless.curator.microdata.written import column_fields
from noiseless.privacy.guarantee.guarantee import Guarantee


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
        "sort": plan.sort,
        "belonging together": _groups(plan, dataset),
        "count per row": str(plan.answers),
        "count": str(promise.count),
        "rule": _rule(plan, dataset.schema.rows),
        "sha256": digest,
        "ledger": {"entry": str(charge.number), "hash": charge.hash, "factor": str(charge.factor)},
    }
    return sealed(content, key)


def _rule(plan: ReleasePlan, rows: int) -> list[str]:
    """The names of the rules that the count follows from: what becomes of columns, and the power of a person's rows."""
    names = ["cells" if isinstance(column, Cells) else "groups" for column in plan.private]
    names += ["policy" for _ in plan.policies]
    return list(dict.fromkeys(names + (["power of rows"] if rows > 1 else [])))


def _groups(plan: ReleasePlan, dataset: Dataset) -> list[list[str]]:
    """Columns that belong together, every group once, all in the order of the schema."""
    order = list(dataset.schema.columns)
    groups = {tuple(sorted(order.index(name) for name in set(group))) for group in (*plan.grids, *plan.together)}
    return [[order[place] for place in group] for group in sorted(groups)]
