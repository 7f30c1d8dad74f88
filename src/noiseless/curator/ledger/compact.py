"""Releases and counts in few fields: anything that many groups of one question share is written once.

A part is a set of public cells, such as "0-3,7". "0..99" means a hundred parts of one cell each. Integers are
written as text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from noiseless.curator.ledger.column import AS, Column, read
from noiseless.curator.ledger.packed import packed, unpacked
from noiseless.curator.releases.release import Paid, Released, Width
from noiseless.curator.releases.written import canonical
from noiseless.privacy.quantizers.guarded import bins_of
from noiseless.privacy.quantizers.ladder import ladder_of

PaidKey = tuple[str, str, Width]
"""What was paid for: a kind of release as text, its public cells, and its bins or their width."""
Shape = tuple[Any, ...]
"""The text of a question, whether its means are centred, how many releases it has, and what public tables it read."""
LATER = "-"
"""Stands for the width of a release that only a later step of the question makes."""
MOST_IN_A_PATTERN = 16
MOST_RUNS = 100
PLACED = ("cells", "rows", "whole")
"""Fields of a release in format 1 that give its place or follow from it."""


def read_width(text: str) -> Width:
    """The width of equal bins, or other bins.

    >>> read_width("24"), read_width("24+8"), read_width("1/4/*")
    (24, Bins 24+8, Ladder 1/4/*)
    """
    return int(text) if text.isdecimal() else ladder_of(text) if "/" in text else bins_of(text)


def read_widths(runs: Any, body: Mapping[str, Any]) -> list[Width | None]:
    """The widths of a question of an entry. None for a release that a step left to the next step."""
    if AS in runs:
        return [*widths_paid(body)]
    texts = unrepeated(runs)
    known = {text: None if text == LATER else read_width(text) for text in dict.fromkeys(texts)}
    return [known[text] for text in texts]


def shapes_of(questions: Iterable[Mapping[str, Any]]) -> list[Shape]:
    """The shapes of the questions of an entry, without their bins. Steps of one question have the same shape."""
    return [
        (each["text"], "centred" in each, len(unrepeated(each["widths"])), *each.get("public", {}).values())
        for each in questions
    ]


def paid_fields(paid: Iterable[tuple[Mapping[str, Any], str, Width]]) -> list[Any]:
    """Each kind of release with its parts and their widths."""
    families: dict[str, tuple[Mapping[str, Any], list[tuple[str, str]]]] = {}
    last: Mapping[str, Any] | None = None
    for family, cells, width in paid:
        if family is not last:
            text, last = canonical(family), family
        families.setdefault(text, (family, []))[1].append((cells, str(width)))
    return [
        {"release": family, "parts": [[parts, width] for parts, width in _runs(places)]}
        for family, places in families.values()
    ]


def of_releases(paid: Iterable[Paid]) -> Iterator[tuple[Mapping[str, Any], str, Width]]:
    """Releases in the form that `paid_fields` takes."""
    for release, width in paid:
        yield release.said()[0], release.place, width


def paid_in(body: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str, Width]]:
    """What an entry paid for: kinds of releases, cells and widths."""
    for each in body["paid"]:
        if isinstance(each, list):  # format 1
            fields, width = each
            yield _family(fields), fields.get("cells", ""), int(width)
            continue
        if "cells" in each:
            yield from ((each["release"], *row) for row in column_in(each).rows())
            continue
        for parts, width in each["parts"]:
            for cells in _parts(parts):
                yield each["release"], cells, read_width(width)


def released_fields(found: Iterable[tuple[Paid, Released]]) -> list[Any]:
    """Numbers of one kind of release and width, part by part."""
    families: dict[tuple[str, Width], tuple[Mapping[str, Any], list[tuple[str, Released]]]] = {}
    for (release, width), numbers in found:
        family, text = release.said()
        known = families.setdefault((text, width), (family, []))
        known[1].append((release.place, numbers))
    return [
        {
            "release": family,
            "width": str(width),
            "parts": [parts for parts, _ in _runs([(cells, "") for cells, _ in places])],
            "numbers": " ".join(",".join(map(str, numbers)) for _, numbers in places),
        }
        for (_, width), (family, places) in families.items()
    ]


def released_in(body: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str, Width, Released]]:
    """What an entry released one by one: kinds of releases, cells, widths and numbers."""
    for each in body["released"]:
        if isinstance(each, list):  # format 1
            (fields, width), numbers = json.loads(each[0]), each[1]
            yield _family(fields), fields.get("cells", ""), int(width), tuple(map(int, numbers))
            continue
        family, width = each["release"], read_width(each["width"])
        places = [cells for parts in each["parts"] for cells in _parts(parts)]
        for cells, numbers in zip(places, each["numbers"].split(" "), strict=True):
            yield family, cells, width, tuple(map(int, numbers.split(",")))


def column_in(fields: Mapping[str, Any], paid: Column | None = None) -> Column:
    """The column that an entry has written in one element."""
    return read(fields, map(read_width, fields.get("bins", ())), paid)


def widths_paid(body: Mapping[str, Any]) -> list[Width]:
    """The bins of everything that an entry paid for in columns, cell by cell."""
    columns = [[width for _, width in column.rows()] for _, column in split_columns(body["paid"])[1]]
    return [width for widths in zip(*columns, strict=True) for width in widths]


def one_by_one(listed: Iterable[Any]) -> list[Any]:
    """The elements of an entry that are not columns."""
    return [each for each in listed if not _is_column(each)]


def _is_column(each: Any) -> bool:
    return isinstance(each, Mapping) and ("cells" in each or AS in each)


def split_columns(
    listed: Iterable[Any], paid: Callable[[str], Column | None] = lambda _: None
) -> tuple[list[Any], list[tuple[Mapping[str, Any], Column]]]:
    """The elements of an entry that are written one by one, and its columns. `paid` gives those of the ask."""
    given = list(listed)
    found = [(each["release"], each) for each in given if _is_column(each)]
    return one_by_one(given), [(family, column_in(each, paid(canonical(family)))) for family, each in found]


def rolled(rows: Iterable[tuple[str, tuple[Any, ...]]]) -> list[list[Any]]:
    """Rows that begin with public cells. Consecutive single cells with the same rest become one row.

    >>> rolled([("0", ("2", "9")), ("1", ("2", "9")), ("2-3", ("2", "9"))])
    [['0..1', '2', '9'], ['2-3', '2', '9']]
    """
    given = list(rows)
    rests = {json.dumps(rest): rest for _, rest in given}
    return [[cells, *rests[text]] for cells, text in _runs([(cells, json.dumps(rest)) for cells, rest in given])]


def unrolled(rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """The rows that `rolled` wrote."""
    for parts, *rest in rows:
        for cells in _parts(parts):
            yield [cells, *rest]


def repeated(texts: Iterable[str]) -> list[list[str]]:
    """Texts with how often each comes in a row: a short repeated pattern, or runs of one text.

    >>> repeated(["8", "8", "4"]), repeated(["8", "1", "8", "1"])
    ([['8', '2'], ['4', '1']], [['8 1', '2']])
    """
    given = list(texts)
    for period in range(1, MOST_IN_A_PATTERN + 1):
        times = len(given) // period
        if times > 1 and given == given[:period] * times:
            return [[" ".join(given[:period]), str(times)]]
    return [[text, str(sum(1 for _ in run))] for text, run in groupby(given)]


def shortly(texts: Iterable[str]) -> Any:
    """Very many texts, few of them different, in the shorter of two forms: counted, or in a column."""
    import numpy as np

    given = list(texts)
    counted = repeated(given)
    if len(counted) <= MOST_RUNS:
        return counted
    places = {text: place for place, text in enumerate(dict.fromkeys(given))}
    return {"bins": list(places), "which": packed(np.array([places[text] for text in given], np.int64))}


def unrepeated(runs: Any) -> list[str]:
    """The texts that `repeated` counted, or `shortly` wrote. Format 1 lists them one by one."""
    if isinstance(runs, Mapping):
        bins = runs["bins"]
        return [bins[place] for place in unpacked(runs["which"]).tolist()]
    if all(isinstance(run, str) for run in runs):
        return list(runs)
    return [text for pattern, times in runs for text in pattern.split(" ") * int(times)]


def _family(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in PLACED}


def _runs(places: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Parts, where consecutive single cells of the same width become one run."""
    start = 0
    while start < len(places):
        cells, width = places[start]
        end = start + 1
        while end < len(places) and cells.isdigit() and places[end] == (str(int(cells) + end - start), width):
            end += 1
        yield (cells if end == start + 1 else f"{cells}..{int(cells) + end - start - 1}"), width
        start = end


def _parts(text: str) -> list[str]:
    first, dots, last = text.partition("..")
    return [str(cell) for cell in range(int(first), int(last) + 1)] if dots else [text]
