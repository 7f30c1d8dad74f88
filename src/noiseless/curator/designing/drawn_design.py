"""A design as a table."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median
from typing import TYPE_CHECKING, Any

from noiseless.curator.designing.served import HALF, Served
from noiseless.curator.page import paragraph, table_of
from noiseless.exact.number import written
from noiseless.exact.plural import plural
from noiseless.exact.readable import bits_shown, number_shown

if TYPE_CHECKING:
    from rich.console import Group

    from noiseless.curator.designing.designed import Design

HEADS = ["question", "certain to", "of its range", "charged"]
EXPECTED = "expected"


def design_table(told: Design) -> Group:
    """For the terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(*_heads(told))
    for row in _rows(told):
        table.add_row(*map(Text, row))
    return Group(table, *map(Text, lines(told)))


def design_html(told: Design) -> str:
    """For notebooks."""
    return table_of(_heads(told), _rows(told)) + "".join(map(paragraph, lines(told)))


def fields_of(told: Design) -> dict[str, Any]:
    """All of it, for machines."""
    questions = [
        {
            "question": each.wish.text,
            "weight": str(each.wish.weight),
            "error": None if each.error is None else str(each.error),
            "share": str(each.share),
            "sure": str(each.sure),
            "expected": each.expected,
            "factor": str(each.price),
            "dearest": str(each.dearest),
            "asked": each.asked is not None,
        }
        for each in told.served
    ]
    ways = [{"name": way.name, "shares": [str(each) for each in way.shares], "why": way.why} for way in told.ways]
    return {
        "bits": str(told.bits),
        "cost": told.cost,
        "base": {
            "question": told.question,
            "copy": told.copy,
            "cells": written(told.base.cells),
            "factor": str(told.price),
        },
        "largest": str(told.largest),
        "median": str(told.median),
        "prior": list(told.prior),
        "stopped": told.stopped,
        "order": list(told.order),
        "questions": questions,
        "ways": ways,
    }


def _heads(told: Design) -> list[str]:
    return [*HEADS[:3], *([EXPECTED] if told.prior else []), HEADS[3]]


def _rows(told: Design) -> Iterable[list[str]]:
    for each in told.served:
        expected = "" if each.expected is None else f"{each.expected:.3g}"
        yield [each.wish.text, _error(each), _share(each), *([expected] if told.prior else []), _charged(each)]


def _error(each: Served) -> str:
    if each.share >= HALF and each.asked is None:
        return "nothing promised"
    return "exact" if each.error == 0 else f"± {number_shown(each.error, 'upper')}"


def _share(each: Served) -> str:
    return "0" if not each.share else f"{float(each.share):.3g}"


def _charged(each: Served) -> str:
    if each.asked is None:
        return "nothing"
    loud = f" ({bits_shown(each.dearest)} if loud)" if each.dearest > each.price else ""
    return bits_shown(each.price) + loud


def lines(told: Design) -> list[str]:
    """What is released, what it costs, and what the same bits buy without a design."""
    found = [_base(told)]
    if told.asked:
        all_quiet = f"; all quiet with a chance of about {told.quiet:.2g}" if told.quiet < 1 else ""
        found.append(f"then {plural(len(told.asked), 'question')} asked one after another{all_quiet}")
    found.append(f"{told.cost:.6g} of {told.bits} bits charged in all; nothing was spent yet")
    found.append(
        f"by design, in the worst table: {told.answered} of {len(told.served)} questions answered; share of the range "
        f"at most {float(told.largest):.3g}, median {float(told.median):.3g}"
    )
    found += [way.sentence for way in told.ways]
    if told.prior:
        each = [one.expected for one in told.served if one.expected is not None]
        found.append(
            f"expected, if all answers are quiet: share of the range at most {max(each):.3g}, median "
            f"{median(each):.3g}; the mean over tables drawn from what was declared of {', '.join(told.prior)}, with "
            f"columns unrelated"
        )
    return found + (["the search was ended by its time limit; give more seconds= to search on"] if told.stopped else [])


def _base(told: Design) -> str:
    if not told.base.divisions:
        return "no base table"
    kind = "a copy" if told.copied else "a cross table"
    divided = " × ".join(told.base.shown(told.asking.dataset))
    groups = f" in every group of {', '.join(told.base.public)}" if told.base.public else ""
    return f"base: {kind} of {plural(told.base.cells, 'cell')}{groups}, {bits_shown(told.price)}: {divided}"
