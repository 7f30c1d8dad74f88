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


def design_table(design: Design) -> Group:
    """A design as a table for the terminal."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(*_heads(design))
    for row in _rows(design):
        table.add_row(*map(Text, row))
    return Group(table, *map(Text, lines(design)))


def design_html(design: Design) -> str:
    """A design as HTML for notebooks."""
    return table_of(_heads(design), _rows(design)) + "".join(map(paragraph, lines(design)))


def fields_of(design: Design) -> dict[str, Any]:
    """All fields, for machines."""
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
        for each in design.served
    ]
    ways = [{"name": way.name, "shares": [str(each) for each in way.shares], "why": way.why} for way in design.ways]
    return {
        "bits": str(design.bits),
        "cost": design.cost,
        "base": {
            "question": design.question,
            "copy": design.copy,
            "cells": written(design.base.cells),
            "factor": str(design.price),
        },
        "largest": str(design.largest),
        "median": str(design.median),
        "prior": list(design.prior),
        "stopped": design.stopped,
        "order": list(design.order),
        "questions": questions,
        "ways": ways,
    }


def _heads(design: Design) -> list[str]:
    return [*HEADS[:3], *([EXPECTED] if design.prior else []), HEADS[3]]


def _rows(design: Design) -> Iterable[list[str]]:
    for each in design.served:
        expected = "" if each.expected is None else f"{each.expected:.3g}"
        yield [each.wish.text, _error(each), _share(each), *([expected] if design.prior else []), _charged(each)]


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


def lines(design: Design) -> list[str]:
    """What is released, what it costs, and what the same bits buy without a design."""
    found = [_base(design)]
    if design.asked:
        all_quiet = f"; all quiet with a chance of about {design.quiet:.2g}" if design.quiet < 1 else ""
        found.append(f"then {plural(len(design.asked), 'question')} asked one after another{all_quiet}")
    found.append(f"{design.cost:.6g} of {design.bits} bits charged in all; nothing was spent yet")
    found.append(
        f"by design, in the worst table: {design.answered} of {len(design.served)} questions answered; share of the "
        f"range at most {float(design.largest):.3g}, median {float(design.median):.3g}"
    )
    found += [way.sentence for way in design.ways]
    if design.prior:
        each = [one.expected for one in design.served if one.expected is not None]
        found.append(
            f"expected, if all answers are quiet: share of the range at most {max(each):.3g}, median "
            f"{median(each):.3g}; the mean over tables drawn from what was declared of {', '.join(design.prior)}, with "
            f"columns unrelated"
        )
    if design.stopped:
        found.append("the search was ended by its time limit; give more seconds= to search on")
    return found


def _base(design: Design) -> str:
    if not design.base.divisions:
        return "no base table"
    kind = "a copy" if design.copied else "a cross table"
    divided = " × ".join(design.base.shown(design.asking.dataset))
    groups = f" in every group of {', '.join(design.base.public)}" if design.base.public else ""
    return f"base: {kind} of {plural(design.base.cells, 'cell')}{groups}, {bits_shown(design.price)}: {divided}"
