"""A question after it was understood: what it needs from the data, and in which bins. No private data are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.plan import DISTINCT, Aggregate, Arithmetic, Constant, KeyOf, Plan
from noiseless.curator.question.after.notes import arranged, as_stage, notes_of
from noiseless.curator.question.after.results import MOST_ROWS, results
from noiseless.curator.question.finish import Field, Keys, Numbers, finish, united
from noiseless.curator.question.groups import Groups
from noiseless.curator.question.line import Asked, Known, Line, releases_of
from noiseless.curator.question.precision import Amounts
from noiseless.curator.question.ratio import ratio_of, share_of
from noiseless.curator.question.subtotals import merged
from noiseless.curator.question.widths import (
    Widths,
    numbers_of,
    releases_needed,
)
from noiseless.curator.releases.release import Paid, Release, Released, is_loud
from noiseless.curator.releases.reported import Reported
from noiseless.privacy.quantizers.ladder import Ladder

ALWAYS = ("COUNT", "SUM", DISTINCT)
"""Functions that are 0 over zero rows, and so always exist."""
STAGES = "the rows are computed from released numbers, and add nothing to the price"
SUBTOTALS = "rows with fewer keys are computed from the rows with all keys, and add nothing to the price"

Errors = dict[tuple[int, int], Any]
"""Errors by the release and the function, which are compared as objects."""


@dataclass(frozen=True, slots=True)
class Question:
    """The text, its plan, one line for every row of the answer, and the widths of all bins."""

    text: str
    plan: Plan
    lines: tuple[Line, ...]
    widths: Widths
    people: Mapping[Release, int] = field(default_factory=dict)
    """How many rows count in means, if that is known."""
    errors: Amounts | None = None
    """The errors that were asked for, which numbers from several releases must keep."""
    bits: Amounts | None = None
    """The bits asked for."""
    more: bool = False
    """Whether this is not the last step. The bins of later steps follow from what comes out, so `widths` lacks them."""
    few: bool = False
    """Whether too few rows count to keep the error of any number."""
    promise: int = 1
    """The least count to promise, if other data would have made other bins necessary."""
    groups: Groups | None = None
    """If given, there are very many lines, and `lines` and `widths` belong to samples of them."""

    def whole(self) -> Question:
        """The question with all of its lines and widths."""
        if self.groups is None:
            return self
        lines = self.groups.whole()
        found = zip(lines, self.groups.sample.tolist(), strict=True)
        samples = list(map(releases_of, self.lines))
        pairs = (zip(releases_of(line), samples[place], strict=True) for line, place in found)
        widths = {release: self.widths[sample] for each in pairs for release, sample in each}
        return replace(self, lines=lines, widths=widths, groups=None)

    @property
    def centred(self) -> bool:
        """Whether means under a private condition come from a count and a centred sum, and groups are cell by cell."""
        return any(self.centred_selects)

    @property
    def centred_selects(self) -> list[bool]:
        """The same for every SELECT of UNION ALL: one with very many private groups is not asked cell by cell."""
        of_each: list[list[Line]] = [[] for _ in self.plan.selects]
        for line in self.lines:
            of_each[line.select].append(line)
        return [_cells(own) > 0 or any(number.in_steps for number in numbers_of(own)) for own in of_each]

    @property
    def cells(self) -> int:
        """The number of cells of private groups, if each has its own numbers."""
        return _cells(self.lines)

    @property
    def releases(self) -> list[Release]:
        """The releases that it needs, in the order in which ledgers and certificates list them."""
        return releases_needed(self.lines)

    def grids(self) -> list[Derived | None]:
        """For every number about a function of the row, the grid that was chosen, if it needs one."""
        found: dict[tuple[int, Aggregate], tuple[Derived | None, ...]] = {}
        for line in self.lines:
            for aggregate, number in line.numbers.items():
                if isinstance(number, Asked) and number.release.measured:
                    found[line.select, aggregate] = number.grids
        sides = [
            ((select, each), place)
            for select, plan in enumerate(self.plan.selects)
            for each in plan.aggregates()
            for place, side in enumerate(each.sides)
            if side.of is not None
        ]
        return [found[each][place] if each in found else None for each, place in sides]

    @property
    def computed(self) -> tuple[str, ...]:
        """Notes: what follows from released numbers, and which functions of a row are rounded to which steps."""
        grids = dict.fromkeys(grid for grid in self.grids() if grid is not None and grid.chosen)
        levels = [SUBTOTALS] if any(select.levels for select in self.plan.selects) else []
        stages = [STAGES] if self.plan.stages else []
        return (
            *levels,
            *stages,
            *(
                f"{grid.function} is computed in steps of {grid.show(grid.step)} from {grid.show(grid.low)} to "
                f"{grid.show(grid.high)}; write ROUND(…, digits) for another step"
                for grid in grids
            ),
        )

    def with_widths(self, narrowest: Widths) -> Question:
        """The same question, with these widths where they are given."""
        return replace(self, widths={release: narrowest.get(release, width) for release, width in self.widths.items()})

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns of the answer."""
        return tuple(each.label for each in self.plan.outputs) or self.released

    @property
    def released(self) -> tuple[str, ...]:
        """The labels of what is released, from which the answer follows."""
        return tuple(item.label for item in self.plan.items)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns that hold numbers rather than keys."""
        if self.plan.stages:
            return tuple(each.label for each in self.plan.outputs if each.is_number)
        return tuple(item.label for item in self.plan.items if not isinstance(item.expression, (KeyOf, Constant)))

    @property
    def tallies(self) -> tuple[str, ...]:
        """The columns of counts and sums, which add up over groups."""
        numbers = [] if self.plan.stages else [(item.label, item.expression) for item in self.plan.items]
        return tuple(
            label for label, each in numbers if isinstance(each, Aggregate) and each.function in ("COUNT", "SUM")
        )

    def expected(self) -> tuple[Mapping[str, Any], ...]:
        """For every line its keys and the error of each number. None if the error depends on private data."""
        found: list[Mapping[str, Any]] = []
        known: Errors = {}  # the cells of a table have the same error
        for plan, lines in self.by_select():
            if plan.levels:
                rows = merged(plan, ((line.keys, line) for line in lines))
                found += (self._subtotal(plan, keys, members, known) for keys, members in rows)
            else:
                found += (self._expected(line, known) for line in lines)
        return tuple(found)

    def by_select(self) -> Iterator[tuple[Plan, list[Line]]]:
        """The SELECTs with their lines: one, or those of UNION ALL."""
        for place, plan in enumerate(self.plan.selects):
            yield plan, [line for line in self.lines if line.select == place]

    def _subtotal(self, plan: Plan, keys: Mapping[str, Any], members: list[Line], known: Errors) -> Mapping[str, Any]:
        """The errors of a row of ROLLUP: those of sums and counts are added up, and no other error grows.

        A quotient of two private numbers is left out: it is certain to lie in its interval, but may not keep the error.
        """
        shown: dict[str, Any] = {}
        errors: dict[str, Any] = {}
        each = [self._expected(line, known) for line in members]
        for item in plan.items:
            own = [line["errors"][item.label] for line in each if item.label in line["errors"]]
            match item.expression:
                case KeyOf(name):
                    shown[item.label] = keys[name]
                case Aggregate(function) if own:
                    errors[item.label] = None if None in own else sum(own) if function != "ORDER" else max(own)
                case Arithmetic() as ratio if own and all(ratio_of(ratio, line.numbers) is None for line in members):
                    errors[item.label] = max(own)
                case Aggregate():
                    shown[item.label] = "nobody"
        return {"keys": shown, "errors": errors}

    def _expected(self, line: Line, known: Errors) -> Mapping[str, Any]:
        keys: dict[str, Any] = {}
        errors: dict[str, Any] = {}
        for item in self.plan.selects[line.select].items:
            match item.expression:
                case Aggregate() as aggregate:
                    number = line.numbers[aggregate]
                    if isinstance(number, Known) and number.value is None:
                        keys[item.label] = "nobody"
                        continue
                    key = id(number.release if isinstance(number, Asked) else number), id(aggregate)
                    if key not in known:
                        known[key] = self._error(number, aggregate)
                    errors[item.label] = known[key]
                case KeyOf(name):
                    keys[item.label] = line.keys[name]
                case Constant(str(label)):
                    keys[item.label] = label
                case Arithmetic(_, Aggregate() as top) as ratio if (share := share_of(ratio, line.numbers)) is not None:
                    errors[item.label] = self._error(share, top)
                case Arithmetic() as ratio if self._of_ratio(ratio, line) is not None:
                    errors[item.label] = self._of_ratio(ratio, line)
                case _:
                    pass  # the error of a calculated number follows from its parts
        return {"keys": keys, "errors": errors}

    def _of_ratio(self, ratio: Arithmetic, line: Line) -> Fraction | None:
        """The error that a ratio keeps as a whole."""
        return None if self.errors is None or ratio_of(ratio, line.numbers) is None else self.errors.of_item(ratio)

    def _error(self, number: Known | Asked, aggregate: Aggregate) -> Any:
        if isinstance(number, Known):
            return 0
        release = number.release
        if number.beside:
            return None if self.errors is None else self.errors.of_function(aggregate)
        error = release.error(self.widths[release], number.function, self.people.get(release))
        return error if error is None or number.factor == 1 else error * number.unit

    def notes(self, released: Mapping[Paid, Released]) -> tuple[str, ...]:
        """What is not certain about the rows of the answer and their order."""
        return () if len(self.lines) > MOST_ROWS else self.notes_from(self._numbers_of_each(released))

    def notes_from(self, numbers: Iterable[Numbers]) -> tuple[str, ...]:
        """What is not certain about the rows and their order, from the numbers of all lines."""
        each = self._numbered(numbers)
        if self.plan.united:
            rows = [row for plan, lines in each for row in finish(plan, lines)]
            return notes_of(arranged(self.plan, rows))
        plan = self.plan if self.plan.stages else as_stage(self.plan)
        return notes_of(results(replace(plan, keys=self.plan.keys, levels=self.plan.levels), each[0][1]))

    def rows(self, released: Mapping[Paid, Released]) -> list[dict[str, Field]]:
        """The rows of the answer, made from what was released and nothing else."""
        return self.rows_from(self._numbers_of_each(released))

    def rows_from(self, numbers: Iterable[Numbers]) -> list[dict[str, Field]]:
        """The rows of the answer, from the numbers of all lines."""
        each = [finish(plan, lines) for plan, lines in self._numbered(numbers)]
        return united(self.plan, each) if self.plan.united else each[0]

    def _numbered(self, numbers: Iterable[Numbers]) -> list[tuple[Plan, list[tuple[Keys, Numbers]]]]:
        """The keys and numbers of the lines of every SELECT."""
        found = list(zip(self.lines, numbers, strict=True))
        return [
            (plan, [(line.keys, own) for line, own in found if line.select == place])
            for place, plan in enumerate(self.plan.selects)
        ]

    def _numbers_of_each(self, released: Mapping[Paid, Released]) -> list[Numbers]:
        return [self.numbers_of(line, released) for line in self.lines]

    def numbers_of(self, line: Line, released: Mapping[Paid, Released]) -> dict[Aggregate, Reported | None]:
        """The numbers of one line."""
        numbers: dict[Aggregate, Reported | None] = {}
        for aggregate, source in line.numbers.items():
            if isinstance(source, Known):
                value = source.value
                numbers[aggregate] = None if value is None else Reported(value, value, value)
            else:
                found = source.report(self.widths, released)
                sure = aggregate.function in ALWAYS or source.sure(self.widths, released)
                numbers[aggregate] = found if found is None or sure else replace(found, sure=False)
        return numbers

    def coarser(self, released: Mapping[Paid, Released]) -> int:
        """How many numbers are less precise than asked: at a coarser level, or with too few rows for the error."""
        return sum(self._is_coarser(number, error, released) for number, error in self.with_errors().items())

    def with_errors(self) -> dict[Asked, Fraction | None]:
        """The numbers that come from the data, each with the smallest error that it was asked with."""
        found: dict[Asked, Fraction | None] = {}
        for line in self.lines:
            for each, number in line.numbers.items():
                if isinstance(number, Asked):
                    error = None if self.errors is None else self.errors.of_function(each)
                    known = found.get(number)
                    found[number] = error if known is None or error is None else min(known, error)
        return found

    def _is_coarser(self, number: Asked, error: Fraction | None, released: Mapping[Paid, Released]) -> bool:
        paid = [(release, self.widths[release]) for release in number.releases]
        if any(isinstance(width, Ladder) and is_loud(width, released[release, width]) for release, width in paid):
            return True
        reported = number.report(self.widths, released) if error is not None and number.beside else None
        return reported is not None and reported.upper - reported.lower > 2 * (error or 0)


def _cells(lines: Iterable[Line]) -> int:
    """The number of cells of private groups in some lines, if each has its own numbers."""
    return max((source.cells for line in lines for source in line.numbers.values()), default=0)
