"""The rows of coarser levels are made from the released numbers of the finest level, so they cost nothing.

Source: NP Thm 7: docs/theorems.md#np-thm-5
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from noiseless.curator.plan.group import Shown
from noiseless.curator.plan.plan import Aggregate, Plan
from noiseless.curator.question.line import Asked, Line
from noiseless.curator.releases.reported import Reported

Keys = Mapping[str, Shown]
Numbers = Mapping[Aggregate, Reported | None]
T = TypeVar("T")


def with_subtotals(plan: Plan, lines: Sequence[tuple[Keys, Numbers]]) -> list[tuple[Keys, Numbers]]:
    """The lines of all levels, level by level, from those of the finest one. Keys that a level lacks are None."""
    return [
        (keys, {each: _total(each, [numbers[each] for numbers in members]) for each in plan.aggregates()})
        for keys, members in merged(plan, lines)
    ]


def merged(plan: Plan, lines: Iterable[tuple[Keys, T]]) -> Iterator[tuple[Keys, list[T]]]:
    """The keys of every line of every level, with the lines of the finest level that it is made of."""
    listed = list(lines)
    for level in plan.levels:
        members: dict[tuple[Shown, ...], list[T]] = {}
        for keys, line in listed:
            members.setdefault(tuple(keys[name] for name in level), []).append(line)
        for values, own in members.items():
            yield {**dict.fromkeys(plan.keys), **dict(zip(level, values, strict=True))}, own


def most_merged(plan: Plan, lines: Iterable[Line]) -> int:
    """The most groups whose released numbers are added up in one row."""
    if not plan.levels:
        return 1
    asked = ((line.keys, any(isinstance(each, Asked) for each in line.numbers.values())) for line in lines)
    return max(1, *(sum(members) for _, members in merged(plan, asked)))


def _total(aggregate: Aggregate, numbers: list[Reported | None]) -> Reported | None:
    """The number for several groups together. Groups without a number have no rows."""
    known = [number for number in numbers if number is not None]
    if aggregate.function == "ORDER":
        return _extreme(known, max if aggregate.share else min) if known else None
    return Reported(*(sum(getattr(each, name) for each in known) for name in ("value", "lower", "upper")))


def _extreme(known: list[Reported], end: Any) -> Reported:
    """The smallest or the largest number of several groups.

    A group that may have no rows does not limit the far end.
    """
    sure = [each for each in known if each.sure]
    value, lower, upper = (end(getattr(each, name) for each in known) for name in ("value", "lower", "upper"))
    if end is min:
        upper = min((each.upper for each in sure), default=max(each.upper for each in known))
    else:
        lower = max((each.lower for each in sure), default=min(each.lower for each in known))
    return Reported(value, lower, upper, bool(sure))
