"""Whether an answer that came over the network is the one that its certificate proves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from noiseless.curator.answer.answer import Answer
from noiseless.curator.certificate.issue import written_cell
from noiseless.curator.certificate.verify import verify
from noiseless.errors import CertificateError


@dataclass(slots=True)
class Trust:
    """The custodian's public key, if one is pinned, the dataset, and which keys followed that key."""

    key: str | None
    dataset: str = ""
    rotations: list[Mapping[str, Any]] = field(default_factory=list)

    def check(self, answer: Answer) -> None:
        """Verify the certificate, and that it proves this answer. Those of subqueries, too."""
        for each in (*answer.before, answer):
            found = verify(each.certificate, self.key, rotations=self.rotations)
            content = each.certificate.content
            rows = [{label: written_cell(cell) for label, cell in row.items()} for row in each.rows]
            if content["dataset"] != self.dataset or rows != content["answer"] or found.count != each.guarantee.count:
                raise CertificateError(
                    "the answer is not the one that its certificate proves; do not use it, and tell the custodian"
                )
