"""Levels of a question: every row of a coarser one is made of rows of the finest one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from noiseless.curator.certificate.checker.intervals import Interval
from noiseless.curator.certificate.checker.wrong import elements, require

MOST_LEVELS = 64
Line = tuple[Mapping[str, Any], Mapping[Any, Any]]


def read_levels(given: Any, keys: Sequence[str], asked: Iterable[tuple[Any, ...]]) -> tuple[tuple[str, ...], ...]:
    """The keys of each level. All are used by some level, and only numbers are asked that can be added up."""
    levels = tuple(tuple(elements(level)) for level in elements(given))
    require(0 < len(levels) <= MOST_LEVELS, "there are no levels, or too many")
    require(all(len(set(level)) == len(level) for level in levels), "a level names a key twice")
    require(len({frozenset(level) for level in levels}) == len(levels), "a level is there twice")
    require({name for level in levels for name in level} == set(keys), "levels have other keys than the plan")
    for function, _, share, *_ in asked:
        ends = function == "kth" and share in ("0", "1")
        require(function in ("count", "sum") or ends, "a number of a coarser level does not follow from finer ones")
    return levels


def all_levels(levels: Iterable[Sequence[str]], keys: Sequence[str], lines: Iterable[Line]) -> list[Line]:
    """The rows of all levels, from those of the finest one."""
    finest, found = list(lines), list[Line]()
    for level in levels:
        places: dict[tuple[Any, ...], int] = {}
        parts: list[list[Mapping[Any, Any]]] = []
        for own, numbers in finest:
            place = places.setdefault(tuple(own[name] for name in level), len(parts))
            if place == len(parts):
                parts.append([])
            parts[place].append(numbers)
        for values, place in places.items():
            shown = {name: values[level.index(name)] if name in level else None for name in keys}
            found.append((shown, {each: _together(each, parts[place]) for each in parts[place][0]}))
    return found


def _together(aggregate: tuple[Any, ...], parts: Iterable[Mapping[Any, Any]]) -> Interval | None:
    """The number of several groups together: sums and counts are added up, and extremes are extremes of extremes."""
    given = [each[aggregate] for each in parts]
    there = [each for each in given if each is not None]
    if aggregate[0] != "kth":
        require(len(there) == len(given), "a sum is missing")
        return Interval(*(sum(ends) for ends in zip(*((e.value, e.lower, e.upper) for e in there), strict=True)))
    return _outermost(there, -1 if aggregate[2] == "0" else 1) if there else None


def _outermost(there: Sequence[Interval], sign: int) -> Interval:
    """The largest number, or the smallest if sign is -1. Numbers that may not exist bound it on one side only."""
    outward = max if sign > 0 else min
    near, far = ("lower", "upper") if sign > 0 else ("upper", "lower")
    held = [getattr(each, near) for each in there if each.sure]
    inner = outward(held) if held else (min if sign > 0 else max)(getattr(each, near) for each in there)
    ends = {near: inner, far: outward(getattr(each, far) for each in there)}
    return Interval(outward(each.value for each in there), **ends, sure=bool(held))
