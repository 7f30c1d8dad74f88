"""A question after it was understood: what it needs from the data, and in which bins. No private data are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.functions.derived import Derived
from noiseless.curator.plan.plan import DISTINCT, Aggregate, Arithmetic, Constant, KeyOf, Plan
from noiseless.curator.question.after.notes import arranged, as_stage, notes_of
from noiseless.curator.question.after.results import MOST_ROWS, results
from noiseless.curator.question.finish import Field, Keys, Numbers, finish, united
from noiseless.curator.question.groups import Groups
from noiseless.curator.question.levels import at_stable_levels, preferring_levels
from noiseless.curator.question.line import Asked, Known, Line, releases_of
from noiseless.curator.question.past import Past
from noiseless.curator.question.precision import Amount, Amounts, amounts_by_name
from noiseless.curator.question.price import Prices
from noiseless.curator.question.ratio import divided, ratio_of, share_of
from noiseless.curator.question.reading import Meaning, concluded, meaning
from noiseless.curator.question.subtotals import merged, most_merged
from noiseless.curator.question.widths import (
    Widths,
    chosen_for_error,
    exact_bits,
    exact_error,
    exact_widths,
    finer,
    guarded_for_bits,
    narrower,
    numbers_needed,
    numbers_of,
    releases_needed,
    widths_for_bits,
)
from noiseless.curator.releases.release import Paid, Release, Released, Width, is_loud, is_weighed
from noiseless.curator.releases.reported import Reported
from noiseless.errors import BudgetError, QuestionError
from noiseless.exact.number import Number, exact_number, shown
from noiseless.privacy.quantizers.ladder import Ladder

ALWAYS = ("COUNT", "SUM", DISTINCT)
"""What is 0 over zero rows, and so always a number."""
STAGES = "the rows are computed from released numbers, and add nothing to the price"
SUBTOTALS = "rows with fewer keys are computed from the rows with all keys, and add nothing to the price"

Errors = dict[tuple[int, int], Any]
"""Errors by the release and the function, as objects."""


@dataclass(frozen=True, slots=True)
class Question:
    """The text, its plan, one line for every row of the answer, and the widths of all bins."""

    text: str
    plan: Plan
    lines: tuple[Line, ...]
    widths: Widths
    people: Mapping[Release, int] = field(default_factory=dict)
    """How many rows count in means, if known."""
    errors: Amounts | None = None
    """The errors asked for, which numbers from several releases keep."""
    bits: Amounts | None = None
    """The bits asked for."""
    more: bool = False
    """Whether this is a step: the bins of the rest follow from what comes out, so `widths` are not all yet."""
    few: bool = False
    """Whether too few rows count to keep the error of any number."""
    promise: int = 1
    """The count that is promised at least, where other rows would have made other bins necessary."""
    groups: Groups | None = None
    """If given, there are very many lines, and `lines` and `widths` are those of samples."""

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
        """Whether means under a private condition come from a count and a sum about a centre, and groups are apart."""
        return any(number.cells or number.in_steps for number in numbers_of(self.lines))

    @property
    def cells(self) -> int:
        """The number of cells of private groups, if each has its own numbers."""
        return max((number.cells for number in numbers_of(self.lines)), default=0)

    @property
    def releases(self) -> list[Release]:
        """What it needs from the data, in the order in which ledgers and certificates list it."""
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
        """What follows from released numbers; the functions of a row that are rounded to steps, and to which."""
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
        """The columns of what is released, from which the answer follows."""
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
                case Aggregate() as aggregate if line.numbers[aggregate] == Known(None):
                    keys[item.label] = "nobody"
                case Aggregate() as aggregate:
                    number = line.numbers[aggregate]
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
        """The error that a ratio keeps itself."""
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
        """The same from the numbers of all lines."""
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
        """How many numbers are given less finely than asked: at a coarser level, or with too few rows for the error."""
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


def recall_question(
    text: str, dataset: Dataset, widths: list[Width | None], centred: bool = False, promise: int = 1
) -> Question:
    """A question that was asked before, with the widths it had then, in their order. A step lacks some: None."""
    plan, lines = meaning(text, dataset, centred)
    releases = releases_needed(lines)
    if len(releases) != len(widths):
        raise QuestionError("the question was asked under an earlier schema, with other groups; ask it again")
    levels = {release for release, width in zip(releases, widths, strict=True) if isinstance(width, Ladder)}
    lines = at_stable_levels(lines, levels)
    found = zip(releases_needed(lines), widths, strict=True)
    known = {release: width for release, width in found if width is not None}
    return Question(text, plan, lines, known, more=None in widths, promise=promise)


def refine_question(
    text: str, dataset: Dataset, known: Widths, released: Mapping[Paid, Released], error: Amount
) -> Question:
    """The same question in narrower bins that divide the bins that came out: the widest that keep the error.

    Numbers that get no new error stay as they are.
    """
    plan, lines = meaning(text, dataset)
    errors = Amounts.of(plan, error, "error", dataset, exact_error)
    widths: dict[Release, Width] = {}
    for each, wanted in Question(text, plan, tuple(lines), {}, errors=errors).with_errors().items():
        release = each.release
        unknown = [one for one in each.releases if one not in known or (one, known[one]) not in released]
        if unknown or (each.beside and wanted is not None):
            raise BudgetError(
                "only sums and means of this dataset that were asked in bins can be refined; ask again with error="
            )
        widths |= {one: widths.get(one, known[one]) for one in each.beside}
        bins = known[release]
        width = bins if wanted is None else finer(each, bins, released[release, bins][0], wanted)
        widths[release] = narrower(width, widths.get(release, bins))
    return Question(text, plan, tuple(lines), widths)


@dataclass(frozen=True, slots=True)
class Wanted:
    """How precise a question is to be: what it may cost, or how far off it may be, and whether stable."""

    bits: Amount | None = None
    error: Amount | None = None
    stable: bool = False

    def __post_init__(self) -> None:
        if self.bits is not None and self.error is not None:
            raise BudgetError("give bits= or error=, not both; each determines the other")
        if type(self.stable) is not bool:
            raise BudgetError(f"stable={shown(self.stable)} is not valid; use True or False")
        if self.stable and self.error is None:
            raise BudgetError("stable=True needs error=: how far off the finest level may be")

    @property
    def exact(self) -> bool:
        """Whether every number is wanted without error."""
        given = {} if self.error is None else amounts_by_name(self.error, "error")
        return bool(given) and not any(exact_number(error, "error") for error in given.values())

    @property
    def fraction(self) -> bool:
        """Whether less than one bit is wanted of some number."""
        given = {} if self.bits is None else amounts_by_name(self.bits, "bits")
        return any(0 < exact_number(bits, "bits") < 1 for bits in given.values())


Beside = Mapping[str | None, Sequence[Release]]
"""The releases of a batch that share bits, by the name under which these are given."""


def understand(
    text: str,
    dataset: Dataset,
    wanted: Wanted,
    past: Past | None = None,
    beside: Beside | None = None,
) -> Question:
    """Read a question and choose its bins. Refused with the reason if that is impossible.

    `past` is what the ledger says. `beside` are the releases of a batch, which share less than one bit.
    """
    known = past or Past()
    plan, lines = _meant(text, dataset, wanted, known)
    if isinstance(lines, Groups) and not beside and not wanted.stable and (groups := known.alike(lines)) is not None:
        question = _understood(text, plan, groups.samples, dataset, wanted, known, beside)
        if not question.people and not question.more and not any(map(is_weighed, question.widths.values())):
            return replace(question, groups=groups)
    return _understood(text, plan, tuple(lines), dataset, wanted, known, beside)


def _meant(text: str, dataset: Dataset, wanted: Wanted, known: Past) -> Meaning:
    """What a question means. Private groups are taken one by one if their counts may be rounded and are not known."""
    if wanted.error is None and not wanted.fraction:
        return meaning(text, dataset)
    plan, lines = meaning(text, dataset, centred=True, apart=not wanted.stable)
    if not isinstance(lines, Groups) and any(number.cells for number in numbers_of(lines)):
        whole = meaning(text, dataset)
        needed = releases_needed(whole[1])
        if wanted.exact or all(each.widest == 1 and known.found(each, 1) is not None for each in needed):
            return whole
    return plan, lines


def _understood(
    text: str,
    plan: Plan,
    lines: tuple[Line, ...],
    dataset: Dataset,
    wanted: Wanted,
    known: Past,
    beside: Beside | None,
) -> Question:
    if wanted.error is not None:
        errors = Amounts.of(plan, wanted.error, "error", dataset, exact_error)
        return _within_errors(text, plan, lines, errors, wanted.stable, known, Prices(dataset))
    bits = None if wanted.bits is None else Amounts.of(plan, wanted.bits, "bits", dataset, exact_bits)
    widths: dict[Release, Width] = {}
    for name, numbers in sharing(lines, bits).items():
        given = None if bits is None or name is None else bits.given[name]
        chosen = _within_bits(numbers, given, dataset, () if beside is None else beside.get(name, ()))
        for release, width in chosen.items():
            widths[release] = narrower(width, widths.get(release, width))
    needed = numbers_needed(lines)
    counts = {each.release: each.release.row_count for each in needed}
    people = {mean: known.exactly(count) for mean, count in counts.items() if count is not None}
    exact = {mean: count for mean, count in people.items() if count is not None}
    return Question(text, plan, lines, widths, exact, bits=bits)


def _within_bits(needed: list[Asked], bits: Number | None, dataset: Dataset, beside: Sequence[Release]) -> Widths:
    """The bins of some numbers that share some bits."""
    prices, rows = Prices(dataset), dataset.schema.rows
    if bits is None:
        return exact_widths(needed)
    if 0 < exact_number(bits, "bits") < 1:
        return guarded_for_bits(needed, bits, rows, lambda own: prices.together([*own, *beside]))
    if any(each.in_steps for each in needed):
        raise BudgetError(
            "bits= below one and of one or more cannot be mixed where a mean or variance under a private condition is "
            "asked; give it bits below one, too, or ask it in another question"
        )
    key = tuple(each.releases for each in needed), exact_number(bits, "bits")
    return concluded(dataset, key, len(needed), lambda: widths_for_bits(needed, bits, rows, prices.count))


def sharing(lines: Iterable[Line], bits: Amounts | None) -> dict[str | None, list[Asked]]:
    """The numbers that share the bits of each name, each once. Those of no name are exact."""
    found: dict[str | None, dict[Asked, None]] = {}
    for line in lines:
        for aggregate, number in line.numbers.items():
            if isinstance(number, Asked):
                names = () if bits is None else bits.names_of(aggregate)
                for name in names or (None,):
                    found.setdefault(name, {})[number] = None
    return {name: list(numbers) for name, numbers in found.items()}


def _within_errors(
    text: str, plan: Plan, lines: tuple[Line, ...], errors: Amounts, stable: bool, past: Past, prices: Prices
) -> Question:
    asked = Question(text, plan, lines, {}, errors=errors).with_errors()
    levels = set(releases_needed(lines)) if stable else preferring_levels(asked.items(), past)
    if unable := [release for release in levels if release.unsteady(1) is None]:
        raise QuestionError(f"{unable[0].in_words} has no stable level; leave out stable=True")
    lines = at_stable_levels(lines, levels)
    each = [
        divided(select, line, errors, not stable, most)
        for select, own in Question(text, plan, lines, {}).by_select()
        for most in [most_merged(select, own)]
        for line in own
    ]
    chosen = chosen_for_error(each, past)
    promise = prices.count({**chosen.widths, **chosen.otherwise}) if chosen.otherwise else 1
    return Question(text, plan, lines, chosen.widths, {}, errors, None, not chosen.complete, chosen.few, promise)
