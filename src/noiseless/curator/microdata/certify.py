"""The certificate of a released copy."""

from __future__ import annotations

from noiseless.curator.certificate.certificate import COPY_FORMAT, Certificate
from noiseless.curator.certificate.issue import issue
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.ledger.charge import Charge
from noiseless.curator.microdata.plan import CopyPlan
from noiseless.privacy.guarantee.guarantee import Guarantee


def certify_copy(
    dataset: Dataset, plan: CopyPlan, promise: Guarantee, charge: Charge, digest: str, key: PrivateKey | None
) -> Certificate:
    """The certificate: everything that determines the count. `digest` is the SHA-256 of the file, if there is one."""
    own = {
        "columns": [column.fields() for column in plan.columns],
        "policies": [each.fields() for each in plan.policies],
        "intervals": plan.intervals,
        "sort": plan.sort,
        "belonging together": _groups(plan, dataset),
        "count per row": str(plan.answers),
        "rule": _rule(plan, dataset.schema.rows),
        "sha256": digest,
    }
    return issue(COPY_FORMAT, dataset, promise, charge, own, key)


def _rule(plan: CopyPlan, rows: int) -> list[str]:
    """The names of the rules that give the count: what becomes of columns, and the power of a person's rows."""
    names = [column.rule for column in plan.private]
    names += ["policy" for _ in plan.policies]
    return list(dict.fromkeys(names + (["power of rows"] if rows > 1 else [])))


def _groups(plan: CopyPlan, dataset: Dataset) -> list[list[str]]:
    """The groups of columns that belong together, each once, in the order of the schema."""
    order = list(dataset.schema.columns)
    groups = {tuple(sorted(order.index(name) for name in set(group))) for group in (*plan.grids, *plan.together)}
    return [[order[place] for place in group] for group in sorted(groups)]
