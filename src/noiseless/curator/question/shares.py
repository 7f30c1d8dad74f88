"""What each number of a question gets of the bits or the errors it was asked with, in words."""

from __future__ import annotations

from collections.abc import Iterator

from noiseless.curator.plan.plan import Aggregate
from noiseless.curator.question.line import Asked
from noiseless.curator.question.precision import Amounts
from noiseless.curator.question.price import Prices
from noiseless.curator.question.question import Question
from noiseless.curator.question.widths import Widths, different
from noiseless.curator.releases.release import Release, Width, is_weighed
from noiseless.exact.plural import plural
from noiseless.exact.readable import number_shown


def shared(question: Question, prices: Prices) -> tuple[str, ...]:
    """Which numbers share which bits, and how many answers each has by itself; or which numbers keep which error.

    Nothing for a question with one number, or with one error for all.
    """
    if question.errors is not None:
        return tuple(_errors(question.errors, list(_asked(question)))) if question.errors.names else ()
    if question.bits is None or len(asked := _asked(question)) < 2:
        return ()
    return tuple(_bits(question.bits, question.widths, asked, prices))


def _asked(question: Question) -> dict[Aggregate, list[Asked]]:
    """The functions that need something from the data, with their numbers in rows that differ in more than a cell."""
    found: dict[Aggregate, dict[Asked, None]] = {}
    for line in different(question.lines):
        for aggregate, number in line.numbers.items():
            if isinstance(number, Asked):
                found.setdefault(aggregate, {})[number] = None
    return {aggregate: list(numbers) for aggregate, numbers in found.items()}


def _by_name(amounts: Amounts, functions: list[Aggregate]) -> dict[str | None, list[Aggregate]]:
    found: dict[str | None, list[Aggregate]] = {}
    for aggregate in functions:
        for name in amounts.names_of(aggregate) or (None,):
            found.setdefault(name, []).append(aggregate)
    return found


def _labels(amounts: Amounts, functions: list[Aggregate]) -> str:
    return ", ".join(dict.fromkeys(map(amounts.label, functions)))


def _errors(errors: Amounts, functions: list[Aggregate]) -> Iterator[str]:
    for name, members in _by_name(errors, functions).items():
        how = "exact" if name is None else f"error {number_shown(errors.by_name[name], 'upper')}"
        yield f"{how} for {_labels(errors, members)}"


def _bits(bits: Amounts, widths: Widths, asked: dict[Aggregate, list[Asked]], prices: Prices) -> Iterator[str]:
    for name, members in _by_name(bits, list(asked)).items():
        labels = _labels(bits, members)
        if name is None:
            yield f"exact for {labels}"
            continue
        own: dict[str, dict[Release, Width]] = {}
        for each in members:
            releases = (release for number in asked[each] for release in number.releases)
            own.setdefault(bits.label(each), {}).update({release: widths[release] for release in releases})
        given = f"{number_shown(bits.by_name[name])} {'bit' if bits.by_name[name] == 1 else 'bits'}"
        if any(is_weighed(width) for found in own.values() for width in found.values()):
            yield f"{given} for {'a quiet answer' if len(own) == 1 else 'quiet answers'} of {labels}"
            continue
        together: dict[frozenset[Release], list[str]] = {}
        for label, found in own.items():  # counts and sums of the same cells are one number
            together.setdefault(frozenset(found), []).append(label)
        counts = (
            f"{plural(prices.count(own[same[0]]), 'answer')} of {' with '.join(same)}" for same in together.values()
        )
        yield f"{given} {'for' if len(together) == 1 else 'shared by'} {', '.join(counts)}"
