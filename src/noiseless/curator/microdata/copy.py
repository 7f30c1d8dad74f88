"""Releasing a copy: charge it, write it, certify it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape
from math import prod
from typing import Any

from noiseless.curator.answer.drawn import text_of
from noiseless.curator.certificate.certificate import Certificate
from noiseless.curator.certificate.keys import PrivateKey
from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.dataset.tables import plain_fields
from noiseless.curator.ledger.account import Account
from noiseless.curator.ledger.purchase import Purchase
from noiseless.curator.microdata.certify import certify_copy
from noiseless.curator.microdata.columns import CopiedColumn
from noiseless.curator.microdata.counts import keep
from noiseless.curator.microdata.encode import encode_rows
from noiseless.curator.microdata.plan import CopyPlan
from noiseless.curator.microdata.written import plan_fields
from noiseless.curator.page import table_of
from noiseless.curator.plan.part import Part
from noiseless.curator.releases.copied_rows import CopiedRows
from noiseless.curator.releases.written import canonical
from noiseless.errors import BudgetExceededError, SourceError
from noiseless.exact.number import Number, written
from noiseless.exact.readable import bits_left_shown, bits_shown
from noiseless.exact.rounding import bits_up, decimal_outward, significant
from noiseless.privacy.guarantee.assumptions import UNRELATED
from noiseless.privacy.guarantee.guarantee import Guarantee

ORDER = "the order of the table's rows has nothing to do with private values, since it may show through"
SORTED = "rows are ordered by what is released of them"


@dataclass(frozen=True, slots=True, repr=False)
class CopyPreview:
    """What a released copy would reveal and cost. No private data were read."""

    plan: CopyPlan
    guarantee: Guarantee
    factor: int
    affordable: bool
    remaining: float

    @property
    def cost(self) -> float:
        """What would be charged now, in bits, rounded up."""
        return bits_up(self.factor)

    @property
    def errors(self) -> dict[str, Fraction]:
        """The worst error promised for each column of numbers."""
        return {column.name: column.error for column in self.plan.private if column.error is not None}

    def fields(self) -> dict[str, Any]:
        """All fields, for machines."""
        return {
            "count per row": written(self.plan.answers),
            "count": written(self.guarantee.count),
            "bits": self.guarantee.bits,
            "factor": written(self.factor),
            "cost": self.cost,
            "affordable": self.affordable,
            "remaining": self.remaining,
            "columns": [{**column.fields(), "error": self._error(column)} for column in self.plan.columns],
            "policies": [each.fields() for each in self.plan.policies],
            "belonging together": [list(group) for group in (*self.plan.grids, *self.plan.together)],
        }

    def _error(self, column: CopiedColumn) -> str:
        return "" if column.error is None else decimal_outward(column.error, 9, up=True)

    def encode(self, data: Any) -> Any:
        """Put other data into the same cells, for example to test a model fitted on the copy. Nothing is charged."""
        return encode_rows(self.plan, data)

    def lines(self) -> list[tuple[str, str, str, str]]:
        """For every column: what becomes of it, how many answers it has, and the worst error."""
        lines = []
        for column in self.plan.columns:
            error = "" if column.error is None else f"± {significant(column.error, 6, 'upper')}"
            lines.append((column.name, column.becomes, "" if column.answers is None else str(column.answers), error))
        for each in self.plan.policies:
            becomes = (
                f"{type(each.policy).__name__} of {each.policy.boundary.axis}: epsilon {each.epsilon:.6g}, no count"
            )
            lines.append((each.name, becomes, str(each.answers), f"± {significant(each.policy.error, 6, 'upper')}"))
        return lines

    def summary(self) -> list[str]:
        """The guarantee, the price, and what belongs together."""
        left = "" if self.affordable else "; the budget does not allow it: give fewer bits or a larger error"
        words = [
            f"one person's data can change the copy among at most {written(self.guarantee.count)} versions "
            f"({bits_shown(self.guarantee.count)}); {self._charge}; {bits_left_shown(self.remaining)} left{left}"
        ]
        words += (
            [] if self.plan.sort else [f"this assumes that {ORDER}; leave out --no-sort or sort=False to make sure"]
        )
        words += [f"{name} is constant: every row shows the same value" for name in self.plan.constant]
        words += [f"{' and '.join(group)} make a map: an adversary reads them as one" for group in self.plan.grids]
        return words + [f"{', '.join(group)} belong together" for group in self.plan.together]

    @property
    def _charge(self) -> str:
        return f"would be charged {bits_shown(self.factor)} now"

    def __rich__(self) -> Any:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table("column", "becomes", "answers", "error")
        for line in self.lines():
            table.add_row(*map(Text, line))
        return Group(table, *map(Text, self.summary()))

    def __repr__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        body = table_of(["column", "becomes", "answers", "error"], self.lines())
        return body + "".join(f"<p>{escape(words)}</p>" for words in self.summary())


@dataclass(frozen=True, slots=True, repr=False)
class Microdata(CopyPreview):
    """A released copy: where it is, and its certificate."""

    to: str
    rows: int
    certificate: Certificate
    entry: int

    @property
    def _charge(self) -> str:
        return f"charged {bits_shown(self.factor)}"

    def summary(self) -> list[str]:
        """The same as in the preview, and where the copy is."""
        return [*CopyPreview.summary(self), f"{written(self.rows)} rows in {self.to}"]

    def fields(self) -> dict[str, Any]:
        """All fields, for machines."""
        written_to = {"to": self.to, "rows": self.rows, "sha256": self.certificate.content["sha256"]}
        return {**CopyPreview.fields(self), **written_to, "entry": self.entry}


def guarantee_of(plan: CopyPlan, dataset: Dataset) -> Guarantee:
    """The local guarantee for a person, for all of their rows."""
    rows = dataset.schema.rows
    people = "a person is one row" if rows == 1 else f"a person has at most {rows} rows"
    domain = Fraction(1)
    smallest = 1
    for column in plan.private:
        domain *= column.column.values
        smallest *= column.smallest
    domain *= prod(each.answers for each in plan.policies)
    return Guarantee(
        definition="local noiseless privacy",
        count=plan.answers**rows,
        exact=not plan.policies,
        statement=_rule(plan, rows),
        assumptions=(UNRELATED, SORTED if plan.sort else ORDER, people),
        levels=plan.answers**rows,
        smallest_cell=Fraction(smallest) ** rows,
        domain_size=domain**rows,
        discrete=True,
        columns=max(1, len(plan.released)),
    )


def copied_rows(plan: CopyPlan, dataset: Dataset) -> CopiedRows:
    """The copy as a release, which the ledger prices and charges like any other."""
    everybody = Part(tuple(range(len(dataset.cells))), dataset.rows)
    columns = tuple(column.question for column in (*plan.private, *plan.policies))
    written_as = canonical({**plan_fields(plan), "seen": dataset.engine.seen()})
    return CopiedRows(everybody, tuple(plan.released), columns, plan.answers, written_as)


def preview_copy(plan: CopyPlan, dataset: Dataset, account: Account) -> CopyPreview:
    """What the copy would cost now."""
    promise = guarantee_of(plan, dataset)
    try:
        price = account.quote(Purchase.of_copy(copied_rows(plan, dataset)))
    except BudgetExceededError:  # more than any budget could pay
        return CopyPreview(plan, promise, promise.count, False, account.sequence.bits_left)
    affordable = price.affordable
    left = (price.after if affordable else price.before).bits_left
    return CopyPreview(plan, promise, int(price.factor), affordable, left)


def release_copy(
    plan: CopyPlan,
    dataset: Dataset,
    account: Account,
    to: str,
    analyst: str,
    max_bits: Number | None,
    key: PrivateKey | None,
) -> Microdata:
    """Charge the copy before anything is written. If writing fails, writing it again is free."""
    if not dataset.rows:
        raise SourceError("the table is empty; a copy needs at least one row")
    dataset.engine.check_target(to, bool(plan.policies))
    copy = copied_rows(plan, dataset)
    purchase = Purchase.of_copy(copy)

    def released() -> Microdata:
        dataset.engine.awake(dataset.rows)
        charge = account.reserve(purchase, analyst, max_bits)
        codes = dataset.engine.table("codes")
        rows, what = codes.select(**plan.outputs(dataset, codes)), f"releasing {to}"
        applied = plan.applied if plan.policies else None
        digest = dataset.engine.write(rows, to, what, applied, plan.sort, _different(plan, dataset))
        keep(plan, copy, dataset, account, charge, analyst)
        promise = guarantee_of(plan, dataset)
        certificate = certify_copy(dataset, plan, promise, charge, digest, key)
        left = account.bits_left
        return Microdata(plan, promise, int(charge.factor), True, left, to, dataset.rows, certificate, charge.question)

    return account.alone(released)


def _different(plan: CopyPlan, dataset: Dataset) -> int | None:
    """The most different rows of the copy; None if it has public columns without keys, which may hold anything."""
    return None if plain_fields(dataset.schema) else plan.answers * len(dataset.cells)


def _rule(plan: CopyPlan, rows: int) -> str:
    """How the count was found, with its numbers."""
    each = "·".join(str(column.answers) for column in (*plan.private, *plan.policies)) or "1"
    power = "" if rows == 1 else f", to the power of a person's {rows} rows"
    return f"every row becomes one cell: the product over columns, {each} = {written(plan.answers)}{power}"
