"""A question after it was understood: what it needs from the data, and in which bins. No private data are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.plan import Aggregate, Item, KeyOf, Plan
from noiseless.curator.question.finish import Field, finish
from noiseless.curator.question.price import Prices
from noiseless.curator.question.resolve import Asked, Known, Line, resolve
from noiseless.curator.question.widths import (
    PaidBins,
    People,
    Widths,
    exact_error,
    exact_widths,
    finer,
    guarded_for_bits,
    known_people,
    narrower,
    numbers_needed,
    uncounted,
    widths_for_bits,
    widths_for_error,
)
from noiseless.curator.releases.release import Release, Released, Width
from noiseless.curator.releases.reported import Reported
from noiseless.curator.sql.example import suggesting
from noiseless.curator.sql.read import read
from noiseless.errors import BudgetError, QuestionError
from noiseless.exact.number import Number, exact_number

Paid = tuple[Release, Width]
"""A release and the width of its bins: this is charged once and then known for ever."""


@dataclass(frozen=True, slots=True)
class Question:
    """The text, its plan, one line for every row of the answer, and the widths of all bins."""

    text: str
    plan: Plan
    lines: tuple[Line, ...]
    widths: Widths
    people: Mapping[Release, int] = field(default_factory=dict)
    """How many rows count in means, if known."""

    def with_widths(self, narrowest: Widths) -> Question:
        """The same question, with these widths where they are given."""
        return replace(self, widths={release: narrowest.get(release, width) for release, width in self.widths.items()})

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns of the answer."""
        return tuple(item.label for item in self.plan.items)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns that hold numbers rather than keys."""
        return tuple(item.label for item in self.plan.items if not isinstance(item.expression, KeyOf))

    def expected(self) -> tuple[Mapping[str, Any], ...]:
        """For every line its keys and the error of each number. None if the error depends on private data."""
        return tuple(self._expected(line) for line in self.lines)

    def _expected(self, line: Line) -> Mapping[str, Any]:
        keys: dict[str, Any] = {}
        errors: dict[str, Any] = {}
        for item in self.plan.items:
            match item.expression:
                case Aggregate() as aggregate if line.numbers[aggregate] == Known(None):
                    keys[item.label] = "nobody"
                case Aggregate() as aggregate:
                    errors[item.label] = self._error(line.numbers[aggregate])
                case KeyOf(name):
                    keys[item.label] = line.keys[name]
                case _:
                    pass  # the error of a calculated number follows from its parts
        return {"keys": keys, "errors": errors}

    def _error(self, number: Known | Asked) -> Any:
        if isinstance(number, Known):
            return 0
        release = number.release
        return release.error(self.widths[release], number.function, self.people.get(release))

    def rows(self, released: Mapping[Paid, Released]) -> list[dict[str, Field]]:
        """The rows of the answer, made from what was released and nothing else."""
        return finish(self.plan, [(line.keys, self._numbers(line, released)) for line in self.lines])

    def _numbers(self, line: Line, released: Mapping[Paid, Released]) -> dict[Aggregate, Reported | None]:
        numbers: dict[Aggregate, Reported | None] = {}
        for aggregate, source in line.numbers.items():
            if isinstance(source, Known):
                value = source.value
                numbers[aggregate] = None if value is None else Reported(value, value, value)
            else:
                width = self.widths[source.release]
                numbers[aggregate] = source.release.report(width, released[source.release, width], source.function)
        return numbers


def recall_question(text: str, dataset: Dataset, widths: list[Width]) -> Question:
    """A question that was asked before, with the widths it had then, in their order."""
    plan = read(text, dataset.schema, dataset.name)
    lines = resolve(plan, dataset)
    releases = dict.fromkeys(each.release for each in numbers_needed(lines))
    if len(releases) != len(widths):
        raise QuestionError("the question was asked under an earlier schema, with other groups; ask it again")
    return Question(text, plan, lines, dict(zip(releases, widths, strict=True)))


def refine_question(
    text: str, dataset: Dataset, known: Widths, released: Mapping[Paid, Released], error: Number
) -> Question:
    """The same question in narrower bins that divide the bins that came out: the widest that keep the error."""
    plan = read(text, dataset.schema, dataset.name)
    lines = resolve(plan, dataset)
    wanted = exact_error(error)
    widths: dict[Release, Width] = {}
    for each in numbers_needed(lines):
        release = each.release
        if release not in known or (release, known[release]) not in released:
            raise BudgetError("only an answer of this dataset can be refined; ask it here first")
        width = finer(each, known[release], released[release, known[release]][0], wanted)
        widths[release] = narrower(width, widths.get(release, known[release]))
    return Question(text, plan, lines, widths)


def understand(
    text: str,
    dataset: Dataset,
    bits: Number | None,
    error: Number | None,
    people: People = lambda _: None,
    paid: PaidBins = lambda _: [],
    beside: Sequence[Release] = (),
) -> Question:
    """Read a question and choose its bins. Refused with the reason if that is impossible.

    `people` gives a count of rows, if it is known, and `paid` the bins in which something was paid for before. `beside`
    are the releases of a batch, which share less than one bit.
    """
    if bits is not None and error is not None:
        raise BudgetError("give bits= or error=, not both; each determines the other")
    plan = read(text, dataset.schema, dataset.name)
    with suggesting(text, dataset.schema, dataset.name):
        lines = resolve(plan, dataset)
    needed = numbers_needed(lines)
    prices, rows = Prices(dataset), dataset.schema.rows
    widths: Widths
    if bits is not None and needed and 0 < exact_number(bits, "bits") < 1:
        widths = guarded_for_bits(needed, bits, rows, lambda own: prices.together([*own, *beside]))
    elif bits is not None:
        widths = widths_for_bits(needed, bits, rows, prices.count)
    else:
        widths = exact_widths(needed) if error is None else widths_for_error(needed, error, people, rows, paid)
    known = {each.release: known_people(each.release, people) for each in needed}
    return Question(text, plan, lines, widths, {mean: count for mean, count in known.items() if count is not None})


def counts_first(text: str, dataset: Dataset, people: People) -> Plan | None:
    """The counts needed before the error can be kept, if the question itself asks for them."""
    plan = read(text, dataset.schema, dataset.name)
    needed = numbers_needed(resolve(plan, dataset))
    unknown = {count.identity for count in uncounted(needed, people)}
    counts = {each.release.identity for each in needed}
    if not unknown or not unknown <= counts:
        return None
    items = [Item(f"n{place}", each) for place, each in enumerate(plan.aggregates()) if each.function == "COUNT"]
    return Plan((*(Item(name, KeyOf(name)) for name in plan.keys), *items), plan.where, plan.keys)
