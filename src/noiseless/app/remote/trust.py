"""Whether an answer that came over the network is the one that its certificate proves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from noiseless.app.remote.asked import Asked, check_asked
from noiseless.curator.answer.answer import Answer
from noiseless.curator.certificate.issue import written_rows
from noiseless.curator.certificate.verify import verify
from noiseless.curator.releases.written import canonical
from noiseless.errors import CertificateError

Written = Sequence[Mapping[str, Any]]
"""The rows of an answer as its certificate has them."""


@dataclass(slots=True)
class Trust:
    """What a client trusts: the custodian's public key, if one is pinned, and the keys that followed it.

    `tables` has the names of the table and its views, by the ids of their snapshots. `rotations` says for each id how
    one key followed another.
    """

    key: str | None
    tables: dict[str, str] = field(default_factory=dict)
    rotations: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    unit: str | None = None
    """The column that identifies a person, if a person has several rows."""

    @property
    def dataset(self) -> str:
        """The id of the table's snapshot, which comes before those of its views."""
        return next(iter(self.tables), "")

    def include(self, view: Trust) -> None:
        """Trust the snapshot and the keys of a view, too."""
        self.tables |= view.tables
        self.rotations |= view.rotations

    def check(self, answer: Answer, asked: Asked | None = None) -> None:
        """Verify the certificate, and that it proves this answer and is about the question; the same for subqueries.

        Where other answers make an interval narrower, the certificate proves the wider one; `deduce` proves the rest.
        """
        for each in answer.before:
            self.check(each)
        if self._is_withheld(answer):
            return
        content, rows = answer.certificate.content, written_rows([row.fields for row in answer.rows])
        found = verify(answer.certificate, self.key, rotations=self.rotations.get(str(content.get("dataset")), ()))
        proved = rows == content["answer"] or (bool(answer.facts) and _inside(rows, content["answer"]))
        known = self.tables.get(content["dataset"]) == content["table"]
        if not known or not proved or found.count != answer.guarantee.count:
            raise CertificateError(
                "the answer is not the one that its certificate proves; do not use it, and report it to the custodian"
            )
        for words in (Asked(answer.question, deduced=True), asked):
            if words is not None:
                check_asked(answer, words, self.tables.values(), self.unit)

    def _is_withheld(self, answer: Answer) -> bool:
        """Whether the server keeps a proof back, because it shows questions of other analysts."""
        if answer.certificate is not None:
            return False
        if self.key is not None:
            raise CertificateError(
                "the answer follows from questions of other analysts, so the server withholds its proof; ask with "
                "bits=, so that it is certified by itself, or connect without key= to accept it without a proof"
            )
        return True


def _inside(rows: Written, proved: Written) -> bool:
    """Whether every interval lies in the one that is proved, in rows with the same keys."""
    ordered = zip(sorted(rows, key=_keys), sorted(proved, key=_keys), strict=False)
    return len(rows) == len(proved) and all(
        row.keys() == known.keys() and all(_narrower(row[label], known[label]) for label in row)
        for row, known in ordered
    )


def _keys(row: Mapping[str, Any]) -> str:
    return canonical({label: cell for label, cell in row.items() if not _is_number(cell)})


def _is_number(cell: Any) -> bool:
    return isinstance(cell, Mapping) and {"lower", "upper"} <= cell.keys()


def _narrower(cell: Any, proved: Any) -> bool:
    if cell == proved:
        return True
    if not (_is_number(cell) and _is_number(proved)):
        return False
    places = ((proved, "lower"), (cell, "lower"), (cell, "value"), (cell, "upper"), (proved, "upper"))
    ends = [_number(each[end]) for each, end in places]
    return all(type(end) is type(ends[0]) for end in ends) and ends == sorted(ends)


def _number(text: Any) -> Any:
    """A number, or a date as its text, which is ordered as dates are."""
    try:
        return Fraction(text)
    except (ValueError, TypeError):
        return str(text)
