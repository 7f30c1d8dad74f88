"""The custodian's report: whether the table keeps the promises of the schema. For the custodian only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from noiseless.curator.dataset.dataset import Dataset, people
from noiseless.curator.dataset.tables import fields
from noiseless.curator.schema.categories import NEVER, Category
from noiseless.curator.schema.scale import Scale
from noiseless.errors import PromiseError

if TYPE_CHECKING:
    from rich.console import Group

    from noiseless.curator.schema.schema import Schema

WORDS = {
    "missing": "missing, NaN, infinite or unreadable",
    "below": "below low",
    "above": "above high",
    "unknown": "not among the declared values",
}
ADVICE = {
    "missing": 'have missing values: declare missing = "apart", or the value that they count as',
    "unknown": "have values that are not declared: declare them all, or give one value for the rest, as other = "
    "'other' "
    "(in a csv file a space after a comma belongs to the value)",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """How many values of a column are not as declared, and what they count as; `broken` marks a broken promise."""

    column: str
    what: str
    values: int
    counts_as: str
    broken: bool


@dataclass(frozen=True, slots=True)
class People:
    """For people with several rows: the number of people, the most rows of one person, and the rows left out."""

    people: int
    most_rows: int
    left_out: int


@dataclass(frozen=True, slots=True, repr=False)
class Check:
    """A verdict, and how many values were missing, clamped or not declared. For the custodian only: do not share it."""

    rows: int
    findings: tuple[Finding, ...]
    people: People | None = None

    @property
    def clean(self) -> bool:
        """Whether every value is as declared."""
        return not self.findings

    @property
    def broken(self) -> tuple[Finding, ...]:
        """Values that the schema promises not to occur."""
        return tuple(finding for finding in self.findings if finding.broken)

    @property
    def verdict(self) -> str:
        """Whether every promise is kept, in one sentence."""
        if not self.broken:
            return "The table fits the schema: every promise is kept."
        columns = list(dict.fromkeys(finding.column for finding in self.broken))
        return f"The table does not fit the schema: {', '.join(columns)} {_are(columns)} not as declared."

    def __repr__(self) -> str:
        return " ".join([self.verdict, *self.advice])

    @property
    def advice(self) -> list[str]:
        """What to change for each broken promise. It names columns and reveals nothing else of the table."""
        lines = []
        for what, words in ADVICE.items():
            if columns := [finding.column for finding in self.broken if finding.what == what]:
                lines.append(f"{', '.join(map(repr, columns))} {words if len(columns) > 1 else _singular(words)}")
        return lines

    @property
    def whose(self) -> str:
        """How many people the rows belong to, in words."""
        found = self.people
        if found is None:
            return f"{self.rows} rows, one per person"
        left = f"{found.left_out} rows are left out" if found.left_out else "none is left out"
        return f"{found.people} people with at most {found.most_rows} rows each; {self.rows} rows are kept, {left}"

    def __rich__(self) -> Group:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        lines: list[Any] = [Text(self.verdict, style="bold red" if self.broken else "bold green")]
        lines.append(Text(f"For the custodian only. {self.whose}."))
        if self.findings:
            table = Table("column", "values that are", "how many", "count as")
            for found in self.findings:
                texts = (found.column, WORDS[found.what], str(found.values), found.counts_as)
                table.add_row(*map(Text, texts), style="bold red" if found.broken else "")
            lines.append(table)
        return Group(*lines, *map(Text, self.advice))


def check(dataset: Dataset) -> Check:
    """The custodian's report, from counts made when the codes were prepared. The table is not read again."""
    heads, [counts] = dataset.engine.everything_in("checks")
    names, findings = {own: name for name, own in fields(dataset.schema).items()}, []
    for head, value in zip(heads, counts, strict=True):
        own, what = head.split(" ")
        if value:
            findings.append(_finding(dataset, names[own], what, int(value)))
    found = people(dataset)
    return Check(dataset.rows, tuple(findings), None if found is None else People(*found))


def check_promises(dataset: Dataset, since: Schema | None) -> None:
    """Refuse a table that breaks a promise of its schema, before its ledger begins. After that, nothing may fail.

    Columns of an earlier schema are not checked again.
    """
    found = check(dataset)
    known = {} if since is None else since.columns
    new = replace(found, findings=tuple(each for each in found.findings if each.column not in known))
    if new.broken:
        raise PromiseError(
            f"the table breaks a promise of the schema, so no ledger was begun. {'. '.join(new.advice)}. "
            f"Run `noiseless check` for the counts; they are for the custodian only",
            new,
        )


def _are(columns: list[str]) -> str:
    return "are" if len(columns) > 1 else "is"


def _singular(words: str) -> str:
    return words.replace("have", "has", 1)


def _finding(dataset: Dataset, name: str, what: str, values: int) -> Finding:
    column = dataset.schema.private[name]
    if what in ("below", "above"):
        assert isinstance(column, Scale)
        return Finding(name, what, values, column.show(column.low if what == "below" else column.high), False)
    if what == "unknown":
        assert isinstance(column, Category)
        code = column.missing_code if column.other_code is None else column.other_code
        return Finding(name, what, values, str(column.keys[code or 0]), column.other is None)
    if column.apart:
        return Finding(name, what, values, "missing, kept separate", False)
    code = column.missing_code or 0
    shown = column.show(column.number(code)) if isinstance(column, Scale) else str(column.keys[code])
    return Finding(name, what, values, shown, column.missing == NEVER)
