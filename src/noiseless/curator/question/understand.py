"""From the text of a question to its bins: for bits, for an error, or as asked before. No private data are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from noiseless.curator.dataset.dataset import Dataset
from noiseless.curator.plan.plan import Plan
from noiseless.curator.question.groups import Groups
from noiseless.curator.question.levels import at_stable_levels, preferring_levels
from noiseless.curator.question.line import Asked, Line
from noiseless.curator.question.past import Past
from noiseless.curator.question.precision import Amount, Amounts, amounts_by_name
from noiseless.curator.question.price import Prices
from noiseless.curator.question.question import Question
from noiseless.curator.question.ratio import divided
from noiseless.curator.question.reading import Meaning, concluded, meaning
from noiseless.curator.question.subtotals import most_merged
from noiseless.curator.question.widths import (
    Widths,
    chosen_for_error,
    different,
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
from noiseless.curator.releases.release import Paid, Release, Released, Width, is_weighed
from noiseless.errors import BudgetError, QuestionError
from noiseless.exact.number import Number, exact_number, shown
from noiseless.privacy.quantizers.ladder import Ladder


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
        """Whether some number is to cost less than one bit."""
        given = {} if self.bits is None else amounts_by_name(self.bits, "bits")
        return any(0 < exact_number(bits, "bits") < 1 for bits in given.values())


Beside = Mapping[str | None, Sequence[Release]]
"""The releases of a batch that share bits, by the name under which the bits are given."""


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
    plan, lines = meaning(text, dataset, centred=True, cell_by_cell=not wanted.stable)
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
    kinds = different(lines)
    for name, numbers in sharing(kinds, bits).items():
        given = None if bits is None or name is None else bits.given[name]
        chosen = _within_bits(numbers, given, dataset, () if beside is None else beside.get(name, ()))
        for release, width in chosen.items():
            widths[release] = narrower(width, widths.get(release, width))
    needed = numbers_needed(kinds)
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
    """The numbers that share the bits of each name, each once. Numbers without a name are exact."""
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
    asked = Question(text, plan, tuple(different(lines)), {}, errors=errors).with_errors()
    levels = set(releases_needed(lines)) if stable else preferring_levels(asked.items(), past)
    if unable := [release for release in levels if release.unsteady(1) is None]:
        raise QuestionError(f"{unable[0].in_words} has no stable level; leave out stable=True")
    lines = at_stable_levels(lines, levels)
    each = [
        divided(select, line, errors, not stable, most)
        for select, own in Question(text, plan, lines, {}).by_select()
        for most in [most_merged(select, own)]
        for line in different(own)
    ]
    chosen = chosen_for_error(each, past)
    promise = prices.count({**chosen.widths, **chosen.otherwise}) if chosen.otherwise else 1
    return Question(text, plan, lines, chosen.widths, {}, errors, None, not chosen.complete, chosen.few, promise)


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
