"""The custodian's report: what of the table did not fit the schema. Nothing of it is for anybody else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from noiseless.curator.dataset import Dataset, fields
from noiseless.curator.schema.scale import Scale

if TYPE_CHECKING:
    from rich.table import Table

WORDS = {
    "missing": "missing, NaN, infinite or unreadable",
    "below": "below low, counted as low",
    "above": "above high, counted as high",
    "unknown": "none of the declared values",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """So many values of a column have something about them; `counts_as` is what became of missing or unknown ones."""

    column: str
    what: str
    values: int
    counts_as: str

    @property
    def surprising(self) -> bool:
        """Whether values were counted as something that nobody declared."""
        return bool(self.values) and self.counts_as.endswith("undeclared")


@dataclass(frozen=True, slots=True)
class Check:
    """For the custodian only: how many values were missing, clamped or unknown. Do not pass it on."""

    rows: int
    findings: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        """Whether every value was as declared."""
        return not any(finding.values for finding in self.findings)

    def __rich__(self) -> Table:
        from rich.table import Table

        table = Table(title=f"{self.rows} rows; for the custodian only", title_justify="left")
        for head in ("column", "values that are", "how many", "counted as"):
            table.add_column(head)
        for found in self.findings:
            style = "bold red" if found.surprising else "yellow" if found.values else "dim"
            table.add_row(found.column, WORDS[found.what], str(found.values), found.counts_as, style=style)
        return table


def check(dataset: Dataset) -> Check:
    """What was counted when the codes were prepared; the originals are not read again."""
    table = dataset.engine.table("checks")
    [counts] = dataset.engine.fetch(table)
    names, findings = {own: name for name, own in fields(dataset.schema).items()}, []
    for head, value in zip(table.columns, counts, strict=True):
        own, what = head.split(" ")
        name = names[own]
        findings.append(Finding(name, what, int(value or 0), _counts_as(dataset, name, what)))
    return Check(dataset.rows, tuple(findings))


def _counts_as(dataset: Dataset, name: str, what: str) -> str:
    column = dataset.schema.private[name]
    if what in ("below", "above"):
        assert isinstance(column, Scale)
        return column.show(column.low if what == "below" else column.high)
    if column.apart:
        return "missing, apart"
    code = column.missing_code or 0
    shown = column.show(column.number(code)) if isinstance(column, Scale) else str(column.keys[code])
    return shown if column.missing is not None else f"{shown}, undeclared"
