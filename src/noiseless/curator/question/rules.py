"""The custodian's rules for questions, in addition to the budget: the section [policy] of a schema file.

They are applied when a question is planned, and use public facts only: the schema, the question, and the sizes of
public groups. They can be changed at any time, which does not affect earlier answers. They are conventions, not a
guarantee: asking about everybody, and then about everybody except a small group, reveals the small group. The budget
protects against that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from noiseless.curator.plan.condition import columns_read
from noiseless.curator.plan.functions.arithmetic import affine
from noiseless.curator.plan.plan import Plan
from noiseless.curator.question.question import Question
from noiseless.curator.question.widths import numbers_needed
from noiseless.curator.releases.release import Release, is_guarded
from noiseless.curator.schema.schema import Schema
from noiseless.errors import BudgetError, BudgetExceededError, QuestionError, SchemaError
from noiseless.exact.answers import answers_within
from noiseless.exact.number import Number, as_integer, shown
from noiseless.exact.rounding import bits_up
from noiseless.privacy.quantizers.ladder import Ladder

FIELDS = {"smallest_group", "no_conditions", "round_counts", "most_bits", "hold_above", "hold_days"}
LARGEST = 10**9
DAYS, MOST_DAYS = 30, 3650


@dataclass(frozen=True, slots=True)
class Rules:
    """What may be asked.

    `smallest_group` is the fewest rows that a public group may have in a question. `no_conditions` are columns that
    WHERE must not name. `round_counts` is the width of the bins in which counts are reported. `most_bits` is the most
    that a single question may cost by itself. A question whose dearest answer would be charged more than `hold_above`
    waits for the custodian's approval, for `hold_days` at most.
    """

    smallest_group: int = 1
    no_conditions: tuple[str, ...] = ()
    round_counts: int = 1
    most_bits: Number | None = None
    hold_above: Number | None = None
    hold_days: int = DAYS

    @classmethod
    def of(cls, given: Mapping[str, Any] | None, schema: Schema) -> Rules:
        """The rules in a section of a schema file. Refused if they make no sense."""
        if given is None:
            return cls()
        if not isinstance(given, Mapping):
            raise SchemaError(f"[policy] must be a section with {', '.join(sorted(FIELDS))}")
        if unknown := sorted(set(given) - FIELDS):
            raise SchemaError(f"[policy] has an unknown field {unknown[0]!r}; use {', '.join(sorted(FIELDS))}")
        named = given.get("no_conditions", [])
        if not isinstance(named, (list, tuple)) or not all(isinstance(name, str) for name in named):
            raise SchemaError("[policy]: no_conditions is a list of columns, such as ['income']")
        if strange := [name for name in named if name not in schema.columns]:
            raise SchemaError(
                f"[policy]: no_conditions names {strange[0]!r}, which is not declared; name declared columns"
            )
        most, above = given.get("most_bits"), given.get("hold_above")
        for name, bits in (("most_bits", most), ("hold_above", above)):
            if bits is not None:
                answers_within(bits, name)
        sizes = {name: _size(name, given.get(name, 1)) for name in ("smallest_group", "round_counts")}
        days = _size("hold_days", given.get("hold_days", DAYS), MOST_DAYS)
        return cls(sizes["smallest_group"], tuple(named), sizes["round_counts"], most, above, days)

    @property
    def rounds(self) -> bool:
        """Whether counts are rounded.

        Answers then show only what was released, and nothing is deduced from several answers together.
        """
        return self.round_counts > 1

    def check(self, question: Question) -> None:
        """Refuse a question that the rules do not allow."""
        for select in question.plan.selects:
            self._check_conditions(select)
        self._check_groups(question)

    def applied(self, question: Question, bits: Number | None = None) -> Question:
        """The question with rounded counts, if the rules round them. Refused if they do not allow it at all."""
        self.check(question)
        if not self.rounds:
            return question
        if any(number.in_steps for number in numbers_needed(question.lines)) or any(
            each.row_count is not None or each.shows_counts for each in question.widths
        ):
            raise QuestionError(
                f"the policy rounds counts to steps of {self.round_counts}, but this mean would show the exact "
                f"number of its rows; ask for SUM and COUNT, or for a mean of public groups"
            )
        counts = [release for release in question.widths if release.is_count]
        errors = [error for error in _errors_of_counts(question) if error is not None]
        if counts and min(errors, default=self.round_counts) < Fraction(self.round_counts - 1, 2):
            raise QuestionError(
                f"the policy rounds counts to steps of {self.round_counts}, so they can be off by "
                f"{(self.round_counts - 1) / 2:g}; ask for a larger error"
            )
        if any(isinstance(question.widths[release], Ladder) for release in counts):
            raise QuestionError(
                f"the policy rounds counts to steps of {self.round_counts}, and stable levels have other steps; leave "
                f"out stable=True"
            )
        if bits is not None and any(is_guarded(question.widths[release]) for release in counts):
            raise BudgetError(
                f"the policy rounds counts to steps of {self.round_counts}, and such a count costs one bit, more than "
                f"bits={shown(bits)}; ask for bits=1 or more"
            )
        return question.with_widths(dict.fromkeys(counts, self.round_counts))

    def check_price(self, counted: Callable[[], int]) -> None:
        """Refuse a question that costs more than the rules allow for one question."""
        if self.most_bits is not None and (count := counted()) > answers_within(self.most_bits, "most_bits"):
            raise BudgetExceededError(
                f"the question costs {bits_up(count, digits=3):g} bits by itself, and the policy allows "
                f"{self.most_bits} for one question; nothing was charged: ask with fewer bits or a larger error"
            )

    def _check_conditions(self, plan: Plan) -> None:
        forbidden = set(self.no_conditions)
        aggregates = plan.aggregates()
        named = columns_read(plan.where).union(*(columns_read(each.filter) for each in aggregates)) & forbidden
        if named:
            raise QuestionError(
                f"the policy allows no conditions on {', '.join(map(repr, sorted(named)))}; leave them out"
            )
        sides = [side.of for each in aggregates for side in each.sides]
        functions = [function for function in sides if function is not None and affine(function) is None]
        if hidden := frozenset[str]().union(*(function.reads for function in functions)) & forbidden:
            raise QuestionError(
                f"the policy allows no conditions on {_listed(hidden)}, and a function can contain one; "
                f"use the column by itself"
            )

        if hidden := _columns_of_groups(plan) & forbidden:
            raise QuestionError(
                f"the policy allows no conditions on {_listed(hidden)}, and these groups contain some; count rows "
                f"by the column alone: SELECT {min(hidden)}, COUNT(*) … GROUP BY {min(hidden)}"
            )

    def _check_groups(self, question: Question) -> None:
        small = self._small_groups(question.widths or question.releases)
        if small:
            small = small | self._small_groups(question.whole().widths)
            groups = "a public group has" if len(small) == 1 else f"{len(small)} public groups have"
            raise QuestionError(
                f"the policy requires at least {self.smallest_group} rows in every public group of a question, and "
                f"{groups} fewer; leave them out with WHERE, or ask about larger groups"
            )

    def _small_groups(self, releases: Iterable[Release]) -> set[tuple[int, ...]]:
        return {release.part.cells for release in releases if release.part.size < self.smallest_group}


def _errors_of_counts(question: Question) -> list[Fraction | None]:
    """The errors that the counts of a question were asked with."""
    if question.errors is None:
        return []
    if not question.errors.names:
        return [*question.errors.by_name.values()]
    return [error for number, error in question.with_errors().items() if any(each.is_count for each in number.releases)]


def _columns_of_groups(plan: Plan) -> frozenset[str]:
    """The private columns of GROUP BY, where groups say more than a histogram of one column."""
    rows = all(each.column is None and each.of is None for each in plan.aggregates())
    if rows and len(plan.groups) == 1 and plan.groups[0].column is not None:
        return frozenset()
    return frozenset[str]().union(*(each.function.reads for each in plan.groups))


def _listed(names: frozenset[str]) -> str:
    return ", ".join(map(repr, sorted(names)))


def _size(name: str, given: object, most: int = LARGEST) -> int:
    found = as_integer(given)
    if found is None or not 1 <= found <= most:
        raise SchemaError(f"[policy]: {name} = {shown(given)} must be a whole number from 1 to {most}")
    return found
